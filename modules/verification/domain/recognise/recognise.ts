import { fromHex } from '../../../../kernel/bytes.ts'
import { u16, u32 } from '../encoding/little-endian.ts'
import { isLitter } from '../file/package-folder.ts'
import type { ProofKind } from '../report/proof-report.ts'

/**
 * What an item is, by what it holds: names are what a stranger chose. `archive`: a ZIP file of none of the known kinds, whose
 * entries are items. `certificates`: roots to trust, if the reader decides to. `keys`: what a platform publishes as its own.
 * `document`: anything else, which is hashed and linked to the proofs that speak about it.
 */
export type ItemKind = ProofKind | 'package' | 'archive' | 'certificates' | 'keys' | 'document'

/** Both ends of an item, up to `glanceLength` octets each; of a small one each is the whole. */
export type Glance = { readonly size: number; readonly head: Uint8Array; readonly tail: Uint8Array }

export const glanceLength = 64 << 10
/** Larger than this, text is a document: no proof that is written as text comes near. */
const largestText = 8 << 20

/** HeaderMagic of the OpenTimestamps file format. */
const otsMagic = fromHex('004f70656e54696d657374616d7073000050726f6f6600bf89e2e884e89294')
const signedData = fromHex('06092a864886f70d010702')
const tstInfo = fromHex('060b2a864886f70d0109100104')

export function recognise(glance: Glance): ItemKind {
  const { head, size } = glance
  if (starts(head, otsMagic)) return 'opentimestamps'
  if (head.length >= 4 && (u32(head, 0) === 0x04034b50 || u32(head, 0) === 0x06054b50)) return recogniseZip(glance)
  // Bytes before a package, or its first ones altered: what follows is still its directory.
  if (!starts(head, ascii('%PDF-')) && isPackage(zipNames(glance).names)) return 'package'
  const der = recogniseDer(head, size)
  if (der !== undefined) return der
  // ISO 32000-1 Annex H: the header may stand anywhere in the first 1024 octets.
  if (indexOf(head.subarray(0, 1029), ascii('%PDF-')) >= 0) return 'pdf'
  if (isZlib(head) && size <= 1 << 20) return 'chainpoint'
  const text = size <= largestText ? textOf(head, size) : undefined
  const kind = text === undefined ? 'document' : recogniseText(text)
  return kind === 'document' && isSignedXml(glance) ? 'xades' : kind
}

/** A document in XML with a signature of XMLDSIG in its beginning or, enveloped, near its end. */
function isSignedXml({ head, tail }: Glance): boolean {
  const [start, end] = [head, tail].map((each) => new TextDecoder().decode(each)) as [string, string]
  if (!/^\ufeff?\s*<[?!A-Za-z_]/.test(start)) return false
  return (
    [start, end].some((each) => /<(?:[\w.-]+:)?Signature[\s>]/.test(each)) &&
    `${start}${end}`.includes('//www.w3.org/2000/09/xmldsig#')
  )
}

/** An item written as text holds the octets that are meant: PEM, base64 or hexadecimal. Undefined when it is text itself. */
export function unwrapText(bytes: Uint8Array): Uint8Array | undefined {
  if (bytes.length > largestText) return undefined
  const text = textOf(bytes, bytes.length)?.trim()
  if (text === undefined) return undefined
  const pem = /^-----BEGIN ([A-Z0-9 ]{1,40})-----\r?\n([A-Za-z0-9+/=\s]+)-----END \1-----$/.exec(text)
  const body = (pem?.[2] ?? text).replace(/\s+/g, '')
  if (pem === null && body.length < 16) return undefined
  if (pem === null && /^(?:[0-9a-f]{2})+$/i.test(body)) return fromHex(body)
  return base64(body)
}

/** Base64 of RFC 4648 §4 or §5, padded or not; undefined when it is not that. */
export function base64(text: string): Uint8Array | undefined {
  const digits = text
    .replaceAll('-', '+')
    .replaceAll('_', '/')
    .replace(/={1,2}$/, '')
  if (digits.length === 0 || digits.length % 4 === 1 || !/^[A-Za-z0-9+/]+$/.test(digits)) return undefined
  const out = new Uint8Array(Math.floor((digits.length * 3) / 4))
  let bits = 0
  let held = 0
  let at = 0
  for (let i = 0; i < digits.length; i += 1) {
    bits = ((bits << 6) | value(digits.charCodeAt(i))) & 0xffffff
    held += 6
    if (held >= 8) {
      held -= 8
      out[at] = (bits >> held) & 0xff
      at += 1
    }
  }
  return out
}

function value(unit: number): number {
  if (unit >= 97) return unit - 71
  if (unit >= 65) return unit - 65
  if (unit >= 48) return unit + 4
  return unit === 43 ? 62 : 63
}

/** Names of the entries: of the directory when it is there as a whole, else whatever both ends show. */
function zipNames({ head, tail, size }: Glance): { names: string[]; whole: boolean; comment: Uint8Array } {
  const names: string[] = []
  const collect = (bytes: Uint8Array, signature: number, nameAt: number, lengthAt: number): void => {
    const mark = Uint8Array.of(0x50, 0x4b, signature & 0xff, signature >> 8)
    for (let at = indexOf(bytes, mark); at >= 0; at = indexOf(bytes, mark, at + 4)) {
      if (at + nameAt > bytes.length) return
      const length = u16(bytes, at + lengthAt)
      if (length <= 512 && at + nameAt + length <= bytes.length)
        names.push(new TextDecoder().decode(bytes.subarray(at + nameAt, at + nameAt + length)))
    }
  }
  let end = tail.length - 22
  // The comment behind it may be long.
  while (end >= 0 && !(u32(tail, end) === 0x06054b50 && end + 22 + u16(tail, end + 20) === tail.length)) end -= 1
  const from = size - tail.length
  const whole = end >= 0 && u32(tail, end + 16) >= from && u32(tail, end + 16) <= from + end
  // What stands in a whole container beside its directory may be another container, stored in it.
  if (!whole) collect(head, 0x0403, 30, 26)
  collect(whole ? tail.subarray(u32(tail, end + 16) - from) : tail, 0x0201, 46, 28)
  return { names, whole, comment: end < 0 ? new Uint8Array() : tail.subarray(end + 22) }
}

/** A package that was altered anywhere is still the package: only its own verification says what is wrong with it. */
export function isPackage(written: readonly string[]): boolean {
  const names = withoutFolder(written)
  const seals = new Set(names.filter((name) => /^seal\/(?:root\.bin|seal\.json|signature\.p7s|platform-ca\.pem)$/.test(name)))
  const has = (name: string): boolean => names.includes(name)
  if (seals.size >= 2 || (seals.size === 1 && has('manifest.json'))) return true
  return has('manifest.json') && has('META-INF/ASiCManifest001.xml') && (has('verify.html') || has('report.en.pdf'))
}

/** Names as a package has them, also when somebody packed the folder that it was unpacked to, or Windows did. */
function withoutFolder(written: readonly string[]): string[] {
  const names = written.some((name) => name.includes('/')) ? written : written.map((name) => name.replaceAll('\\', '/'))
  const landmark = /^(.*\/)?(?:manifest\.json|seal\/(?:root\.bin|seal\.json|signature\.p7s|platform-ca\.pem))$/
  const folder = names.map((name) => landmark.exec(name)).find((found) => found !== null)?.[1] ?? ''
  const isAround = names.every((name) => name.startsWith(folder) || isLitter(name))
  return isAround ? names.map((name) => (name.startsWith(folder) ? name.slice(folder.length) : name)) : [...names]
}

function recogniseZip(glance: Glance): ItemKind {
  const { names, whole, comment } = zipNames(glance)
  const first = glance.head.subarray(30, 256)
  const has = (pattern: RegExp): boolean => names.some((name) => pattern.test(name))
  // A package that was cut shows its seal only when that part is left; its first entries are its own all the same.
  const isCut = !whole && names[0] === 'mimetype' && names[1] === 'manifest.json'
  if (isCut || isPackage(names)) return 'package'
  if (has(/^datapackage\.json$/) && has(/^(?:archive|indexes)\//)) return 'wacz'
  // EN 319 162-1 §A.1: the kind stands in the first entry, or in the comment of the file.
  const says = starts(first, ascii('mimetype')) && isContainerType(first)
  return says || isContainerType(comment) || has(proofInContainer) ? 'asic' : 'archive'
}

/**
 * What signs, dates or lists in a container (EN 319 162-1 §4.3.3.2, §4.4.3.2, §A.4, §A.7), in any case of letters: one of them makes a
 * ZIP file a container, whatever it says of itself, since they are over some of its files and not over others.
 */
export const proofInContainer =
  /^META-INF\/[^/]*(?:ASiC[^/]*Manifest[^/]*\.xml|signature[^/]*\.(?:p7[sm]|xml)|timestamp[^/]*\.tst|evidencerecord[^/]*\.(?:ers|xml))$/i

export function isContainerType(bytes: Uint8Array): boolean {
  return new TextDecoder().decode(bytes.subarray(0, 256)).toLowerCase().includes('application/vnd.etsi.asic')
}

/** CMS (RFC 5652), RFC 3161 token or answer, evidence record, X.509 certificate; undefined when it is no DER of these. */
function recogniseDer(head: Uint8Array, size: number): ItemKind | undefined {
  const outer = element(head, 0)
  if (outer === undefined || outer.tag !== 0x30) return undefined
  // One that was cut is still said to be what it was; it is recognised by more than its first octets then.
  const isCut = outer.length !== null && outer.start + outer.length > size
  const first = element(head, outer.start)
  if (first === undefined) return undefined
  const at = outer.start
  if (starts(head.subarray(at), signedData)) return indexOf(head.subarray(0, at + 128), tstInfo) >= 0 ? 'timestamp' : 'cms'
  if (isEvidenceRecord(head, outer.start)) return 'evidence_record'
  if (first.tag !== 0x30 || first.length === null || (isCut && indexOf(head.subarray(0, 256), signedData) < 0)) return undefined
  const status = element(head, first.start)
  // PKIStatusInfo begins with a small integer; TBSCertificate with [0] or a serial number, then a sequence.
  if (status?.tag === 0x02 && status.length === 1 && (head[status.start] ?? 255) <= 5) return 'timestamp'
  return status?.tag === 0xa0 ? 'certificates' : undefined
}

/**
 * EvidenceRecord of RFC 4998 §3.1: a number, digest algorithms, then a sequence of chains of sequences. A request for a time stamp
 * begins alike and goes on otherwise.
 */
function isEvidenceRecord(head: Uint8Array, at: number): boolean {
  const end = (found: ReturnType<typeof element>): number =>
    found === undefined ? -1 : found.start + (found.length ?? head.length)
  const inside = (from: number, ...tags: readonly number[]): boolean => {
    const found = element(head, from)
    return found !== undefined && found.tag === tags[0] && (tags.length === 1 || inside(found.start, ...tags.slice(1)))
  }
  const version = element(head, at)
  if (version?.tag !== 0x02 || (version.length ?? 5) > 4 || !inside(end(version), 0x30, 0x30, 0x06)) return false
  let next = end(element(head, end(version)))
  for (const tag of [0xa0, 0xa1]) if (inside(next, tag)) next = end(element(head, next))
  return [0xa0, 0xa1, 0xa2, 0x30].some((tag) => inside(next, 0x30, 0x30, 0x30, tag))
}

function element(bytes: Uint8Array, at: number): { tag: number; start: number; length: number | null } | undefined {
  const [tag, first] = [bytes[at], bytes[at + 1]]
  if (tag === undefined || first === undefined) return undefined
  if (first < 0x80) return { tag, start: at + 2, length: first }
  // Indefinite length, as BER has it: others' CMS may use it.
  if (first === 0x80) return { tag, start: at + 2, length: null }
  const octets = first & 0x7f
  if (octets > 4 || at + 2 + octets > bytes.length) return undefined
  let length = 0
  for (let i = 0; i < octets; i += 1) length = length * 256 + (bytes[at + 2 + i] ?? 0)
  return { tag, start: at + 2 + octets, length }
}

/** CMF and FLG of RFC 1950: the binary form of Chainpoint is such a stream. */
function isZlib(head: Uint8Array): boolean {
  const [cmf = 0, flags = 0] = head
  return cmf === 0x78 && (cmf * 256 + flags) % 31 === 0 && (flags & 0x20) === 0
}

/** UTF-8 text; a character that the glance cuts in two is no fault. */
function textOf(head: Uint8Array, size: number): string | undefined {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(head, { stream: size > head.length })
    // oxlint-disable-next-line no-control-regex
    return /[\u0000-\u0008\u000e-\u001a\u001c-\u001f]/.test(text) ? undefined : text
  } catch {
    return undefined
  }
}

function recogniseText(whole: string): ItemKind {
  const text = whole.trimStart()
  if (/^-----BEGIN (?:X509 |TRUSTED )?CERTIFICATE-----/.test(text)) return 'certificates'
  if (text.startsWith('-----BEGIN BITCOIN SIGNED MESSAGE-----')) return 'bitcoin_message'
  if (text.startsWith('-----BEGIN NANO SIGNED MESSAGE-----')) return 'nano_message'
  if (text.startsWith('c2sp.org/tlog-proof@')) return 'log_proof'
  if (/^[^\n ]{1,256}\n\d{1,16}\n[A-Za-z0-9+/]{43}=\n(?:[^\n]+\n)*\n\u2014 /.test(text)) return 'checkpoint'
  if (text.startsWith('{')) return recogniseJson(text)
  if (
    text.startsWith('<') &&
    text.slice(0, 8192).includes('urn:ietf:params:xml:ns:ers') &&
    /<(?:[\w.-]+:)?EvidenceRecord[\s>]/.test(text.slice(0, 8192))
  )
    return 'evidence_record'
  if (text.startsWith('<') && /<(?:\w+:)?TrustServiceStatusList[\s>]/.test(text.slice(0, 8192))) return 'trusted_list'
  return recogniseEncoded(text)
}

/** By the members that each format requires; of a long text its beginning, which is why no parser is asked. */
function recogniseJson(text: string): ItemKind {
  if (/"(?:@context|type)"\s*:\s*"[^"]{0,200}chainpoint|"chainpoint_version"\s*:|"MerkleProof201[79]"/i.test(text))
    return 'chainpoint'
  // Its proof may come after pictures.
  if (/\/\/(?:www\.)?(?:w3id\.org\/)?blockcerts[/.]/.test(text.slice(0, 8192))) return 'chainpoint'
  if (/"format"\s*:\s*"probant-keys\//.test(text)) return 'keys'
  if (/"format"\s*:\s*"probant-message-signatures\//.test(text)) return 'bitcoin_message'
  return 'document'
}

/** Base64, PEM or hexadecimal of something binary that is known; otherwise it is text, a document. */
function recogniseEncoded(text: string): ItemKind {
  const lines = text.startsWith('-----BEGIN ') ? text.slice(text.indexOf('\n') + 1).replace(/-----END [\s\S]*/, '') : text
  const digits = lines.replace(/\s+/g, '')
  if (digits.length < 32) return 'document'
  const isHex = /^[0-9a-f]+$/i.test(digits)
  const bytes = isHex
    ? fromHex(digits.slice(0, digits.length - (digits.length % 2)))
    : base64(digits.slice(0, digits.length - (digits.length % 4)))
  if (bytes === undefined) return 'document'
  if (starts(bytes, otsMagic)) return 'opentimestamps'
  if (isZlib(bytes)) return 'chainpoint'
  return recogniseDer(bytes, Number.MAX_SAFE_INTEGER) ?? 'document'
}

const ascii = (text: string): Uint8Array => new TextEncoder().encode(text)

function starts(bytes: Uint8Array, with_: Uint8Array): boolean {
  return bytes.length >= with_.length && with_.every((octet, i) => bytes[i] === octet)
}

function indexOf(bytes: Uint8Array, wanted: Uint8Array, from = 0): number {
  const [first = 0] = wanted
  for (let at = bytes.indexOf(first, from); at >= 0; at = bytes.indexOf(first, at + 1)) {
    if (starts(bytes.subarray(at, at + wanted.length), wanted)) return at
  }
  return -1
}

/** Both ends of what is at hand as a whole. */
export function glanceOf(bytes: Uint8Array): Glance {
  return {
    size: bytes.length,
    head: bytes.subarray(0, glanceLength),
    tail: bytes.subarray(Math.max(0, bytes.length - glanceLength)),
  }
}

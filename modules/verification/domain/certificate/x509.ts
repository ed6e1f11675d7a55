import { sha256 } from '@noble/hashes/sha2.js'
import { equalBytes, toHex, utf8 } from '../../../../kernel/bytes.ts'
import { ids } from './object-ids.ts'
import { isWeak, readPublicKey, readScheme, signatureHolds } from './check-signature.ts'
import type { PublicKey, SignatureScheme } from './check-signature.ts'
import {
  anyTimeOf,
  bitOctets,
  children,
  explicit,
  integerContents,
  integerHex,
  malformed,
  MalformedError,
  oidOf,
  readDer,
  sequence,
  smallInteger,
  tagged,
  timeOf,
} from '../encoding/der.ts'
import type { Der } from '../encoding/der.ts'
import { readExtensions } from './x509-extensions.ts'
import type { Extensions, Reading } from './x509-extensions.ts'

export type Certificate = Extensions & {
  readonly encoded: Uint8Array
  readonly tbs: Uint8Array
  readonly scheme: SignatureScheme | undefined
  readonly signature: Uint8Array
  readonly key: PublicKey
  /** DER of the Names. */
  readonly issuer: Uint8Array
  readonly subject: Uint8Array
  readonly serial: string
  /** Common name, else organisation, else empty. Hostile text. */
  readonly name: string
  readonly notBefore: Date
  readonly notAfter: Date
  /** SHA-256 of the DER, lower-case hexadecimal. */
  readonly sha256: string
}

/** Reads one certificate (RFC 5280). @throws MalformedError */
export function readCertificate(encoded: Uint8Array, reading: Reading = 'strict'): Certificate {
  const [tbs, outer, signature] = sequence(readDer(encoded, 0x30), 3)
  const fields = children(tagged(tbs, 0x30))
  const isThird = fields[0]?.tag === 0xa0 && smallInteger(explicit(fields[0], 0xa0)) === 2
  if (!isThird && reading === 'strict') malformed('not a version 3 certificate')
  const [serial, inner, issuer, validity, subject, key, ...rest] = fields[0]?.tag === 0xa0 ? fields.slice(1) : fields
  // RFC 5280 §4.1.1.2: the unsigned copy of the algorithm must equal the signed one.
  if (!equalBytes(tagged(outer, 0x30).encoded, tagged(inner, 0x30).encoded)) malformed('two signature algorithms')
  const [notBefore, notAfter] = sequence(validity, 2)
  const extensions = readExtensions(
    rest.find((field) => field.tag === 0xa3),
    reading,
  )
  const common = {
    encoded,
    tbs: tagged(tbs, 0x30).encoded,
    signature: bitOctets(signature),
    issuer: tagged(issuer, 0x30).encoded,
    subject: tagged(subject, 0x30).encoded,
    name: attribute(subject, ids.commonName) ?? attribute(subject, ids.organization) ?? '',
    sha256: toHex(sha256(encoded)),
  }
  if (reading === 'strict')
    return {
      ...common,
      ...extensions,
      scheme: readScheme(inner),
      key: readPublicKey(key),
      serial: integerHex(serial),
      notBefore: timeOf(notBefore),
      notAfter: timeOf(notAfter),
    }
  return {
    ...common,
    ...extensions,
    // Version 1 has no way to say so; only one that names itself can end a chain (RFC 5280 §6.1.4 (k)).
    isAuthority: extensions.isAuthority || (!isThird && equalBytes(common.issuer, common.subject)),
    scheme: orElse(() => readScheme(inner), undefined),
    key: orElse(() => readPublicKey(key), { type: 'other' }),
    serial: serialHex(serial),
    notBefore: anyTimeOf(notBefore),
    notAfter: anyTimeOf(notAfter),
  }
}

/** Serial numbers must be positive (RFC 5280 §4.1.2.2); a negative one of before is shown with its sign octet. */
export function serialHex(found: Der | undefined): string {
  return orElse(() => integerHex(found), toHex(integerContents(found).subarray(0, 64)))
}

/** What could not be read leaves its certificate readable: it then verifies nothing, which is said. */
function orElse<T>(read: () => T, otherwise: T): T {
  try {
    return read()
  } catch (error) {
    if (error instanceof MalformedError) return otherwise
    throw error
  }
}

function attribute(name: Der | undefined, type: string): string | undefined {
  for (const relative of children(tagged(name, 0x30)).toReversed()) {
    for (const each of children(tagged(relative, 0x31))) {
      const [id, value] = sequence(each, 2)
      if (oidOf(id) !== type || value === undefined) continue
      // TeletexString holds Latin-1 wherever it occurs; BMPString is UTF-16; the others are ASCII or UTF-8.
      if (value.tag === 0x14) return Array.from(value.contents.subarray(0, 200), (octet) => String.fromCharCode(octet)).join('')
      if (value.tag !== 0x1e) return new TextDecoder().decode(value.contents).slice(0, 200)
      let text = ''
      for (let i = 0; i + 1 < value.contents.length; i += 2)
        text += String.fromCharCode((value.contents[i] ?? 0) * 256 + (value.contents[i + 1] ?? 0))
      return text.slice(0, 200)
    }
  }
  return undefined
}

/**
 * Answers already calculated, by the digests of both certificates: the tokens and signatures of a package share a few chains,
 * and these calculations are most of what verifying costs. Bounded, because packages choose their certificates.
 */
const issued = new Map<string, boolean>()
const mostIssued = 1024

/** Public-key calculations that one verification may still do: hostile certificates all bear each other's names, and large keys. */
export type Budget = { left: number }

export function isIssuedBy(child: Certificate, issuer: Certificate, budget?: Budget): boolean {
  if (child.scheme === undefined || !equalBytes(child.issuer, issuer.subject)) return false
  const pair = `${child.sha256} ${issuer.sha256}`
  const known = issued.get(pair)
  if (known !== undefined) return known
  if (budget !== undefined) {
    budget.left -= 1
    if (budget.left < 0) return false
  }
  const holds = signatureHolds(issuer.key, child.scheme, child.tbs, child.signature)
  if (issued.size >= mostIssued) issued.clear()
  issued.set(pair, holds)
  return holds
}

export function isSelfSigned(certificate: Certificate, budget?: Budget): boolean {
  return equalBytes(certificate.issuer, certificate.subject) && isIssuedBy(certificate, certificate, budget)
}

/** Certificates are dated to the second; an instant may carry a fraction of the last one. */
export function isValidAt(certificate: Certificate, at: Date): boolean {
  return certificate.notBefore <= at && at.getTime() < certificate.notAfter.getTime() + 1000
}

export type Chain = { readonly issuers: readonly Certificate[]; readonly root: Certificate; readonly weak: boolean }

const longestChain = 8

/**
 * Follows the issuers from a certificate to a self-signed one (RFC 5280 §6, without policies and name constraints, whose
 * critical presence is refused). @returns the chain, or why there is none.
 */
export function buildChain(leaf: Certificate, pool: readonly Certificate[], at: Date): Chain | 'expired' | 'chain' {
  let usable = pool
  for (let left = mostDeadEnds; ; left -= 1) {
    const found = follow(leaf, usable, at)
    if (typeof found === 'string' || !('deadEnd' in found)) return found
    const { deadEnd } = found
    if (deadEnd === undefined || left === 0) return 'chain'
    // A damaged copy of an issuer does not stand in the way of a sound one.
    usable = usable.filter((each) => each !== deadEnd)
  }
}

const mostDeadEnds = 8

/** `deadEnd`: the issuer that nothing in the pool issued; undefined when that is the leaf. */
function follow(
  leaf: Certificate,
  pool: readonly Certificate[],
  at: Date,
): Chain | 'expired' | 'chain' | { readonly deadEnd: Certificate | undefined } {
  if (!isValidAt(leaf, at)) return 'expired'
  if (leaf.unknownCritical) return 'chain'
  const issuers: Certificate[] = []
  let subject = leaf
  let weak = false
  while (!isSelfSigned(subject)) {
    const child = subject
    const issuer = pool.find((each) => mayIssue(each, issuers.length) && isIssuedBy(child, each))
    if (issuers.length === longestChain) return 'chain'
    if (issuer === undefined) return { deadEnd: issuers.at(-1) }
    if (!isValidAt(issuer, at)) return 'expired'
    // A root's own signature proves nothing, so its algorithm weakens nothing.
    weak ||= child.scheme !== undefined && isWeak(issuer.key, child.scheme)
    issuers.push(issuer)
    subject = issuer
  }
  return { issuers, root: subject, weak }
}

function mayIssue(certificate: Certificate, below: number): boolean {
  return (
    certificate.isAuthority &&
    !certificate.unknownCritical &&
    (certificate.keyUsage === undefined || certificate.keyUsage.has(5)) &&
    (certificate.pathLength === undefined || certificate.pathLength >= below)
  )
}

const mostCertificates = 32

/** Certificates of a PEM file (RFC 7468) that holds nothing else. @throws MalformedError */
export function readPem(bytes: Uint8Array): Certificate[] {
  if (bytes.length > 1 << 20) malformed('PEM too large')
  const text = new TextDecoder().decode(bytes)
  const blocks = [...text.matchAll(/-----BEGIN CERTIFICATE-----\s+([A-Za-z0-9+/=\s]+?)-----END CERTIFICATE-----/g)]
  const rest = text.replaceAll(/-----BEGIN CERTIFICATE-----\s+[A-Za-z0-9+/=\s]+?-----END CERTIFICATE-----/g, '')
  if (blocks.length === 0 || blocks.length > mostCertificates || rest.trim() !== '') malformed('not a PEM file of certificates')
  return blocks.map((block) => readCertificate(fromBase64((block[1] ?? '').replaceAll(/\s/g, ''))))
}

/** PEM as the format writes it: one certificate after the other, lines of 64. */
export function pemOf(certificates: readonly Certificate[]): Uint8Array {
  return utf8(
    certificates
      .map(({ encoded }) => {
        const lines = toBase64(encoded).replaceAll(/.{64}(?=.)/g, '$&\n')
        return `-----BEGIN CERTIFICATE-----\n${lines}\n-----END CERTIFICATE-----\n`
      })
      .join(''),
  )
}

function toBase64(bytes: Uint8Array): string {
  let text = ''
  for (let at = 0; at < bytes.length; at += 3) {
    const left = bytes.length - at
    const value = ((bytes[at] ?? 0) << 16) | ((bytes[at + 1] ?? 0) << 8) | (bytes[at + 2] ?? 0)
    const digits = [18, 12, 6, 0].map((shift) => alphabet.charAt((value >> shift) & 63)).join('')
    text += left > 2 ? digits : digits.slice(0, left + 1).padEnd(4, '=')
  }
  return text
}

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'

/** Padded base64 of RFC 4648 §4, canonical. @throws MalformedError */
export function fromBase64(text: string): Uint8Array {
  const core = text.replace(/={1,2}$/, '')
  if (text.length % 4 !== 0 || !/^[A-Za-z0-9+/]*$/.test(core)) malformed('not base64')
  const out = new Uint8Array(Math.floor((core.length * 3) / 4))
  let value = 0
  let held = 0
  let at = 0
  for (const unit of core) {
    value = ((value << 6) | alphabet.indexOf(unit)) & 0xffff
    held += 6
    if (held < 8) continue
    held -= 8
    out[at] = (value >> held) & 0xff
    at += 1
  }
  if ((value & ((1 << held) - 1)) !== 0) malformed('base64 with stray bits')
  return out
}

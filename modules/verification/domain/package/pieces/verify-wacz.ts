/**
 * The signature that a web archive carries itself (WACZ Signing and Verification 0.1.0): what whoever has the archive alone can
 * check. The package's seal covers the archive anyway.
 */
import { sha256 } from '@noble/hashes/sha2.js'
import { toHex, utf8 } from '../../../../../kernel/bytes.ts'
import { readPublicKey } from '../../certificate/check-signature.ts'
import { MalformedError, readDer } from '../../encoding/der.ts'
import type { Manifest } from '../../manifest/manifest.ts'
import type { OpenedEntry } from '../contents/open-package.ts'
import type { Readable } from '../../file/readable.ts'
import type { Check } from '../../report/package-report.ts'
import { verifyTimestamp } from '../seal/verify-timestamp.ts'
import { fromBase64, isIssuedBy, isSelfSigned, isValidAt, readPem } from '../../certificate/x509.ts'
import { u16, u32, u64 } from '../../encoding/little-endian.ts'

const mostArchives = 8
const largestDigest = 1 << 20
/** authsign: a domain's certificate counts for seven days after its start, a date for ten minutes before its timestamp. */
const certificateMs = 7 * 24 * 3_600_000
const createdMs = 10 * 60_000

/** One check for each archive that is signed; nothing for one that is not, or that is no archive. */
export async function archiveChecks(entries: ReadonlyMap<string, OpenedEntry>, manifest: Manifest | undefined): Promise<Check[]> {
  const checks: Check[] = []
  for (const { path, role } of manifest?.pieces ?? []) {
    const entry = entries.get(path)
    if (role !== 'wacz' || entry === undefined || checks.length === mostArchives) continue
    const data = await verifyArchive(entry)
    if (data === null) continue
    const command = `unzip -p ${path} datapackage.json | sha256sum; unzip -p ${path} datapackage-digest.json`
    checks.push({
      id: 'wacz_signature',
      status: 'reason' in data ? 'failed' : 'passed',
      subject: path,
      data,
      repeat_command: command,
    })
  }
  return checks
}

export type ArchiveSignatureOutcome =
  | { readonly reason: string }
  | { readonly form: 'anonymous'; readonly sha256: string }
  | { readonly form: 'domain'; readonly name: string; readonly sha256: string; readonly gen_time: string }

async function verifyArchive(file: Readable): Promise<ArchiveSignatureOutcome | null> {
  try {
    const found = await readStored(file, ['datapackage.json', 'datapackage-digest.json'])
    const digestFile = found.get('datapackage-digest.json')
    const packageFile = found.get('datapackage.json')
    const digest = digestFile === undefined ? null : readObject(digestFile)
    const signed = digest === null ? null : objectOf(digest['signedData'])
    if (digest === null || signed === null) return null
    if (packageFile === undefined) return { reason: 'malformed' }
    const hash = `sha256:${toHex(sha256(packageFile))}`
    if (digest['path'] !== 'datapackage.json' || digest['hash'] !== hash || signed['hash'] !== hash)
      return { reason: 'message_digest' }
    if (readObject(packageFile)?.['created'] !== signed['created']) return { reason: 'archive_created' }
    return verifySignedData(signed, hash)
  } catch (error) {
    if (error instanceof MalformedError || error instanceof RangeError) return { reason: 'malformed' }
    throw error
  }
}

const common = ['created', 'hash', 'signature', 'software', 'version']
const forms = {
  anonymous: [...common, 'publicKey'],
  domain: [...common, 'domain', 'domainCert', 'timeSignature', 'timestampCert'],
} as const

/** `signedData` of a datapackage-digest.json, over the digest of datapackage.json. @throws MalformedError or RangeError */
export function verifySignedData(signed: Readonly<Record<string, unknown>>, hash: string): ArchiveSignatureOutcome {
  const form = 'domainCert' in signed ? 'domain' : 'anonymous'
  const members = forms[form]
  const names = Object.keys(signed).filter((name) => !(form === 'domain' && name === 'crossSignedCert'))
  if (names.length !== members.length || !members.every((name) => typeof signed[name] === 'string'))
    return { reason: 'malformed' }
  const text = (name: string): string => signed[name] as string
  const signature = fromBase64(text('signature'))
  const message = utf8(hash)
  if (form === 'anonymous') {
    const encoded = fromBase64(text('publicKey'))
    // Web Cryptography's form, r ‖ s: what ReplayWeb.page checks.
    return holds(encoded, message, signature, 'compact') ? { form, sha256: toHex(sha256(encoded)) } : { reason: 'signature' }
  }
  const chain = readPem(utf8(text('domainCert')))
  const [leaf] = chain
  if (leaf === undefined || chain.some((each, i) => i > 0 && !isIssuedBy(chain[i - 1] ?? each, each))) return { reason: 'chain' }
  if (leaf.key.type !== 'ec' || !ecHolds(leaf.key, message, signature, 'der')) return { reason: 'signature' }
  if (leaf.name !== text('domain')) return { reason: 'archive_domain' }
  const created = new Date(text('created'))
  if (!isValidAt(leaf, created) || created.getTime() > leaf.notBefore.getTime() + certificateMs) return { reason: 'expired' }
  const authorities = readPem(utf8(text('timestampCert')))
  const digest = sha256(utf8(text('signature')))
  const dated = verifyTimestamp(fromBase64(text('timeSignature')), { digest, known: authorities, form: 'response' })
  if (dated.status !== 'passed') return { reason: 'timestamp_failed' }
  const root = authorities.at(-1)
  if (root === undefined || !isSelfSigned(root) || authorities[0]?.sha256 !== dated.facts.signer_sha256)
    return { reason: 'chain' }
  const late = Date.parse(dated.facts.gen_time) - created.getTime()
  if (!(late >= 0 && late <= createdMs)) return { reason: 'archive_created' }
  return { form, name: leaf.name, sha256: leaf.sha256, gen_time: dated.facts.gen_time }
}

type EcKey = Extract<ReturnType<typeof readPublicKey>, { type: 'ec' }>

function holds(spki: Uint8Array, message: Uint8Array, signature: Uint8Array, format: 'compact' | 'der'): boolean {
  const key = readPublicKey(readDer(spki, 0x30))
  return key.type === 'ec' && ecHolds(key, message, signature, format)
}

function ecHolds(key: EcKey, message: Uint8Array, signature: Uint8Array, format: 'compact' | 'der'): boolean {
  try {
    return key.curve.verify(signature, sha256(message), key.point, { prehash: false, lowS: false, format })
  } catch {
    return false
  }
}

function readObject(bytes: Uint8Array): Readonly<Record<string, unknown>> | null {
  try {
    return objectOf(JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes)))
  } catch {
    return null
  }
}

function objectOf(value: unknown): Readonly<Record<string, unknown>> | null {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Readonly<Record<string, unknown>>)
    : null
}

const longestTail = 65_557
const largestDirectory = 8 << 20

/** Two small entries of a ZIP file that others may have packed: stored, found by its directory. Those that are not there are absent. */
async function readStored(file: Readable, names: readonly string[]): Promise<Map<string, Uint8Array>> {
  const found = new Map<string, Uint8Array>()
  const tail = await file.read(Math.max(0, file.size - longestTail), Math.min(file.size, longestTail))
  let end = tail.length - 22
  while (end >= 0 && u32(tail, end) !== 0x06054b50) end -= 1
  if (end < 0) return found
  let [size, at] = [u32(tail, end + 12), u32(tail, end + 16)]
  if (at === 0xffffffff || size === 0xffffffff) {
    // ZIP64: its end record stands before the locator (APPNOTE 4.3.14).
    const record = end - 76
    if (record < 0 || u32(tail, record) !== 0x06064b50) return found
    ;[size, at] = [u64(tail, record + 40), u64(tail, record + 48)]
  }
  if (size > largestDirectory || at + size > file.size) return found
  const directory = await file.read(at, size)
  for (let place = 0; place + 46 <= directory.length && u32(directory, place) === 0x02014b50;) {
    const [nameBytes, extraBytes, commentBytes] = [
      u16(directory, place + 28),
      u16(directory, place + 30),
      u16(directory, place + 32),
    ]
    const name = String.fromCharCode(...directory.subarray(place + 46, place + 46 + Math.min(nameBytes, 255)))
    const [method, length, headerAt] = [u16(directory, place + 10), u32(directory, place + 24), entryAt(directory, place)]
    place += 46 + nameBytes + extraBytes + commentBytes
    // Archives of ours are stored; one that others compressed is not judged here.
    if (!names.includes(name) || nameBytes > 255 || method !== 0) continue
    if (found.has(name) || length > largestDigest || headerAt + 30 > file.size) throw new RangeError('archive entry')
    const header = await file.read(headerAt, 30)
    if (u32(header, 0) !== 0x04034b50) throw new RangeError('archive entry')
    found.set(name, await file.read(headerAt + 30 + u16(header, 26) + u16(header, 28), length))
  }
  return found
}

/** Offset of the local header; from the ZIP64 field when it does not fit (the sizes of small entries always do). */
function entryAt(directory: Uint8Array, place: number): number {
  const plain = u32(directory, place + 42)
  if (plain !== 0xffffffff) return plain
  const extra = place + 46 + u16(directory, place + 28)
  const end = extra + u16(directory, place + 30)
  for (let at = extra; at + 12 <= end; at += 4 + u16(directory, at + 2)) {
    // APPNOTE 4.5.3: only the values that do not fit stand here, in order; some writers put all three.
    if (u16(directory, at) === 1) return u64(directory, at + (u16(directory, at + 2) >= 24 ? 20 : 4))
  }
  throw new RangeError('archive entry')
}

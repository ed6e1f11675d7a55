import { createPrivateKey, createPublicKey, randomBytes, sign } from 'node:crypto'
import type { KeyObject } from 'node:crypto'
import { link, lstat, mkdir, open, readdir, readFile, stat, unlink } from 'node:fs/promises'
import { join } from 'node:path'
import { DomainError } from '../../../kernel/errors.ts'
import { pemOf, readCertificate } from './read-certificate.ts'
import type { CertificateFacts } from './read-certificate.ts'

/**
 * One key with its certificate and issuers in one PEM file, `<slot>.<number>.pem`: the file exists whole or not at all, so
 * that no interruption leaves a key without its certificate.
 */
export type KeyEntry = {
  readonly file: string
  readonly number: number
  readonly certificate: CertificateFacts
  readonly chain: readonly CertificateFacts[]
  sign(data: Uint8Array): Uint8Array
}

const slots = ['platform-ca', 'platform-signing', 'time-ca', 'time-signing'] as const
export type Slot = (typeof slots)[number]

const fileName = /^(platform-ca|platform-signing|time-ca|time-signing)\.([1-9]\d{0,5})\.pem$/
const temporaryName = /^\.new-[0-9a-f]{32}$/
const staleAfterMs = 3_600_000

/** Makes the folder when absent. @throws DomainError `sealing.keyring_permissions` when others than its owner may enter. */
export async function prepareFolder(dir: string): Promise<void> {
  await mkdir(dir, { recursive: true, mode: 0o700 })
  const info = await lstat(dir)
  if (!info.isDirectory()) throw damaged(dir, 'not a folder')
  refuseOthers(dir, info)
}

/** Every entry of the folder by slot, numbers ascending. Names that are not ours are returned apart, untouched. */
export async function readFolder(dir: string): Promise<{ entries: Map<Slot, KeyEntry[]>; strangers: string[] }> {
  const entries = new Map<Slot, KeyEntry[]>(slots.map((slot) => [slot, []]))
  const strangers: string[] = []
  for (const name of await readdir(dir)) {
    const match = fileName.exec(name)
    if (match !== null) entries.get(match[1] as Slot)?.push(await readEntry(dir, name, Number(match[2])))
    else if (temporaryName.test(name)) await removeStale(dir, name)
    else strangers.push(name)
  }
  for (const list of entries.values()) list.sort((a, b) => a.number - b.number)
  return { entries, strangers }
}

/**
 * Writes an entry unless its number was taken meanwhile, by another process for instance; answers what stands under that
 * number. The file is complete and on disk before `link` gives it its name, and `link` never replaces.
 */
export async function writeEntry(
  dir: string,
  slot: Slot,
  number: number,
  content: { privateKey: KeyObject; certificates: readonly Uint8Array[] },
): Promise<KeyEntry> {
  const name = `${slot}.${number}.pem`
  const temporary = temporaryPath(dir)
  const handle = await open(temporary, 'wx', 0o600)
  try {
    const key = content.privateKey.export({ type: 'pkcs8', format: 'pem' })
    await handle.writeFile(key + pemOf(content.certificates))
    await handle.sync()
  } finally {
    await handle.close()
  }
  try {
    await link(temporary, join(dir, name))
  } catch (error) {
    if (!isCode(error, 'EEXIST')) throw error
  } finally {
    await unlink(temporary)
  }
  const folder = await open(dir, 'r')
  try {
    await folder.sync()
  } finally {
    await folder.close()
  }
  return readEntry(dir, name, number)
}

async function readEntry(dir: string, name: string, number: number): Promise<KeyEntry> {
  const file = join(dir, name)
  const info = await lstat(file)
  if (!info.isFile()) throw damaged(file, 'not a regular file')
  refuseOthers(file, info)
  if (info.size > 65_536) throw damaged(file, 'too large')
  const text = await readFile(file, 'latin1')
  try {
    const [certificate, ...chain] = [
      ...text.matchAll(/-----BEGIN CERTIFICATE-----\n([A-Za-z0-9+/=\n]+)-----END CERTIFICATE-----\n/g),
    ].map((match) => readCertificate(new Uint8Array(Buffer.from(match[1] ?? '', 'base64'))))
    if (certificate === undefined) throw new Error('no certificate')
    const key = createPrivateKey(text)
    const published = createPublicKey(key).export({ type: 'spki', format: 'der' })
    if (key.asymmetricKeyType !== 'ec' || key.asymmetricKeyDetails?.namedCurve !== 'prime256v1')
      throw new Error('not a P-256 key')
    if (!certificate.x509.publicKey.export({ type: 'spki', format: 'der' }).equals(published))
      throw new Error('key and certificate differ')
    for (const [index, subject] of [certificate, ...chain].entries()) {
      const issuer = chain[index] ?? subject
      if (!subject.x509.checkIssued(issuer.x509) || !subject.x509.verify(issuer.x509.publicKey)) throw new Error('broken chain')
    }
    return { file, number, certificate, chain, sign: (data) => new Uint8Array(sign('sha256', data, key)) }
  } catch (error) {
    throw damaged(file, error instanceof Error ? error.message : 'unreadable', error)
  }
}

/**
 * What a killed process left goes an hour later, by the clock of the file system alone: another process may be writing its
 * own at this instant, under a clock that is not ours.
 */
async function removeStale(dir: string, name: string): Promise<void> {
  const probe = temporaryPath(dir)
  const handle = await open(probe, 'wx', 0o600)
  try {
    const now = (await handle.stat()).mtimeMs
    const written = await stat(join(dir, name))
    if (now - written.mtimeMs > staleAfterMs) await unlink(join(dir, name))
  } catch (error) {
    // Its owner, or another process that cleans up, was faster.
    if (!isCode(error, 'ENOENT')) throw error
  } finally {
    await handle.close()
    await unlink(probe)
  }
}

const temporaryPath = (dir: string): string => join(dir, `.new-${randomBytes(16).toString('hex')}`)

function refuseOthers(path: string, info: { mode: number; uid: number }): void {
  const mode = info.mode & 0o777
  if ((mode & 0o077) !== 0) {
    throw new DomainError('unavailable', 'sealing.keyring_permissions', { path, mode: mode.toString(8).padStart(4, '0') })
  }
  const own = process.geteuid?.()
  if (own !== undefined && info.uid !== own)
    throw new DomainError('unavailable', 'sealing.keyring_owner', { path, owner: info.uid })
}

function damaged(path: string, reason: string, cause?: unknown): DomainError {
  return new DomainError('unavailable', 'sealing.keyring_damaged', { path, reason }, { cause })
}

function isCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code
}

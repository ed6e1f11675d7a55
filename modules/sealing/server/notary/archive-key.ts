import { createPrivateKey, createPublicKey, generateKeyPairSync, randomBytes, sign } from 'node:crypto'
import { link, lstat, open, readFile, unlink } from 'node:fs/promises'
import { join } from 'node:path'
import { DomainError } from '../../../../kernel/errors.ts'
import { prepareFolder } from '../keyring/key-folder.ts'

/**
 * The key of web archives in their anonymous form (WACZ Signing and Verification 0.1.0): ECDSA P-384, the one curve that
 * ReplayWeb.page checks there (decision 0127). It seals nothing: packages are sealed by the keyring.
 */
export type ArchiveKey = {
  /** SubjectPublicKeyInfo, DER. */
  readonly publicKey: Uint8Array
  /** Signs SHA-256 of `data`. Answers r ‖ s, 96 octets (IEEE P1363), the form of Web Cryptography. */
  sign(data: Uint8Array): Uint8Array
}

const fileName = 'archive-signing.1.pem'

/** Opens the key in `dir`, made at first need; several processes may do so at once. @throws DomainError `sealing.keyring_…` */
export async function openArchiveKey(dir: string): Promise<ArchiveKey> {
  await prepareFolder(dir)
  const path = join(dir, fileName)
  const text = (await readKey(path)) ?? (await makeKey(dir, path))
  let key
  try {
    key = createPrivateKey(text)
  } catch (error) {
    throw new DomainError('unavailable', 'sealing.keyring_damaged', { path, reason: 'unreadable' }, { cause: error })
  }
  if (key.asymmetricKeyType !== 'ec' || key.asymmetricKeyDetails?.namedCurve !== 'secp384r1')
    throw new DomainError('unavailable', 'sealing.keyring_damaged', { path, reason: 'not a P-384 key' })
  return {
    publicKey: new Uint8Array(createPublicKey(key).export({ type: 'spki', format: 'der' })),
    sign: (data) => new Uint8Array(sign('sha256', data, { key, dsaEncoding: 'ieee-p1363' })),
  }
}

async function readKey(path: string): Promise<string | null> {
  const info = await lstat(path).catch((error: unknown) => {
    if (codeOf(error) === 'ENOENT') return null
    throw error
  })
  if (info === null) return null
  const mode = info.mode & 0o777
  if (!info.isFile() || info.size > 65_536)
    throw new DomainError('unavailable', 'sealing.keyring_damaged', { path, reason: 'not a key file' })
  if ((mode & 0o077) !== 0)
    throw new DomainError('unavailable', 'sealing.keyring_permissions', { path, mode: mode.toString(8).padStart(4, '0') })
  return await readFile(path, 'latin1')
}

/** Complete and on disk before `link` gives it its name: whoever is second takes what the first made. */
async function makeKey(dir: string, path: string): Promise<string> {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-384' })
  const temporary = join(dir, `.new-${randomBytes(16).toString('hex')}`)
  const handle = await open(temporary, 'wx', 0o600)
  try {
    await handle.writeFile(privateKey.export({ type: 'pkcs8', format: 'pem' }))
    await handle.sync()
  } finally {
    await handle.close()
  }
  try {
    await link(temporary, path)
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error
  } finally {
    await unlink(temporary)
  }
  const made = await readKey(path)
  if (made === null) throw new DomainError('unavailable', 'sealing.keyring_damaged', { path, reason: 'vanished' })
  return made
}

const codeOf = (error: unknown): unknown => (error instanceof Error && 'code' in error ? error.code : undefined)

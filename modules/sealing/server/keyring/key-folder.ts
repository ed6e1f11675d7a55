import { randomBytes } from 'node:crypto'
import { link, lstat, mkdir, open, readFile, stat, unlink } from 'node:fs/promises'
import { join } from 'node:path'
import { DomainError } from '../../../../kernel/errors.ts'

/** The folder of keys: readable by its owner alone, each file whole or absent, none ever replaced. */

/** Files of keys without a certificate: their kind and number. */
export const messageKeyFile = /^(bitcoin-signing|nano-signing|log-signing|witness-signing)\.([1-9]\d{0,5})\.json$/
const temporaryName = /^\.new-[0-9a-f]{32}$/
const staleAfterMs = 3_600_000

/** Makes the folder when absent. @throws DomainError `sealing.keyring_permissions` when others than its owner may enter. */
export async function prepareFolder(dir: string): Promise<void> {
  await mkdir(dir, { recursive: true, mode: 0o700 })
  const info = await lstat(dir)
  if (!info.isDirectory()) throw damaged(dir, 'not a folder')
  refuseOthers(dir, info)
}

/**
 * Writes a file unless its name was taken meanwhile, by another process for instance. It is complete and on disk before
 * `link` gives it its name, and `link` never replaces.
 */
export async function writeOnce(dir: string, name: string, text: string): Promise<void> {
  const temporary = temporaryPath(dir)
  const handle = await open(temporary, 'wx', 0o600)
  try {
    await handle.writeFile(text)
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
}

/** Reads a key file. @throws DomainError `sealing.keyring_…` when it is not a file, is too large, or others may read it. */
export async function readOwn(file: string): Promise<string> {
  const info = await lstat(file)
  if (!info.isFile()) throw damaged(file, 'not a regular file')
  refuseOthers(file, info)
  if (info.size > 65_536) throw damaged(file, 'too large')
  return await readFile(file, 'latin1')
}

export const isTemporary = (name: string): boolean => temporaryName.test(name)

/**
 * What a killed process left goes an hour later, by the clock of the file system alone: another process may be writing its
 * own at this instant, under a clock that is not ours.
 */
export async function removeStale(dir: string, name: string): Promise<void> {
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

export function damaged(path: string, reason: string, cause?: unknown): DomainError {
  return new DomainError('unavailable', 'sealing.keyring_damaged', { path, reason }, { cause })
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

function isCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code
}

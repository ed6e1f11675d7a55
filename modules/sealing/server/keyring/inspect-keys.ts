import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { messageKeyFile, readOwn } from './key-folder.ts'
import { readFolder } from './keyring-file.ts'

/**
 * Reads every key of the folder as whoever signs would, and makes none. Each is held against its certificate.
 * @returns how many there are
 * @throws DomainError `sealing.keyring_…` that names the file, and what is wrong with it or with who may read it
 */
export async function inspectKeys(dir: string): Promise<number> {
  const { entries } = await readFolder(dir)
  const messages = (await readdir(dir)).filter((name) => messageKeyFile.test(name))
  for (const name of messages) await readOwn(join(dir, name))
  return entries.values().reduce((sum, list) => sum + list.length, messages.length)
}

import { createPrivateKey, createPublicKey, generateKeyPairSync, randomBytes, type KeyObject } from 'node:crypto'
import { link, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

const publicHalf = (key: KeyObject): Buffer => createPublicKey(key).export({ type: 'spki', format: 'der' })

/**
 * Which machine a capture server is: a key made here once, which never leaves it (decision 0470). Two processes that need it first at the same moment
 * get the same.
 * @param folder by `serverFolder`
 * @param given by a setting, PKCS #8: nothing is made or read then
 * @returns the public half: Ed25519, SubjectPublicKeyInfo
 */
export async function machineKey(folder: string, given?: Buffer): Promise<Buffer> {
  if (given !== undefined) return publicHalf(createPrivateKey({ key: given, format: 'der', type: 'pkcs8' }))
  const file = join(folder, 'machine-key.pem')
  const read = async () => publicHalf(createPrivateKey(await readFile(file, 'utf8')))
  try {
    return await read()
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
  }
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const draft = `${file}.${randomBytes(6).toString('hex')}`
  const { privateKey } = generateKeyPairSync('ed25519')
  await writeFile(draft, privateKey.export({ type: 'pkcs8', format: 'pem' }), { mode: 0o600, flush: true })
  try {
    await link(draft, file)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  } finally {
    await rm(draft, { force: true })
  }
  return await read()
}

import { readFile } from 'node:fs/promises'
import { Decrypter, Encrypter } from 'age-encryption'
import { DomainError } from '../../../../kernel/errors.ts'

/** age-encryption.org/v1: whatever `age -d` opens. */
export type Cipher = { encipher(bytes: Uint8Array): Promise<Buffer> }

/** @throws DomainError `backup.no_recipient`, `backup.wrong_recipient` */
export function cipherFor(recipients: readonly string[]): Cipher {
  if (recipients.length === 0) throw new DomainError('invalid', 'backup.no_recipient')
  const encrypter = new Encrypter()
  for (const recipient of recipients) {
    try {
      encrypter.addRecipient(recipient)
    } catch (error) {
      throw new DomainError('invalid', 'backup.wrong_recipient', {}, { cause: error })
    }
  }
  return { encipher: async (bytes) => Buffer.from(await encrypter.encrypt(bytes)) }
}

/** Null: it is for somebody else, or was changed. */
export type Decipher = (bytes: Uint8Array) => Promise<Buffer | null>

/** A file as `age-keygen` writes it: identities line by line, and remarks. @throws DomainError `backup.no_identity` */
export async function readIdentity(file: string): Promise<Decipher> {
  const text = await readFile(file, 'utf8').catch((error: unknown) => {
    throw new DomainError('invalid', 'backup.no_identity', { path: file }, { cause: error })
  })
  const lines = text.split('\n').flatMap((line) => (line.trim() === '' || line.startsWith('#') ? [] : [line.trim()]))
  const decrypter = new Decrypter()
  try {
    if (lines.length === 0) throw new Error('the file is empty')
    for (const line of lines) decrypter.addIdentity(line)
  } catch (error) {
    throw new DomainError('invalid', 'backup.no_identity', { path: file }, { cause: error })
  }
  return async (bytes) => {
    try {
      return Buffer.from(await decrypter.decrypt(bytes))
    } catch {
      return null
    }
  }
}

import { createCipheriv, createDecipheriv, createHash, hkdfSync, randomBytes } from 'node:crypto'
import { join } from 'node:path'
import type { Config } from '../config/config.ts'
import { keptSecret } from '../config/installation-secret.ts'

/** Enciphers what stands in the database or on disk and must not be read by whoever has only a copy of these. */
export type Vault = {
  /**
   * @param purpose which kind of thing it is, `module.thing`: each has a key of its own
   * @param of whose it is, such as the id of a row: sealed for one, it does not open for another
   */
  seal(purpose: string, of: string, bytes: Uint8Array): Buffer
  /** @throws VaultError when it was not sealed so, with this master key, or was changed since */
  open(purpose: string, of: string, sealed: Uint8Array): Buffer
}

export class VaultError extends Error {
  override readonly name = 'VaultError'
}

/** Format: version, id of the master key, nonce (NIST SP 800-38D §8.2.2: random, 96 bits), ciphertext, tag. */
const version = 1
const keyIdBytes = 4
const nonceBytes = 12
const tagBytes = 16
const headBytes = 1 + keyIdBytes + nonceBytes

/** AES-256-GCM under keys derived from the master key by HKDF-SHA-256 (RFC 5869), one for each purpose. */
export function createVault(masterKey: Uint8Array): Vault {
  if (masterKey.length !== 32) throw new RangeError('a master key has 32 bytes')
  const keyId = createHash('sha256').update('probant master key id').update(masterKey).digest().subarray(0, keyIdBytes)
  const keys = new Map<string, Buffer>()
  const keyOf = (purpose: string) => {
    const known = keys.get(purpose)
    if (known !== undefined) return known
    const key = Buffer.from(hkdfSync('sha256', masterKey, '', `probant vault ${String(version)} ${purpose}`, 32))
    keys.set(purpose, key)
    return key
  }
  const context = (purpose: string, of: string) => Buffer.from(JSON.stringify([version, purpose, of]))
  return {
    seal(purpose, of, bytes) {
      const nonce = randomBytes(nonceBytes)
      const cipher = createCipheriv('aes-256-gcm', keyOf(purpose), nonce).setAAD(context(purpose, of))
      const enciphered = [cipher.update(bytes), cipher.final()]
      return Buffer.concat([Buffer.of(version), keyId, nonce, ...enciphered, cipher.getAuthTag()])
    },
    open(purpose, of, sealed) {
      const bytes = Buffer.from(sealed)
      if (bytes.length < headBytes + tagBytes || bytes[0] !== version) throw new VaultError('this is nothing the vault sealed')
      if (!bytes.subarray(1, 1 + keyIdBytes).equals(keyId)) throw new VaultError('this was sealed with another master key')
      const nonce = bytes.subarray(1 + keyIdBytes, headBytes)
      const decipher = createDecipheriv('aes-256-gcm', keyOf(purpose), nonce, { authTagLength: tagBytes })
        .setAAD(context(purpose, of))
        .setAuthTag(bytes.subarray(-tagBytes))
      const clear = decipher.update(bytes.subarray(headBytes, -tagBytes))
      try {
        return Buffer.concat([clear, decipher.final()])
      } catch (error) {
        throw new VaultError('what was sealed was changed, or is not for this', { cause: error })
      }
    },
  }
}

/** The installation's: PROBANT_MASTER_KEY, or a file of the data folder, made once. */
export function openVault(config: Pick<Config, 'masterKey' | 'dataFolder'>): Vault {
  return createVault(config.masterKey ?? Buffer.from(keptSecret(join(config.dataFolder, 'master-key')), 'base64url'))
}

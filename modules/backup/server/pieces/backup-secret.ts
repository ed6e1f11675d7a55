import { createHash, createHmac, createPrivateKey, createPublicKey, hkdfSync, sign, verify, type KeyObject } from 'node:crypto'
import { join } from 'node:path'
import type { Config } from '../../../../platform/config/config.ts'
import { keptSecret } from '../../../../platform/config/installation-secret.ts'

/**
 * What the machine that backs up has of its own. It cannot read a backup with it: pieces are enciphered for recipients whose
 * identities are elsewhere. It is in each backup, so that an installation that was restored goes on with the same.
 */
export type BackupSecret = {
  /** SHA-256 of the public key, hexadecimal: what an installation is told by among its backups. */
  readonly installation: string
  /** Ed25519, raw, base64. */
  readonly publicKey: string
  sign(bytes: Uint8Array): string
  /** The same for the same content and recipients, and telling nothing of the content to whoever has not the secret. */
  nameOf(content: string): string
}

/** RFC 8410 §7: what stands before the 32 octets of an Ed25519 private key in PKCS #8, and before those of a public one in SPKI. */
const privateHead = Buffer.from('302e020100300506032b657004220420', 'hex')
const publicHead = Buffer.from('302a300506032b6570032100', 'hex')

export const backupSecretFile = 'backup-secret'

export function openBackupSecret(config: Pick<Config, 'dataFolder'>, recipients: readonly string[]): BackupSecret {
  const secret = keptSecret(join(config.dataFolder, backupSecretFile))
  const derived = (purpose: string) => Buffer.from(hkdfSync('sha256', secret, '', `probant backup ${purpose}`, 32))
  const key = createPrivateKey({ key: Buffer.concat([privateHead, derived('signature')]), format: 'der', type: 'pkcs8' })
  const raw = createPublicKey(key).export({ type: 'spki', format: 'der' }).subarray(publicHead.length)
  // For other recipients everything is enciphered anew: what is there is of no use to them.
  const naming = derived(`names ${recipients.toSorted().join(' ')}`)
  return {
    installation: installationOf(raw),
    publicKey: raw.toString('base64'),
    sign: (bytes) => sign(null, bytes, key).toString('base64'),
    nameOf: (content) => createHmac('sha256', naming).update(content).digest('hex'),
  }
}

const installationOf = (raw: Uint8Array): string => createHash('sha256').update(raw).digest('hex')

/** @returns of which installation it is, by its signature; null when it is of none */
export function signerOf(bytes: Uint8Array, publicKey: string, signature: string): string | null {
  const raw = Buffer.from(publicKey, 'base64')
  if (raw.length !== 32) return null
  const key: KeyObject = createPublicKey({ key: Buffer.concat([publicHead, raw]), format: 'der', type: 'spki' })
  return verify(null, bytes, key, Buffer.from(signature, 'base64')) ? installationOf(raw) : null
}

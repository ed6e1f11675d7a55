import { createHash, sign } from 'node:crypto'
import type { PublishedKey } from '../../../verification/server/index.ts'
import { ed25519Key, type MessageKey } from './message-key-file.ts'

/** A key of C2SP signed-note: of the public log, or of a witness that cosigns other logs. */
export type NoteSigner = {
  /** Key name as the caller gave it: the origin of the log, the name of the witness. */
  readonly name: string
  /** First 4 octets of SHA-256(name ‖ 0x0A ‖ type ‖ public key). */
  readonly keyId: Uint8Array
  /** 32 octets. */
  readonly publicKey: Uint8Array
  /** Verifier key `name+hash+base64`, for publication. */
  readonly vkey: string
  readonly since: Date
  /** Ed25519 (RFC 8032): 64 octets over exactly `message`; a cosigner puts its own header before. */
  sign(message: Uint8Array): Promise<Uint8Array>
}

/** Names under which this installation's notes are signed; without one, its keys of that kind are not published. */
export type NoteNames = {
  readonly log?: string | undefined
  readonly witness?: string | undefined
  /** Keys of others that cosign this log. */
  readonly cosigners?: readonly PublishedKey[] | undefined
}

/** Signature types of C2SP signed-note: Ed25519, and timestamped Ed25519 cosignatures (`cosignature/v1`). */
export const noteTypes = { log: 0x01, witness: 0x04 } as const

/** @throws RangeError on a name that signed-note refuses: empty, with white space or a plus sign. */
export function noteSigner(key: MessageKey, name: string, type: (typeof noteTypes)[keyof typeof noteTypes]): NoteSigner {
  const { keyId, vkey } = noteKey(key.publicKey, name, type)
  const secret = ed25519Key(key.secret)
  return {
    name,
    keyId,
    publicKey: key.publicKey,
    vkey,
    since: key.since,
    sign: async (message) => await Promise.resolve(new Uint8Array(sign(null, message, secret))),
  }
}

export function noteKey(publicKey: Uint8Array, name: string, type: number): { keyId: Uint8Array; vkey: string } {
  if (name === '' || /[\s+]/u.test(name) || !name.isWellFormed()) throw new RangeError('not a key name')
  const typed = Buffer.concat([Uint8Array.of(type), publicKey])
  const keyId = createHash('sha256').update(`${name}\n`).update(typed).digest().subarray(0, 4)
  return { keyId: new Uint8Array(keyId), vkey: `${name}+${keyId.toString('hex')}+${typed.toString('base64')}` }
}

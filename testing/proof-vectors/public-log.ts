import { generateKeyPairSync, sign } from 'node:crypto'
import type { KeyObject } from 'node:crypto'
import { utf8 } from '../../kernel/bytes.ts'
import { formatCheckpoint } from '../../modules/verification/domain/log/checkpoint.ts'
import { logEntryOf } from '../../modules/verification/domain/log/commitment.ts'
import { cosignature, cosignedMessage } from '../../modules/verification/domain/log/cosignature.ts'
import {
  cosignatureType,
  ed25519Type,
  formatNote,
  formatVerifierKey,
  verifierKey,
} from '../../modules/verification/domain/log/note.ts'
import type { NoteSignature, VerifierKey } from '../../modules/verification/domain/log/note.ts'
import { formatTlogProof } from '../../modules/verification/domain/log/tlog-proof.ts'
import { leafHash, merkleRoot, nodeHash } from '../../modules/verification/domain/hash/merkle.ts'

/** A log of five leaves with two witnesses, made anew by each that imports it: the keys live as long as the process. */
export type NoteSigner = { readonly key: VerifierKey; readonly secret: KeyObject }
export function noteSigner(name: string, type: VerifierKey['type']): NoteSigner {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519')
  const octets = new Uint8Array(Buffer.from(publicKey.export({ format: 'jwk' }).x ?? '', 'base64url'))
  return { key: verifierKey(name, type, octets), secret: privateKey }
}
export const signed = ({ key, secret }: NoteSigner, said: string): NoteSignature => ({
  name: key.name,
  keyId: key.keyId,
  signature: new Uint8Array(sign(null, utf8(said), secret)),
})
export const cosigned = ({ key, secret }: NoteSigner, said: string, second: number): NoteSignature =>
  cosignature(key, second, new Uint8Array(sign(null, cosignedMessage(said, second), secret)))

export const origin = 'proofs.example/log'
export const log = noteSigner(origin, ed25519Type)
export const witness = noteSigner('witness.example/w1', cosignatureType)
export const other = noteSigner('witness.example/w2', cosignatureType)
export const nobody = noteSigner('nobody.example', cosignatureType)
export const madeAt = new Date('2026-11-21T10:00:00Z')
export const publicKeys = {
  bitcoin: [],
  nano: [],
  log: [formatVerifierKey(log.key)],
  witnesses: [formatVerifierKey(witness.key), formatVerifierKey(other.key)],
}

/** Ours is number 2. */
export const root = new Uint8Array(32).fill(7)
export const salt = new Uint8Array(32).fill(9)
export const entry = logEntryOf(salt, root)
export const leaves = [0, 1, 2, 3, 4].map((i) => leafHash(i === 2 ? entry : Uint8Array.of(i)))
export const at = (i: number): Uint8Array => leaves[i] ?? new Uint8Array()
export const path = [at(3), nodeHash(at(0), at(1)), at(4)]
export const text = formatCheckpoint({ origin, size: 5, rootHash: merkleRoot(leaves), extensions: [] })

export function proofWith(change: {
  readonly extra?: Uint8Array | null
  readonly index?: number
  readonly path?: readonly Uint8Array[]
  readonly text?: string
  readonly signatures?: readonly NoteSignature[]
}): Uint8Array {
  const body = change.text ?? text
  const own = [signed(log, body), cosigned(witness, body, madeAt.getTime() / 1000 - 60)]
  return formatTlogProof({ extra: salt, index: 2, path, ...change, checkpoint: formatNote(body, change.signatures ?? own) })
}
export const flip = (bytes: Uint8Array, i: number): Uint8Array => bytes.map((octet, place) => (place === i ? octet ^ 1 : octet))

import { concatBytes, utf8 } from '../../../../kernel/bytes.ts'
import { cosignatureType, linesOf, verifyEd25519 } from './note.ts'
import type { Note, NoteSignature, SignatureOutcome, VerifierKey } from './note.ts'

/** C2SP tlog-cosignature, Ed25519: what a witness signs, with the POSIX second at which it saw the checkpoint. */
export function cosignedMessage(text: string, second: number): Uint8Array<ArrayBuffer> {
  return utf8(`cosignature/v1\ntime ${String(second)}\n${text}`)
}

/** @param signature 64 octets of Ed25519 over {@link cosignedMessage} */
export function cosignature(key: Pick<VerifierKey, 'name' | 'keyId'>, second: number, signature: Uint8Array): NoteSignature {
  const stamp = new Uint8Array(8)
  new DataView(stamp.buffer).setBigUint64(0, BigInt(second))
  return { name: key.name, keyId: key.keyId, signature: concatBytes(stamp, signature) }
}

/** `second` is the earliest of the valid ones. A line of this key that does not verify makes the note false. */
export function checkCosignature(note: Note, key: VerifierKey): { outcome: SignatureOutcome; second: number | null } {
  const lines = key.type === cosignatureType ? linesOf(note, key) : []
  const seconds = lines.map(({ signature }) => secondOf(note.text, signature, key))
  if (seconds.includes(null)) return { outcome: 'false', second: null }
  const valid = seconds.filter((second) => second !== null)
  return valid.length === 0 ? { outcome: 'unknown', second: null } : { outcome: 'valid', second: Math.min(...valid) }
}

function secondOf(text: string, signature: Uint8Array, key: VerifierKey): number | null {
  if (signature.length !== 72) return null
  const second = Number(new DataView(signature.buffer, signature.byteOffset, 8).getBigUint64(0))
  // Later than any date that can be shown, or one that a number does not hold: nobody's instant.
  if (second === 0 || second > 253_402_300_799) return null
  return verifyEd25519(signature.subarray(8), cosignedMessage(text, second), key.publicKey) ? second : null
}

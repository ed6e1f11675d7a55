import { toHex } from '../../../../kernel/bytes.ts'
import { parseTlogProof } from '../../../verification/server/index.ts'
import type { LogFacts } from '../../domain/seal.ts'
import type { PublicLog } from './public-log.ts'

export const logProofPath = 'seal/log-proof.txt'

export type LogProofFile = { readonly path: string; readonly media_type: string; readonly bytes: Uint8Array }
const fileOf = (bytes: Uint8Array): LogProofFile => ({ path: logProofPath, media_type: 'text/plain; charset=utf-8', bytes })

/** Puts a sealed root into the log: its proof for the package, and where it stands. */
export async function includeInLog(log: PublicLog, root: Uint8Array): Promise<{ facts: LogFacts; file: LogProofFile }> {
  const { logged, proof } = await log.include(root)
  const read = parseTlogProof(proof)
  if (typeof read === 'string') throw new Error(`the log gave a proof that cannot be read: ${read}`)
  return {
    facts: { origin: read.checkpoint.origin, index: logged.index, logged_at: logged.loggedAt.toISOString() },
    file: fileOf(proof),
  }
}

/**
 * The proof anew, once witnesses have cosigned; null while none has, or when the root is not in this log. A package lists the keys
 * of the log at the seal: under a checkpoint that a later key signed, its proof would be nobody's.
 */
export async function cosignedProof(log: PublicLog, root: Uint8Array, sealed: Uint8Array): Promise<LogProofFile | null> {
  const proof = await log.proofOf(root)
  const [before, now] = [logKeysOf(sealed), proof === null ? null : logKeysOf(proof)]
  if (proof === null || before === null || now === null || now.witnesses === 0) return null
  return now.keys.every((key) => before.keys.includes(key)) ? fileOf(proof) : null
}

function logKeysOf(proof: Uint8Array): { keys: string[]; witnesses: number } | null {
  const read = parseTlogProof(proof)
  if (typeof read === 'string') return null
  const { note, origin } = read.checkpoint
  const own = note.signatures.filter(({ name }) => name === origin)
  return { keys: own.map(({ keyId }) => toHex(keyId)), witnesses: note.signatures.length - own.length }
}

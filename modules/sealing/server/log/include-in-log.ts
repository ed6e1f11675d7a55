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
 * The proof anew, where it says more than the one at hand: under a checkpoint that more witnesses cosigned, or one that reaches as far as
 * the anchored one of `anchored` leaves, which the one at hand does not. Null otherwise, or when the root is not in this log. A package
 * lists the keys of the log at the seal: under a checkpoint that a later key signed, its proof would be nobody's.
 */
export async function newerProof(
  log: Pick<PublicLog, 'proofOf'>,
  root: Uint8Array,
  atHand: Uint8Array,
  anchored = 0,
): Promise<LogProofFile | null> {
  const proof = await log.proofOf(root)
  const [before, now] = [factsOf(atHand), proof === null ? null : factsOf(proof)]
  if (proof === null || before === null || now === null || now.witnesses < before.witnesses) return null
  const reaches = before.size < anchored && anchored <= now.size
  const saysMore = now.witnesses > before.witnesses || reaches
  return saysMore && now.keys.every((key) => before.keys.includes(key)) ? fileOf(proof) : null
}

function factsOf(proof: Uint8Array): { keys: string[]; witnesses: number; size: number } | null {
  const read = parseTlogProof(proof)
  if (typeof read === 'string') return null
  const { note, origin, size } = read.checkpoint
  const own = note.signatures.filter(({ name }) => name === origin)
  return { keys: own.map(({ keyId }) => toHex(keyId)), witnesses: note.signatures.length - own.length, size }
}

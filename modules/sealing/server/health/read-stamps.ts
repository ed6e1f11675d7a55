import { examineRenewals } from '../../../verification/server/index.ts'
import type { StampFacts } from '../../domain/proof-health.ts'

/**
 * What the tokens of a seal say themselves: those over the root, and those of its renewals. One that does not hold is not among them.
 * @param files of `seal/`, by path. @param root 32 octets
 */
export function readStamps(files: ReadonlyMap<string, Uint8Array>, root: Uint8Array, now: Date): StampFacts[] {
  return [...examineRenewals(files, root, now).stamps]
}

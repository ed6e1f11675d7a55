/** Public face of the verification module in the browser. It is loaded with other pages, and so loads what verifies when it is asked to. */
import { loadChunk } from '../../../ui/shell/chunk-failure.ts'
import type { GivenSeal, SealChecks } from './log/check-seal.ts'

export type { GivenSeal, SealChecks }

/** Computed in this page: that a subject is sealed, and that the seal stands in the public log. */
export async function checkSeal(given: GivenSeal): Promise<SealChecks> {
  return await (await loadChunk(() => import('./log/check-seal.ts'))).checkSealGiven(given)
}

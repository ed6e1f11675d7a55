import { createHmac } from 'node:crypto'
import type { EvidenceWebDeps } from '../record/deps.ts'

/** Who asks for a capture: what quotas, and turns in the queue, count by. */
export type Asker = {
  /** `HandlerInput.addressPrefix`; null: nobody's address counts, as on the developer's own machine. */
  readonly addressPrefix: string | null
  /** In whose name it is asked for: then it is his that count, wherever he and his colleagues sit. */
  readonly accountId?: string | null
}

/**
 * Under which an account, or a block of addresses, is counted: the database never learns the address (decision 0336). It stands
 * with the evidence while that waits or runs.
 */
export function askerOf(deps: Pick<EvidenceWebDeps, 'secret'>, { addressPrefix, accountId = null }: Asker): Buffer | null {
  const named = accountId === null ? (addressPrefix === null ? null : ['network', addressPrefix]) : ['account', accountId]
  if (named === null) return null
  return createHmac('sha256', deps.secret)
    .update(JSON.stringify(['probant-asker/1', ...named]))
    .digest()
}

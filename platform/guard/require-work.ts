import type { Clock } from '../../kernel/clock.ts'
import { DomainError } from '../../kernel/errors.ts'
import { parts } from '../../kernel/proof-of-work.ts'
import type { WorkDone } from '../../kernel/work-done.ts'
import type { Tx } from '../db/database.ts'
import { checkWork, newChallenge, type WorkFlaw, type WorkFor } from './proof-of-work.ts'
import { spendWork } from './work-store.ts'

export type RequiredWork = WorkFor & {
  /** What it costs, over all parts. */
  readonly hashes: number
  /** Of the error that asks for it. */
  readonly code: `${string}.work_required`
  /** What a token of whoever scores visitors may be sent for instead; absent: work alone is taken. */
  readonly score?: string
}

/**
 * Takes the work that was done for this very request, once.
 * @throws DomainError of that code, with `challenge`, `parts`, `hashes` (of each part, on the mean), `reason` and perhaps `score`
 */
export async function requireWork(
  deps: { readonly secret: string; readonly clock: Clock },
  tx: Tx,
  required: RequiredWork,
  done: WorkDone | undefined,
): Promise<void> {
  const now = deps.clock.now()
  const reason = await flawOf(deps.secret, tx, required, done, now)
  if (reason === null) return
  const challenge = newChallenge(deps.secret, required, now)
  throw new DomainError('limited', required.code, {
    challenge,
    parts,
    hashes: required.hashes / parts,
    reason,
    ...(required.score === undefined ? {} : { score: required.score }),
  })
}

async function flawOf(secret: string, tx: Tx, wanted: WorkFor, done: WorkDone | undefined, now: Date): Promise<WorkFlaw | null> {
  const checked = checkWork(secret, wanted, done, now)
  if (typeof checked === 'string') return checked
  return (await spendWork(tx, checked.id, checked.expiresAt)) ? null : 'spent'
}

import type { Clock } from '../../kernel/clock.ts'
import { DomainError } from '../../kernel/errors.ts'
import type { Db } from '../db/database.ts'
import { giveAttemptBack, takeAttempt, type ThrottlePolicy } from './throttle-store.ts'

/** What an attempt is counted under: a keyed hash, so that the database names nobody. */
export type Throttled = { readonly key: Buffer; readonly policy: ThrottlePolicy }

/**
 * Counts one attempt under each of the keys, or under none.
 * @throws DomainError of that code, with `seconds`; the same for whatever the keys stand for
 */
export async function takeAttempts(
  deps: { readonly db: Db; readonly clock: Clock },
  code: `${string}.throttled`,
  counted: readonly Throttled[],
): Promise<void> {
  const now = deps.clock.now()
  const taken: Throttled[] = []
  for (const each of counted) {
    const until = await takeAttempt(deps.db, each.key, now, each.policy)
    if (until === null) {
      taken.push(each)
      continue
    }
    for (const { key } of taken) await giveAttemptBack(deps.db, key, now)
    throw new DomainError('limited', code, { seconds: Math.max(1, Math.ceil((until.getTime() - now.getTime()) / 1000)) })
  }
}

import { z } from 'zod'
import { defineJob, enqueue } from '../../../../platform/jobs/jobs.ts'
import type { IdentityJobDeps } from '../people/deps.ts'
import { mailNoticeJob } from '../mails/mail-jobs.ts'
import { takeEndingKeys } from './key-store.ts'

/** Every hour. */
export const warnOfEndingKeysJob = defineJob('identity.warn_of_ending_keys', z.object({}).loose())

const dayMs = 24 * 3_600_000
const batch = 200

/** The nearest first: of a key whose last day has come, the week is not told of as well. */
const warnings = [
  { withinMs: dayMs, last: true },
  { withinMs: 7 * dayMs, last: false },
] as const

/**
 * Owners of keys that end are told a week and a day before, once each; not of one that was made for no longer than that. Who is told,
 * and that he was, is one transaction. Like all that concerns the safety of an account, it is not unsubscribed from.
 * @returns of how many keys
 */
export async function warnOfEndingKeys({ db, clock }: Pick<IdentityJobDeps, 'db' | 'clock'>): Promise<number> {
  const now = clock.now()
  let total = 0
  for (const warning of warnings)
    for (;;) {
      const ending = await db.transaction().execute(async (tx) => {
        const keys = await takeEndingKeys(tx, { now, ...warning }, batch)
        for (const { id, userId } of keys)
          await enqueue(tx, mailNoticeJob, { user_id: userId, notice: 'api_key_ending', api_key_id: id, at: now.toISOString() })
        return keys.length
      })
      total += ending
      if (ending < batch) break
    }
  return total
}

import type { Clock } from '../../../../kernel/clock.ts'
import type { Db } from '../../../../platform/db/database.ts'
import { renewalGraceMs } from '../../../sealing/server/index.ts'
import { notifyPeople } from './notify-people.ts'
import { listWeakSeals } from './notify-store.ts'

const batch = 200

/**
 * Writes down who is to be told that the stamps of a report were not renewed in time, once, and that they have ended, once more.
 * @returns of how many reports
 */
export async function warnOfWeakening(deps: { readonly db: Db; readonly clock: Clock }): Promise<number> {
  const now = deps.clock.now()
  const dueBefore = new Date(now.getTime() - renewalGraceMs)
  let total = 0
  for (let after: string | null = null; ;) {
    const weak = await listWeakSeals(deps.db, { now, dueBefore, after, limit: batch })
    for (const { evidence, stampedUntil } of weak) {
      const occasion = `${stampedUntil <= now ? 'ended' : 'due'} ${stampedUntil.toISOString()}`
      await deps.db
        .transaction()
        .execute(async (tx) => await notifyPeople(tx, evidence, { kind: 'proof_weakening', occasion }, now))
    }
    total += weak.length
    after = weak.at(-1)?.evidence.id ?? null
    if (weak.length < batch || after === null) return total
  }
}

import type { Clock } from '../../../../kernel/clock.ts'
import type { Db } from '../../../../platform/db/database.ts'
import { lockEvidence } from '../record/store.ts'
import { notifyPeople } from './notify-people.ts'
import { listEndingDrafts } from './notify-store.ts'

/** How long before its end somebody's draft is spoken of. */
export const remindBeforeMs = 3 * 60 * 60 * 1000
const batch = 100

/** Writes down who is to be told that a draft of his ends soon (S-40, K-03). @returns of how many drafts */
export async function remindOfDrafts(deps: { readonly db: Db; readonly clock: Clock }): Promise<number> {
  const now = deps.clock.now()
  const before = new Date(now.getTime() + remindBeforeMs)
  let total = 0
  for (;;) {
    const ending = await listEndingDrafts(deps.db, { now, before, limit: batch })
    for (const { id } of ending)
      await deps.db.transaction().execute(async (tx) => {
        const draft = await lockEvidence(tx, id)
        // Whatever was decided meanwhile is found when the mail is to be sent.
        if (draft !== null) await notifyPeople(tx, draft, { kind: 'draft_ending' }, now)
      })
    total += ending.length
    if (ending.length < batch) return total
  }
}

/** How many captures wait and are under way, as SQL. */
import { sql } from 'kysely'
import type { Db } from '../../../../platform/db/database.ts'
import { captureActions, type CaptureAction } from '../../domain/action.ts'

export type QueuedCaptures = {
  readonly action: CaptureAction
  readonly waiting: number
  /** Claimed by a capture process, and not sealed yet. */
  readonly underWay: number
  /** Seconds since the one that waits longest was asked for; null: none waits. By the clock of the database. */
  readonly oldestSeconds: number | null
}

/** Of each kind, whether any waits or not. */
export async function readCaptureQueue(db: Db): Promise<QueuedCaptures[]> {
  const { rows } = await sql<{ action: CaptureAction; waiting: number; under_way: number; oldest: number | null }>`
    select action, count(*) filter (where status = 'queued')::integer as waiting,
      count(*) filter (where status <> 'queued')::integer as under_way,
      extract(epoch from clock_timestamp() - min(created_at) filter (where status = 'queued'))::double precision as oldest
    from evidence where status in ('queued', 'preparing', 'capturing', 'completing') group by action`.execute(db)
  return captureActions.map((action) => {
    const row = rows.find((each) => each.action === action)
    return { action, waiting: row?.waiting ?? 0, underWay: row?.under_way ?? 0, oldestSeconds: row?.oldest ?? null }
  })
}

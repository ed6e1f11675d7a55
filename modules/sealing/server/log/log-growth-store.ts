/** How far the public log has come, as SQL. */
import { sql } from 'kysely'
import type { Db } from '../../../../platform/db/database.ts'

export type LogGrowth = {
  readonly entries: number
  /** When its newest head was signed; null: it has none. */
  readonly headAt: Date | null
  /** Heads on their way into a block, or in one that is not deep enough yet. */
  readonly anchors: { readonly waiting: number; readonly oldestAt: Date | null }
}

export async function readLogGrowth(db: Db): Promise<LogGrowth> {
  const { rows } = await sql<{
    entries: number
    head_at: Date | null
    waiting: number
    oldest_at: Date | null
  }>`
    select (select size from log_head) as entries,
      (select at from log_checkpoint order by size desc limit 1) as head_at,
      count(*) filter (where status in ('pending', 'mined'))::integer as waiting,
      min(created_at) filter (where status in ('pending', 'mined')) as oldest_at
    from log_anchor`.execute(db)
  const [row] = rows
  return {
    entries: row?.entries ?? 0,
    headAt: row?.head_at ?? null,
    anchors: { waiting: row?.waiting ?? 0, oldestAt: row?.oldest_at ?? null },
  }
}

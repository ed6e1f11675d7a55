/** What was last published and anchored, as SQL: each by an index. */
import { sql } from 'kysely'
import type { Db } from '../../../../platform/db/database.ts'

export type PublicationState = {
  /** The newest signed head of the log; null: nothing was entered yet. */
  readonly head: { readonly size: number; readonly at: Date } | null
  /** When the newest entry was made. */
  readonly enteredAt: Date | null
  /** Entries that no signed head covers yet. */
  readonly uncovered: number
  readonly anchors: {
    readonly waiting: number
    readonly oldestAt: Date | null
    readonly confirmedAt: Date | null
  }
}

export async function readPublication(db: Db): Promise<PublicationState> {
  const [head, leaf, waiting, confirmed] = await Promise.all([
    db.selectFrom('log_checkpoint').select(['size', 'at']).orderBy('size', 'desc').limit(1).executeTakeFirst(),
    db.selectFrom('log_leaf').select(['index', 'at']).orderBy('index', 'desc').limit(1).executeTakeFirst(),
    db
      .selectFrom('log_anchor')
      .select([sql<number>`count(*)::int`.as('count'), sql<Date | null>`min(created_at)`.as('oldest')])
      .where('next_try_at', 'is not', null)
      .executeTakeFirstOrThrow(),
    db
      .selectFrom('log_anchor')
      .select('confirmed_at')
      .where('status', '=', 'confirmed')
      .orderBy('tree_size', 'desc')
      .limit(1)
      .executeTakeFirst(),
  ])
  return {
    head: head === undefined ? null : { size: head.size, at: head.at },
    enteredAt: leaf?.at ?? null,
    uncovered: leaf === undefined ? 0 : Math.max(0, leaf.index + 1 - (head?.size ?? 0)),
    anchors: { waiting: waiting.count, oldestAt: waiting.oldest, confirmedAt: confirmed?.confirmed_at ?? null },
  }
}

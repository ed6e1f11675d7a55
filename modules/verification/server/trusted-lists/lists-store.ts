/** The SQL of the trusted lists. Every function takes the database or transaction first. */
import type { Db, Tx } from '../../../../platform/db/database.ts'
import type { ListOutcome } from './collect-trusted-lists.ts'

export type ListReading = {
  /** Compact form as text; null when no list of lists could be read yet. */
  readonly lists: string | null
  readonly outcomes: readonly ListOutcome[]
  readonly checkedAt: Date
  readonly readAt: Date | null
}

export async function findReading(db: Db | Tx): Promise<ListReading | undefined> {
  const row = await db.selectFrom('trusted_list_reading').selectAll().executeTakeFirst()
  if (row === undefined) return undefined
  return {
    lists: row.lists,
    outcomes: row.outcomes as readonly ListOutcome[],
    checkedAt: row.checked_at,
    readAt: row.read_at,
  }
}

/** When the lists were last read, without reading them again from the database. */
export async function findReadingTimes(db: Db | Tx): Promise<Pick<ListReading, 'checkedAt' | 'readAt'> | undefined> {
  const row = await db.selectFrom('trusted_list_reading').select(['checked_at', 'read_at']).executeTakeFirst()
  return row === undefined ? undefined : { checkedAt: row.checked_at, readAt: row.read_at }
}

export async function saveReading(db: Db | Tx, { lists, outcomes, checkedAt, readAt }: ListReading): Promise<void> {
  const values = { lists, outcomes: JSON.stringify(outcomes), checked_at: checkedAt, read_at: readAt }
  await db
    .insertInto('trusted_list_reading')
    .values({ id: 1, ...values })
    .onConflict((conflict) => conflict.column('id').doUpdateSet(values))
    .execute()
}

/** Deposits whose time stamps were not renewed in time, as SQL. Every function takes the database or the transaction first. */
import { sql, type RawBuilder, type SqlBool } from 'kysely'
import type { Db, Tx } from '../../../../platform/db/database.ts'

type Weak = { readonly now: Date; /** Renewals should have come before. */ readonly dueBefore: Date }

const isShown: RawBuilder<SqlBool> = sql<SqlBool>`d.status = 'final' and d.trashed_at is null and d.content_deleted_at is null`

/** Whose renewal is overdue, or whose time stamps have ended, and nobody was told of that yet. */
const isToTell = ({ now, dueBefore }: Weak): RawBuilder<SqlBool> => sql<SqlBool>`
  (b.renew_at <= ${dueBefore}::timestamptz or b.stamped_until <= ${now}::timestamptz)
  and (b.warned_until is distinct from b.stamped_until or (b.stamped_until <= ${now}::timestamptz and not b.warned_ended))
  and exists (select from document d where d.batch_id = b.id and ${isShown})`

/** Accounts that have some. */
export async function listOwnersOfWeak(db: Db | Tx, weak: Weak, limit: number): Promise<string[]> {
  const { rows } = await sql<{ owner_id: string }>`
    select distinct b.owner_id from document_batch b where ${isToTell(weak)} limit ${limit}`.execute(db)
  return rows.map((row) => row.owner_id)
}

/** Told of from now on. @returns who deposited them */
export async function markWeakTold(tx: Tx, ownerId: string, weak: Weak): Promise<ReadonlySet<string>> {
  const { rows } = await sql<{ created_by: string }>`
    with told as (
      update document_batch b set warned_until = b.stamped_until, warned_ended = b.stamped_until <= ${weak.now}::timestamptz,
        warned_at = ${weak.now}::timestamptz
      where b.owner_id = ${ownerId}::uuid and ${isToTell(weak)} returning b.id)
    select distinct d.created_by from document d join told on told.id = d.batch_id where ${isShown}`.execute(tx)
  return new Set(rows.map((row) => row.created_by))
}

export type WeakDeposits = {
  readonly count: number
  /** Of these, whose time stamps have ended; which are anchored. */
  readonly ended: number
  readonly anchored: number
  /** The first end of those that have not ended. */
  readonly until: Date | null
}

/** Of those that one mail was written down for at that instant, what is still there and was not renewed since. */
export async function findWeakDeposits(
  db: Db | Tx,
  { ownerId, createdBy }: { readonly ownerId: string; readonly createdBy: string | null },
  { warnedAt, now }: { readonly warnedAt: Date; readonly now: Date },
): Promise<WeakDeposits> {
  const { rows } = await sql<WeakDeposits>`
    select count(*)::int as count, (count(*) filter (where b.stamped_until <= ${now}::timestamptz))::int as ended,
      count(b.anchored_at)::int as anchored, min(b.stamped_until) filter (where b.stamped_until > ${now}::timestamptz) as until
    from document_batch b join document d on d.batch_id = b.id
    where b.owner_id = ${ownerId}::uuid and b.warned_at = ${warnedAt}::timestamptz and b.warned_until = b.stamped_until
      and ${isShown} and (${createdBy}::uuid is null or d.created_by = ${createdBy}::uuid)`.execute(db)
  return rows[0] ?? { count: 0, ended: 0, anchored: 0, until: null }
}

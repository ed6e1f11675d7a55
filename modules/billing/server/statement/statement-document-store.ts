/** The SQL of statements that are given out as files. */
import { sql } from 'kysely'
import type { Locale } from '../../../../kernel/locale.ts'
import type { Db, Tx } from '../../../../platform/db/database.ts'
import { enqueue } from '../../../../platform/jobs/jobs.ts'
import type { Day } from '../../domain/calendar/calendar.ts'
import { makeStatementsJob } from './jobs.ts'

export type WishedStatement = { readonly customerId: string; readonly locale: Locale; readonly lines: number; readonly on: Day }
export type MadeStatement = { readonly sha256: string; readonly bytes: number }

/** How many lines his account has. */
export async function countLines(db: Db | Tx, customerId: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::integer as count from journal_posting where customer_id = ${customerId}::uuid`.execute(db)
  return rows[0]?.count ?? 0
}

/** As it stands now; what was made of another day, or of fewer lines, is made anew. */
export async function wishStatement(tx: Tx, { customerId, locale, lines, on }: WishedStatement, now: Date): Promise<void> {
  const wished = { lines, on_day: on, wished_at: now, fault: null, bytes: null, sha256: null, made_at: null }
  await tx
    .insertInto('account_statement')
    .values({ customer_id: customerId, locale, ...wished })
    .onConflict((conflict) => conflict.columns(['customer_id', 'locale']).doUpdateSet(wished))
    .execute()
  await enqueue(tx, makeStatementsJob, {}, { key: makeStatementsJob.name })
}

/** `wished`: it will be made; `faulty`: it cannot be; null: nobody wished for it as it stands. */
export async function findStatement(
  db: Db | Tx,
  { customerId, locale, lines, on }: WishedStatement,
): Promise<MadeStatement | 'wished' | 'faulty' | null> {
  const row = await db
    .selectFrom('account_statement')
    .select(['sha256', 'bytes', 'fault'])
    .where('customer_id', '=', customerId)
    .where('locale', '=', locale)
    .where('lines', '=', lines)
    .where('on_day', '=', on)
    .executeTakeFirst()
  if (row === undefined) return null
  if (row.sha256 !== null && row.bytes !== null) return { sha256: row.sha256, bytes: row.bytes }
  return row.fault === null ? 'wished' : 'faulty'
}

/** The oldest that nobody else makes at this moment; they are held until the transaction ends. */
export async function holdWishedStatements(tx: Tx, limit: number): Promise<WishedStatement[]> {
  const { rows } = await sql<WishedStatement>`
    select customer_id as "customerId", locale, lines, on_day as on from account_statement where made_at is null and fault is null
    order by wished_at, customer_id limit ${limit} for update skip locked`.execute(tx)
  return rows
}

export async function setStatement(
  tx: Tx,
  { customerId, locale }: WishedStatement,
  outcome: MadeStatement | { readonly fault: string },
  now: Date,
): Promise<void> {
  await tx
    .updateTable('account_statement')
    .set('fault' in outcome ? { fault: outcome.fault.slice(0, 4_000) } : { ...outcome, made_at: now })
    .where('customer_id', '=', customerId)
    .where('locale', '=', locale)
    .execute()
}

/** Of the last of his invoices: to whom the statement is addressed. null: there is none. */
export async function findLastInvoice(db: Db | Tx, customerId: string): Promise<string | null> {
  const { rows } = await sql<{ id: string }>`select id from invoice where customer_id = ${customerId}::uuid and status = 'issued'
    order by issued_at desc, series desc, number desc limit 1`.execute(db)
  return rows[0]?.id ?? null
}

/** Of accounts that are no more, and those that were made so long ago. */
export async function listOldStatements(db: Db, before: Date): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select distinct s.customer_id as id from account_statement s join billing_customer c on c.id = s.customer_id
    where c.user_id is null or s.wished_at < ${before}::timestamptz`.execute(db)
  return rows.map(({ id }) => id)
}

export async function deleteStatements(db: Db, customerIds: readonly string[]): Promise<void> {
  await sql`delete from account_statement where customer_id = any(${[...customerIds]}::uuid[])`.execute(db)
}

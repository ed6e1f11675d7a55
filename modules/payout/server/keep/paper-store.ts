/** The SQL of the files that payouts are told by. */
import { sql } from 'kysely'
import type { Locale } from '../../../../kernel/locale.ts'
import type { Db, Tx } from '../../../../platform/db/database.ts'
import { enqueue } from '../../../../platform/jobs/jobs.ts'
import type { SelfBillKind } from '../../../billing/server/index.ts'
import { makePapersJob } from './jobs.ts'

export type PaperKind = 'statement' | SelfBillKind
export type WishedPaper = { readonly payoutId: string; readonly kind: PaperKind; readonly locale: Locale }
export type MadePaper = { readonly sha256: string; readonly bytes: number }

/** A second time nothing happens. */
export async function wishPaper(tx: Tx, { payoutId, kind, locale }: WishedPaper, now: Date): Promise<void> {
  await tx
    .insertInto('payout_paper')
    .values({ payout_id: payoutId, kind, locale, wished_at: now })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  await enqueue(tx, makePapersJob, {}, { key: makePapersJob.name })
}

/** `wished`: it will be made; `faulty`: it cannot be; null: nobody wished for it. */
export async function findPaper(
  db: Db | Tx,
  { payoutId, kind, locale }: WishedPaper,
): Promise<MadePaper | 'wished' | 'faulty' | null> {
  const row = await db
    .selectFrom('payout_paper')
    .select(['sha256', 'bytes', 'fault'])
    .where('payout_id', '=', payoutId)
    .where('kind', '=', kind)
    .where('locale', '=', locale)
    .executeTakeFirst()
  if (row === undefined) return null
  if (row.sha256 !== null && row.bytes !== null) return { sha256: row.sha256, bytes: row.bytes }
  return row.fault === null ? 'wished' : 'faulty'
}

/** The oldest that nobody else makes at this moment; it is held until the transaction ends. */
export async function holdWishedPaper(tx: Tx): Promise<WishedPaper | null> {
  const { rows } = await sql<WishedPaper>`select payout_id as "payoutId", kind, locale from payout_paper
    where made_at is null and fault is null order by wished_at, payout_id, kind limit 1 for update skip locked`.execute(tx)
  return rows[0] ?? null
}

export async function setPaper(
  tx: Tx,
  { payoutId, kind, locale }: WishedPaper,
  outcome: MadePaper | { readonly fault: string },
  now: Date,
): Promise<void> {
  await tx
    .updateTable('payout_paper')
    .set('fault' in outcome ? { fault: outcome.fault.slice(0, 4_000) } : { ...outcome, made_at: now })
    .where('payout_id', '=', payoutId)
    .where('kind', '=', kind)
    .where('locale', '=', locale)
    .execute()
}

/** Whose payees are to be forgotten: the ten years of the law are over (C. com. L123-22). */
export async function listOverdue(db: Db, now: Date, limit: number): Promise<readonly string[]> {
  const { rows } = await sql<{ id: string }>`select id from payout
    where payee is not null and status <> 'pending' and extract(year from month) + 11 <= extract(year from ${now}::timestamptz)
    order by id limit ${limit}`.execute(db)
  return rows.map(({ id }) => id)
}

export async function forgetPayeeOf(tx: Tx, payoutId: string): Promise<void> {
  await sql`delete from payout_paper where payout_id = ${payoutId}::uuid`.execute(tx)
  await sql`update payout set payee = null, payee_salt = null where id = ${payoutId}::uuid`.execute(tx)
}

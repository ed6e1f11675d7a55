/** The SQL of what somebody earned. */
import { randomUUIDv7 } from 'node:crypto'
import { sql } from 'kysely'
import type { Db, Tx } from '../../../../platform/db/database.ts'
import type { Source } from '../../domain/earning.ts'

export type Earned = {
  readonly userId: string
  readonly source: Source
  /** The account that was referred, or the licence that was sold. */
  readonly subjectId: string
  readonly invoiceId: string
  /** Position of the line of the invoice. */
  readonly line: number
  readonly baseCents: number
  readonly rate: number
  readonly amountCents: number
  readonly earnedOn: string
  readonly maturesOn: string
}

export type EarningRow = Earned & {
  readonly id: string
  readonly standingCents: number
  readonly bookedCents: number
  readonly maturedAt: Date | null
}

const columns = sql`id, user_id as "userId", source, subject_id as "subjectId", invoice_id as "invoiceId", line, base_cents as "baseCents", rate,
  amount_cents as "amountCents", standing_cents as "standingCents", booked_cents as "bookedCents", earned_on as "earnedOn",
  matures_on as "maturesOn", matured_at as "maturedAt"`

/** Of a line once, whoever is told of it how often. @returns whether it was not there yet */
export async function insertEarning(tx: Tx, earned: Earned, now: Date): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await tx
    .insertInto('earning')
    .values({
      id: randomUUIDv7(),
      user_id: earned.userId,
      source: earned.source,
      subject_id: earned.subjectId,
      invoice_id: earned.invoiceId,
      line: earned.line,
      base_cents: earned.baseCents,
      rate: earned.rate,
      amount_cents: earned.amountCents,
      standing_cents: earned.amountCents,
      earned_on: earned.earnedOn,
      matures_on: earned.maturesOn,
      created_at: now,
    })
    .onConflict((conflict) => conflict.columns(['source', 'invoice_id', 'line']).doNothing())
    .executeTakeFirstOrThrow()
  return numInsertedOrUpdatedRows === 1n
}

/** Whatever is done to what somebody earned or is paid is done while he is held: one thing at a time. */
export async function holdPayee(tx: Tx, userId: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended('payout ' || ${userId}, 0))`.execute(tx)
}

export async function listRipe(db: Db, today: string, limit: number): Promise<readonly EarningRow[]> {
  const { rows } = await sql<EarningRow>`select ${columns} from earning where matured_at is null and matures_on <= ${today}::date
    order by matures_on, id limit ${limit}`.execute(db)
  return rows
}

/** Those whose invoice may still be taken back, in the order of their ids. */
export async function listFollowed(
  db: Db,
  since: string,
  { after, limit }: { readonly after: string | null; readonly limit: number },
): Promise<readonly EarningRow[]> {
  const { rows } = await sql<EarningRow>`select ${columns} from earning
    where earned_on >= ${since}::date and (${after}::uuid is null or id > ${after}::uuid) order by id limit ${limit}`.execute(db)
  return rows
}

export async function findEarning(tx: Tx, id: string): Promise<EarningRow> {
  const { rows } = await sql<EarningRow>`select ${columns} from earning where id = ${id}::uuid for update`.execute(tx)
  const [row] = rows
  if (row === undefined) throw new Error(`earning ${id} is gone`)
  return row
}

export async function changeEarning(
  tx: Tx,
  id: string,
  to: { readonly standingCents: number; readonly bookedCents: number; readonly maturedAt: Date | null },
): Promise<void> {
  await tx
    .updateTable('earning')
    .set({ standing_cents: to.standingCents, booked_cents: to.bookedCents, matured_at: to.maturedAt })
    .where('id', '=', id)
    .execute()
}

/** What of each matured earning is to be paid: what stands of it less what is paid or under way; less than nothing where it went back. */
export async function listOwed(
  db: Db | Tx,
  userId: string,
  before: string,
): Promise<readonly { readonly id: string; readonly cents: number }[]> {
  const { rows } = await sql<{ id: string; cents: number }>`
    select id, cents from (
      select e.id, (e.standing_cents - coalesce((select sum(l.cents) from payout_line l join payout p on p.id = l.payout_id
        where l.earning_id = e.id and p.status in ('pending', 'success')), 0))::integer as cents
      from earning e where e.user_id = ${userId}::uuid and e.matured_at is not null and e.matures_on <= ${before}::date) owed
    where cents <> 0 order by id`.execute(db)
  return rows
}

export type Sums = {
  /** Not matured yet. */
  readonly accrued: number
  /** Matured, and neither paid nor on its way. */
  readonly owed: number
  readonly reserved: number
  readonly paid: number
  /** Taken back of what was earned. */
  readonly clawedBack: number
}

export async function sumEarnings(db: Db | Tx, userId: string): Promise<Sums> {
  const { rows } = await sql<Sums>`
    select coalesce(sum(e.standing_cents) filter (where e.matured_at is null), 0)::integer as accrued,
      (coalesce(sum(e.standing_cents) filter (where e.matured_at is not null), 0) - p.reserved - p.paid)::integer as owed,
      p.reserved::integer as reserved, p.paid::integer as paid,
      coalesce(sum(e.amount_cents - e.standing_cents), 0)::integer as "clawedBack"
    from (select coalesce(sum(net_cents) filter (where status = 'pending'), 0) as reserved,
        coalesce(sum(net_cents) filter (where status = 'success'), 0) as paid
      from payout where user_id = ${userId}::uuid) p left join earning e on e.user_id = ${userId}::uuid
    group by p.reserved, p.paid`.execute(db)
  return rows[0] ?? { accrued: 0, owed: 0, reserved: 0, paid: 0, clawedBack: 0 }
}

/** Who has something that matured by then, in the order of ids, and no payout of that month. */
export async function listPayable(
  db: Db,
  month: string,
  { after, limit }: { readonly after: string | null; readonly limit: number },
): Promise<readonly string[]> {
  const { rows } = await sql<{ userId: string }>`
    select distinct e.user_id as "userId" from earning e
    where e.matured_at is not null and e.matures_on <= ${month}::date and (${after}::uuid is null or e.user_id > ${after}::uuid)
      and not exists (select from payout p where p.user_id = e.user_id and (p.month = ${month}::date or p.status = 'pending'))
    order by e.user_id limit ${limit}`.execute(db)
  return rows.map(({ userId }) => userId)
}

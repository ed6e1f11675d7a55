/** What goes once an account, or the time of the law, is over, as SQL. */
import { sql } from 'kysely'
import type { Db, Tx } from '../../../../platform/db/database.ts'
import type { EndingOnTheWire } from '../../contract/ending.ts'
import type { Cents } from '../../domain/money/money.ts'
import { dayOf } from '../../domain/calendar/calendar.ts'

/** From here on nothing leads from the customer to the person (H-38). */
export async function forgetUser(tx: Tx, customerId: string): Promise<void> {
  await tx
    .updateTable('billing_customer')
    .set({ user_id: null, vat_number: null, vat_answer: null, vat_check: null, vat_checked_at: null })
    .where('id', '=', customerId)
    .execute()
}

/** What he owes and nobody is paying at this moment, the earliest first. */
export async function listPayable(tx: Tx, customerId: string): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select n.id from instalment n join invoice i on i.id = n.invoice_id and i.status = 'issued'
    where n.customer_id = ${customerId}::uuid and n.status in ('due', 'failed') and n.to_pay_cents > 0
    order by n.due_on, n.id`.execute(tx)
  return rows.map(({ id }) => id)
}

/** The newest first: what was paid last is the likeliest to find its way back. */
export async function listIssued(tx: Tx, customerId: string): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from invoice where customer_id = ${customerId}::uuid and kind = 'invoice' and status = 'issued'
    order by issued_at desc, number desc`.execute(tx)
  return rows.map(({ id }) => id)
}

export type Standing = {
  readonly credit: Cents
  readonly owed: Cents
  readonly invoices: readonly string[]
  readonly refunds: readonly string[]
}

/** What is to a customer's credit, what he owes, and which documents and refunds there are. */
export async function readStanding(tx: Tx, customerId: string): Promise<Standing> {
  const customer = sql`${customerId}::uuid`
  const { rows } = await sql<Standing>`
    select c.credit_cents as credit, coalesce((select sum(n.to_pay_cents) from instalment n join invoice i on i.id = n.invoice_id
        where n.customer_id = c.id and i.status = 'issued' and n.status not in ('paid', 'dropped')), 0)::integer as owed,
      array(select id::text from invoice where customer_id = c.id and status = 'issued') as invoices,
      array(select id::text from refund where customer_id = c.id) as refunds
    from billing_customer c where c.id = ${customer}`.execute(tx)
  const [standing] = rows
  if (standing === undefined) throw new Error(`there is no customer ${customerId}`)
  return standing
}

type Issued = Pick<EndingOnTheWire['invoices'][number], 'kind' | 'credits' | 'net_cents' | 'vat_cents' | 'gross_cents'>

export async function listIssuedSince(tx: Tx, customerId: string, before: readonly string[]): Promise<Issued[]> {
  const { rows } = await sql<Issued>`
    select i.kind, c.series || '-' || lpad(c.number::text, 6, '0') as credits, i.net_cents, i.vat_cents, i.gross_cents
    from invoice i left join invoice c on c.id = i.credits
    where i.customer_id = ${customerId}::uuid and i.status = 'issued' and i.id <> all(${[...before]}::uuid[])
    order by i.kind desc, i.series, i.number`.execute(tx)
  return rows
}

export async function listRefundsSince(
  tx: Tx,
  customerId: string,
  before: readonly string[],
): Promise<EndingOnTheWire['refunds']> {
  const { rows } = await sql<EndingOnTheWire['refunds'][number]>`
    select i.series || '-' || lpad(i.number::text, 6, '0') as invoice, r.channel as by, r.amount_cents
    from refund r left join invoice i on i.id = r.invoice_id
    where r.customer_id = ${customerId}::uuid and r.id <> all(${[...before]}::uuid[]) order by r.created_at, r.id`.execute(tx)
  return rows
}

/** The newest time that what came by that payment was not given back, and why. */
export async function findRefused(tx: Tx, attemptId: string | null): Promise<{ at: Date; failure: string | null } | null> {
  if (attemptId === null) return null
  const row = await tx
    .selectFrom('refund')
    .select(['settled_at', 'failure'])
    .where('attempt_id', '=', attemptId)
    .where('status', '=', 'failed')
    .orderBy('settled_at', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row?.settled_at == null ? null : { at: row.settled_at, failure: row.failure }
}

/** To their credit, and nobody has said by hand that it cannot be given back. */
export async function listGivingBack(db: Db): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select c.id from billing_customer c where c.user_id is null and c.credit_cents > 0
      and not exists (select from refund r where r.customer_id = c.id and r.channel = 'bank' and r.status = 'failed')
    order by c.id`.execute(db)
  return rows.map(({ id }) => id)
}

/** Ten years after the end of the year of the invoice (C. com., art. L123-22); the document and its chain stay. @returns how many */
export async function forgetBuyers(db: Db, now: Date): Promise<number> {
  const before = `${Number(dayOf(now).slice(0, 4)) - 10}-01-01`
  const { numAffectedRows } = await sql`
    delete from invoice_buyer b using invoice i where i.id = b.invoice_id and i.issued_on < ${before}::date`.execute(db)
  return Number(numAffectedRows ?? 0)
}

/** Invoices that have files and no buyer any more. */
export async function listForgotten(db: Db, limit: number): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select distinct d.invoice_id as id from invoice_document d
    where not exists (select from invoice_buyer b where b.invoice_id = d.invoice_id) limit ${limit}`.execute(db)
  return rows.map(({ id }) => id)
}

export async function deleteDocuments(db: Db, invoiceIds: readonly string[]): Promise<void> {
  await sql`delete from invoice_document where invoice_id = any(${[...invoiceIds]}::uuid[])`.execute(db)
}

/** What the register answered of years that the law no longer wants kept. */
export async function forgetConsultations(db: Db, now: Date): Promise<void> {
  const before = `${Number(dayOf(now).slice(0, 4)) - 10}-01-01`
  await sql`delete from vat_consultation where asked_at < ${before}::date`.execute(db)
}

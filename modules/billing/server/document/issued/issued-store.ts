/** What the document of an invoice is written from, as SQL: what was issued, and what was known of its payment. */
import { sql } from 'kysely'
import type { Db, Tx } from '../../../../../platform/db/database.ts'
import { addDays, type Day } from '../../../domain/calendar/calendar.ts'
import type { Instalment, Schedule } from '../../../domain/document/invoice-document.ts'
import { daysToPay, numberIn } from '../../../domain/invoice/number.ts'
import type { Cents } from '../../../domain/money/money.ts'
import type { Buyer } from '../../customer/read-buyer.ts'
import { findBuyer, listLines, toInvoice, type InvoiceRow, type Line } from '../../invoice/invoice-store.ts'
import type { Seller } from '../../seller/deps.ts'

export type IssuedRow = {
  readonly invoice: InvoiceRow
  readonly number: string
  readonly issuedOn: Day
  readonly lines: readonly Line[]
  /** As he was when it was issued. */
  readonly seller: Seller
  readonly buyer: Buyer
  readonly credits: { readonly number: string; readonly issuedOn: Day } | null
}

/** null: it is not issued, or its buyer is forgotten. */
export async function findIssued(db: Db | Tx, id: string): Promise<IssuedRow | null> {
  const row = await db.selectFrom('invoice').selectAll().where('id', '=', id).where('status', '=', 'issued').executeTakeFirst()
  const whose = await findBuyer(db, id)
  if (row === undefined || whose === null || row.content === null) return null
  const invoice = toInvoice(row)
  const credited = invoice.credits === null ? null : await namesOf(db, invoice.credits)
  // Written by composeContent alone.
  const { seller } = JSON.parse(row.content.toString()) as { readonly seller: Omit<Seller, 'bic'> & Partial<Pick<Seller, 'bic'>> }
  const names = namedBy(invoice)
  if (names === null) return null
  return {
    invoice,
    ...names,
    lines: await listLines(db, id),
    seller: { ...seller, bic: seller.bic ?? null },
    buyer: whose.buyer,
    credits: credited,
  }
}

/** What another document calls it by; null: it is not issued. */
export const namedBy = ({ series, number, issuedOn }: Pick<InvoiceRow, 'series' | 'number' | 'issuedOn'>) =>
  series === null || number === null || issuedOn === null ? null : { number: numberIn(series, number), issuedOn }

async function namesOf(db: Db | Tx, id: string): Promise<IssuedRow['credits']> {
  const row = await db.selectFrom('invoice').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
  return namedBy(toInvoice(row))
}

/** On the day on which it was issued; null: it was not paid then. */
export async function findPaidAtOnce(
  db: Db | Tx,
  { invoice, issuedOn }: Pick<IssuedRow, 'invoice' | 'issuedOn'>,
): Promise<{ readonly on: Day; readonly amount: Cents } | null> {
  const amount = invoice.amount.gross - invoice.creditUsed
  if (invoice.kind === 'credit_note') return null
  if (amount === 0) return { on: issuedOn, amount: 0 }
  const { rows } = await sql`select from journal_entry e join instalment i on i.invoice_id = e.invoice_id and i.status = 'paid'
    where e.invoice_id = ${invoice.id}::uuid and e.kind = 'payment' and e.on_day <= ${issuedOn}::date limit 1`.execute(db)
  return rows.length === 0 ? null : { on: issuedOn, amount }
}

/** Of a year in four: each of its payments, and which this is; null: it is paid at once. */
export async function findSchedule(
  db: Db | Tx,
  { invoice }: Pick<IssuedRow, 'invoice'>,
  dueOn: Day | null,
): Promise<Schedule | null> {
  if (invoice.kind === 'credit_note') return null
  const { rows } = await sql<{ part: number; own: boolean; from: Day | null; due_on: Day | null; net: Cents; vat: Cents }>`
    select i.part, i.invoice_id is not distinct from ${invoice.id}::uuid as own, i.covers_from as from, i.due_on,
      i.net_cents as net, i.vat_cents as vat
    from instalment own join instalment i on i.subscription_id = own.subscription_id and i.period_from = own.period_from
      and i.parts = own.parts and i.plan = own.plan and i.of_change = own.of_change
    where own.invoice_id = ${invoice.id}::uuid and own.parts > 1 and i.status <> 'dropped' order by i.part`.execute(db)
  const current = rows.findIndex(({ own }) => own)
  if (rows.length < 2 || current === -1 || rows.some(({ part }, at) => part !== at + 1)) return null
  const parts = rows.map((row): Instalment => {
    const on = row.own ? dueOn : (row.due_on ?? (row.from === null ? null : addDays(row.from, daysToPay)))
    return { dueOn: on ?? '', net: row.net, vat: row.vat, gross: row.net + row.vat }
  })
  return { current, parts }
}

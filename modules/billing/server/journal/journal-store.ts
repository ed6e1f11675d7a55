/** The SQL of the journal: it only grows, and the database refuses what does not balance. */
import { randomUUIDv7 } from 'node:crypto'
import { sql } from 'kysely'
import type { Tx } from '../../../../platform/db/database.ts'
import { dayOf } from '../../domain/calendar/calendar.ts'
import type { Entry } from '../../domain/journal/entry.ts'
import { notifyMoney } from '../notice/notify.ts'

export type Occasion = {
  readonly kind:
    | 'invoice'
    | 'credit_note'
    | 'payment'
    | 'reversal'
    | 'refund'
    | 'earning'
    | 'clawback'
    | 'payout_granted'
    | 'payout'
    | 'payout_returned'
    | 'fee'
  /** null: it is no customer's. */
  readonly customerId: string | null
  readonly invoiceId: string | null
  readonly attemptId: string | null
}

/** Of nothing there is no entry. Whose money came or went is told. The caller holds the numbers. */
export async function postEntry(tx: Tx, { journal, postings }: Entry, occasion: Occasion, now: Date): Promise<void> {
  if (postings.length === 0) return
  const day = dayOf(now)
  const year = Number(day.slice(0, 4))
  const id = randomUUIDv7()
  await sql`insert into journal_entry (id, journal, year, number, on_day, customer_id, invoice_id, attempt_id, kind, created_at)
    select ${id}::uuid, ${journal}, ${year}, coalesce((select max(number) from journal_entry where year = ${year}), 0) + 1, ${day}::date,
      ${occasion.customerId}::uuid, ${occasion.invoiceId}::uuid, ${occasion.attemptId}::uuid, ${occasion.kind}, ${now}`.execute(
    tx,
  )
  const { customerId, invoiceId, kind } = occasion
  const cents = postings.reduce((sum, each) => sum + (each.ofCustomer ? each.debit + each.credit : 0), 0)
  if (customerId !== null) await notifyMoney(tx, { id, kind, customerId, invoiceId, cents, on: day }, now)
  await tx
    .insertInto('journal_posting')
    .values(
      postings.map((each, index) => ({
        entry_id: id,
        position: index + 1,
        account: each.account,
        customer_id: each.ofCustomer ? occasion.customerId : null,
        debit_cents: each.debit,
        credit_cents: each.credit,
      })),
    )
    .execute()
}

/** Of invoices, in their order: nobody is told of them here. The caller holds the numbers. */
export async function postInvoices(
  tx: Tx,
  all: readonly { readonly entry: Entry; readonly customerId: string; readonly invoiceId: string }[],
  now: Date,
): Promise<void> {
  const day = dayOf(now)
  const year = Number(day.slice(0, 4))
  const rows = all.filter(({ entry }) => entry.postings.length > 0).map((each) => ({ ...each, id: randomUUIDv7() }))
  await sql`insert into journal_entry (id, journal, year, number, on_day, customer_id, invoice_id, kind, created_at)
    select r.id, r.entry ->> 'journal', ${year}, coalesce((select max(number) from journal_entry where year = ${year}), 0) + row_number() over (),
      ${day}::date, r."customerId", r."invoiceId", 'invoice', ${now}
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as r (id uuid, entry jsonb, "customerId" uuid, "invoiceId" uuid)`.execute(
    tx,
  )
  const postings = rows.flatMap(({ id, customerId, entry }) =>
    entry.postings.map((each, index) => ({ ...each, id, position: index + 1, customer: each.ofCustomer ? customerId : null })),
  )
  await sql`insert into journal_posting (entry_id, position, account, customer_id, debit_cents, credit_cents)
    select r.id, r.position, r.account, r.customer, r.debit, r.credit
    from jsonb_to_recordset(${JSON.stringify(postings)}::jsonb)
      as r (id uuid, position smallint, account text, customer uuid, debit integer, credit integer)`.execute(tx)
}

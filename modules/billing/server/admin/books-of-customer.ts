/** The SQL of what one customer has and owes, as far as an act may change it. */
import { sql } from 'kysely'
import type { Tx } from '../../../../platform/db/database.ts'
import type { Day } from '../../domain/calendar/calendar.ts'
import type { Cents } from '../../domain/money/money.ts'

export type BookedInvoice = {
  readonly id: string
  readonly kind: 'invoice' | 'credit_note'
  readonly number: string | null
  readonly credits: string | null
  readonly status: string
  readonly net: Cents
  readonly vat: Cents
  readonly gross: Cents
  readonly left: Cents
  readonly triedOn: Day | null
}
export type BookedEntry = {
  readonly id: string
  readonly journal: string
  readonly kind: string
  readonly postings: readonly { readonly account: string; readonly debit_cents: Cents; readonly credit_cents: Cents }[]
}
/** Money on its way back to him. */
export type BookedRefund = {
  readonly id: string
  readonly invoice: string | null
  readonly amount: Cents
  readonly by: 'provider' | 'bank'
  readonly status: string
}
export type Books = {
  readonly credit: Cents
  readonly balance: Cents
  readonly invoices: readonly BookedInvoice[]
  readonly entries: readonly BookedEntry[]
  readonly refunds: readonly BookedRefund[]
  readonly subscription: { readonly status: string; readonly plan: string } | null
}

/** @param since entries that are there already are not asked for again */
export async function readBooks(tx: Tx, customerId: string, since: ReadonlySet<string> = new Set()): Promise<Books> {
  const customer = sql`${customerId}::uuid`
  const { rows: totals } = await sql<{ credit: number; balance: number }>`
    select c.credit_cents as credit, (select coalesce(sum(debit_cents) - sum(credit_cents), 0)::float8 from journal_posting
      where customer_id = c.id) as balance from billing_customer c where c.id = ${customer}`.execute(tx)
  const { rows: invoices } = await sql<BookedInvoice>`
    select i.id, i.kind, i.series || '-' || lpad(i.number::text, 6, '0') as number,
      c.series || '-' || lpad(c.number::text, 6, '0') as credits, i.settlement as status, i.net_cents as net, i.vat_cents as vat,
      i.gross_cents as gross, case when p.status in ('paid', 'dropped') or p.id is null then 0 else p.to_pay_cents end as left,
      p.next_attempt_on as "triedOn"
    from invoice i left join instalment p on p.invoice_id = i.id left join invoice c on c.id = i.credits
    where i.customer_id = ${customer} order by i.created_at, i.id`.execute(tx)
  const { rows: entries } = await sql<BookedEntry>`
    select e.id, e.journal, e.kind, jsonb_agg(jsonb_build_object('account', p.account, 'debit_cents', p.debit_cents, 'credit_cents',
      p.credit_cents) order by p.position) as postings
    from journal_entry e join journal_posting p on p.entry_id = e.id
    where e.customer_id = ${customer} and not (e.id = any (${[...since]}::uuid[]))
    group by e.id order by e.year, e.number`.execute(tx)
  const { rows: refunds } = await sql<BookedRefund>`
    select r.id, i.series || '-' || lpad(i.number::text, 6, '0') as invoice, r.amount_cents as amount, r.channel as by, r.status
    from refund r left join invoice i on i.id = r.invoice_id where r.customer_id = ${customer} order by r.created_at, r.id`.execute(
    tx,
  )
  const { rows: held } = await sql<{ status: string; plan: string }>`
    select status, plan from subscription where customer_id = ${customer} order by created_at desc, id desc limit 1`.execute(tx)
  const [first] = totals
  if (first === undefined) throw new Error(`there is no customer ${customerId}`)
  return { ...first, invoices, entries, refunds, subscription: held[0] ?? null }
}

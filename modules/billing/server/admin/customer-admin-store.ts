/** The SQL of customers as an administrator sees them. */
import { sql } from 'kysely'
import type { Db } from '../../../../platform/db/database.ts'
import type { Day } from '../../domain/calendar/calendar.ts'
import type { AttemptStatus, RefundStatus } from '../../domain/invoice/status.ts'
import type { VatCheck } from '../../domain/invoice/vat.ts'
import type { Channel, Journal } from '../../domain/journal/entry.ts'
import type { Cents } from '../../domain/money/money.ts'
import type { Plan } from '../../domain/plan/plan.ts'
import type { SubscriptionStatus } from '../../domain/subscription/machine.ts'
import { foundCustomers } from './customer-search.ts'
import { readNumber } from './invoice-admin-store.ts'

export type CustomerRow = {
  readonly id: string
  readonly userId: string | null
  readonly name: string
  readonly company: string | null
  readonly email: string | null
  readonly country: string | null
  readonly vatNumber: string | null
  readonly vatCheck: VatCheck | null
  readonly createdAt: Date
  readonly plan: Plan
  readonly status: SubscriptionStatus
  readonly pastDueSince: Day | null
  readonly credit: Cents
  readonly owed: Cents
}

export type CustomersWanted = {
  readonly search: string | null
  readonly standing: 'past_due' | 'suspended' | 'credit_left' | null
  readonly limit: number
  readonly offset: number
}

function conditions({ search, standing }: CustomersWanted) {
  const numbered = search === null ? null : readNumber(search)
  const all = [sql`true`]
  if (numbered !== null && numbered.number !== null)
    all.push(sql`id in (select customer_id from invoice where series = ${numbered.series} and number = ${numbered.number})`)
  else if (search !== null) all.push(sql`id in (${foundCustomers(search)})`)
  if (standing === 'past_due') all.push(sql`id in (select customer_id from subscription where status = 'past_due')`)
  if (standing === 'suspended') all.push(sql`id in (select customer_id from subscription where status = 'suspended')`)
  if (standing === 'credit_left') all.push(sql`user_id is null and credit_cents > 0`)
  return sql.join(all, sql` and `)
}

const columns = sql`c.id, c.user_id as "userId", coalesce(trim(u.first_name || ' ' || u.last_name), b.buyer ->> 'name', '') as name,
  f.company_name as company, coalesce(e.address, b.buyer ->> 'email') as email, f.country, c.vat_number as "vatNumber", c.vat_check as "vatCheck", c.created_at as "createdAt",
  coalesce(s.plan, 'unit') as plan, coalesce(s.status, 'unit') as status, s.past_due_since as "pastDueSince", c.credit_cents as credit,
  (select coalesce(sum(p.to_pay_cents), 0)::float8 from instalment p join invoice i on i.id = p.invoice_id
    where p.customer_id = c.id and p.status not in ('paid', 'dropped') and i.status = 'issued') as owed`
/** Of an account that has ended its invoices alone say whose it was; they are asked while something is still to be given back. */
const joined = sql`left join account_user u on u.id = c.user_id and u.status <> 'erased' left join profile f on f.user_id = c.user_id
  left join email_address e on e.user_id = c.user_id and e.is_primary left join lateral (select plan, status, past_due_since from subscription
    where customer_id = c.id order by (status = 'cancelled'), created_at desc limit 1) s on true
  left join lateral (select y.buyer from invoice i join invoice_buyer y on y.invoice_id = i.id
    where c.user_id is null and i.customer_id = c.id and i.status = 'issued' and (c.credit_cents > 0 or exists (select from refund r
      where r.customer_id = c.id and r.channel = 'bank' and r.status = 'started')) order by i.issued_at desc, i.id desc limit 1) b on true`

/** The newest first; counted up to as many as are asked for, and one more. */
export async function pageOfCustomers(
  db: Db,
  wanted: CustomersWanted,
  most: number,
): Promise<{ readonly count: number; readonly rows: readonly CustomerRow[] }> {
  const where = conditions(wanted)
  const { rows: counted } = await sql<{ count: number }>`
    select count(*)::integer as count from (select from billing_customer where ${where} limit ${most + 1}) n`.execute(db)
  const { rows } = await sql<CustomerRow>`
    select ${columns} from (select * from billing_customer where ${where} order by created_at desc, id desc
      limit ${wanted.limit} offset ${wanted.offset}) c ${joined} order by c.created_at desc, c.id desc`.execute(db)
  return { count: counted[0]?.count ?? 0, rows }
}

export async function findCustomerRow(db: Db, id: string): Promise<(CustomerRow & { readonly balance: Cents }) | null> {
  const { rows } = await sql<CustomerRow & { balance: number }>`
    select ${columns}, (select coalesce(sum(debit_cents) - sum(credit_cents), 0)::float8 from journal_posting where customer_id = c.id) as balance
    from billing_customer c ${joined} where c.id = ${id}::uuid`.execute(db)
  return rows[0] ?? null
}

export type EntryRow = {
  readonly year: number
  readonly number: number
  readonly on: Day
  readonly journal: Journal
  readonly kind: string
  readonly invoice: string | null
  readonly postings: { account: string; debit_cents: Cents; credit_cents: Cents }[]
}

const numberOf = sql`i.series || '-' || lpad(i.number::text, 6, '0')`

export async function listEntries(db: Db, customerId: string, limit: number): Promise<EntryRow[]> {
  const { rows } = await sql<EntryRow>`
    select e.year, e.number, e.on_day as on, e.journal, e.kind, ${numberOf} as invoice, (select jsonb_agg(jsonb_build_object('account', p.account,
      'debit_cents', p.debit_cents, 'credit_cents', p.credit_cents) order by p.position) from journal_posting p where p.entry_id = e.id) as postings
    from journal_entry e left join invoice i on i.id = e.invoice_id
    where e.customer_id = ${customerId}::uuid order by e.year desc, e.number desc limit ${limit}`.execute(db)
  return rows
}

export type AttemptRow = {
  readonly id: string
  readonly invoiceId: string | null
  readonly invoice: string | null
  readonly status: AttemptStatus
  readonly amount: Cents
  readonly channel: Channel
  readonly reference: string | null
  readonly failure: string | null
  readonly createdAt: Date
}

export async function listAttempts(db: Db, customerId: string, limit: number): Promise<AttemptRow[]> {
  const { rows } = await sql<AttemptRow>`
    select a.id, p.invoice_id as "invoiceId", ${numberOf} as invoice, a.status, a.amount_cents as amount, a.channel, a.reference, a.failure,
      a.created_at as "createdAt"
    from instalment p join payment_attempt a on a.instalment_id = p.id left join invoice i on i.id = p.invoice_id
    where p.customer_id = ${customerId}::uuid order by a.created_at desc, a.id desc limit ${limit}`.execute(db)
  return rows
}

export type RefundRow = {
  readonly id: string
  readonly invoice: string | null
  readonly creditNote: string | null
  readonly status: RefundStatus
  readonly by: Channel
  readonly amount: Cents
  readonly reference: string | null
  /** That a transfer by hand is to bear. */
  readonly transfer: string | null
  readonly failure: string | null
  readonly createdAt: Date
}

export async function listRefunds(db: Db, customerId: string, limit: number): Promise<RefundRow[]> {
  const { rows } = await sql<RefundRow>`
    select r.id, ${numberOf} as invoice, n.series || '-' || lpad(n.number::text, 6, '0') as "creditNote", r.status, r.channel as by,
      r.amount_cents as amount, r.reference, t.reference as transfer, r.failure, r.created_at as "createdAt"
    from refund r left join invoice i on i.id = r.invoice_id left join invoice n on n.id = r.credit_note_id
      left join transfer_announced t on t.payment = r.reference
    where r.customer_id = ${customerId}::uuid order by r.created_at desc, r.id desc limit ${limit}`.execute(db)
  return rows
}

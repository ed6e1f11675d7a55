/** What must hold of all that is in the books, each as the query that finds where it does not. */
import { sql, type RawBuilder } from 'kysely'
import type { Db, Tx } from '../../../../platform/db/database.ts'

export const invariants = {
  one_live_attempt: sql`select instalment_id::text as what from payment_attempt
    where status in ('started', 'action_required', 'unknown') group by instalment_id having count(*) > 1`,
  numbers_without_gap: sql`
    select series || ': ' || count(*) || ' numbers up to ' || max(number) as what from invoice where number is not null group by series
      having count(*) <> max(number) or min(number) <> 1
    union all select series || ': ' || count(*) || ' numbers up to ' || max(number) from payout_invoice group by series
      having count(*) <> max(number) or min(number) <> 1
    union all select 'J' || year || ': ' || count(*) || ' entries up to ' || max(number) from journal_entry group by year
      having count(*) <> max(number)`,
  dates_in_order: sql`select series || number as what from (
      select series, number, issued_on, lag(issued_on) over (partition by series order by number) as before
        from (select series, number, issued_on from invoice where number is not null union all select series, number, issued_on from payout_invoice) d) n
    where before > issued_on`,
  lines_sum: sql`select i.id::text as what from invoice i join invoice_line l on l.invoice_id = i.id group by i.id
    having sum(l.net_cents) <> i.net_cents or sum(l.vat_cents) <> i.vat_cents`,
  /** Half a cent up of the whole, however many parts it has. */
  instalments_sum: sql`select subscription_id || ' ' || period_from as what from (
      select subscription_id, period_from, plan, cycle, parts, vat_rate, of_change, count(*) as made, sum(net_cents) as net, sum(vat_cents) as vat
        from instalment where plan is not null and status <> 'dropped'
      group by subscription_id, period_from, plan, cycle, parts, vat_rate, of_change) whole
    where made = parts and vat <> round(net::numeric * vat_rate / 10000)`,
  entries_balance: sql`select e.id::text as what from journal_entry e left join journal_posting p on p.entry_id = e.id group by e.id
    having count(p.position) < 2 or sum(p.debit_cents) <> sum(p.credit_cents)`,
  /**
   * What a customer owes, by his account in the journal, and by what is open of his invoices less what is to his credit or on its way back to
   * him.
   */
  balances_fold: sql`select c.id || ': ' || coalesce(booked.cents, 0) || ' booked, ' || coalesce(open.cents, 0) - c.credit_cents - coalesce(going.cents, 0) || ' open' as what
    from billing_customer c
    left join (select customer_id, sum(amount_cents) as cents from refund where status in ('started', 'unknown') group by customer_id) going
      on going.customer_id = c.id
    left join (select customer_id, sum(debit_cents) - sum(credit_cents) as cents from journal_posting where customer_id is not null
      group by customer_id) booked on booked.customer_id = c.id
    left join (select n.customer_id, sum(n.to_pay_cents) as cents from instalment n join invoice i on i.id = n.invoice_id
      where i.status = 'issued' and n.status <> 'paid' group by n.customer_id) open on open.customer_id = c.id
    where coalesce(booked.cents, 0) <> coalesce(open.cents, 0) - c.credit_cents - coalesce(going.cents, 0)`,
  /** What came of an attempt, and was not taken back, is in the journal once; what came of none, not at all. */
  paid_once: sql`select a.id || ': ' || coalesce(e.cents, 0) as what from payment_attempt a
      left join (select attempt_id, sum(credit_cents - debit_cents) as cents from journal_entry
          join journal_posting p on p.entry_id = journal_entry.id and p.customer_id is not null
        where kind in ('payment', 'reversal') group by attempt_id) e on e.attempt_id = a.id
    where case when a.status = 'succeeded' then coalesce(e.cents, 0) <> a.amount_cents - a.taken_cents else e.attempt_id is not null end`,
  refunds_within: sql`
    select a.id::text as what from refund r join payment_attempt a on a.id = r.attempt_id where r.status <> 'failed' group by a.id
      having sum(r.amount_cents) > a.amount_cents or a.status <> 'succeeded'
    union all select r.invoice_id::text from refund r where r.status <> 'failed' and r.credit_note_id is not null group by r.invoice_id
      having sum(r.amount_cents) > (select sum(n.gross_cents) from invoice n where n.credits = r.invoice_id and n.status = 'issued')`,
  /** The bytes are not parsed for that: a name of a field stands in them as here and nowhere within a text, where its quotes are escaped. */
  bytes_as_issued: sql`select i.id::text as what from (
      select id, lag(sha256) over (partition by series order by number) as before from invoice where status = 'issued') chained
      join invoice i on i.id = chained.id
    where i.sha256 <> sha256(i.content)
      or position(convert_to('"previous_sha256":' || coalesce('"' || encode(before, 'hex') || '"', 'null') || ',', 'UTF8') in i.content) = 0`,
  content_says_row: sql`select id::text as what from invoice,
      lateral json_to_record(convert_from(content, 'UTF8')::json) as said (net_cents integer, vat_cents integer, gross_cents integer, issued_on text)
    where status = 'issued' and (said.net_cents, said.vat_cents, said.gross_cents, said.issued_on) is distinct from
      (invoice.net_cents, invoice.vat_cents, invoice.gross_cents, invoice.issued_on::text)`,
  credits_within: sql`select i.id::text as what from invoice i join invoice c on c.credits = i.id and c.status = 'issued' group by i.id
    having sum(c.net_cents) > i.net_cents or sum(c.vat_cents) > i.vat_cents`,
  /** No day of a subscription is invoiced twice, but for what was given back. */
  days_once: sql`select a.id || ' and ' || b.id as what from invoice a,
      lateral (select id from invoice b where b.subscription_id = a.subscription_id and b.covers_from >= a.covers_from
        and b.covers_from < a.covers_to and b.kind = 'invoice' and b.status = 'issued' and b.id <> a.id
        and (b.series, b.number) > (a.series, a.number)
        and not exists (select from invoice c where c.credits = a.id and c.status = 'issued' and c.covers_from <= b.covers_from) offset 0) b
    where a.kind = 'invoice' and a.status = 'issued'`,
  /** What is bought by itself is paid when its invoice is issued, and not before; what is invoiced by the month is issued with it. */
  purchases_stand: sql`select p.id::text as what from purchase p left join invoice i on i.id = p.invoice_id
    where (p.status = 'open' and i.status is distinct from 'draft')
      or (p.status in ('paid', 'invoiced') and i.status is distinct from 'issued')
      or (p.status in ('accrued', 'dropped') and i.id is not null)`,
  /** What was agreed to in a month is what its invoice is of: each once, at its price and its VAT. */
  months_invoiced: sql`select i.id::text as what from invoice i join purchase p on p.invoice_id = i.id and p.status = 'invoiced'
    group by i.id having sum(p.net_cents) <> i.net_cents or sum(p.vat_cents) <> i.vat_cents or min(p.month_from) <> max(p.month_from)
      or bool_or(p.customer_id <> i.customer_id or p.vat_treatment <> i.vat_treatment or p.vat_rate <> i.vat_rate)
      or count(*) <> (select count(*) from invoice_line l where l.invoice_id = i.id)`,
  quota_used: sql`select u.subscription_id || ' ' || u.kind || ' ' || u.month_from as what from quota_use u
    where u.used > u.quota or u.used <> (select count(*) from quota_taken t
      where t.subscription_id = u.subscription_id and t.kind = u.kind and t.month_from = u.month_from)`,
  /** Nobody is paid, or about to be, more than what matured for him; what went back since is owed by him, and taken off later. */
  payouts_within: sql`select p.user_id || ': ' || p.taken || ' of ' || coalesce(e.matured, 0) as what from (
      select user_id, sum(net_cents) as taken from payout where status in ('pending', 'success') group by user_id) p
    left join (select user_id, sum(amount_cents) as matured from earning where matured_at is not null group by user_id) e on e.user_id = p.user_id
    where p.taken > coalesce(e.matured, 0)`,
  payouts_sum: sql`select p.id::text as what from payout p left join payout_line l on l.payout_id = p.id group by p.id
    having coalesce(sum(l.cents), 0) <> p.net_cents or p.net_cents + p.vat_cents <> p.gross_cents`,
  /** What the seller of a licence earns and what the operator keeps are its price. */
  fees_sum: sql`select e.id::text as what from earning e left join license l on l.id = e.subject_id where e.source = 'license'
    and (l.id is null or e.base_cents <> l.net_cents or e.amount_cents + l.fee_cents <> l.net_cents)`,
} as const satisfies Readonly<Record<string, RawBuilder<unknown>>>

export type Broken = { readonly invariant: keyof typeof invariants; readonly what: string }

const most = 10

async function findPlaces(db: Db | Tx, query: RawBuilder<unknown>): Promise<string[]> {
  const { rows } = await sql<{ what: string }>`select what from (${query}) found limit ${most}`.execute(db)
  return rows.map(({ what }) => what)
}

/** Where they do not hold; at most ten places each. */
export async function findBroken(db: Db | Tx): Promise<Broken[]> {
  const broken: Broken[] = []
  for (const [name, query] of Object.entries(invariants))
    broken.push(...(await findPlaces(db, query)).map((what) => ({ invariant: name as Broken['invariant'], what })))
  return broken
}

export type Reading = {
  readonly name: Broken['invariant']
  /** What was asked. */
  readonly query: string
  readonly broken: readonly string[]
  readonly milliseconds: number
}

/** Each looked at now, with what was asked and what was found. */
export async function readInvariants(db: Db): Promise<Reading[]> {
  const readings: Reading[] = []
  for (const [name, query] of Object.entries(invariants)) {
    const began = performance.now()
    const broken = await findPlaces(db, query)
    const milliseconds = Math.round(performance.now() - began)
    const said = query.compile(db).sql.replaceAll(/\s+/g, ' ').trim()
    readings.push({ name: name as Reading['name'], query: said, broken, milliseconds })
  }
  return readings
}

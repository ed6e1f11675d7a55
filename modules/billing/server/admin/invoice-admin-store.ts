/** The SQL of invoices as an administrator sees them: of whomever they are. */
import { sql, type RawBuilder } from 'kysely'
import type { Db, Tx } from '../../../../platform/db/database.ts'
import type { Day } from '../../domain/calendar/calendar.ts'
import type { InstalmentStatus, publicStatuses } from '../../domain/invoice/status.ts'
import type { Cents } from '../../domain/money/money.ts'
import { toInvoice, type InvoiceRecord } from '../invoice/invoice-store.ts'
import type { Listed } from '../calls/invoice-list-store.ts'
import { foundCustomers } from './customer-search.ts'

export async function sumCredited(tx: Tx, invoiceId: string): Promise<{ readonly net: Cents; readonly vat: Cents }> {
  const { rows } = await sql<{ net: number; vat: number }>`
    select coalesce(sum(net_cents), 0)::integer as net, coalesce(sum(vat_cents), 0)::integer as vat from invoice
    where credits = ${invoiceId}::uuid and status = 'issued'`.execute(tx)
  return rows[0] ?? { net: 0, vat: 0 }
}

/** Whose it is; null: there is no such invoice. */
export async function findOwner(db: Db | Tx, invoiceId: string): Promise<string | null> {
  const row = await db.selectFrom('invoice').select('customer_id').where('id', '=', invoiceId).executeTakeFirst()
  return row?.customer_id ?? null
}

export type AdminInvoiceRow = Listed & {
  readonly customer: string
  readonly instalment: InstalmentStatus | null
  readonly left: Cents
  readonly creditedNet: Cents
}

type Row = InvoiceRecord & {
  sha256: Buffer | null
  part: number | null
  parts: number | null
  to_pay_cents: number | null
  kept_cents: number | null
  customer: string | null
  instalment: string | null
  left_cents: number
  credited_net: number
}

const toRow = (row: Row): AdminInvoiceRow => ({
  ...toInvoice(row),
  sha256: row.sha256,
  part: row.part ?? 1,
  parts: row.parts ?? 1,
  toPay: row.to_pay_cents,
  kept: row.kept_cents ?? 0,
  customer: row.customer ?? '',
  instalment: row.instalment as InstalmentStatus | null,
  left: row.left_cents,
  creditedNet: row.credited_net,
})

/** Of rows of `invoice i`, which are few. */
const completed = (rows: RawBuilder<unknown>) => sql<Row>`
  select i.*, p.part, p.parts, p.to_pay_cents, p.kept_cents, p.status as instalment,
    case when p.id is null or p.status in ('paid', 'dropped') then 0 else p.to_pay_cents end as left_cents,
    (select coalesce(sum(c.net_cents), 0)::integer from invoice c where c.credits = i.id and c.status = 'issued') as credited_net,
    coalesce(f.company_name, trim(u.first_name || ' ' || u.last_name)) as customer
  from (${rows}) i left join instalment p on p.invoice_id = i.id join billing_customer b on b.id = i.customer_id
    left join account_user u on u.id = b.user_id left join profile f on f.user_id = b.user_id
  order by i.created_at desc, i.id desc`

export async function listRows(db: Db | Tx, ids: readonly string[]): Promise<AdminInvoiceRow[]> {
  if (ids.length === 0) return []
  const { rows } = await completed(sql`select * from invoice where id = any (${[...ids]}::uuid[])`).execute(db)
  return rows.map(toRow)
}

export type InvoicesWanted = {
  readonly category: string | null
  readonly status: (typeof publicStatuses)[number] | null
  readonly customerId: string | null
  readonly search: string | null
  readonly limit: number
  readonly offset: number
}

/** `F2026`, `F2026-000012`, `f2026-12`. */
export function readNumber(text: string): { readonly series: string; readonly number: number | null } | null {
  const match = /^\s*([fa]\d{4})(?:\s*-?\s*(\d{1,9}))?\s*$/i.exec(text)
  const series = match?.[1]?.toUpperCase()
  return series === undefined ? null : { series, number: match?.[2] === undefined ? null : Number(match[2]) }
}

/** As the indexes of those that are not paid say it, word for word. */
const settled = {
  success: sql`settlement = 'success'`,
  pending: sql`settlement in ('pending', 'processing', 'reversed')`,
  failed: sql`settlement = 'failed'`,
} as const

/** Each condition is one that an index answers. */
function conditions({ category, status, customerId, search }: InvoicesWanted): RawBuilder<unknown> {
  const all: RawBuilder<unknown>[] = [sql`true`]
  if (category !== null) all.push(sql`category = ${category}`)
  if (status !== null) all.push(settled[status])
  if (customerId !== null) all.push(sql`customer_id = ${customerId}::uuid`)
  const numbered = search === null ? null : readNumber(search)
  if (numbered !== null) {
    all.push(sql`series = ${numbered.series} and number is not null`)
    if (numbered.number !== null) all.push(sql`number = ${numbered.number}`)
  } else if (search !== null) all.push(sql`customer_id in (${foundCustomers(search)})`)
  return sql.join(all, sql` and `)
}

/** Of the newest; counted up to as many as are asked for, and one more. */
export async function pageOfAll(
  db: Db,
  wanted: InvoicesWanted,
  most: number,
): Promise<{ readonly count: number; readonly rows: readonly AdminInvoiceRow[] }> {
  const where = conditions(wanted)
  const { rows: counted } = await sql<{ count: number }>`
    select count(*)::integer as count from (select from invoice where ${where} limit ${most + 1}) n`.execute(db)
  const { rows } = await completed(
    sql`select * from invoice where ${where} order by created_at desc, id desc limit ${wanted.limit} offset ${wanted.offset}`,
  ).execute(db)
  return { count: counted[0]?.count ?? 0, rows: rows.map(toRow) }
}

export type FailedRow = {
  readonly invoiceId: string
  readonly since: Date
  readonly failures: number
  readonly nextAttemptOn: Day | null
  readonly failure: string | null
}

/** Of the newest. Each index of the list is of one status. */
export async function pageOfFailed(
  db: Db,
  { status, limit, offset }: { readonly status: string; readonly limit: number; readonly offset: number },
  most: number,
): Promise<{ readonly count: number; readonly rows: readonly FailedRow[] }> {
  const { rows: counted } = await sql<{ count: number }>`
    select count(*)::integer as count from (select from instalment where status = ${status} limit ${most + 1}) n`.execute(db)
  const { rows } = await sql<FailedRow>`
    select p.invoice_id as "invoiceId", p.status_changed_at as since, p.failures, p.next_attempt_on as "nextAttemptOn",
      (select failure from payment_attempt a where a.instalment_id = p.id order by created_at desc limit 1) as failure
    from instalment p where p.status = ${status} order by p.status_changed_at desc, p.id desc limit ${limit} offset ${offset}`.execute(
    db,
  )
  return { count: counted[0]?.count ?? 0, rows }
}

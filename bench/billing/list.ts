/** Lists of invoices: those of a customer of a thousand, and all of them as an administrator sees them, among few and among many. */
import { sql } from 'kysely'
import { pageOfAll } from '../../modules/billing/server/admin/invoice-admin-store.ts'
import { listInvoicesOf, pageInvoices, type Wanted } from '../../modules/billing/server/calls/invoice-list-store.ts'
import type { Db } from '../../platform/db/database.ts'

export const each = 1_000
const ours = '00000000-0000-4000-8000-000000000001'

/** A thousand invoices of each customer, as they are issued: a line, a payment, and a document of some thousand octets. */
export async function fillInvoices(db: Db, rows: number): Promise<void> {
  const customers = Math.ceil(rows / each)
  await sql`set session_replication_role = replica`.execute(db)
  await sql`insert into number_series (series, last_number, last_on) values ('F2026', ${rows}, '2026-11-01')`.execute(db)
  await sql`insert into billing_customer (id, created_at)
    select ('00000000-0000-4000-8000-' || lpad(n::text, 12, '0'))::uuid, now() from generate_series(1, ${customers}::integer) n`.execute(
    db,
  )
  await sql`insert into invoice (id, customer_id, kind, category, status, settlement, covers_from, covers_to, vat_treatment, vat_rate, net_cents,
      vat_cents, gross_cents, created_at, series, number, issued_on, due_on, issued_at, content, sha256)
    select gen_random_uuid(), ('00000000-0000-4000-8000-' || lpad((1 + n % ${customers}::integer)::text, 12, '0'))::uuid, 'invoice',
      case when n / ${customers}::integer % 7 = 0 then 'evidence' else 'subscription' end, 'issued', case when n / ${customers}::integer % 50 = 0 then 'pending' else 'success' end, '2026-10-01',
      '2026-11-01', 'standard', 2000, 39900, 7980, 47880, timestamptz '2024-01-01' + n * interval '1 minute', 'F2026', n, '2026-11-01',
      '2026-12-01', now(), convert_to(repeat(md5(n::text), 32), 'UTF8'), sha256(n::text::bytea)
    from generate_series(1, ${rows}::integer) n`.execute(db)
  await sql`insert into instalment (id, customer_id, invoice_id, part, parts, plan, vat_treatment, vat_rate, net_cents, vat_cents, to_pay_cents, status,
      status_changed_at)
    select gen_random_uuid(), customer_id, id, 1, 1, 'essential', 'standard', 2000, 39900, 7980, 47880,
      case when settlement = 'success' then 'paid' else 'due' end, created_at from invoice`.execute(db)
  await sql`set session_replication_role = origin`.execute(db)
  await sql`vacuum analyze`.execute(db)
}

const wanted = (of: Partial<Wanted>): Wanted => ({
  customerId: ours,
  category: null,
  status: null,
  search: null,
  descending: true,
  limit: 20,
  offset: 0,
  ...of,
})
const all = { category: null, status: null, customerId: null, search: null, limit: 20, offset: 0 }
/** As its call counts them. */
const most = 1_000

/** Each as a call reads it: the page, and how many there are. */
export const readings: Readonly<Record<string, (db: Db) => Promise<unknown>>> = {
  'a customer’s first page': async (db) => await pageInvoices(db, wanted({})),
  'a customer’s fortieth page': async (db) => await pageInvoices(db, wanted({ offset: 780 })),
  'of one category': async (db) => await pageInvoices(db, wanted({ category: 'evidence' })),
  'still to be paid': async (db) => await pageInvoices(db, wanted({ status: 'pending' })),
  'a part of a number': async (db) => await pageInvoices(db, wanted({ search: '001' })),
  'all thousand, for an export': async (db) => await Array.fromAsync(listInvoicesOf(db, ours, 500)),
  'an administrator’s first page': async (db) => await pageOfAll(db, all, most),
  'an administrator’s fortieth page': async (db) => await pageOfAll(db, { ...all, offset: 780 }, most),
  'an administrator’s, still to be paid': async (db) => await pageOfAll(db, { ...all, status: 'pending' }, most),
}

/** The peer: the twenty rows of that first page by their keys, and nothing else. */
export async function openPeer(db: Db): Promise<() => Promise<unknown>> {
  const ids = (await pageInvoices(db, wanted({}))).rows.map(({ id }) => id)
  return async () => await sql`select * from invoice where id = any (${ids}::uuid[])`.execute(db)
}

/** Who may have to be told something ahead, as SQL. */
import { sql } from 'kysely'
import type { Db } from '../../../../platform/db/database.ts'
import type { Day } from '../../domain/calendar/calendar.ts'
import type { Cents } from '../../domain/money/money.ts'
import { findSubscription, type Held } from '../subscription/subscription-store.ts'

/** Subscriptions that are late, and those of a year, after an id. */
export async function listReminded(db: Db, after: string, limit: number): Promise<Held[]> {
  const { rows } = await sql<{ id: string }>`
    select id from subscription where (status in ('past_due', 'suspended') or (status = 'active' and cycle = 'year'))
      and (${after} = '' or id > nullif(${after}, '')::uuid) order by id limit ${limit}`.execute(db)
  const held = await Promise.all(rows.map(async ({ id }) => await findSubscription(db, id)))
  return held.filter((each) => each !== null)
}

export type Due = { readonly customerId: string; readonly invoice_id: string; readonly cents: Cents; readonly on: Day }

/** Invoices of which something is to be paid within these days, after an id. */
export async function listDue(
  db: Db,
  { from, to }: { readonly from: Day; readonly to: Day },
  after: string,
  limit: number,
): Promise<Due[]> {
  const { rows } = await sql<Due>`
    select i.customer_id as "customerId", i.invoice_id, i.to_pay_cents as cents, i.due_on as on from instalment i
    where i.status in ('due', 'failed') and i.due_on between ${from}::date and ${to}::date and i.to_pay_cents > 0
      and (${after} = '' or i.invoice_id > nullif(${after}, '')::uuid) order by i.invoice_id limit ${limit}`.execute(db)
  return rows
}

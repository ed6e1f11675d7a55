/** What a mail about money says, as SQL. */
import { sql } from 'kysely'
import type { Db } from '../../../../platform/db/database.ts'
import type { Buyer } from '../customer/read-buyer.ts'
import type { Cents } from '../../domain/money/money.ts'
import { numberIn } from '../../domain/invoice/number.ts'

export async function findUserOf(db: Db, customerId: string): Promise<string | null> {
  const row = await db.selectFrom('billing_customer').select('user_id').where('id', '=', customerId).executeTakeFirst()
  return row?.user_id ?? null
}

/** Whom an invoice or credit note was addressed to, where it reaches him (BT-49). */
export async function findAddressee(db: Db, invoiceId: string): Promise<Pick<Buyer, 'email' | 'name' | 'locale'> | null> {
  const row = await db.selectFrom('invoice_buyer').select('buyer').where('invoice_id', '=', invoiceId).executeTakeFirst()
  return row === undefined ? null : (row.buyer as Buyer)
}

/** Of an issued invoice: its number, and whether it is paid. */
export async function findNumber(db: Db, invoiceId: string): Promise<{ readonly number: string; readonly paid: boolean } | null> {
  const row = await db
    .selectFrom('invoice')
    .select(['series', 'number', 'settlement'])
    .where('id', '=', invoiceId)
    .executeTakeFirst()
  return row?.series == null || row.number === null
    ? null
    : { number: numberIn(row.series, row.number), paid: row.settlement === 'success' }
}

/** What of a customer's issued invoices is still to be paid. */
export async function sumOwed(db: Db, customerId: string): Promise<Cents> {
  const { rows } = await sql<{ cents: number }>`
    select coalesce(sum(n.to_pay_cents), 0)::integer as cents from instalment n join invoice i on i.id = n.invoice_id and i.status = 'issued'
    where n.customer_id = ${customerId}::uuid and n.status not in ('paid', 'dropped')`.execute(db)
  return rows[0]?.cents ?? 0
}

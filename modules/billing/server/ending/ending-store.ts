/** What goes once an account, or the time of the law, is over, as SQL. */
import { sql } from 'kysely'
import type { Db, Tx } from '../../../../platform/db/database.ts'
import { dayOf } from '../../domain/calendar/calendar.ts'

/** From here on nothing leads from the customer to the person (H-38). */
export async function forgetUser(tx: Tx, customerId: string): Promise<void> {
  await tx
    .updateTable('billing_customer')
    .set({ user_id: null, vat_number: null, vat_answer: null, vat_check: null, vat_checked_at: null })
    .where('id', '=', customerId)
    .execute()
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

/** Lines of mails about money, as SQL: what was sent, to which customer, and when, stays in them. */
import { sql } from 'kysely'
import type { Db, Tx } from '../../../../platform/db/database.ts'

export const noticeKinds = [
  'invoice_issued',
  'payment_received',
  'payment_reversed',
  'payment_failed',
  'payment_due',
  'overdue',
  'suspension_near',
  'suspended',
  'cancellation_near',
  'cancelled',
  'renewal_near',
  'refunded',
  'vat_checked',
] as const
export type NoticeKind = (typeof noticeKinds)[number]

/** As it was when the line was written: ids, cents, days. */
export type Told = Readonly<Record<string, string | number | null>>

export type BillingNotice = {
  readonly id: string
  readonly customerId: string
  readonly kind: NoticeKind
  /** Which of them: of one, one mail is sent. */
  readonly occasion: string
  readonly told: Told
  readonly createdAt: Date
}

/** @returns whether there was none about that yet */
export async function insertNotice(tx: Tx, notice: BillingNotice): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await tx
    .insertInto('billing_notice')
    .values({
      id: notice.id,
      customer_id: notice.customerId,
      kind: notice.kind,
      occasion: notice.occasion,
      told: JSON.stringify(notice.told),
      created_at: notice.createdAt,
    })
    .onConflict((conflict) => conflict.columns(['customer_id', 'kind', 'occasion']).doNothing())
    .executeTakeFirstOrThrow()
  return numInsertedOrUpdatedRows === 1n
}

/** null: there is none, or it is settled. */
export async function findOpenNotice(db: Db | Tx, id: string): Promise<BillingNotice | null> {
  const row = await db
    .selectFrom('billing_notice')
    .selectAll()
    .where('id', '=', id)
    .where('settled_at', 'is', null)
    .executeTakeFirst()
  if (row === undefined) return null
  const { customer_id: customerId, occasion, created_at: createdAt } = row
  return { id, customerId, occasion, createdAt, kind: row.kind as NoticeKind, told: row.told as Told }
}

/** What it is called in the mailbox. */
export async function noteSubject(db: Db | Tx, id: string, subject: string): Promise<void> {
  await db.updateTable('billing_notice').set({ subject }).where('id', '=', id).execute()
}

/** Whether it is this transaction that issues the invoice: the line of its document is of nobody else's. */
export async function isIssuedHere(tx: Tx, invoiceId: string): Promise<boolean> {
  const { rows } = await sql`select from invoice_document
    where invoice_id = ${invoiceId}::uuid and xmin::text = (pg_current_xact_id()::xid)::text limit 1`.execute(tx)
  return rows.length > 0
}

export async function isIssued(tx: Tx, invoiceId: string): Promise<boolean> {
  const row = await tx.selectFrom('invoice').select('status').where('id', '=', invoiceId).executeTakeFirst()
  return row?.status === 'issued'
}

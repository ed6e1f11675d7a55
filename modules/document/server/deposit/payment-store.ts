/** The SQL of deposits that wait for their payment. Every function takes the database or the transaction first. */
import { sql } from 'kysely'
import type { Db, Tx } from '../../../../platform/db/database.ts'

/** What is paid for together. */
export type Unpaid = { readonly paymentId: string; readonly ownerId: string }

/** The caller holds the rows and has asked the domain. */
export async function setAwaiting(tx: Tx, ids: readonly string[], paymentId: string, now: Date): Promise<void> {
  await sql`update document set status = 'awaiting_payment', status_changed_at = ${now}::timestamptz, payment_id = ${paymentId}::uuid
    where id = any(${[...ids]}::uuid[])`.execute(tx)
}

/** Drafts again, all of them, each with the end that it had. */
export async function setAgreementBack(tx: Tx, paymentId: string, now: Date): Promise<void> {
  await sql`update document set status = 'draft', status_changed_at = ${now}::timestamptz, payment_id = null
    where payment_id = ${paymentId}::uuid and status = 'awaiting_payment'`.execute(tx)
}

/** Those that wait for it, in the order of their ids, held until the transaction ends. */
export async function lockPaidTogether(
  tx: Tx,
  paymentId: string,
): Promise<{ readonly id: string; readonly ownerId: string; readonly expiresAt: Date | null }[]> {
  const rows = await tx
    .selectFrom('document')
    .select(['id', 'owner_id', 'expires_at'])
    .where('payment_id', '=', paymentId)
    .where('status', '=', 'awaiting_payment')
    .orderBy('id')
    .forUpdate()
    .execute()
  return rows.map((row) => ({ id: row.id, ownerId: row.owner_id, expiresAt: row.expires_at }))
}

/** What nobody paid for in time, or whose payment is under way still. @param of whatever its end, of that account alone */
export async function listUnpaid(db: Db, now: Date, of: string | null = null): Promise<Unpaid[]> {
  const { rows } = await sql<Unpaid>`
    select payment_id as "paymentId", owner_id as "ownerId" from document
    where status = 'awaiting_payment' and (owner_id = ${of}::uuid or (${of}::uuid is null and expires_at <= ${now}::timestamptz))
    group by payment_id, owner_id`.execute(db)
  return rows
}

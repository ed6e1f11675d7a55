/** The SQL of whom the provider knows a customer as, and of what his renewals are charged to. */
import type { Db, Tx } from '../../../../../platform/db/database.ts'

export type Known = {
  readonly key: string
  readonly askedAt: Date
  /** As the provider names him; null: that is not known yet. */
  readonly reference: string | null
  readonly renewedBy: 'card' | 'mandate' | null
  readonly seriesId: string | null
}

export async function findKnown(db: Db | Tx, customerId: string, realm: string): Promise<Known | null> {
  const row = await db
    .selectFrom('payment_customer')
    .selectAll()
    .where('customer_id', '=', customerId)
    .where('realm', '=', realm)
    .executeTakeFirst()
  if (row === undefined) return null
  return {
    key: row.idempotency_key,
    askedAt: row.asked_at,
    reference: row.reference,
    renewedBy: row.renewed_by as Known['renewedBy'],
    seriesId: row.series_id,
  }
}

/** Whether somebody referred the account, who is known. */
export async function isReferred(db: Db | Tx, accountId: string): Promise<boolean> {
  const row = await db.selectFrom('account_user').select('referred_by').where('id', '=', accountId).executeTakeFirst()
  return row?.referred_by != null
}

/** Noted before the provider is asked. @returns what stands there, if somebody else was earlier */
export async function noteCustomer(db: Db | Tx, customerId: string, realm: string, key: string, now: Date): Promise<Known> {
  await db
    .insertInto('payment_customer')
    .values({ customer_id: customerId, realm, idempotency_key: key, asked_at: now })
    .onConflict((conflict) => conflict.columns(['customer_id', 'realm']).doNothing())
    .execute()
  const known = await findKnown(db, customerId, realm)
  if (known === null) throw new Error(`customer ${customerId} is gone as he is noted`)
  return known
}

/** The provider forgot the key before it was known what came of it. */
export async function renewKey(db: Db, customerId: string, realm: string, before: string, key: string, now: Date): Promise<void> {
  await db
    .updateTable('payment_customer')
    .set({ idempotency_key: key, asked_at: now })
    .where('customer_id', '=', customerId)
    .where('realm', '=', realm)
    .where('idempotency_key', '=', before)
    .where('reference', 'is', null)
    .execute()
}

export async function setReference(db: Db, customerId: string, realm: string, reference: string): Promise<void> {
  await db
    .updateTable('payment_customer')
    .set({ reference })
    .where('customer_id', '=', customerId)
    .where('realm', '=', realm)
    .where('reference', 'is', null)
    .execute()
}

/** Nothing is charged without him, by any provider. */
export async function setNoRenewals(tx: Tx, customerId: string): Promise<void> {
  await tx
    .updateTable('payment_customer')
    .set({ renewed_by: null, series_id: null })
    .where('customer_id', '=', customerId)
    .execute()
}

/** What later invoices of the subscription are charged to. */
export async function setRenewals(
  tx: Db | Tx,
  customerId: string,
  realm: string,
  by: { readonly seriesId: string } | 'mandate' | null,
): Promise<void> {
  const isSeries = by !== null && by !== 'mandate'
  await tx
    .updateTable('payment_customer')
    .set({ renewed_by: isSeries ? 'card' : by, series_id: isSeries ? by.seriesId : null })
    .where('customer_id', '=', customerId)
    .where('realm', '=', realm)
    .execute()
}

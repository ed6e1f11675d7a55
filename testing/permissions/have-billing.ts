import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import type { Db } from '../../platform/db/database.ts'

export type BillingRows = { readonly customerId: string; readonly subscriptionId: string; readonly invoiceId: string }

/** What somebody subscribed to, and an invoice that waits for its payment. */
export async function haveBilling(db: Db, userId: string): Promise<BillingRows> {
  const [customerId, subscriptionId, invoiceId] = [randomUUID(), randomUUID(), randomUUID()]
  await sql`insert into billing_customer (id, user_id, created_at) values (${customerId}::uuid, ${userId}::uuid, now())`.execute(
    db,
  )
  await sql`insert into subscription (id, customer_id, status, created_at)
    values (${subscriptionId}::uuid, ${customerId}::uuid, 'unit', now())`.execute(db)
  await sql`insert into invoice (id, customer_id, subscription_id, kind, category, status, vat_treatment, vat_rate, net_cents, vat_cents,
      gross_cents, created_at)
    values (${invoiceId}::uuid, ${customerId}::uuid, ${subscriptionId}::uuid, 'invoice', 'subscription', 'draft', 'standard', 2000, 100, 20, 120,
      now())`.execute(db)
  await sql`insert into instalment (id, customer_id, invoice_id, part, parts, plan, vat_treatment, vat_rate, net_cents, vat_cents, to_pay_cents,
      status, status_changed_at)
    values (${randomUUID()}::uuid, ${customerId}::uuid, ${invoiceId}::uuid, 1, 1, 'comfort', 'standard', 2000, 100, 20, 120, 'due', now())`.execute(
    db,
  )
  return { customerId, subscriptionId, invoiceId }
}

/** The SQL of what is bought by itself. */
import { randomUUIDv7 } from 'node:crypto'
import { sql } from 'kysely'
import type { Db, Tx } from '../../../../platform/db/database.ts'
import { assertFollows, purchaseTransitions, type InstalmentStatus, type PurchaseStatus } from '../../domain/invoice/status.ts'
import type { Amount, Cents } from '../../domain/money/money.ts'
import type { PurchaseCategory } from '../seller/deps.ts'

export type Bought = { readonly category: PurchaseCategory; readonly subjectId: string }

export type Purchase = Bought & {
  readonly id: string
  readonly customerId: string
  readonly status: PurchaseStatus
  readonly invoiceId: string
  readonly instalmentId: string
  readonly instalmentStatus: InstalmentStatus
  readonly quantity: number
  readonly amount: Amount
  readonly toPay: Cents
}

type Row = {
  id: string
  customer_id: string
  category: string
  subject_id: string
  status: string
  invoice_id: string
  instalment_id: string
  instalment_status: string
  quantity: number
  net_cents: number
  vat_cents: number
  to_pay_cents: number
}
const toPurchase = (row: Row): Purchase => ({
  id: row.id,
  customerId: row.customer_id,
  category: row.category as PurchaseCategory,
  subjectId: row.subject_id,
  status: row.status as PurchaseStatus,
  invoiceId: row.invoice_id,
  instalmentId: row.instalment_id,
  instalmentStatus: row.instalment_status as InstalmentStatus,
  quantity: row.quantity,
  amount: { net: row.net_cents, vat: row.vat_cents, gross: row.net_cents + row.vat_cents },
  toPay: row.to_pay_cents,
})

const select = sql`
  select p.id, p.customer_id, p.category, p.subject_id, p.status, p.invoice_id, n.id as instalment_id, n.status as instalment_status,
    p.quantity,
    n.net_cents, n.vat_cents, n.to_pay_cents
  from purchase p join instalment n on n.invoice_id = p.invoice_id`

/** The one that was not dropped; of what is on no invoice yet there is none. */
export async function findPurchase(db: Db | Tx, { category, subjectId }: Bought): Promise<Purchase | null> {
  const { rows } = await sql<Row>`${select}
    where p.category = ${category} and p.subject_id = ${subjectId}::uuid and p.status <> 'dropped'`.execute(db)
  return rows[0] === undefined ? null : toPurchase(rows[0])
}

/** What an invoice is of; null: of no purchase. */
export async function findPurchaseOf(db: Db | Tx, invoiceId: string): Promise<Purchase | null> {
  const { rows } = await sql<Row>`${select} where p.invoice_id = ${invoiceId}::uuid`.execute(db)
  return rows[0] === undefined ? null : toPurchase(rows[0])
}

/** Those of a customer that nobody has paid. */
export async function listOpenOf(db: Db | Tx, customerId: string): Promise<Purchase[]> {
  const { rows } =
    await sql<Row>`${select} where p.customer_id = ${customerId}::uuid and p.status = 'open' order by p.id`.execute(db)
  return rows.map(toPurchase)
}

/** How somebody sees what waits for its payment: nothing is asked of him while it is `processing`. */
export type OpenPurchase = Purchase & { readonly state: 'due' | 'processing' | 'failed' }

/** Of those things, the purchases that wait for their payment. */
export async function listPurchases(
  db: Db | Tx,
  category: PurchaseCategory,
  subjectIds: readonly string[],
): Promise<OpenPurchase[]> {
  if (subjectIds.length === 0) return []
  const { rows } = await sql<Row>`${select}
    where p.category = ${category} and p.status = 'open' and p.subject_id = any(${[...subjectIds]}::uuid[])`.execute(db)
  return rows.map(toPurchase).map((purchase) => {
    const { instalmentStatus: status } = purchase
    return { ...purchase, state: status === 'due' || status === 'failed' ? status : 'processing' }
  })
}

export async function insertPurchase(
  tx: Tx,
  bought: Bought & {
    readonly customerId: string
    readonly unitCents: Cents
    readonly quantity: number
    readonly invoiceId: string
    readonly referral: string | null
  },
  now: Date,
): Promise<void> {
  await tx
    .insertInto('purchase')
    .values({
      id: randomUUIDv7(),
      customer_id: bought.customerId,
      category: bought.category,
      subject_id: bought.subjectId,
      unit_cents: bought.unitCents,
      quantity: bought.quantity,
      status: 'open',
      invoice_id: bought.invoiceId,
      referral: bought.referral,
      created_at: now,
      status_changed_at: now,
    })
    .execute()
}

/** @throws DomainError `billing.illegal_transition` */
export async function changePurchase(
  tx: Tx,
  { id, status }: Pick<Purchase, 'id' | 'status'>,
  to: PurchaseStatus,
  now: Date,
): Promise<void> {
  assertFollows(purchaseTransitions, status, to)
  await tx.updateTable('purchase').set({ status: to, status_changed_at: now }).where('id', '=', id).execute()
}

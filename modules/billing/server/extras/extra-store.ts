/** The SQL of what is invoiced once a month. */
import { randomUUIDv7 } from 'node:crypto'
import { sql } from 'kysely'
import type { Db, Tx } from '../../../../platform/db/database.ts'
import { dayOf, monthOf, type Day } from '../../domain/calendar/calendar.ts'
import { assertFollows, purchaseTransitions, type InstalmentStatus } from '../../domain/invoice/status.ts'
import type { VatTreatment } from '../../domain/invoice/vat.ts'
import { amountOf, type Amount, type BasisPoints, type Cents } from '../../domain/money/money.ts'
import type { Bought } from '../purchase/purchase-store.ts'
import type { PurchaseCategory } from '../seller/deps.ts'

export type Extra = {
  readonly id: string
  readonly category: PurchaseCategory
  readonly unitCents: Cents
  readonly quantity: number
  readonly amount: Amount
  readonly vatTreatment: VatTreatment
  readonly vatRate: BasisPoints
  /** Day on which it was agreed to. */
  readonly on: Day
  readonly monthFrom: Day
}

export async function insertExtra(
  tx: Tx,
  extra: Bought & Omit<Extra, 'id' | 'on'> & { readonly customerId: string },
  now: Date,
): Promise<void> {
  await tx
    .insertInto('purchase')
    .values({
      id: randomUUIDv7(),
      customer_id: extra.customerId,
      category: extra.category,
      subject_id: extra.subjectId,
      unit_cents: extra.unitCents,
      quantity: extra.quantity,
      status: 'accrued',
      month_from: extra.monthFrom,
      net_cents: extra.amount.net,
      vat_cents: extra.amount.vat,
      vat_treatment: extra.vatTreatment,
      vat_rate: extra.vatRate,
      created_at: now,
      status_changed_at: now,
    })
    .execute()
}

type Row = {
  id: string
  category: string
  unit_cents: number
  quantity: number
  net: Cents
  vat: Cents
  vat_treatment: string
  vat_rate: number
  created_at: Date
  month_from: Day
}

/** Whose plan or mandate ended: his are not waited for. */
const isEnded = sql`not exists (select from subscription s
      where s.customer_id = p.customer_id and s.plan <> 'unit' and s.status <> 'cancelled')
    or not exists (select from payment_mandate m where m.customer_id = p.customer_id and m.status = 'active')`

/**
 * What is on no invoice yet, in its order. @param month those before it, and all of whose plan or mandate ended; null: all
 */
export async function listAccrued(tx: Db | Tx, customerId: string, month: Day | null): Promise<Extra[]> {
  const { rows } = await sql<Row>`
    select p.id, p.category, p.unit_cents, p.quantity, p.net_cents as net, p.vat_cents as vat, p.vat_treatment, p.vat_rate, p.created_at,
      p.month_from
    from purchase p where p.customer_id = ${customerId}::uuid and p.status = 'accrued'
      and (${month}::date is null or p.month_from < ${month}::date or ${isEnded})
    order by p.month_from, p.created_at, p.id`.execute(tx)
  return rows.map((row) => ({
    id: row.id,
    category: row.category as PurchaseCategory,
    unitCents: row.unit_cents,
    quantity: row.quantity,
    amount: { net: row.net, vat: row.vat, gross: row.net + row.vat },
    vatTreatment: row.vat_treatment as VatTreatment,
    vatRate: row.vat_rate,
    on: dayOf(row.created_at),
    monthFrom: row.month_from,
  }))
}

/** Who has something that is to be invoiced by now, after an id. */
export async function listToInvoice(db: Db, month: Day, after: string, limit: number): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select distinct p.customer_id as id from purchase p where p.status = 'accrued' and (p.month_from < ${month}::date or ${isEnded})
      and (${after} = '' or p.customer_id > nullif(${after}, '')::uuid)
    order by p.customer_id limit ${limit}`.execute(db)
  return rows.map(({ id }) => id)
}

/** @throws DomainError `billing.illegal_transition` */
export async function setInvoiced(tx: Tx, ids: readonly string[], invoiceId: string, now: Date): Promise<void> {
  assertFollows(purchaseTransitions, 'accrued', 'invoiced')
  await sql`update purchase set status = 'invoiced', invoice_id = ${invoiceId}::uuid, status_changed_at = ${now}::timestamptz
    where id = any(${[...ids]}::uuid[])`.execute(tx)
}

/** What is on no invoice yet; null: nothing is. */
export type Accrued = { readonly on: Day; readonly count: number; readonly amount: Amount }

export async function findAccrued(db: Db | Tx, customerId: string): Promise<Accrued | null> {
  const { rows } = await sql<{ month: Day | null; count: number; net: Cents; vat: Cents }>`
    select min(month_from) as month, coalesce(sum(quantity), 0)::integer as count, coalesce(sum(net_cents), 0)::integer as net,
      coalesce(sum(vat_cents), 0)::integer as vat
    from purchase where customer_id = ${customerId}::uuid and status = 'accrued'`.execute(db)
  const [found] = rows
  if (found === undefined || found.month === null) return null
  return { on: monthOf(found.month).to, count: found.count, amount: amountOf(found.net, found.vat) }
}

export type Owed = {
  /** Of what is on no invoice yet, VAT included. */
  readonly accrued: Cents
  /** Left of invoices of extras that are not paid. */
  readonly invoiced: Cents
}

export async function findOwed(tx: Db | Tx, customerId: string): Promise<Owed> {
  const { rows } = await sql<Owed>`
    select (select coalesce(sum(net_cents + vat_cents), 0)::integer from purchase
        where customer_id = ${customerId}::uuid and status = 'accrued') as accrued,
      (select coalesce(sum(n.to_pay_cents), 0)::integer from instalment n where n.customer_id = ${customerId}::uuid
        and n.subscription_id is not null and n.plan is null and n.status not in ('paid', 'dropped')) as invoiced`.execute(tx)
  return rows[0] ?? { accrued: 0, invoiced: 0 }
}

/** Whether an invoice of his was not paid: its payment failed, or its day went by. */
export async function isBehind(tx: Db | Tx, customerId: string, today: Day): Promise<boolean> {
  const failed: InstalmentStatus = 'failed'
  const { rows } = await sql`
    select from instalment n join invoice i on i.id = n.invoice_id and i.status = 'issued'
    where n.customer_id = ${customerId}::uuid and n.to_pay_cents > 0
      and (n.status = ${failed} or (n.status = 'due' and (n.due_on < ${today}::date or i.settlement = 'reversed'
        or exists (select from payment_attempt a where a.instalment_id = n.id and a.reversed_at is not null)))) limit 1`.execute(
    tx,
  )
  return rows.length > 0
}

/** By the provider of that realm. */
export async function hasMandate(tx: Db | Tx, customerId: string, realm: string): Promise<boolean> {
  const row = await tx
    .selectFrom('payment_mandate')
    .select('id')
    .where('customer_id', '=', customerId)
    .where('realm', '=', realm)
    .where('status', '=', 'active')
    .executeTakeFirst()
  return row !== undefined
}

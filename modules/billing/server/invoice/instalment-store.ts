/** The SQL of instalments: what is to be paid of an invoice, or will be of one to come. */
import { randomUUIDv7 } from 'node:crypto'
import { sql } from 'kysely'
import type { Db, Tx } from '../../../../platform/db/database.ts'
import type { Day, Span } from '../../domain/calendar/calendar.ts'
import { assertFollows, instalmentTransitions, settlementOf, type InstalmentStatus } from '../../domain/invoice/status.ts'
import type { VatTreatment } from '../../domain/invoice/vat.ts'
import type { Amount, BasisPoints, Cents } from '../../domain/money/money.ts'
import { setSettlement } from './invoice-store.ts'

export type Instalment = {
  readonly id: string
  readonly customerId: string
  readonly subscriptionId: string | null
  readonly invoiceId: string | null
  readonly part: number
  readonly parts: number
  /** null: it is of no plan, but of what was bought by itself. */
  readonly plan: string | null
  readonly cycle: string | null
  readonly span: Span | null
  /** First day of the period that all parts are of. */
  readonly periodFrom: Day | null
  readonly vatTreatment: VatTreatment
  readonly vatRate: BasisPoints
  readonly amount: Amount
  readonly toPay: Cents
  /** What was paid of it, while the rest, which was taken back, is owed again. */
  readonly kept: Cents
  /** Of a change that waits for its payment. */
  readonly ofChange: boolean
  readonly status: InstalmentStatus
  readonly dueOn: Day | null
  readonly failures: number
}

type Row = {
  id: string
  customer_id: string
  subscription_id: string | null
  invoice_id: string | null
  part: number
  parts: number
  plan: string | null
  cycle: string | null
  covers_from: string | null
  covers_to: string | null
  period_from: string | null
  vat_treatment: string
  vat_rate: number
  net_cents: number
  vat_cents: number
  to_pay_cents: number
  kept_cents: number
  of_change: boolean
  status: string
  due_on: string | null
  failures: number
}
const toInstalment = (row: Row): Instalment => ({
  id: row.id,
  customerId: row.customer_id,
  subscriptionId: row.subscription_id,
  invoiceId: row.invoice_id,
  part: row.part,
  parts: row.parts,
  plan: row.plan,
  cycle: row.cycle,
  span: row.covers_from === null || row.covers_to === null ? null : { from: row.covers_from, to: row.covers_to },
  periodFrom: row.period_from,
  vatTreatment: row.vat_treatment as VatTreatment,
  vatRate: row.vat_rate,
  amount: { net: row.net_cents, vat: row.vat_cents, gross: row.net_cents + row.vat_cents },
  toPay: row.to_pay_cents,
  kept: row.kept_cents,
  ofChange: row.of_change,
  status: row.status as InstalmentStatus,
  dueOn: row.due_on,
  failures: row.failures,
})

export async function insertInstalment(
  tx: Tx,
  instalment: Omit<Instalment, 'id' | 'failures' | 'dueOn' | 'kept'>,
  now: Date,
): Promise<Instalment> {
  const made: Instalment = { ...instalment, id: randomUUIDv7(), dueOn: null, failures: 0, kept: 0 }
  await insertInstalments(tx, [made], now)
  return made
}

export async function insertInstalments(tx: Tx, instalments: readonly Instalment[], now: Date): Promise<void> {
  await tx
    .insertInto('instalment')
    .values(
      instalments.map((instalment) => ({
        id: instalment.id,
        customer_id: instalment.customerId,
        subscription_id: instalment.subscriptionId,
        invoice_id: instalment.invoiceId,
        part: instalment.part,
        parts: instalment.parts,
        plan: instalment.plan,
        cycle: instalment.cycle,
        covers_from: instalment.span?.from ?? null,
        covers_to: instalment.span?.to ?? null,
        period_from: instalment.periodFrom,
        vat_treatment: instalment.vatTreatment,
        vat_rate: instalment.vatRate,
        net_cents: instalment.amount.net,
        vat_cents: instalment.amount.vat,
        to_pay_cents: instalment.toPay,
        of_change: instalment.ofChange,
        status: instalment.status,
        status_changed_at: now,
        due_on: instalment.dueOn,
      })),
    )
    .execute()
}

export async function findInstalment(db: Db | Tx, id: string): Promise<Instalment | null> {
  const row = await db.selectFrom('instalment').selectAll().where('id', '=', id).executeTakeFirst()
  return row === undefined ? null : toInstalment(row)
}

export async function findByInvoice(db: Db | Tx, invoiceId: string): Promise<Instalment | null> {
  const row = await db.selectFrom('instalment').selectAll().where('invoice_id', '=', invoiceId).executeTakeFirst()
  return row === undefined ? null : toInstalment(row)
}

/** When it is tried again by itself; null: it is not. */
export async function findRetry(db: Db | Tx, id: string): Promise<Day | null> {
  const row = await db.selectFrom('instalment').select('next_attempt_on').where('id', '=', id).executeTakeFirst()
  return row?.next_attempt_on ?? null
}

/** Those that are neither paid nor dropped, the earliest first; the customer is held by the caller. */
export async function listOpen(db: Db | Tx, subscriptionId: string): Promise<Instalment[]> {
  return await listOpenOf(db, [subscriptionId])
}

/** … of several subscriptions. */
export async function listOpenOf(db: Db | Tx, subscriptionIds: readonly string[]): Promise<Instalment[]> {
  const rows = await db
    .selectFrom('instalment')
    .selectAll()
    .where('subscription_id', 'in', subscriptionIds)
    .where('status', 'not in', ['paid', 'dropped'])
    .orderBy('covers_from')
    .orderBy('part')
    .execute()
  return rows.map(toInstalment)
}

/** What is to be paid of an invoice; null: of it nothing is, as of a credit note. */
export async function findOfInvoice(db: Db | Tx, invoiceId: string): Promise<Instalment | null> {
  const row = await db.selectFrom('instalment').selectAll().where('invoice_id', '=', invoiceId).executeTakeFirst()
  return row === undefined ? null : toInstalment(row)
}

/** As a credit note has taken from it. */
export async function setToPay(tx: Tx, id: string, toPay: Cents): Promise<void> {
  await tx.updateTable('instalment').set({ to_pay_cents: toPay }).where('id', '=', id).execute()
}

/** What is still to be paid of it, and what is paid of it already. */
export async function setOwed(tx: Tx, id: string, toPay: Cents, kept: Cents): Promise<void> {
  await tx.updateTable('instalment').set({ to_pay_cents: toPay, kept_cents: kept }).where('id', '=', id).execute()
}

export async function setNextAttempt(tx: Tx, id: string, on: Day): Promise<void> {
  await tx.updateTable('instalment').set({ next_attempt_on: on }).where('id', '=', id).execute()
}

/** How those of all that a customer has stand that have an issued invoice and are not paid. */
export async function listOwed(db: Db | Tx, customerId: string): Promise<InstalmentStatus[]> {
  const rows = await db
    .selectFrom('instalment')
    .innerJoin('invoice', 'invoice.id', 'instalment.invoice_id')
    .select('instalment.status')
    .where('instalment.customer_id', '=', customerId)
    .where('invoice.status', '=', 'issued')
    .where('instalment.status', 'not in', ['paid', 'dropped'])
    .execute()
  return rows.map((row) => row.status as InstalmentStatus)
}

/** Its invoice is said to be what it is. @throws DomainError `billing.illegal_transition` */
export async function changeStatus(
  tx: Tx,
  { id, status, invoiceId }: Pick<Instalment, 'id' | 'status' | 'invoiceId'>,
  to: InstalmentStatus,
  now: Date,
  more: { readonly failures?: number; readonly nextAttemptOn?: Day | null } = {},
): Promise<void> {
  assertFollows(instalmentTransitions, status, to)
  await tx
    .updateTable('instalment')
    .set({
      status: to,
      status_changed_at: now,
      ...(more.failures === undefined ? {} : { failures: more.failures }),
      ...(more.nextAttemptOn === undefined ? {} : { next_attempt_on: more.nextAttemptOn }),
    })
    .where('id', '=', id)
    .execute()
  if (invoiceId === null || to === 'dropped') return
  if (status === 'paid') await setSettlement(tx, invoiceId, 'reversed')
  await setSettlement(tx, invoiceId, settlementOf[to])
}

/** Its invoice is made, and what is to be paid of it known. */
export async function tieInvoice(tx: Tx, id: string, invoiceId: string, toPay: Cents): Promise<void> {
  await tx.updateTable('instalment').set({ invoice_id: invoiceId, to_pay_cents: toPay }).where('id', '=', id).execute()
}

export async function setDueOn(tx: Tx, invoiceId: string, dueOn: Day): Promise<void> {
  await tx.updateTable('instalment').set({ due_on: dueOn }).where('invoice_id', '=', invoiceId).execute()
}

/** Of a draft that is thrown away: it stays, as what was not paid, without the draft. */
export async function untieInvoice(tx: Tx, id: string): Promise<void> {
  await sql`update instalment set invoice_id = null where id = ${id}::uuid and status = 'dropped'`.execute(tx)
}

/** The change that they waited with has come. */
export async function joinPeriod(tx: Tx, subscriptionId: string): Promise<void> {
  await tx
    .updateTable('instalment')
    .set({ of_change: false })
    .where('subscription_id', '=', subscriptionId)
    .where('of_change', '=', true)
    .where('status', '<>', 'dropped')
    .execute()
}

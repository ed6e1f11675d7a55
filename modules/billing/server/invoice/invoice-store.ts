/** The SQL of invoices and credit notes. */
import { sql } from 'kysely'
import type { Db, Tx } from '../../../../platform/db/database.ts'
import type { Day, Span } from '../../domain/calendar/calendar.ts'
import type { DocumentKind } from '../../domain/invoice/number.ts'
import type { DocumentStatus, Settlement } from '../../domain/invoice/status.ts'
import type { VatTreatment } from '../../domain/invoice/vat.ts'
import type { Amount, BasisPoints, Cents } from '../../domain/money/money.ts'
import type { Invoiced } from '../../domain/subscription/quote.ts'
import type { Buyer } from '../customer/read-buyer.ts'

export type Category = 'subscription' | 'evidence' | 'document' | 'license'

export type InvoiceRow = {
  readonly id: string
  readonly customerId: string
  readonly subscriptionId: string | null
  readonly kind: DocumentKind
  readonly category: Category
  readonly status: DocumentStatus
  readonly settlement: Settlement
  readonly credits: string | null
  readonly covers: Span | null
  readonly vatTreatment: VatTreatment
  readonly vatRate: BasisPoints
  readonly amount: Amount
  readonly creditUsed: Cents
  readonly createdAt: Date
  readonly series: string | null
  readonly number: number | null
  readonly issuedOn: Day | null
  readonly dueOn: Day | null
}

export type Line = {
  readonly item: 'plan' | 'evidence' | 'document' | 'license'
  readonly plan: string | null
  readonly cycle: string | null
  readonly part: number | null
  readonly parts: number | null
  readonly covers: Span | null
  readonly quantity: number
  readonly unitCents: Cents
  readonly netCents: Cents
  readonly vatRate: BasisPoints
  readonly vatCents: Cents
}

export type NewInvoice = Omit<InvoiceRow, 'status' | 'settlement' | 'series' | 'number' | 'issuedOn' | 'dueOn'> & {
  readonly lines: readonly Line[]
  readonly buyer: Buyer
  readonly salt: Buffer
}

export const invoiceColumns = [
  'id',
  'customer_id',
  'subscription_id',
  'kind',
  'category',
  'status',
  'settlement',
  'credits',
  'covers_from',
  'covers_to',
  'vat_treatment',
  'vat_rate',
  'net_cents',
  'vat_cents',
  'gross_cents',
  'credit_used_cents',
  'created_at',
  'series',
  'number',
  'issued_on',
  'due_on',
] as const

export type InvoiceRecord = {
  id: string
  customer_id: string
  subscription_id: string | null
  kind: string
  category: string
  status: string
  settlement: string
  credits: string | null
  covers_from: string | null
  covers_to: string | null
  vat_treatment: string
  vat_rate: number
  net_cents: number
  vat_cents: number
  gross_cents: number
  credit_used_cents: number
  created_at: Date
  series: string | null
  number: number | null
  issued_on: string | null
  due_on: string | null
}

const spanOf = (from: string | null, to: string | null): Span | null => (from === null || to === null ? null : { from, to })

export const toInvoice = (row: InvoiceRecord): InvoiceRow => ({
  id: row.id,
  customerId: row.customer_id,
  subscriptionId: row.subscription_id,
  kind: row.kind as DocumentKind,
  category: row.category as Category,
  status: row.status as DocumentStatus,
  settlement: row.settlement as Settlement,
  credits: row.credits,
  covers: spanOf(row.covers_from, row.covers_to),
  vatTreatment: row.vat_treatment as VatTreatment,
  vatRate: row.vat_rate,
  amount: { net: row.net_cents, vat: row.vat_cents, gross: row.gross_cents },
  creditUsed: row.credit_used_cents,
  createdAt: row.created_at,
  series: row.series,
  number: row.number,
  issuedOn: row.issued_on,
  dueOn: row.due_on,
})

export async function insertDraft(tx: Tx, draft: NewInvoice): Promise<void> {
  await tx
    .insertInto('invoice')
    .values({
      id: draft.id,
      customer_id: draft.customerId,
      subscription_id: draft.subscriptionId,
      kind: draft.kind,
      category: draft.category,
      status: 'draft',
      credits: draft.credits,
      covers_from: draft.covers?.from ?? null,
      covers_to: draft.covers?.to ?? null,
      vat_treatment: draft.vatTreatment,
      vat_rate: draft.vatRate,
      net_cents: draft.amount.net,
      vat_cents: draft.amount.vat,
      gross_cents: draft.amount.gross,
      credit_used_cents: draft.creditUsed,
      created_at: draft.createdAt,
    })
    .execute()
  await tx
    .insertInto('invoice_line')
    .values(
      draft.lines.map((line, index) => ({
        invoice_id: draft.id,
        position: index + 1,
        item: line.item,
        plan: line.plan,
        cycle: line.cycle,
        part: line.part,
        parts: line.parts,
        covers_from: line.covers?.from ?? null,
        covers_to: line.covers?.to ?? null,
        quantity: line.quantity,
        unit_cents: line.unitCents,
        net_cents: line.netCents,
        vat_rate: line.vatRate,
        vat_cents: line.vatCents,
      })),
    )
    .execute()
  await tx
    .insertInto('invoice_buyer')
    .values({ invoice_id: draft.id, salt: draft.salt, buyer: JSON.stringify(draft.buyer) })
    .execute()
}

export async function lockInvoice(tx: Tx, id: string): Promise<InvoiceRow> {
  return toInvoice(
    await tx.selectFrom('invoice').select(invoiceColumns).where('id', '=', id).forUpdate().executeTakeFirstOrThrow(),
  )
}

export async function listLines(db: Db | Tx, invoiceId: string): Promise<Line[]> {
  const rows = await db.selectFrom('invoice_line').selectAll().where('invoice_id', '=', invoiceId).orderBy('position').execute()
  return rows.map((row) => ({
    item: row.item as Line['item'],
    plan: row.plan,
    cycle: row.cycle,
    part: row.part,
    parts: row.parts,
    covers: spanOf(row.covers_from, row.covers_to),
    quantity: row.quantity,
    unitCents: row.unit_cents,
    netCents: row.net_cents,
    vatRate: row.vat_rate,
    vatCents: row.vat_cents,
  }))
}

/** null: the time for which the law wants it kept is over. */
export async function findBuyer(
  db: Db | Tx,
  invoiceId: string,
): Promise<{ readonly buyer: Buyer; readonly salt: Buffer } | null> {
  const row = await db
    .selectFrom('invoice_buyer')
    .select(['buyer', 'salt'])
    .where('invoice_id', '=', invoiceId)
    .executeTakeFirst()
  return row === undefined ? null : { buyer: row.buyer as Buyer, salt: row.salt }
}

export async function setIssued(
  tx: Tx,
  id: string,
  issued: {
    readonly series: string
    readonly number: number
    readonly issuedOn: Day
    readonly dueOn: Day | null
    readonly issuedAt: Date
    readonly content: Buffer
    readonly sha256: Buffer
  },
): Promise<void> {
  await tx
    .updateTable('invoice')
    .set({
      status: 'issued',
      series: issued.series,
      number: issued.number,
      issued_on: issued.issuedOn,
      due_on: issued.dueOn,
      issued_at: issued.issuedAt,
      content: issued.content,
      sha256: issued.sha256,
    })
    .where('id', '=', id)
    .execute()
}

export async function setSettlement(tx: Tx, id: string, settlement: Settlement): Promise<void> {
  await tx.updateTable('invoice').set({ settlement }).where('id', '=', id).where('settlement', '<>', settlement).execute()
}

export async function deleteDraft(tx: Tx, id: string): Promise<void> {
  await tx.deleteFrom('invoice').where('id', '=', id).where('status', '=', 'draft').execute()
}

/** What was issued of a subscription for days from then on, with what was given back of it. */
export async function listInvoiced(db: Db | Tx, subscriptionId: string, from: Day): Promise<Invoiced[]> {
  const { rows } = await sql<{
    id: string
    covers_from: Day
    covers_to: Day
    net_cents: number
    vat_cents: number
    net: number
    vat: number
  }>`
    select i.id, i.covers_from, i.covers_to, i.net_cents, i.vat_cents,
      coalesce(sum(c.net_cents), 0)::integer as net, coalesce(sum(c.vat_cents), 0)::integer as vat
    from invoice i left join invoice c on c.credits = i.id and c.status = 'issued'
    where i.subscription_id = ${subscriptionId}::uuid and i.kind = 'invoice' and i.status = 'issued' and i.covers_to > ${from}::date
    group by i.id order by i.covers_from, i.id`.execute(db)
  return rows.map((row) => ({
    id: row.id,
    span: { from: row.covers_from, to: row.covers_to },
    amount: { net: row.net_cents, vat: row.vat_cents, gross: row.net_cents + row.vat_cents },
    credited: { net: row.net, vat: row.vat, gross: row.net + row.vat },
  }))
}

/** Invoices as their customer reads them, as SQL. */
import { sql } from 'kysely'
import type { Page } from '../../../../kernel/page.ts'
import type { Db } from '../../../../platform/db/database.ts'
import type { Cents } from '../../domain/money/money.ts'
import { invoiceColumns, toInvoice, type InvoiceRow } from '../invoice/invoice-store.ts'

export type Part = {
  readonly part: number
  readonly parts: number
  /** What is left of it once credit and credit notes are taken off; null: it has no payment. */
  readonly toPay: Cents | null
  /** What is paid of it while the rest is owed again. */
  readonly kept: Cents
}
export type Listed = InvoiceRow & Part & { readonly sha256: Buffer | null }

const settlementsOf = { success: ['success'], pending: ['pending', 'processing', 'reversed'], failed: ['failed'] } as const

export type Wanted = {
  readonly customerId: string
  readonly category: string | null
  readonly status: keyof typeof settlementsOf | null
  /** In numbers. */
  readonly search: string | null
  readonly descending: boolean
  readonly limit: number
  readonly offset: number
}

function matching(db: Db, { customerId, category, status, search }: Omit<Wanted, 'descending' | 'limit' | 'offset'>) {
  let found = db.selectFrom('invoice').where('invoice.customer_id', '=', customerId)
  if (category !== null) found = found.where('invoice.category', '=', category)
  if (status !== null) found = found.where('invoice.settlement', 'in', settlementsOf[status])
  if (search !== null)
    found = found.where(
      sql<boolean>`strpos(lower(invoice.series || '-' || lpad(invoice.number::text, 6, '0')), ${search.toLowerCase()}) > 0`,
    )
  return found
}

/** What is shown of them: not their bytes. */
const shown = [
  ...invoiceColumns.map((column) => `invoice.${column}` as const),
  'invoice.sha256',
  'instalment.part',
  'instalment.parts',
  'instalment.to_pay_cents',
  'instalment.kept_cents',
] as const

type Row = Parameters<typeof toInvoice>[0] & {
  readonly part: number | null
  readonly parts: number | null
  readonly to_pay_cents: number | null
  readonly kept_cents: number | null
  readonly sha256: Buffer | null
}
const toListed = (row: Row): Listed => ({
  ...toInvoice(row),
  part: row.part ?? 1,
  parts: row.parts ?? 1,
  toPay: row.to_pay_cents,
  kept: row.kept_cents ?? 0,
  sha256: row.sha256,
})

/** Of those before the page no more is read than what they are found by. */
export async function pageInvoices(db: Db, wanted: Wanted): Promise<Page<Listed>> {
  const direction = wanted.descending ? 'desc' : 'asc'
  const { count } = await matching(db, wanted)
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  const page = matching(db, wanted)
    .select(['invoice.id'])
    .orderBy('invoice.created_at', direction)
    .orderBy('invoice.id', direction)
    .limit(wanted.limit)
    .offset(wanted.offset)
    .as('page')
  const rows = await db
    .selectFrom(page)
    .innerJoin('invoice', 'invoice.id', 'page.id')
    .leftJoin('instalment', 'instalment.invoice_id', 'invoice.id')
    .select(shown)
    .orderBy('invoice.created_at', direction)
    .orderBy('invoice.id', direction)
    .execute()
  return { count, rows: rows.map(toListed) }
}

/** All of a customer, the oldest first, read as many at a time; each goes on where the one before ended. */
export async function* listInvoicesOf(db: Db, customerId: string, atATime: number): AsyncGenerator<Listed> {
  for (let after: Listed | null = null; ;) {
    let found = db
      .selectFrom('invoice')
      .leftJoin('instalment', 'instalment.invoice_id', 'invoice.id')
      .select(shown)
      .where('invoice.customer_id', '=', customerId)
      .orderBy('invoice.created_at')
      .orderBy('invoice.id')
      .limit(atATime)
    if (after !== null)
      found = found.where(sql<boolean>`(invoice.created_at, invoice.id) > (${after.createdAt}, ${after.id}::uuid)`)
    const rows = (await found.execute()).map(toListed)
    yield* rows
    after = rows.at(-1) ?? null
    if (rows.length < atATime) return
  }
}

/** What was given back of an invoice, or by a credit note, or is on its way; the earliest first. */
export async function listGivenBack(
  db: Db,
  invoiceId: string,
): Promise<readonly { readonly at: Date; readonly cents: Cents; readonly isDone: boolean }[]> {
  const { rows } = await sql<{ at: Date; cents: number; isDone: boolean }>`
    select coalesce(settled_at, created_at) as at, amount_cents as cents, status = 'succeeded' as "isDone" from refund
    where (invoice_id = ${invoiceId}::uuid or credit_note_id = ${invoiceId}::uuid) and status <> 'failed' order by created_at, id`.execute(
    db,
  )
  return rows
}

/** null: it is not that customer's. */
export async function findListed(db: Db, customerId: string, id: string): Promise<Listed | null> {
  const row = await db
    .selectFrom('invoice')
    .leftJoin('instalment', 'instalment.invoice_id', 'invoice.id')
    .select(shown)
    .where('invoice.customer_id', '=', customerId)
    .where('invoice.id', '=', id)
    .executeTakeFirst()
  return row === undefined ? null : toListed(row)
}

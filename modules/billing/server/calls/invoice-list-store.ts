/** Invoices as their customer reads them, as SQL. */
import { sql } from 'kysely'
import type { Page } from '../../../../kernel/page.ts'
import type { Db } from '../../../../platform/db/database.ts'
import { toInvoice, type InvoiceRow } from '../invoice/invoice-store.ts'

export type Part = { readonly part: number; readonly parts: number }
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

function query(db: Db, { customerId, category, status, search }: Omit<Wanted, 'descending' | 'limit' | 'offset'>) {
  let found = db
    .selectFrom('invoice')
    .leftJoin('instalment', 'instalment.invoice_id', 'invoice.id')
    .where('invoice.customer_id', '=', customerId)
  if (category !== null) found = found.where('invoice.category', '=', category)
  if (status !== null) found = found.where('invoice.settlement', 'in', settlementsOf[status])
  if (search !== null)
    found = found.where(
      sql<boolean>`strpos(lower(invoice.series || '-' || lpad(invoice.number::text, 6, '0')), ${search.toLowerCase()}) > 0`,
    )
  return found
}

export async function pageInvoices(db: Db, wanted: Wanted): Promise<Page<Listed>> {
  const direction = wanted.descending ? 'desc' : 'asc'
  const { count } = await query(db, wanted)
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  const rows = await query(db, wanted)
    .selectAll('invoice')
    .select(['instalment.part', 'instalment.parts'])
    .orderBy('invoice.created_at', direction)
    .orderBy('invoice.id', direction)
    .limit(wanted.limit)
    .offset(wanted.offset)
    .execute()
  return {
    count,
    rows: rows.map((row) => ({ ...toInvoice(row), part: row.part ?? 1, parts: row.parts ?? 1, sha256: row.sha256 })),
  }
}

/** null: it is not that customer's. */
export async function findListed(db: Db, customerId: string, id: string): Promise<Listed | null> {
  const row = await query(db, { customerId, category: null, status: null, search: null })
    .selectAll('invoice')
    .select(['instalment.part', 'instalment.parts'])
    .where('invoice.id', '=', id)
    .executeTakeFirst()
  return row === undefined ? null : { ...toInvoice(row), part: row.part ?? 1, parts: row.parts ?? 1, sha256: row.sha256 }
}

export type JournalLine = {
  readonly journal: string
  readonly year: number
  readonly number: number
  readonly on: string
  readonly account: string
  readonly isCustomers: boolean
  readonly piece: string
  readonly pieceOn: string
  readonly kind: string
  readonly debit: number
  readonly credit: number
}

const atATime = 500

/** What the journal has on a customer, in its order. */
export async function* listJournal(db: Db, customerId: string): AsyncGenerator<JournalLine> {
  for (let last = { year: 0, number: 0 }; ;) {
    const { rows } = await sql<JournalLine>`
      select e.journal, e.year, e.number, e.on_day as on, p.account, p.customer_id is not null as "isCustomers",
        coalesce(i.series || '-' || lpad(i.number::text, 6, '0'), '') as piece, coalesce(i.issued_on, e.on_day) as "pieceOn", e.kind,
        p.debit_cents as debit, p.credit_cents as credit
      from (select * from journal_entry where customer_id = ${customerId}::uuid and (year, number) > (${last.year}, ${last.number})
          order by year, number limit ${atATime}) e
        join journal_posting p on p.entry_id = e.id left join invoice i on i.id = e.invoice_id
      order by e.year, e.number, p.position`.execute(db)
    yield* rows
    const end = rows.at(-1)
    if (end === undefined) return
    last = end
  }
}

/** What the journal has, line by line in its order, as SQL. */
import { sql } from 'kysely'
import type { Db } from '../../../../platform/db/database.ts'
import type { Day } from '../../domain/calendar/calendar.ts'
import type { Cents } from '../../domain/money/money.ts'

export type JournalLine = {
  readonly journal: string
  readonly year: number
  /** Of the entry: without a gap within the year. */
  readonly number: number
  readonly on: Day
  readonly account: string
  readonly customerId: string | null
  /** Whom the document names; null: of a customer's account alone, or his name is forgotten. */
  readonly customerName: string | null
  readonly piece: string | null
  readonly pieceOn: Day
  readonly kind: string
  readonly debit: Cents
  readonly credit: Cents
}

/** Days are included. */
export type Wanted = { readonly customerId: string } | { readonly from: Day; readonly to: Day }

const atATime = 500

/** Entries are read a few at a time, so that memory does not grow with them. */
export async function* listJournal(db: Db, wanted: Wanted): AsyncGenerator<JournalLine> {
  const which =
    'customerId' in wanted
      ? sql`customer_id = ${wanted.customerId}::uuid`
      : sql`on_day between ${wanted.from}::date and ${wanted.to}::date`
  for (let last = { year: 0, number: 0 }; ;) {
    const { rows } = await sql<JournalLine>`
      select e.journal, e.year, e.number, e.on_day as on, p.account, p.customer_id as "customerId",
        coalesce(b.buyer ->> 'company_name', b.buyer ->> 'name') as "customerName",
        i.series || '-' || lpad(i.number::text, 6, '0') as piece, coalesce(i.issued_on, e.on_day) as "pieceOn", e.kind,
        p.debit_cents as debit, p.credit_cents as credit
      from (select * from journal_entry where ${which} and (year, number) > (${last.year}, ${last.number})
          order by year, number limit ${atATime}) e
        join journal_posting p on p.entry_id = e.id left join invoice i on i.id = e.invoice_id
        left join invoice_buyer b on b.invoice_id = i.id
      order by e.year, e.number, p.position`.execute(db)
    yield* rows
    const end = rows.at(-1)
    if (end === undefined) return
    last = end
  }
}

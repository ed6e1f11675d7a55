/** What a customer's own account has, as SQL. */
import { sql } from 'kysely'
import type { Page } from '../../../../kernel/page.ts'
import type { Db, Tx } from '../../../../platform/db/database.ts'
import { numberIn } from '../../domain/invoice/number.ts'
import type { Day } from '../../domain/calendar/calendar.ts'
import type { Cents } from '../../domain/money/money.ts'

export type StatementLine = {
  readonly on: Day
  readonly kind: string
  readonly invoiceId: string | null
  readonly number: string | null
  readonly debit: Cents
  readonly credit: Cents
  /** After it: what is owed; negative: what is to his credit. */
  readonly balance: Cents
}

type Row = Omit<StatementLine, 'number'> & { readonly series: string | null; readonly serial: number | null }

/** The newest first. */
export async function pageStatement(
  db: Db | Tx,
  customerId: string,
  { limit, offset }: { readonly limit: number; readonly offset: number },
): Promise<Page<StatementLine>> {
  const { rows: counted } = await sql<{ count: number }>`
    select count(*)::integer as count from journal_posting where customer_id = ${customerId}::uuid`.execute(db)
  const { rows } = await sql<Row>`
    select e.on_day as on, e.kind, e.invoice_id as "invoiceId", i.series, i.number as serial, p.debit_cents as debit, p.credit_cents as credit,
      (sum(p.debit_cents::bigint - p.credit_cents::bigint) over (order by e.year, e.number, p.position))::integer as balance
    from journal_posting p join journal_entry e on e.id = p.entry_id left join invoice i on i.id = e.invoice_id
    where p.customer_id = ${customerId}::uuid order by e.year desc, e.number desc, p.position desc
    limit ${limit} offset ${offset}`.execute(db)
  return {
    count: counted[0]?.count ?? 0,
    rows: rows.map(({ series, serial, ...row }) => ({
      ...row,
      number: series === null || serial === null ? null : numberIn(series, serial),
    })),
  }
}

/** How invoices stand, for those who reckon with what was paid, as SQL. */
import { sql } from 'kysely'
import type { Db, Tx } from '../../../../platform/db/database.ts'

export type Settled = {
  readonly invoiceId: string
  /** Whether it is paid, and was not taken back. */
  readonly paid: boolean
  /** Whether its payment was taken back, and it was not paid again. */
  readonly reversed: boolean
  readonly netCents: number
  /** What credit notes took of it. */
  readonly creditedCents: number
}

export async function findSettled(db: Db | Tx, invoiceIds: readonly string[]): Promise<readonly Settled[]> {
  const { rows } = await sql<Settled>`
    select i.id as "invoiceId", i.status = 'issued' and i.settlement = 'success' as paid, i.status = 'issued' and i.settlement <> 'success'
        and (i.settlement = 'reversed' or exists (select from journal_entry e where e.invoice_id = i.id and e.kind = 'reversal')) as reversed,
      i.net_cents as "netCents",
      coalesce((select sum(c.net_cents) from invoice c where c.credits = i.id and c.status = 'issued'), 0)::integer as "creditedCents"
    from invoice i where i.id = any(${[...invoiceIds]}::uuid[])`.execute(db)
  return rows
}

/** What a transaction wrote into the journal, as SQL. */
import { sql } from 'kysely'
import type { Tx } from '../../../../platform/db/database.ts'
import type { PayoutConsequence } from '../../contract/administration.ts'

/** Entries of this very transaction: nobody else sees them yet. */
export async function listEntriesOfNow(tx: Tx): Promise<PayoutConsequence['entries']> {
  const { rows } = await sql<
    PayoutConsequence['entries'][number]
  >`select e.journal, json_agg(json_build_object('account', p.account,
      'debit_cents', p.debit_cents, 'credit_cents', p.credit_cents) order by p.position) as postings
    from journal_entry e join journal_posting p on p.entry_id = e.id
    where e.xmin = pg_current_xact_id()::xid group by e.id order by e.number`.execute(tx)
  return rows
}

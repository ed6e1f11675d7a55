/** What goes with an account, and what somebody is given of what he earned when he asks for everything that is held on him, as SQL. */
import { sql } from 'kysely'
import type { Db, Tx } from '../../../../platform/db/database.ts'

/** What is on its way needs to be asked after by the provider’s names for it. */
export async function forgetPayee(tx: Tx, userId: string): Promise<void> {
  await sql`update payout_payee set account_mark = null, account_address = null, identity_address = null where user_id = ${userId}::uuid`.execute(
    tx,
  )
  await sql`delete from payout_payee where user_id = ${userId}::uuid
    and not exists (select from payout where user_id = ${userId}::uuid and status = 'pending')`.execute(tx)
}

const batch = 500

/** Earnings, then payouts, oldest first. Of whoever paid no more is told than the number of his invoice. */
export async function* exportPayouts(db: Db, accountId: string): AsyncGenerator<Readonly<Record<string, unknown>>> {
  for (let last: string | null = null; ;) {
    const { rows } = await sql<{ id: string }>`
      select e.id, 'earning' as kind, e.source, i.series || '-' || lpad(i.number::text, 6, '0') as invoice, e.line, e.base_cents, e.rate,
        e.amount_cents, e.standing_cents, e.earned_on, e.matures_on, e.matured_at
      from earning e join invoice i on i.id = e.invoice_id
      where e.user_id = ${accountId}::uuid and (${last}::uuid is null or e.id > ${last}::uuid) order by e.id limit ${batch}`.execute(
      db,
    )
    yield* rows
    last = rows.at(-1)?.id ?? null
    if (rows.length < batch || last === null) break
  }
  for (let last: string | null = null; ;) {
    const { rows } = await sql<{ id: string }>`
      select id, 'payout' as kind, month, status, net_cents, vat_treatment, vat_cents, gross_cents, reference_text, failure, created_at, settled_at,
        returned_at, (select json_agg(json_build_object('earning', l.earning_id, 'cents', l.cents) order by l.earning_id)
          from payout_line l where l.payout_id = payout.id) as lines,
        (select json_agg(i.series || '-' || lpad(i.number::text, 6, '0') order by i.kind) from payout_invoice i where i.payout_id = payout.id) as invoices
      from payout where user_id = ${accountId}::uuid and (${last}::uuid is null or id > ${last}::uuid) order by id limit ${batch}`.execute(
      db,
    )
    yield* rows
    last = rows.at(-1)?.id ?? null
    if (rows.length < batch || last === null) break
  }
  const { rows } = await sql<Readonly<Record<string, unknown>>>`
    select 'payee' as kind, realm, account_state, identity_state, identity_refusal, asked_at, (select json_agg(json_build_object('kind', d.kind,
      'state', d.state, 'refusal', d.refusal, 'created_at', d.created_at) order by d.created_at) from payout_document d
      where d.user_id = p.user_id and d.realm = p.realm) as documents
    from payout_payee p where user_id = ${accountId}::uuid order by realm`.execute(db)
  yield* rows
}

/** The SQL of what staff did to the books, by whom and why. */
import { sql } from 'kysely'
import type { Db, Tx } from '../../../../platform/db/database.ts'
import type { interventionKinds } from '../../contract/administration.ts'
import type { Cents } from '../../domain/money/money.ts'

export type Intervention = {
  readonly customerId: string
  readonly invoiceId: string | null
  readonly kind: (typeof interventionKinds)[number]
  readonly amount: Cents | null
  readonly reference: string | null
  readonly reason: string
}

export async function insertIntervention(tx: Tx, act: Intervention, by: string, now: Date): Promise<void> {
  await tx
    .insertInto('billing_intervention')
    .values({
      customer_id: act.customerId,
      invoice_id: act.invoiceId,
      kind: act.kind,
      amount_cents: act.amount,
      reference: act.reference,
      reason: act.reason,
      by_user: by,
      at: now,
    })
    .execute()
}

export type ListedIntervention = Omit<Intervention, 'customerId' | 'invoiceId'> & {
  readonly invoice: string | null
  readonly by: string
  readonly at: Date
}

export async function listInterventions(db: Db | Tx, customerId: string, limit: number): Promise<ListedIntervention[]> {
  const { rows } = await sql<ListedIntervention>`
    select n.kind, n.amount_cents as amount, n.reference, n.reason, n.at, trim(u.first_name || ' ' || u.last_name) as by,
      i.series || '-' || lpad(i.number::text, 6, '0') as invoice
    from billing_intervention n join account_user u on u.id = n.by_user left join invoice i on i.id = n.invoice_id
    where n.customer_id = ${customerId}::uuid order by n.id desc limit ${limit}`.execute(db)
  return rows
}

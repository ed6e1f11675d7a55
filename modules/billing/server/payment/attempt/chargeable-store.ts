/** The SQL of what may be charged without the customer. */
import { sql } from 'kysely'
import type { Db, Tx } from '../../../../../platform/db/database.ts'
import type { Day } from '../../../domain/calendar/calendar.ts'

export type Chargeable = {
  readonly instalmentId: string
  readonly customerId: string
  readonly renewedBy: 'card' | 'mandate'
  readonly seriesId: string | null
}

/**
 * Of subscriptions, issued, due, and not taken back by the bank: what was disputed is charged again by its payer alone. What failed waits for
 * its day. What was bought beyond a plan is debited by the mandate on which it was given, whatever the plan is charged to, and though that
 * ended.
 */
export async function listChargeable(db: Db, realm: string, today: Day, after: string, limit: number): Promise<Chargeable[]> {
  const { rows } = await sql<Chargeable>`
    select i.id as "instalmentId", i.customer_id as "customerId", case when i.plan is null then 'mandate' else c.renewed_by end as "renewedBy",
      c.series_id as "seriesId"
    from instalment i
      join payment_customer c on c.customer_id = i.customer_id and c.realm = ${realm} and (c.renewed_by is not null or i.plan is null)
      join invoice v on v.id = i.invoice_id and v.status = 'issued'
      join subscription s on s.id = i.subscription_id and (s.status <> 'cancelled' or i.plan is null)
    where i.id > ${after === '' ? '00000000-0000-0000-0000-000000000000' : after}::uuid and not i.of_change and i.to_pay_cents > 0
      and ((i.status = 'due' and (i.next_attempt_on is null or i.next_attempt_on <= ${today}::date))
        or (i.status = 'failed' and i.next_attempt_on <= ${today}::date))
      and not exists (select from payment_attempt a where a.instalment_id = i.id and a.reversed_at is not null)
    order by i.id limit ${limit}`.execute(db)
  return rows
}

/** Whether it is charged without the customer, be it today or later. */
export async function isChargeable(tx: Tx, instalmentId: string): Promise<boolean> {
  const { rows } = await sql`
    select from instalment i
      join payment_customer c on c.customer_id = i.customer_id and c.renewed_by is not null
      join invoice v on v.id = i.invoice_id and v.status = 'issued'
      join subscription s on s.id = i.subscription_id and s.status <> 'cancelled'
    where i.id = ${instalmentId}::uuid and not i.of_change
      and not exists (select from payment_attempt a where a.instalment_id = i.id and a.reversed_at is not null)`.execute(tx)
  return rows.length > 0
}

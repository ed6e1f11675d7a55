/** The SQL of mandates: at most one of use for a customer. */
import { randomUUIDv7 } from 'node:crypto'
import { sql } from 'kysely'
import type { Db, Tx } from '../../../../../platform/db/database.ts'

export type MandateStatus = 'begun' | 'action_required' | 'submitted' | 'active' | 'failed' | 'ended'

export type Mandate = {
  readonly id: string
  readonly customerId: string
  readonly status: MandateStatus
  readonly accountKey: string
  readonly mandateKey: string
  readonly accountReference: string | null
  readonly reference: string | null
  readonly bankReference: string | null
  readonly redirectUrl: string | null
  readonly createdAt: Date
}

const ofUse = ['begun', 'action_required', 'submitted', 'active'] as const

type Row = {
  id: string
  customer_id: string
  status: string
  account_key: string
  mandate_key: string
  account_reference: string | null
  reference: string | null
  bank_reference: string | null
  redirect_url: string | null
  created_at: Date
}
const toMandate = (row: Row): Mandate => ({
  id: row.id,
  customerId: row.customer_id,
  status: row.status as MandateStatus,
  accountKey: row.account_key,
  mandateKey: row.mandate_key,
  accountReference: row.account_reference,
  reference: row.reference,
  bankReference: row.bank_reference,
  redirectUrl: row.redirect_url,
  createdAt: row.created_at,
})

/** The caller holds the customer. */
export async function insertMandate(
  tx: Tx,
  owner: { readonly customerId: string; readonly realm: string },
  keys: { readonly account: string; readonly mandate: string },
  now: Date,
): Promise<Mandate> {
  const row = await tx
    .insertInto('payment_mandate')
    .values({
      id: randomUUIDv7(),
      customer_id: owner.customerId,
      realm: owner.realm,
      status: 'begun',
      account_key: keys.account,
      mandate_key: keys.mandate,
      created_at: now,
    })
    .returningAll()
    .executeTakeFirstOrThrow()
  return toMandate(row)
}

/** The one of use; without, the last that failed. */
export async function findMandate(db: Db | Tx, customerId: string, realm: string): Promise<Mandate | null> {
  const row = await db
    .selectFrom('payment_mandate')
    .selectAll()
    .where('customer_id', '=', customerId)
    .where('realm', '=', realm)
    .where('status', '<>', 'ended')
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row === undefined ? null : toMandate(row)
}

export async function findMandateById(db: Db | Tx, id: string): Promise<Mandate | null> {
  const row = await db.selectFrom('payment_mandate').selectAll().where('id', '=', id).executeTakeFirst()
  return row === undefined ? null : toMandate(row)
}

export async function findMandateNamed(db: Db | Tx, realm: string, reference: string): Promise<Mandate | null> {
  const row = await db
    .selectFrom('payment_mandate')
    .selectAll()
    .where('realm', '=', realm)
    .where('reference', '=', reference)
    .executeTakeFirst()
  return row === undefined ? null : toMandate(row)
}

export type MandateNews = {
  readonly status?: MandateStatus
  readonly account_reference?: string
  readonly reference?: string
  readonly bank_reference?: string | null
  readonly redirect_url?: string | null
}

/** One that ended stays so, whatever is heard of it later. */
export async function changeMandate(db: Db | Tx, id: string, news: MandateNews): Promise<void> {
  await db.updateTable('payment_mandate').set(news).where('id', '=', id).where('status', '<>', 'ended').execute()
}

/** Every one of use of the customer, whichever provider keeps it. @returns how many */
export async function endMandates(tx: Tx, customerId: string): Promise<number> {
  const ended = await tx
    .updateTable('payment_mandate')
    .set({ status: 'ended', redirect_url: null })
    .where('customer_id', '=', customerId)
    .where('status', 'in', [...ofUse])
    .returning('id')
    .execute()
  await tx
    .updateTable('payment_customer')
    .set({ renewed_by: null })
    .where('customer_id', '=', customerId)
    .where('renewed_by', '=', 'mandate')
    .execute()
  return ended.length
}

/**
 * Those that ended here, and of which the provider has not been told. With an account one ends once what was debited by it is known: with its bank
 * account, at once.
 */
export async function listToEnd(db: Db, realm: string, limit: number): Promise<Mandate[]> {
  const rows = await db
    .selectFrom('payment_mandate')
    .selectAll()
    .where('realm', '=', realm)
    .where('status', '=', 'ended')
    .where('told_ended', '=', false)
    .where(
      sql<boolean>`not exists (select from payment_attempt a join billing_customer c on c.id = payment_mandate.customer_id and c.user_id is null
        where a.mandate_id = payment_mandate.id and a.status in ('started', 'action_required', 'unknown'))`,
    )
    .orderBy('created_at')
    .limit(limit)
    .execute()
  return rows.map(toMandate)
}

export async function setTold(db: Db, id: string): Promise<void> {
  await db.updateTable('payment_mandate').set({ told_ended: true }).where('id', '=', id).execute()
}

/** The SQL of who is invoiced. */
import { randomUUIDv7 } from 'node:crypto'
import { sql } from 'kysely'
import type { Db, Tx } from '../../../../platform/db/database.ts'
import type { Cents } from '../../domain/money/money.ts'
import type { VatCheck } from '../../domain/invoice/vat.ts'

export type Customer = {
  readonly id: string
  /** null: his account is no more. */
  readonly userId: string | null
  readonly vatNumber: string | null
  readonly vatCheck: VatCheck | null
}

const columns = ['id', 'user_id', 'vat_number', 'vat_check'] as const
type Row = {
  id: string
  user_id: string | null
  vat_number: string | null
  vat_check: string | null
}
const toCustomer = (row: Row): Customer => ({
  id: row.id,
  userId: row.user_id,
  vatNumber: row.vat_number,
  vatCheck: row.vat_check as VatCheck | null,
})

export async function findCustomer(db: Db | Tx, userId: string): Promise<Customer | null> {
  const row = await db.selectFrom('billing_customer').select(columns).where('user_id', '=', userId).executeTakeFirst()
  return row === undefined ? null : toCustomer(row)
}

export async function readCustomer(db: Db | Tx, id: string): Promise<Customer> {
  return toCustomer(await db.selectFrom('billing_customer').select(columns).where('id', '=', id).executeTakeFirstOrThrow())
}

/** Whose plan an account works on: its own, or that of the owner of its group (H-23). */
export async function findPayerOf(db: Db | Tx, accountId: string): Promise<string> {
  const { rows } = await sql<{ id: string }>`
    select owner.user_id as id from group_member m join group_member owner on owner.group_id = m.group_id and owner.role = 'owner'
    where m.user_id = ${accountId}::uuid and not exists (
      select from billing_customer c join subscription s on s.customer_id = c.id
      where c.user_id = ${accountId}::uuid and s.plan <> 'unit' and s.status <> 'cancelled')`.execute(db)
  return rows[0]?.id ?? accountId
}

/** Whatever is done to what a customer has is done while he is held: one thing at a time. */
export async function lockCustomer(tx: Tx, id: string): Promise<Customer> {
  const row = await tx.selectFrom('billing_customer').select(columns).where('id', '=', id).forUpdate().executeTakeFirstOrThrow()
  return toCustomer(row)
}

/** Of the account, held; made where there is none. */
export async function lockCustomerOf(tx: Tx, userId: string, now: Date): Promise<Customer> {
  await tx
    .insertInto('billing_customer')
    .values({ id: randomUUIDv7(), user_id: userId, created_at: now })
    .onConflict((conflict) => conflict.column('user_id').doNothing())
    .execute()
  const row = await tx
    .selectFrom('billing_customer')
    .select(columns)
    .where('user_id', '=', userId)
    .forUpdate()
    .executeTakeFirstOrThrow()
  return toCustomer(row)
}

/** What is to the customer's credit and not promised to a draft yet: two drafts never take the same off. */
export async function creditLeft(tx: Tx, customerId: string): Promise<Cents> {
  const { rows } = await sql<{ left: number }>`
    select c.credit_cents - coalesce((select sum(i.credit_used_cents) from invoice i
      where i.customer_id = c.id and i.status = 'draft'), 0)::integer as left
    from billing_customer c where c.id = ${customerId}::uuid`.execute(tx)
  return Math.max(0, rows[0]?.left ?? 0)
}

/** @param change positive: more to his credit */
export async function changeCredit(tx: Tx, id: string, change: Cents): Promise<void> {
  if (change === 0) return
  await sql`update billing_customer set credit_cents = credit_cents + ${change} where id = ${id}::uuid`.execute(tx)
}

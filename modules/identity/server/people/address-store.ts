/** The SQL of the e-mail addresses of an account. */
import { sql } from 'kysely'
import type { Db, Tx } from '../../../../platform/db/database.ts'

export type Address = {
  readonly id: string
  readonly userId: string
  readonly address: string
  readonly key: string
  readonly primary: boolean
  readonly verifiedAt: Date | null
  readonly createdAt: Date
}

const columns = ['id', 'user_id', 'address', 'address_key', 'is_primary', 'verified_at', 'created_at'] as const

type Row = {
  id: string
  user_id: string
  address: string
  address_key: string
  is_primary: boolean
  verified_at: Date | null
  created_at: Date
}

function toAddress(row: Row): Address {
  return {
    id: row.id,
    userId: row.user_id,
    address: row.address,
    key: row.address_key,
    primary: row.is_primary,
    verifiedAt: row.verified_at,
    createdAt: row.created_at,
  }
}

export async function insertAddress(
  tx: Tx,
  entry: { id: string; userId: string; address: string; key: string; primary: boolean; verifiedAt: Date | null },
  now: Date,
): Promise<void> {
  await tx
    .insertInto('email_address')
    .values({
      id: entry.id,
      user_id: entry.userId,
      address: entry.address,
      address_key: entry.key,
      is_primary: entry.primary,
      verified_at: entry.verifiedAt,
      created_at: now,
    })
    .execute()
}

/** The primary one first, then by age. */
export async function listAddresses(db: Db | Tx, userId: string): Promise<Address[]> {
  const rows = await db
    .selectFrom('email_address')
    .select(columns)
    .where('user_id', '=', userId)
    .orderBy('is_primary', 'desc')
    .orderBy('created_at')
    .orderBy('id')
    .execute()
  return rows.map(toAddress)
}

/** @param userId whose it must be */
export async function findAddress(db: Db | Tx, id: string, userId?: string): Promise<Address | null> {
  let found = db.selectFrom('email_address').select(columns).where('id', '=', id)
  if (userId !== undefined) found = found.where('user_id', '=', userId)
  const row = await found.executeTakeFirst()
  return row === undefined ? null : toAddress(row)
}

export async function findPrimaryAddress(db: Db | Tx, userId: string): Promise<Address | null> {
  const row = await db
    .selectFrom('email_address')
    .select(columns)
    .where('user_id', '=', userId)
    .where('is_primary', '=', true)
    .executeTakeFirst()
  return row === undefined ? null : toAddress(row)
}

/** Whose mailbox it was proven to be. */
export async function findVerifiedAddress(db: Db | Tx, key: string): Promise<Address | null> {
  const row = await db
    .selectFrom('email_address')
    .select(columns)
    .where('address_key', '=', key)
    .where('verified_at', 'is not', null)
    .executeTakeFirst()
  return row === undefined ? null : toAddress(row)
}

/** Until the transaction ends, nobody else confirms or disowns that mailbox: each would delete what the other holds. */
export async function holdMailbox(tx: Tx, key: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`mailbox ${key}`}, 0))`.execute(tx)
}

export async function markVerified(tx: Tx, id: string, now: Date): Promise<void> {
  await tx.updateTable('email_address').set({ verified_at: now }).where('id', '=', id).execute()
}

/** Whoever else claimed the mailbox: accounts that were made with it and never confirmed, and addresses that others added. */
export async function deleteRivals(tx: Tx, key: string, ownerId: string): Promise<void> {
  await tx
    .deleteFrom('account_user')
    .where('status', '=', 'unconfirmed')
    .where('id', '!=', ownerId)
    .where('id', 'in', (eb) =>
      eb.selectFrom('email_address').select('user_id').where('address_key', '=', key).where('is_primary', '=', true),
    )
    .execute()
  await tx
    .deleteFrom('email_address')
    .where('address_key', '=', key)
    .where('user_id', '!=', ownerId)
    .where('verified_at', 'is', null)
    .where('is_primary', '=', false)
    .execute()
}

export async function makePrimary(tx: Tx, userId: string, id: string): Promise<void> {
  await tx
    .updateTable('email_address')
    .set({ is_primary: false })
    .where('user_id', '=', userId)
    .where('is_primary', '=', true)
    .execute()
  await tx.updateTable('email_address').set({ is_primary: true }).where('user_id', '=', userId).where('id', '=', id).execute()
}

export async function deleteAddress(tx: Tx, id: string): Promise<void> {
  await tx.deleteFrom('email_address').where('id', '=', id).execute()
}

/** The SQL of people and of their addresses. */
import { sql } from 'kysely'
import type { Locale } from '../../../../kernel/locale.ts'
import type { Db, Tx } from '../../../../platform/db/database.ts'

export type UserStatus = 'unconfirmed' | 'active' | 'suspended' | 'closing' | 'erased'

export type NewUser = {
  readonly id: string
  readonly passwordHash: string
  readonly firstName: string
  readonly lastName: string
  readonly locale: Locale
  readonly referralCode: string
  readonly referredBy: string | null
  readonly formula: string | null
  /** Under whose sign it was made (decision H-07). */
  readonly brand: string
}

export type User = {
  readonly id: string
  readonly status: UserStatus
  readonly passwordHash: string | null
  readonly firstName: string
  readonly lastName: string
  readonly locale: Locale
  readonly brand: string
  readonly createdAt: Date
  readonly eraseAfter: Date | null
}

const userColumns = [
  'account_user.id',
  'account_user.status',
  'account_user.password_hash',
  'account_user.first_name',
  'account_user.last_name',
  'account_user.locale',
  'account_user.brand',
  'account_user.created_at',
  'account_user.erase_after',
] as const

type UserRow = {
  id: string
  status: string
  password_hash: string | null
  first_name: string
  last_name: string
  locale: string
  brand: string
  created_at: Date
  erase_after: Date | null
}

function toUser(row: UserRow): User {
  return {
    id: row.id,
    status: row.status as UserStatus,
    passwordHash: row.password_hash,
    firstName: row.first_name,
    lastName: row.last_name,
    locale: row.locale as Locale,
    brand: row.brand,
    createdAt: row.created_at,
    eraseAfter: row.erase_after,
  }
}

/** @returns false when the referral code is another's already: the caller draws again */
export async function insertUser(tx: Tx, user: NewUser, now: Date): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await tx
    .insertInto('account_user')
    .values({
      id: user.id,
      password_hash: user.passwordHash,
      password_changed_at: now,
      first_name: user.firstName,
      last_name: user.lastName,
      locale: user.locale,
      referral_code: user.referralCode,
      referred_by: user.referredBy,
      formula: user.formula,
      brand: user.brand,
      terms_accepted_at: now,
      created_at: now,
    })
    .onConflict((conflict) => conflict.column('referral_code').doNothing())
    .executeTakeFirst()
  return (numInsertedOrUpdatedRows ?? 0n) > 0n
}

export async function findUser(db: Db | Tx, id: string): Promise<User | null> {
  const row = await db.selectFrom('account_user').select(userColumns).where('id', '=', id).executeTakeFirst()
  return row === undefined ? null : toUser(row)
}

/** Holds the row until the transaction ends. */
export async function lockUser(tx: Tx, id: string): Promise<User | null> {
  const row = await tx.selectFrom('account_user').select(userColumns).where('id', '=', id).forUpdate().executeTakeFirst()
  return row === undefined ? null : toUser(row)
}

/** Of somebody who may bring others: an account that is open. */
export async function findReferrer(db: Db | Tx, referralCode: string): Promise<string | null> {
  const row = await db
    .selectFrom('account_user')
    .select('id')
    .where('referral_code', '=', referralCode)
    .where('status', '=', 'active')
    .executeTakeFirst()
  return row?.id ?? null
}

export async function setPassword(tx: Tx, id: string, passwordHash: string, now: Date): Promise<void> {
  await tx
    .updateTable('account_user')
    .set({ password_hash: passwordHash, password_changed_at: now })
    .where('id', '=', id)
    .execute()
}

/** The same password under today's cost: nothing changed for its owner. */
export async function replacePasswordHash(tx: Tx, id: string, old: string, renewed: string): Promise<void> {
  await tx
    .updateTable('account_user')
    .set({ password_hash: renewed })
    .where('id', '=', id)
    .where('password_hash', '=', old)
    .execute()
}

export async function activateUser(tx: Tx, id: string, now: Date): Promise<void> {
  await tx
    .updateTable('account_user')
    .set({ status: 'active', confirmed_at: now })
    .where('id', '=', id)
    .where('status', '=', 'unconfirmed')
    .execute()
}

export async function noteSignIn(tx: Tx, id: string, now: Date): Promise<void> {
  await tx.updateTable('account_user').set({ last_sign_in_at: now }).where('id', '=', id).execute()
}

/** Of an account that was never confirmed: no other may be deleted, only erased. */
export async function deleteUnconfirmedUser(tx: Tx, id: string): Promise<void> {
  await tx.deleteFrom('account_user').where('id', '=', id).where('status', '=', 'unconfirmed').execute()
}

/** Accounts nobody confirmed. @returns how many went, at most `limit` */
export async function deleteUnconfirmedBefore(db: Db, before: Date, limit: number): Promise<number> {
  const { numDeletedRows } = await db
    .deleteFrom('account_user')
    .where('id', 'in', (eb) =>
      eb
        .selectFrom('account_user')
        .select('id')
        .where('status', '=', 'unconfirmed')
        .where('created_at', '<', before)
        .orderBy('created_at')
        .limit(limit)
        .forUpdate()
        .skipLocked(),
    )
    .executeTakeFirst()
  return Number(numDeletedRows)
}

/** The account that an address and a password may open: that of the confirmed address, else the newest that claims it. */
export async function findUserByAddress(
  db: Db | Tx,
  addressKey: string,
): Promise<{ user: User; emailId: string; address: string; verified: boolean } | null> {
  const row = await db
    .selectFrom('email_address')
    .innerJoin('account_user', 'account_user.id', 'email_address.user_id')
    .select([...userColumns, 'email_address.id as email_id', 'email_address.address', 'email_address.verified_at'])
    .where('address_key', '=', addressKey)
    .orderBy(sql`email_address.verified_at is null`)
    .orderBy('email_address.created_at', 'desc')
    .orderBy('email_address.id')
    .limit(1)
    .executeTakeFirst()
  if (row === undefined) return null
  return { user: toUser(row), emailId: row.email_id, address: row.address, verified: row.verified_at !== null }
}

/** What a stranger knows of somebody: his names and addresses. */
export async function knownOf(db: Db | Tx, id: string): Promise<string[]> {
  const user = await findUser(db, id)
  const rows = await db.selectFrom('email_address').select('address').where('user_id', '=', id).execute()
  return [...(user === null ? [] : [user.firstName, user.lastName]), ...rows.map(({ address }) => address)]
}

export async function rolesOf(db: Db | Tx, userId: string): Promise<string[]> {
  const rows = await db.selectFrom('user_role').select('role').where('user_id', '=', userId).execute()
  return rows.map(({ role }) => role)
}

export async function grantRole(tx: Tx, userId: string, role: string, grantedBy: string | null, now: Date): Promise<void> {
  await tx
    .insertInto('user_role')
    .values({ user_id: userId, role, granted_by: grantedBy, granted_at: now })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

/** Names by id; of somebody erased nothing is left to name. */
export async function namesOf(db: Db | Tx, ids: readonly string[]): Promise<Map<string, string>> {
  if (ids.length === 0) return new Map()
  const rows = await db
    .selectFrom('account_user')
    .select(['id', 'first_name', 'last_name'])
    .where('id', 'in', [...new Set(ids)])
    .execute()
  return new Map(rows.map((row) => [row.id, `${row.first_name} ${row.last_name}`.trim()]))
}

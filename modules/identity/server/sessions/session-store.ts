/** The SQL of sessions. */
import { sql } from 'kysely'
import type { Locale } from '../../../../kernel/locale.ts'
import type { Db, Tx } from '../../../../platform/db/database.ts'

export type SessionRow = {
  readonly id: string
  readonly userId: string
  readonly createdAt: Date
  readonly seenAt: Date
  readonly expiresAt: Date
  readonly remembered: boolean
  readonly browser: string
  readonly network: string
  readonly secondFactor: boolean
  /** When the password, and the second factor where there is one, was last given in it. */
  readonly provenAt: Date | null
}

const columns = [
  'user_session.id',
  'user_session.user_id',
  'user_session.created_at',
  'user_session.seen_at',
  'user_session.expires_at',
  'user_session.remembered',
  'user_session.browser',
  'user_session.network',
  'user_session.second_factor',
  'user_session.proven_at',
] as const

type Row = {
  id: string
  user_id: string
  created_at: Date
  seen_at: Date
  expires_at: Date
  remembered: boolean
  browser: string
  network: string
  second_factor: boolean
  proven_at: Date | null
}

function toSession(row: Row): SessionRow {
  return {
    id: row.id,
    userId: row.user_id,
    createdAt: row.created_at,
    seenAt: row.seen_at,
    expiresAt: row.expires_at,
    remembered: row.remembered,
    browser: row.browser,
    network: row.network,
    secondFactor: row.second_factor,
    provenAt: row.proven_at,
  }
}

export async function insertSession(tx: Tx, session: SessionRow & { readonly tokenHash: Buffer }): Promise<void> {
  await tx
    .insertInto('user_session')
    .values({
      id: session.id,
      user_id: session.userId,
      token_hash: session.tokenHash,
      created_at: session.createdAt,
      seen_at: session.seenAt,
      expires_at: session.expiresAt,
      remembered: session.remembered,
      browser: session.browser,
      network: session.network,
      second_factor: session.secondFactor,
      proven_at: session.provenAt,
    })
    .execute()
}

/** All but the newest ones end. */
export async function endOldestSessions(tx: Tx, userId: string, kept: number): Promise<void> {
  await tx
    .deleteFrom('user_session')
    .where('user_id', '=', userId)
    .where('id', 'not in', (eb) =>
      eb
        .selectFrom('user_session')
        .select('id')
        .where('user_id', '=', userId)
        .orderBy('seen_at', 'desc')
        .orderBy('id')
        .limit(kept),
    )
    .execute()
}

export type FoundSession = { readonly session: SessionRow; readonly locale: Locale; readonly roles: readonly string[] }

/** The session of a token, or of an id, that goes on, of somebody whose account is open, with the roles that he holds. */
export async function findSession(
  db: Db | Tx,
  by: { readonly tokenHash: Buffer } | { readonly id: string },
  now: Date,
): Promise<FoundSession | null> {
  // Every call of a signed-in user asks this: one statement for all of it.
  const roles = sql<string[]>`array(select role from user_role where user_role.user_id = user_session.user_id)`.as('roles')
  const row = await db
    .selectFrom('user_session')
    .innerJoin('account_user', 'account_user.id', 'user_session.user_id')
    .select([...columns, 'account_user.locale', roles])
    .where((eb) => ('id' in by ? eb('user_session.id', '=', by.id) : eb('token_hash', '=', by.tokenHash)))
    .where('expires_at', '>', now)
    .where('account_user.status', '=', 'active')
    .executeTakeFirst()
  return row === undefined ? null : { session: toSession(row), locale: row.locale as Locale, roles: row.roles }
}

/** @param network where it was used from; null: not known */
export async function touchSession(db: Db, id: string, now: Date, expiresAt: Date, network: string | null): Promise<void> {
  await db
    .updateTable('user_session')
    .set({ seen_at: now, expires_at: expiresAt, ...(network === null ? {} : { network }) })
    .where('id', '=', id)
    .where('seen_at', '<', now)
    .execute()
}

export async function listSessions(db: Db | Tx, userId: string, now: Date): Promise<SessionRow[]> {
  const rows = await db
    .selectFrom('user_session')
    .select(columns)
    .where('user_id', '=', userId)
    .where('expires_at', '>', now)
    .orderBy('seen_at', 'desc')
    .orderBy('id')
    .execute()
  return rows.map(toSession)
}

export async function markProven(db: Db | Tx, sessionId: string, now: Date): Promise<void> {
  await db.updateTable('user_session').set({ proven_at: now }).where('id', '=', sessionId).execute()
}

/** @returns null once it has ended */
export async function findSessionById(db: Db | Tx, id: string, userId: string): Promise<SessionRow | null> {
  const row = await db
    .selectFrom('user_session')
    .select(columns)
    .where('id', '=', id)
    .where('user_id', '=', userId)
    .executeTakeFirst()
  return row === undefined ? null : toSession(row)
}

export async function markSecondFactor(tx: Tx, sessionId: string): Promise<void> {
  await tx.updateTable('user_session').set({ second_factor: true }).where('id', '=', sessionId).execute()
}

/** @returns how many ended */
export async function deleteSessions(
  db: Db | Tx,
  userId: string,
  which: { readonly only?: string; readonly except?: string } = {},
): Promise<number> {
  let found = db.deleteFrom('user_session').where('user_id', '=', userId)
  if (which.only !== undefined) found = found.where('id', '=', which.only)
  if (which.except !== undefined) found = found.where('id', '!=', which.except)
  return Number((await found.executeTakeFirst()).numDeletedRows)
}

export async function deleteExpiredSessions(db: Db, now: Date): Promise<number> {
  return Number((await db.deleteFrom('user_session').where('expires_at', '<=', now).executeTakeFirst()).numDeletedRows)
}

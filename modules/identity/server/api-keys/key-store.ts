/** The SQL of API keys. Every function takes the database or the transaction first. */
import { sql, type Selectable } from 'kysely'
import type { Database } from '../../../../db/schema.d.ts'
import { apiScopes, type ApiScope } from '../../../../kernel/actor.ts'
import type { Locale } from '../../../../kernel/locale.ts'
import type { Db, Tx } from '../../../../platform/db/database.ts'

export type ApiKeyRow = {
  readonly id: string
  readonly userId: string
  readonly name: string
  readonly hint: string
  readonly scopes: readonly ApiScope[]
  readonly perMinute: number
  readonly createdAt: Date
  readonly expiresAt: Date
  /** `2026-11-21`, and the block of addresses. */
  readonly lastUsed: { readonly on: string; readonly network: string } | null
}

const columns = [
  'api_key.id',
  'api_key.user_id',
  'api_key.name',
  'api_key.hint',
  'api_key.scopes',
  'api_key.per_minute',
  'api_key.created_at',
  'api_key.expires_at',
  'api_key.last_used_on',
  'api_key.last_network',
] as const

type Row = Omit<Selectable<Database['api_key']>, 'token_hash' | 'told_week_at' | 'told_day_at'>

function toRow(row: Row): ApiKeyRow {
  return {
    id: row.id,
    userId: row.user_id,
    name: row.name,
    hint: row.hint,
    scopes: apiScopes.filter((scope) => row.scopes.includes(scope)),
    perMinute: row.per_minute,
    createdAt: row.created_at,
    expiresAt: row.expires_at,
    lastUsed: row.last_used_on === null || row.last_network === null ? null : { on: row.last_used_on, network: row.last_network },
  }
}

export async function insertApiKey(tx: Tx, key: Omit<ApiKeyRow, 'lastUsed'> & { readonly tokenHash: Buffer }): Promise<void> {
  await tx
    .insertInto('api_key')
    .values({
      id: key.id,
      user_id: key.userId,
      name: key.name,
      token_hash: key.tokenHash,
      hint: key.hint,
      scopes: [...key.scopes],
      per_minute: key.perMinute,
      created_at: key.createdAt,
      expires_at: key.expiresAt,
    })
    .execute()
}

/** Newest first. */
export async function listApiKeys(db: Db | Tx, userId: string): Promise<ApiKeyRow[]> {
  const rows = await db
    .selectFrom('api_key')
    .select(columns)
    .where('user_id', '=', userId)
    .orderBy('created_at', 'desc')
    .orderBy('id')
    .execute()
  return rows.map(toRow)
}

/** The key in force of somebody whose account is open. */
export async function findApiKey(
  db: Db | Tx,
  tokenHash: Buffer,
  now: Date,
): Promise<{ readonly key: ApiKeyRow; readonly locale: Locale } | null> {
  const row = await db
    .selectFrom('api_key')
    .innerJoin('account_user', 'account_user.id', 'api_key.user_id')
    .select([...columns, 'account_user.locale'])
    .where('token_hash', '=', tokenHash)
    .where('expires_at', '>', now)
    .where('account_user.status', '=', 'active')
    .executeTakeFirst()
  return row === undefined ? null : { key: toRow(row), locale: row.locale as Locale }
}

/**
 * Counts a call at a pace of so many a minute, of which as many may come at once (generic cell rate algorithm, ITU-T I.371), for every process
 * that asks this database.
 * @returns null when it is within the pace, else in how many seconds one is
 */
export async function takeCall(db: Db, key: Pick<ApiKeyRow, 'id' | 'perMinute'>, now: Date): Promise<number | null> {
  const each = 60_000 / key.perMinute
  const freeBy = sql<Date>`greatest(api_key_pace.free_at, ${now}::timestamptz) + ${each}::float8 * interval '1 millisecond'`
  const taken = await db
    .insertInto('api_key_pace')
    .values({ key_id: key.id, free_at: new Date(now.getTime() + each) })
    .onConflict((conflict) =>
      conflict
        .column('key_id')
        .doUpdateSet({ free_at: freeBy })
        .where(sql<boolean>`${freeBy} <= ${now}::timestamptz + interval '1 minute'`),
    )
    .returning('key_id')
    .executeTakeFirst()
  if (taken !== undefined) return null
  const pace = await db.selectFrom('api_key_pace').select('free_at').where('key_id', '=', key.id).executeTakeFirst()
  const waitMs = (pace?.free_at.getTime() ?? 0) + each - 60_000 - now.getTime()
  return Math.max(1, Math.ceil(waitMs / 1000))
}

export async function noteUse(db: Db, id: string, used: { readonly on: string; readonly network: string }): Promise<void> {
  await db.updateTable('api_key').set({ last_used_on: used.on, last_network: used.network }).where('id', '=', id).execute()
}

/** @returns whether it was there, and his */
export async function deleteApiKey(tx: Tx, id: string, userId: string): Promise<boolean> {
  const deleted = await tx.deleteFrom('api_key').where('id', '=', id).where('user_id', '=', userId).executeTakeFirst()
  return deleted.numDeletedRows > 0n
}

/** Of that user, in force. */
export async function findKeyInForce(db: Db | Tx, id: string, userId: string, now: Date): Promise<ApiKeyRow | null> {
  const key = await findOwnApiKey(db, id, userId)
  return key !== null && key.expiresAt > now ? key : null
}

/** Null: it was revoked, or is another's. */
export async function findOwnApiKey(db: Db | Tx, id: string, userId: string): Promise<ApiKeyRow | null> {
  const row = await db.selectFrom('api_key').select(columns).where('id', '=', id).where('user_id', '=', userId).executeTakeFirst()
  return row === undefined ? null : toRow(row)
}

/**
 * Keys that end within that time, that were made for longer, and of whose end, as near as that, nobody was told; they count as told of from
 * now on. Those of accounts that are not open, which open nothing, are left out.
 */
export async function takeEndingKeys(
  tx: Tx,
  { now, withinMs, last }: { readonly now: Date; readonly withinMs: number; readonly last: boolean },
  limit: number,
): Promise<{ readonly id: string; readonly userId: string }[]> {
  const within = sql`make_interval(secs => ${withinMs / 1000})`
  const { rows } = await sql<{ id: string; userId: string }>`
    update api_key set told_week_at = coalesce(told_week_at, ${now}::timestamptz),
      told_day_at = case when ${last}::boolean then ${now}::timestamptz end
    where id in (
      select k.id from api_key k join account_user u on u.id = k.user_id
      where k.told_day_at is null and (${last}::boolean or k.told_week_at is null) and u.status = 'active'
        and k.expires_at > ${now}::timestamptz and k.expires_at <= ${now}::timestamptz + ${within}
        and k.created_at < k.expires_at - ${within}
      order by k.expires_at limit ${limit} for update of k skip locked)
    returning id, user_id as "userId"`.execute(tx)
  return rows
}

export async function deleteKeysExpiredBefore(db: Db, before: Date): Promise<number> {
  return Number((await db.deleteFrom('api_key').where('expires_at', '<=', before).executeTakeFirst()).numDeletedRows)
}

/** The SQL of machines that join, are drained and removed. Every instant is the database's own clock; every function takes the database or transaction first. */
import { sql } from 'kysely'
import type { Db, Tx } from '../../../../platform/db/database.ts'
import type { CaptureServerIdentity } from '../../domain/servers/capture-server.ts'

const now = sql<Date>`clock_timestamp()`

export type Membership = { readonly isOutside: boolean; readonly isDrained: boolean; readonly publicKey: Buffer | null }

/** Until the transaction ends nobody else changes it; captures may be asked for meanwhile. */
export async function holdMembership(tx: Tx, serverId: string): Promise<Membership | null> {
  const row = await tx
    .selectFrom('capture_server')
    .select(['outside_since', 'drained_at', 'public_key'])
    .where('id', '=', serverId)
    .forNoKeyUpdate()
    .executeTakeFirst()
  if (row === undefined) return null
  return { isOutside: row.outside_since !== null, isDrained: row.drained_at !== null, publicKey: row.public_key }
}

export async function setDrained(tx: Tx, serverId: string, isDrained: boolean): Promise<void> {
  await tx
    .updateTable('capture_server')
    .set({ drained_at: isDrained ? now : null })
    .where('id', '=', serverId)
    .execute()
}

/** Whoever made captures there stays known; its processes count no more, and its group has it no more. */
export async function setOutside(tx: Tx, serverId: string): Promise<void> {
  await tx
    .updateTable('capture_server')
    .set({ outside_since: now, drained_at: null, owner_group: null, public_key: null })
    .where('id', '=', serverId)
    .execute()
  await tx
    .updateTable('evidence_vantage')
    .set({ lease_until: now })
    .where('server_id', '=', serverId)
    .where('lease_until', '>', now)
    .execute()
}

/** Makes it one of the installation, with the key that it is known by from now on. */
export async function admitServer(tx: Tx, server: CaptureServerIdentity, publicKey: Buffer): Promise<void> {
  const joined = { public_key: publicKey, outside_since: null, drained_at: null }
  await tx
    .insertInto('capture_server')
    .values({ ...server, ...joined })
    .onConflict((conflict) => conflict.column('id').doUpdateSet(joined))
    .execute()
}

export async function pinKey(tx: Tx, serverId: string, publicKey: Buffer): Promise<void> {
  await tx.updateTable('capture_server').set({ public_key: publicKey }).where('id', '=', serverId).execute()
}

/** Of two machines that ask at the same moment, one is the first. */
export async function isFirstServer(tx: Tx): Promise<boolean> {
  await sql`select pg_advisory_xact_lock(hashtext('capture_server'))`.execute(tx)
  const { rows } = await sql`select from capture_server where outside_since is null limit 1`.execute(tx)
  return rows.length === 0
}

/** Forgets those that nobody used in time. @returns until when it may be used */
export async function insertInvitation(tx: Tx, tokenHash: Buffer, seconds: number): Promise<Date> {
  await tx.deleteFrom('server_invitation').where('expires_at', '<=', now).execute()
  const row = await tx
    .insertInto('server_invitation')
    .values({ token_hash: tokenHash, expires_at: sql<Date>`clock_timestamp() + make_interval(secs => ${seconds})` })
    .returning('expires_at')
    .executeTakeFirstOrThrow()
  return row.expires_at
}

/** @returns false when there is no such invitation, it is over, or was used */
export async function spendInvitation(tx: Tx, tokenHash: Buffer): Promise<boolean> {
  const done = await tx
    .deleteFrom('server_invitation')
    .where('token_hash', '=', tokenHash)
    .where('expires_at', '>', now)
    .executeTakeFirst()
  return done.numDeletedRows === 1n
}

export type RoleProcess = {
  readonly id: string
  readonly roles: readonly string[]
  readonly host: string
  readonly version: string
  readonly serverId: string | null
  readonly loadPerCore: number | null
  readonly startedAt: Date
  readonly seenAt: Date
  readonly isAlive: boolean
}

/** Says that a process lives; its row is made where there is none, and those that are gone for a day are forgotten. */
export async function keepRoleProcess(
  db: Db,
  process: Pick<RoleProcess, 'id' | 'roles' | 'host' | 'version' | 'serverId' | 'loadPerCore'> & {
    readonly aliveSeconds: number
  },
): Promise<void> {
  const state = {
    load_per_core: process.loadPerCore,
    // A server that the database does not know yet is told at the next sign of life.
    server_id: sql<string | null>`(select id from capture_server where id = ${process.serverId})`,
    seen_at: now,
    alive_until: sql<Date>`clock_timestamp() + make_interval(secs => ${process.aliveSeconds})`,
  }
  await db
    .insertInto('role_process')
    .values({ id: process.id, roles: [...process.roles], host: process.host, version: process.version, ...state })
    .onConflict((conflict) => conflict.column('id').doUpdateSet(state))
    .execute()
  await db
    .deleteFrom('role_process')
    .where('alive_until', '<', sql<Date>`clock_timestamp() - interval '1 day'`)
    .execute()
}

export async function deleteRoleProcess(db: Db, id: string): Promise<void> {
  await db.deleteFrom('role_process').where('id', '=', id).execute()
}

export async function pageRoleProcesses(
  db: Db | Tx,
  { limit, offset }: { readonly limit: number; readonly offset: number },
): Promise<{ readonly count: number; readonly rows: RoleProcess[] }> {
  const { count } = await db
    .selectFrom('role_process')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  const rows = await db
    .selectFrom('role_process')
    .selectAll()
    .select(sql<boolean>`alive_until > clock_timestamp()`.as('is_alive'))
    .orderBy('roles')
    .orderBy('host')
    .orderBy('id')
    .limit(limit)
    .offset(offset)
    .execute()
  return {
    count,
    rows: rows.map((row) => ({
      id: row.id,
      roles: row.roles,
      host: row.host,
      version: row.version,
      serverId: row.server_id,
      loadPerCore: row.load_per_core,
      startedAt: row.started_at,
      seenAt: row.seen_at,
      isAlive: row.is_alive,
    })),
  }
}

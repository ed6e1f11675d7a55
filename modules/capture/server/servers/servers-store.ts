/** The SQL of capture servers. Every instant is the database's own clock; every function takes the database or transaction first. */
import { createHash } from 'node:crypto'
import { sql, type Selectable } from 'kysely'
import type { Database } from '../../../../db/schema.d.ts'
import type { Page } from '../../../../kernel/page.ts'
import type { Db, Tx } from '../../../../platform/db/database.ts'
import type {
  CaptureServerIdentity,
  CaptureServerKind,
  CaptureServerState,
  CaptureServerStatus,
} from '../../domain/servers/capture-server.ts'
import type { PreflightDifference } from '../../domain/servers/preflight.ts'

export type ProcessStatus = 'starting' | 'ready' | 'set_aside' | 'stopped'
export type ServerEventKind = 'registered' | 'pinned' | 'set_aside' | 'returned' | 'stopped'

const now = sql<Date>`clock_timestamp()`

/** The server as its operator describes it. @returns whether it is new @throws Error when one that is a group's would become everybody's */
export async function upsertServer(db: Db | Tx, server: CaptureServerIdentity): Promise<boolean> {
  const { id, name, country, city, kind } = server
  if (kind === 'public' && (await findServerState(db, id))?.ownerGroup != null)
    throw new Error(
      `${id} is dedicated to a group and cannot be made public: take it from the group first (probant server unassign ${id})`,
    )
  const row = await db
    .insertInto('capture_server')
    .values({ id, name, country, city, kind })
    .onConflict((conflict) => conflict.column('id').doUpdateSet({ name, country, city, kind }))
    .returning(sql<boolean>`xmax = 0`.as('inserted'))
    .executeTakeFirstOrThrow()
  return row.inserted
}

/** What the last preflight measured. */
export async function recordPreflight(
  db: Db | Tx,
  serverId: string,
  preflight: {
    readonly matched: boolean
    readonly manifestSha256: string | null
    readonly imageDigest: string
    readonly browser: string | null
    readonly publicAddress: string | null
    readonly network: { readonly asn: number | null; readonly name: string | null } | null
  },
): Promise<void> {
  await db
    .updateTable('capture_server')
    .set({
      preflight_at: now,
      preflight_matched: preflight.matched,
      manifest_sha256: preflight.manifestSha256,
      image_digest: preflight.imageDigest,
      browser: preflight.browser,
      public_address: preflight.publicAddress,
      asn: preflight.network?.asn ?? null,
      network_name: preflight.network?.name ?? null,
    })
    .where('id', '=', serverId)
    .execute()
}

/** Says that a process lives, and how it stands. Makes its row when it has none. */
export async function keepProcess(
  db: Db | Tx,
  process: {
    readonly owner: string
    readonly serverId: string
    readonly capacity: number
    readonly interactiveCapacity: number
    readonly status: ProcessStatus
    readonly differences: readonly PreflightDifference[] | null
    /** Without another word it counts as lost after so many seconds. */
    readonly aliveSeconds: number
  },
): Promise<void> {
  const state = {
    status: process.status,
    differences: process.differences === null ? null : JSON.stringify(process.differences),
    seen_at: now,
    alive_until: sql<Date>`clock_timestamp() + make_interval(secs => ${process.aliveSeconds})`,
  }
  await db
    .insertInto('capture_process')
    .values({
      owner: process.owner,
      server_id: process.serverId,
      capacity: process.capacity,
      interactive_capacity: process.interactiveCapacity,
      ...state,
    })
    .onConflict((conflict) =>
      conflict.column('owner').doUpdateSet({
        ...state,
        status_changed_at: sql<Date>`case when capture_process.status = excluded.status then capture_process.status_changed_at else clock_timestamp() end`,
      }),
    )
    .execute()
}

/** The installation's own servers that give signs of life, and those of them that take captures. */
export async function countServers(db: Db): Promise<{ readonly alive: number; readonly ready: number }> {
  return await db
    .selectFrom('capture_process')
    .innerJoin('capture_server', 'capture_server.id', 'capture_process.server_id')
    .select([
      sql<number>`count(distinct server_id)::int`.as('alive'),
      sql<number>`count(distinct server_id) filter (where status = 'ready')::int`.as('ready'),
    ])
    .where('alive_until', '>', now)
    .where('kind', '=', 'public')
    .where('drained_at', 'is', null)
    .where('outside_since', 'is', null)
    .executeTakeFirstOrThrow()
}

/** Only the sign of life: nobody is told. @returns false when the row is gone */
export async function beat(db: Db | Tx, owner: string, aliveSeconds: number): Promise<boolean> {
  const done = await db
    .updateTable('capture_process')
    .set({ seen_at: now, alive_until: sql<Date>`clock_timestamp() + make_interval(secs => ${aliveSeconds})` })
    .where('owner', '=', owner)
    .executeTakeFirst()
  return done.numUpdatedRows === 1n
}

/** Forgets processes of a server that have been gone for a day, and its events of more than a year ago. */
export async function removeOldTraces(db: Db | Tx, serverId: string): Promise<void> {
  await db
    .deleteFrom('capture_server_event')
    .where('server_id', '=', serverId)
    .where('at', '<', sql<Date>`clock_timestamp() - interval '1 year'`)
    .execute()
  await db
    .deleteFrom('capture_process')
    .where('server_id', '=', serverId)
    .where('alive_until', '<', sql<Date>`clock_timestamp() - interval '1 day'`)
    .execute()
}

export async function insertServerEvent(
  db: Db | Tx,
  event: {
    readonly serverId: string
    readonly kind: ServerEventKind
    readonly evidenceId?: string | null
    readonly manifestSha256?: string | null
    readonly differences?: readonly PreflightDifference[]
  },
): Promise<void> {
  await db
    .insertInto('capture_server_event')
    .values({
      server_id: event.serverId,
      kind: event.kind,
      evidence_id: event.evidenceId ?? null,
      manifest_sha256: event.manifestSha256 ?? null,
      differences: JSON.stringify(event.differences ?? []),
    })
    .execute()
}

export type SetAside = { readonly serverId: string; readonly at: Date; readonly differences: readonly PreflightDifference[] }

/** Servers set aside for an evidence: found to differ when they took it up, or while it waited for that very one. Oldest first. */
export async function listSetAside(db: Db | Tx, evidenceId: string): Promise<SetAside[]> {
  const rows = await db
    .selectFrom('capture_server_event as event')
    .innerJoin('evidence', (join) => join.on('evidence.id', '=', evidenceId))
    .select(['event.server_id', 'event.at', 'event.differences'])
    .where('event.kind', '=', 'set_aside')
    .where((eb) =>
      eb.or([
        eb('event.evidence_id', '=', evidenceId),
        eb.and([
          eb('event.server_id', '=', eb.ref('evidence.asked_server')),
          eb('event.at', '>=', eb.ref('evidence.created_at')),
        ]),
      ]),
    )
    .orderBy('event.id')
    .limit(100)
    .execute()
  return rows.map((row) => ({
    serverId: row.server_id,
    at: row.at,
    differences: row.differences as readonly PreflightDifference[],
  }))
}

/** Whether a server that took this evidence up was set aside and gave it back. */
export async function wasSetAsideFor(db: Db | Tx, evidenceId: string): Promise<boolean> {
  const row = await db
    .selectFrom('capture_server_event')
    .select('id')
    .where('evidence_id', '=', evidenceId)
    .where('kind', '=', 'set_aside')
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

function toState(row: Selectable<Database['capture_server_state']>): CaptureServerState {
  return {
    id: row.id as string,
    name: row.name as string,
    country: row.country,
    city: row.city,
    kind: row.kind as CaptureServerKind,
    ownerGroup: row.owner_group,
    status: row.status as CaptureServerStatus,
    differences: row.status === 'set_aside' ? (row.differences as readonly PreflightDifference[] | null) : null,
    running: row.running ?? 0,
    capacity: row.capacity ?? 0,
    interactive: { running: row.interactive_running ?? 0, capacity: row.interactive_capacity ?? 0 },
    imageDigest: row.image_digest,
    manifestSha256: row.manifest_sha256,
    browser: row.browser,
    publicAddress: row.public_address,
    network: (row.asn ?? row.network_name) === null ? null : { asn: row.asn, name: row.network_name },
    preflight: row.preflight_at === null ? null : { at: row.preflight_at, matched: row.preflight_matched === true },
    seenAt: row.seen_at,
    drainedAt: row.drained_at,
    keySha256: row.public_key === null ? null : createHash('sha256').update(row.public_key).digest('hex'),
    version: row.version,
  }
}

/** Every server, as it stands now. */
export async function listServerStates(db: Db | Tx): Promise<CaptureServerState[]> {
  const rows = await db.selectFrom('capture_server_state').selectAll().orderBy('id').execute()
  return rows.map(toState)
}

/** How each server stands, and no more: what is under way on it is not counted. */
export async function listServerStatuses(
  db: Db | Tx,
): Promise<{ readonly id: string; readonly kind: string; readonly status: string }[]> {
  const rows = await db.selectFrom('capture_server_state').select(['id', 'kind', 'status']).orderBy('id').execute()
  return rows.map(({ id, kind, status }) => ({ id: id as string, kind: kind as string, status: status as string }))
}

export async function findServerState(db: Db | Tx, id: string): Promise<CaptureServerState | null> {
  const row = await db.selectFrom('capture_server_state').selectAll().where('id', '=', id).executeTakeFirst()
  return row === undefined ? null : toState(row)
}

export type ServerListQuery = {
  readonly kind: CaptureServerKind | null
  readonly status: CaptureServerStatus | null
  readonly country: string | null
  readonly search: string | null
  readonly ordering: { readonly by: 'name' | 'country' | 'load'; readonly direction: 'asc' | 'desc' }
  readonly limit: number
  readonly offset: number
}

/**
 * Those that may be asked for, as `mayBeAskedFor` has it: the public ones, and those of the group that the account is in.
 * @param whose an account; null: nobody's; `all`: every server, to staff
 */
export async function pageServers(
  db: Db | Tx,
  query: ServerListQuery,
  whose: { readonly accountId: string | null } | 'all',
): Promise<Page<CaptureServerState>> {
  let found = db.selectFrom('capture_server_state')
  if (whose !== 'all')
    found = found.where((eb) =>
      eb.or([
        eb('kind', '=', 'public'),
        sql<boolean>`owner_group = (select m.group_id from group_member m where m.user_id = ${whose.accountId}::uuid)`,
      ]),
    )
  if (query.kind !== null) found = found.where('kind', '=', query.kind)
  if (query.status !== null) found = found.where('status', '=', query.status)
  if (query.country !== null) found = found.where('country', '=', query.country)
  if (query.search !== null) {
    const pattern = `%${query.search.replaceAll(/[\\%_]/g, (special) => `\\${special}`)}%`
    found = found.where((eb) => eb.or([eb('name', 'ilike', pattern), eb('city', 'ilike', pattern)]))
  }
  const { count } = await found.select((eb) => eb.fn.countAll<number>().as('count')).executeTakeFirstOrThrow()
  const { by, direction } = query.ordering
  const column = by === 'load' ? sql<number>`running::double precision / nullif(capacity, 0)` : sql.ref(by)
  const rows = await found
    .selectAll()
    .orderBy(column, (order) => (direction === 'asc' ? order.asc() : order.desc()).nullsLast())
    .orderBy('id')
    .limit(query.limit)
    .offset(query.offset)
    .execute()
  return { count, rows: rows.map(toState) }
}

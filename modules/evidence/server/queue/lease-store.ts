/**
 * The lease of a capture: who holds an evidence while it is captured, and the fence that shuts out whoever held it before.
 * Every instant here is the database's own clock.
 */
import { DatabaseError } from 'pg'
import { sql, type RawBuilder, type SqlBool } from 'kysely'
import type { CaptureFacts, CaptureProgress } from '../../../capture/server/index.ts'
import type { Db, Tx } from '../../../../platform/db/database.ts'
import type { CaptureAction } from '../../domain/action.ts'
import { accountsBeforeStranger, type Lane } from '../../domain/queue-order.ts'
import { accountsInARow, lastWasNamed } from './queue-store.ts'
import { toRecord, type EvidenceRecord, type FailureRecord } from '../record/store.ts'

/** Who claims: a process, and the capture server that it is part of. */
export type Claimer = {
  readonly owner: string
  readonly server: { readonly id: string; readonly kind: 'public' | 'dedicated' }
  /** Absent: a host is visited as often as it is asked for. */
  readonly perTarget?: TargetLimits
}

/** How often the robot visits one host, from all servers together, so that nobody uses us against it; 0: any number. */
export type TargetLimits = { readonly atOnce: number; readonly perMinute: number }

const anyNumber: TargetLimits = { atOnce: 0, perMinute: 0 }

/** A capture without a wish waits so long for a server that suits it better and is free; then any takes it. Seconds. */
const patienceSeconds = 2

/**
 * Takes the waiting evidence of that kind that is next for this server (decisions 0101, 0335), or null: one that asked for it and may have it
 * (decision 0338), or, when the server is public, one that asked for none, unless a server of its asker's country is free, or a less busy one
 * that is as near (decision 0101). Growing the fence shuts out whoever held it before. Each look reads one index, and no line is looked at once
 * one before it has given something.
 */
export async function claimNext(
  db: Db,
  claimer: Claimer,
  leaseSeconds: number,
  action: CaptureAction = 'static',
): Promise<EvidenceRecord | null> {
  for (;;) {
    try {
      return await claimOnce(db, claimer, leaseSeconds, action)
    } catch (error) {
      // Another process has taken the last place of its host in the same instant.
      if (!(error instanceof DatabaseError) || error.constraint !== 'evidence_target_slot') throw error
    }
  }
}

async function claimOnce(db: Db, claimer: Claimer, leaseSeconds: number, action: CaptureAction): Promise<EvidenceRecord | null> {
  const { atOnce, perMinute } = action === 'static' && claimer.perTarget !== undefined ? claimer.perTarget : anyNumber
  const row = await db
    .with(
      (cte) => cte('around').materialized(),
      () => serversAround(claimer.server, action),
    )
    .updateTable('evidence')
    .set((eb) => ({
      status: 'preparing',
      status_changed_at: sql<Date>`clock_timestamp()`,
      begun_at: sql<Date>`clock_timestamp()`,
      lease_owner: claimer.owner,
      lease_until: sql<Date>`clock_timestamp() + make_interval(secs => ${leaseSeconds})`,
      fence: eb('fence', '+', 1),
      attempts: eb('attempts', '+', 1),
      server_id: claimer.server.id,
      target_slot:
        atOnce === 0
          ? null
          : sql<number>`(select min(n) from generate_series(1, ${atOnce}) n where not exists (
              select from evidence t where t.target_host = evidence.target_host and t.target_slot = n))`,
      progress: sinceItsPhaseBegan({ phase: 'pending', step: 'preflight' }),
    }))
    .where('id', '=', nextFor(claimer.server, action, { atOnce, perMinute }))
    .where(takesAnything(claimer.server))
    .returningAll()
    .executeTakeFirst()
  return row === undefined ? null : toRecord(row)
}

/** Neither drained nor outside of the installation (decision 0470). */
export const takesAnything = ({ id }: Claimer['server']): RawBuilder<SqlBool> =>
  sql<SqlBool>`exists (select from capture_server s where s.id = ${id} and s.drained_at is null and s.outside_since is null)`

type ServersAround = {
  readonly owner_group: string | null
  readonly country: string | null
  readonly free_in: readonly string[]
  readonly freer_in: readonly string[]
  readonly freer: boolean
}

/**
 * This server among the public ones that are ready, worked out once a claim, and only when something waits: whose it is, where it stands, in which
 * countries others have room (`free_in`), in which less busy ones do (`freer_in`), and whether there is any of these (`freer`).
 */
function serversAround({ id }: Claimer['server'], action: CaptureAction): RawBuilder<ServersAround> {
  // Each kind has its own room; a server that has none of it is never free.
  const capacity = action === 'static' ? sql`p.capacity` : sql`p.interactive_capacity`
  // As `capture_server_state` has it, but each table is read once, and nothing is joined: a thousand servers take 2 ms, whatever is expected of the tables.
  return sql<ServersAround>`(
    with known as materialized (
      select t.id = ${id} as is_own, max(t.country) as country, bool_or(t.takes) as takes,
        sum(t.running)::double precision / nullif(sum(t.capacity), 0) as load
      from (
        select s.id, s.country, s.kind = 'public' and s.drained_at is null and s.outside_since is null as takes, 0 as running, 0 as capacity
        from capture_server s
        union all
        select p.server_id, null, false, 0, ${capacity} from capture_process p
        where p.status = 'ready' and p.alive_until > clock_timestamp()
        union all
        select e.server_id, null, false, 1, 0 from evidence e
        where e.action = ${action} and e.lease_until > clock_timestamp() and e.server_id is not null) t
      group by t.id),
    free as materialized (
      select country, load < coalesce((select load from known where is_own), 1) as is_freer
      from known where not is_own and takes and load < 1)
    select own.owner_group, own.country,
      array(select distinct country from free where country is not null) as free_in,
      array(select distinct country from free where is_freer and country is not null) as freer_in,
      exists (select from free where is_freer) as freer
    from capture_server own where own.id = ${id} and own.outside_since is null)`
}

/** What is asked for of each line of `linesInOrder`, each only when those before it gave nothing. */
function nextFor(
  { id, kind }: Claimer['server'],
  action: CaptureAction,
  { atOnce, perMinute }: TargetLimits,
): RawBuilder<string> {
  const server = sql<string>`${id}::text`
  // Of the asker's country before all others; there, or where no server of it has room, the less busy.
  const isLeftToAnother = sql`(
    select case
      when evidence.asker_country = around.country then evidence.asker_country = any(around.freer_in)
      when evidence.asker_country = any(around.free_in) then true
      else around.freer end
    from around)`
  const mayNameIt = kind === 'public' ? sql`` : sql`and group_id = (select owner_group from around)`
  const mayBeVisited = sql`target_host <> all (array(
      select t.target_host from evidence t where ${atOnce} > 0 and t.target_slot is not null
      group by t.target_host having count(*) >= ${atOnce}
      union all
      select b.target_host from evidence b
      where ${perMinute} > 0 and b.action = 'static' and b.begun_at > clock_timestamp() - interval '1 minute'
      group by b.target_host having count(*) >= ${perMinute}))`
  const firstOf = (lane: Lane, named: boolean) => sql`(
    select id from evidence where status = 'queued' and action = ${action} and lane = ${lane}
      and coalesce(asked_server, '') = ${named ? id : ''}
      ${action === 'static' && atOnce + perMinute > 0 ? sql`and ${mayBeVisited}` : sql``}
      ${
        named
          ? mayNameIt
          : sql`and ${kind === 'public'}::boolean
              and (queued_at <= clock_timestamp() - make_interval(secs => ${patienceSeconds}) or not ${isLeftToAnother})`
      }
      -- the second vantage of an evidence is for another server than its first
      and not exists (select 1 from evidence_vantage v where v.evidence_id = evidence.id and v.asked_server = ${server})
    order by turn, created_at, id limit 1 for update skip locked)`
  // Of two, the first one or the other, then what is left: no more is written down, or looked at, than that.
  const inTurn = (isFirst: RawBuilder<unknown>, first: RawBuilder<unknown>, other: RawBuilder<unknown>) =>
    sql`coalesce(case when ${isFirst} then ${first} end, ${other}, case when not ${isFirst} then ${first} end)`
  const ofLane = (lane: Lane) => inTurn(sql`not ${lastWasNamed(action, lane, server)}`, firstOf(lane, true), firstOf(lane, false))
  const isStrangerNext = sql`${accountsInARow(action, server)} >= ${accountsBeforeStranger}`
  return sql<string>`(${inTurn(isStrangerNext, ofLane('stranger'), ofLane('account'))})`
}

/**
 * Whether this fence still holds the evidence. A live session, which nobody could begin again, stays its holder's also late, as long
 * as nobody has declared it lost: the database may have been away longer than a lease, or the last renewal have been held up. Who
 * declares it lost takes the lease away in the one statement that looks at it, and each fence is given once: of two who change the
 * row at the same moment the second finds nothing.
 */
const holds = (id: string, fence: number): RawBuilder<SqlBool> =>
  sql<SqlBool>`id = ${id} and fence = ${fence} and lease_until is not null and (lease_until > clock_timestamp() or action = 'interactive')`

/**
 * @returns false when the lease is no longer this holder's: the capture must stop.
 */
export async function renewLease(db: Db, id: string, fence: number, leaseSeconds: number): Promise<boolean> {
  const done = await db
    .updateTable('evidence')
    .set({ lease_until: sql<Date>`clock_timestamp() + make_interval(secs => ${leaseSeconds})` })
    .where(holds(id, fence))
    .executeTakeFirst()
  return done.numUpdatedRows === 1n
}

/** A phase goes on through the steps of it that are told. What the witness calls finished is still being completed for whoever waits. */
const sinceItsPhaseBegan = (progress: CaptureProgress) => sql<string>`
  ${JSON.stringify(progress)}::jsonb || jsonb_build_object('since', case
    when progress ->> 'phase' = any(${phasesShownAs(progress.phase)}::text[]) then progress ->> 'since'
    else to_char(clock_timestamp() at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') end)`
const phasesShownAs = (phase: CaptureProgress['phase']): string[] =>
  phase === 'finished' || phase === 'completing' ? ['completing', 'finished'] : [phase]

export async function recordProgress(db: Db, id: string, fence: number, progress: CaptureProgress): Promise<boolean> {
  const capturing = progress.phase === 'capturing' || progress.phase === 'completing'
  const done = await db
    .updateTable('evidence')
    .set({
      progress: sinceItsPhaseBegan(progress),
      ...(capturing
        ? {
            status: sql<string>`case when status = 'preparing' then 'capturing' else status end`,
            status_changed_at: sql<Date>`case when status = 'preparing' then clock_timestamp() else status_changed_at end`,
          }
        : {}),
    })
    .where(holds(id, fence))
    .executeTakeFirst()
  return done.numUpdatedRows === 1n
}

/** Ends the lease with a result. @returns false when the fence is stale: then nothing was changed. */
export async function closeCapture(
  tx: Tx,
  id: string,
  fence: number,
  result: { status: 'completing'; facts: CaptureFacts } | { status: 'failed'; failure: FailureRecord; expiresAt: Date },
): Promise<boolean> {
  const done = await tx
    .updateTable('evidence')
    .set({
      status: result.status,
      status_changed_at: sql<Date>`clock_timestamp()`,
      lease_owner: null,
      lease_until: null,
      ...(result.status === 'completing'
        ? { facts: JSON.stringify(result.facts), captured_at: result.facts.started_at }
        : { failure: JSON.stringify(result.failure), expires_at: result.expiresAt }),
    })
    .where(holds(id, fence))
    .where('status', 'in', ['preparing', 'capturing'])
    .executeTakeFirst()
  return done.numUpdatedRows === 1n
}

/** Ends a capture that nobody wants any more, whoever holds it; the caller holds the row. */
export async function failUnfinished(tx: Tx, id: string, failure: FailureRecord): Promise<void> {
  await tx
    .updateTable('evidence')
    .set({
      status: 'failed',
      status_changed_at: sql<Date>`clock_timestamp()`,
      lease_owner: null,
      lease_until: null,
      progress: null,
      failure: JSON.stringify(failure),
    })
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
}

/**
 * Gives the evidence back to the queue, for another try.
 * @param counts whether this try is one of those that an evidence has: not when the server stopped in order or was set aside
 * @returns false when the fence is stale, or a session is already the visitor's: that cannot be begun again.
 */
export async function requeueCapture(db: Db, id: string, fence: number, counts: boolean): Promise<boolean> {
  const done = await db
    .updateTable('evidence')
    .set({
      status: 'queued',
      status_changed_at: sql<Date>`clock_timestamp()`,
      lease_owner: null,
      lease_until: null,
      progress: null,
      ...(counts ? {} : { attempts: sql<number>`greatest(attempts - 1, 0)` }),
    })
    .where('id', '=', id)
    .where('fence', '=', fence)
    .where((eb) => eb.or([eb('status', '=', 'preparing'), eb.and([eb('status', '=', 'capturing'), eb('action', '=', 'static')])]))
    .executeTakeFirst()
  return done.numUpdatedRows === 1n
}

/**
 * Evidences that have waited `seconds` while no server that may take them was ready: they fail with the code `no_server`
 * (decision 0101). Counted from when they began to wait, or from when the last such server was ready, whichever is later.
 * @returns their ids
 */
export async function failUnserved(db: Db, seconds: number): Promise<string[]> {
  const rows = await sql<{ id: string }>`
    update evidence e set status = 'failed', status_changed_at = clock_timestamp(), progress = null,
      failure = jsonb_build_object('code', 'no_server', 'data', jsonb_build_object('server', coalesce(e.asked_server, ''))),
      expires_at = clock_timestamp() + interval '24 hours'
    where e.id in (
      select w.id from evidence w
      where w.status = 'queued' and w.queued_at <= clock_timestamp() - make_interval(secs => ${seconds})
        and not exists (
          select 1 from capture_process p join capture_server s on s.id = p.server_id
          where case when w.asked_server is null then s.kind = 'public' else s.id = w.asked_server end
            and (w.action = 'static' or p.interactive_capacity > 0)
            and s.outside_since is null
            and (s.drained_at is null or s.drained_at > clock_timestamp() - make_interval(secs => ${seconds}))
            and case p.status
              when 'ready' then p.alive_until > clock_timestamp() - make_interval(secs => ${seconds})
              when 'starting' then false
              else p.status_changed_at > clock_timestamp() - make_interval(secs => ${seconds})
            end)
      for update skip locked)
    returning e.id`.execute(db)
  return rows.rows.map((row) => row.id)
}

/**
 * Evidences that wait for a dedicated server by name and may not: it is nobody's, or of a group that they are not of (decision 0338). They fail with
 * the code `server_withdrawn`. What is under way goes on: it was taken while it might be.
 * @param serverId of that server alone
 * @returns their ids
 */
export async function failWithdrawn(db: Db | Tx, serverId: string | null = null): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    update evidence e set status = 'failed', status_changed_at = clock_timestamp(), progress = null,
      failure = jsonb_build_object('code', 'server_withdrawn', 'data', jsonb_build_object('server', e.asked_server)),
      expires_at = clock_timestamp() + interval '24 hours'
    where e.id in (
      select w.id from evidence w join capture_server s on s.id = w.asked_server
      where w.status = 'queued' and s.kind = 'dedicated' and (s.owner_group is null or w.group_id is distinct from s.owner_group)
        and (${serverId}::text is null or s.id = ${serverId})
      for update of w skip locked)
    returning e.id`.execute(db)
  return rows.map((row) => row.id)
}

/**
 * Takes everything from a server that is removed (decision 0470): captures go back to the queue, and that try counts for nothing; a session that a visitor
 * had begun to use is lost; what waits for that server by name ends with `no_server`. Whoever still works there finds its writes refused.
 */
export async function releaseServer(
  tx: Tx,
  serverId: string,
): Promise<{ readonly requeued: readonly string[]; readonly lost: readonly string[]; readonly ended: readonly string[] }> {
  const { rows } = await sql<{ id: string; status: string; code: string | null }>`
    update evidence e set status = case when again then 'queued' else 'failed' end, status_changed_at = clock_timestamp(),
      lease_owner = null, lease_until = null, progress = null,
      attempts = case when again then greatest(attempts - 1, 0) else attempts end,
      failure = case when again then null
        when waits then jsonb_build_object('code', 'no_server', 'data', jsonb_build_object('server', e.asked_server))
        else jsonb_build_object('code', 'session_lost', 'data', '{}'::jsonb) end,
      expires_at = case when again then null else clock_timestamp() + interval '24 hours' end
    from (
      select w.id, w.status = 'queued' or coalesce(w.asked_server, '') = ${serverId} and not (w.action = 'interactive' and w.status = 'capturing') as waits,
        coalesce(w.asked_server, '') <> ${serverId} and not (w.action = 'interactive' and w.status = 'capturing') as again
      from evidence w
      where w.status = 'queued' and w.asked_server = ${serverId}
        or w.server_id = ${serverId} and w.lease_until is not null and w.status in ('preparing', 'capturing')
      for update) held
    where held.id = e.id
    returning e.id, e.status, e.failure ->> 'code' as code`.execute(tx)
  const idsOf = (code: string | null) => rows.filter((row) => row.code === code).map(({ id }) => id)
  return { requeued: idsOf(null), lost: idsOf('session_lost'), ended: idsOf('no_server') }
}

/** What waits that a server may take, as far as a glance tells: nothing of a kind means that a claim of it would find nothing. */
export type WaitingWork = { readonly static: boolean; readonly interactive: boolean; readonly second: boolean }

/** The glance before a claim, which is a tenth of its price: most looks of a fleet find nothing. */
export async function findWaiting(db: Db, { server: { id, kind } }: Claimer): Promise<WaitingWork> {
  const of = (action: CaptureAction) => sql<boolean>`exists (select from evidence where status = 'queued' and action = ${action}
    and lane in ('account', 'stranger') and coalesce(asked_server, '') in (${sql.join(kind === 'public' ? [id, ''] : [id])}))`
  const { rows } = await sql<WaitingWork>`select ${of('static')} as static, ${of('interactive')} as interactive,
    exists (select from evidence_vantage where status = 'waiting') as second`.execute(db)
  return rows[0] ?? { static: false, interactive: false, second: false }
}

/** Processes that take captures, each of which looks for what is asked for. */
export async function countTakers(db: Db): Promise<number> {
  const { count } = await db
    .selectFrom('capture_process')
    .select(sql<number>`count(*)::integer`.as('count'))
    .where('status', '=', 'ready')
    .where('alive_until', '>', sql<Date>`clock_timestamp()`)
    .executeTakeFirstOrThrow()
  return count
}

/**
 * Leases that ran out: their capture process is gone or cut off. The evidence goes back to the queue, or fails when it has
 * been begun too often, or when it was a session that a visitor had begun to use. @returns the ids put back, and those of
 * either failure.
 */
export async function releaseExpiredLeases(
  db: Db,
  maxAttempts: number,
): Promise<{ requeued: string[]; exhausted: string[]; lost: string[] }> {
  const lost = sql<boolean>`(action = 'interactive' and status = 'capturing')`
  const again = sql<boolean>`(attempts < ${maxAttempts} and not ${lost})`
  const rows = await db
    .updateTable('evidence')
    .set({
      status: sql<string>`case when ${again} then 'queued' else 'failed' end`,
      status_changed_at: sql<Date>`clock_timestamp()`,
      lease_owner: null,
      lease_until: null,
      progress: null,
      failure: sql`case when ${again} then null
        else jsonb_build_object('code', case when ${lost} then 'session_lost' else 'internal' end, 'data', '{}'::jsonb) end`,
      expires_at: sql<Date | null>`case when ${again} then null else clock_timestamp() + interval '24 hours' end`,
    })
    .where('id', 'in', (eb) =>
      eb
        .selectFrom('evidence')
        .select('id')
        .where('lease_until', '<=', sql<Date>`clock_timestamp()`)
        .where('status', 'in', ['preparing', 'capturing'])
        .forUpdate()
        .skipLocked(),
    )
    .returning(['id', 'status', sql<string | null>`failure ->> 'code'`.as('code')])
    .execute()
  const idsOf = (code: string | null) => rows.filter((row) => row.code === code).map((row) => row.id)
  return { requeued: idsOf(null), exhausted: idsOf('internal'), lost: idsOf('session_lost') }
}

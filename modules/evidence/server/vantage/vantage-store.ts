/**
 * The second vantage of an evidence: who makes it, when both set out, what it brought. Every instant is the database's own
 * clock; the fence shuts out whoever held it before.
 */
import { sql } from 'kysely'
import type { CaptureFacts } from '../../../capture/server/index.ts'
import type { Db, Tx } from '../../../../platform/db/database.ts'
import type { FileRecord } from '../files/file-store.ts'
import { takesAnything, type Claimer } from '../queue/lease-store.ts'
import { toRecord, type EvidenceRecord } from '../record/store.ts'

export type VantageStatus = 'waiting' | 'capturing' | 'captured' | 'failed'

export type VantageRecord = {
  readonly evidenceId: string
  /** Id of the server that was asked for; null: any public one but the first. */
  readonly askedServer: string | null
  readonly serverId: string | null
  readonly serverName: string | null
  readonly serverCountry: string | null
  readonly status: VantageStatus
  /** Its holder has not given a sign of life in time. */
  readonly lost: boolean
  readonly firstReadyAt: Date | null
  readonly secondReadyAt: Date | null
  readonly firstLeftAt: Date | null
  readonly secondLeftAt: Date | null
  readonly failure: string | null
  readonly facts: CaptureFacts | null
  readonly files: readonly FileRecord[] | null
}

/** An evidence whose second vantage this process makes. */
export type VantageClaim = { readonly evidence: EvidenceRecord; readonly fence: number }

const now = sql<Date>`clock_timestamp()`
const leaseFor = (seconds: number) => sql<Date>`clock_timestamp() + make_interval(secs => ${seconds})`

export async function insertVantage(tx: Tx, evidenceId: string, askedServer: string | null): Promise<void> {
  await tx.insertInto('evidence_vantage').values({ evidence_id: evidenceId, asked_server: askedServer }).execute()
}

export async function findVantage(db: Db | Tx, evidenceId: string): Promise<VantageRecord | null> {
  const row = await db
    .selectFrom('evidence_vantage as v')
    .leftJoin('capture_server as s', 's.id', 'v.server_id')
    .selectAll('v')
    .select(['s.name', 's.country', sql<boolean | null>`v.lease_until <= clock_timestamp()`.as('lost')])
    .where('v.evidence_id', '=', evidenceId)
    .executeTakeFirst()
  if (row === undefined) return null
  return {
    evidenceId: row.evidence_id,
    askedServer: row.asked_server,
    serverId: row.server_id,
    serverName: row.name,
    serverCountry: row.country,
    status: row.status as VantageStatus,
    lost: row.lost === true,
    firstReadyAt: row.first_ready_at,
    secondReadyAt: row.second_ready_at,
    firstLeftAt: row.first_left_at,
    secondLeftAt: row.second_left_at,
    failure: row.failure,
    facts: row.facts as CaptureFacts | null,
    files: row.files as readonly FileRecord[] | null,
  }
}

/** Takes the oldest evidence whose first capture is under way on another server and whose second this one may make. */
export async function claimVantage(db: Db, claimer: Claimer, leaseSeconds: number): Promise<VantageClaim | null> {
  const { owner, server } = claimer
  const isPublic = server.kind === 'public'
  const row = await db
    .with('taken', (cte) =>
      cte
        .updateTable('evidence_vantage')
        .set((eb) => ({
          status: 'capturing',
          server_id: server.id,
          lease_owner: owner,
          lease_until: leaseFor(leaseSeconds),
          fence: eb('fence', '+', 1),
        }))
        .where(
          'evidence_id',
          '=',
          sql<string>`(
          select v.evidence_id from evidence_vantage v join evidence e on e.id = v.evidence_id
          where v.status = 'waiting' and e.status in ('preparing', 'capturing') and e.lease_until > clock_timestamp()
            and e.server_id <> ${server.id} and ${takesAnything(server)}
            and case when v.asked_server is null then ${isPublic}::boolean
              else v.asked_server = ${server.id} and (${isPublic}::boolean
                or e.group_id = (select s.owner_group from capture_server s where s.id = ${server.id})) end
          order by e.created_at, e.id limit 1 for update of v skip locked)`,
        )
        .returning(['evidence_id', 'fence']),
    )
    .selectFrom('taken')
    .innerJoin('evidence', 'evidence.id', 'taken.evidence_id')
    .selectAll('evidence')
    .select('taken.fence as second_fence')
    .executeTakeFirst()
  return row === undefined ? null : { evidence: toRecord(row), fence: row.second_fence }
}

/** @returns false when the vantage is no longer this holder's, or the first capture has ended: the second must stop. */
export async function renewVantage(db: Db, evidenceId: string, fence: number, leaseSeconds: number): Promise<boolean> {
  const done = await db
    .updateTable('evidence_vantage')
    .set({ lease_until: leaseFor(leaseSeconds) })
    .where('evidence_id', '=', evidenceId)
    .where('fence', '=', fence)
    .where('status', '=', 'capturing')
    .where('lease_until', '>', now)
    .where((eb) =>
      eb.exists(
        eb.selectFrom('evidence').select('id').where('id', '=', evidenceId).where('status', 'in', ['preparing', 'capturing']),
      ),
    )
    .executeTakeFirst()
  return done.numUpdatedRows === 1n
}

/** The first stands ready; asking again changes nothing. */
export async function readyFirst(db: Db, evidenceId: string): Promise<void> {
  await db
    .updateTable('evidence_vantage')
    .set({ first_ready_at: sql<Date>`coalesce(first_ready_at, clock_timestamp())` })
    .where('evidence_id', '=', evidenceId)
    .execute()
}

/** @returns false when the second is no longer this holder's. */
export async function readySecond(db: Db, evidenceId: string, fence: number): Promise<boolean> {
  const done = await db
    .updateTable('evidence_vantage')
    .set({ second_ready_at: now })
    .where('evidence_id', '=', evidenceId)
    .where('fence', '=', fence)
    .where('status', '=', 'capturing')
    .executeTakeFirst()
  return done.numUpdatedRows === 1n
}

export async function leave(db: Db, evidenceId: string, who: 'first' | 'second'): Promise<void> {
  await db
    .updateTable('evidence_vantage')
    .set(who === 'first' ? { first_left_at: now } : { second_left_at: now })
    .where('evidence_id', '=', evidenceId)
    .execute()
}

/** The second goes without a result. @returns false when it stands otherwise already. */
export async function failVantage(
  db: Db | Tx,
  evidenceId: string,
  failure: string,
  only: { readonly fence: number } | 'not_ready' | 'not_ended',
): Promise<boolean> {
  let query = db
    .updateTable('evidence_vantage')
    .set((eb) => ({ status: 'failed', failure, lease_owner: null, lease_until: null, fence: eb('fence', '+', 1) }))
    .where('evidence_id', '=', evidenceId)
    .where('status', 'in', ['waiting', 'capturing'])
  if (only === 'not_ready') query = query.where('second_ready_at', 'is', null)
  else if (only !== 'not_ended') query = query.where('fence', '=', only.fence)
  return (await query.executeTakeFirst()).numUpdatedRows === 1n
}

/** Another server may make it: this one is not what was pinned, or stops. */
export async function giveBackVantage(db: Db, { evidence, fence }: VantageClaim): Promise<void> {
  await db
    .updateTable('evidence_vantage')
    .set((eb) => ({
      status: 'waiting',
      server_id: null,
      lease_owner: null,
      lease_until: null,
      second_ready_at: null,
      fence: eb('fence', '+', 1),
    }))
    .where('evidence_id', '=', evidence.id)
    .where('fence', '=', fence)
    .where('status', '=', 'capturing')
    .where('first_left_at', 'is', null)
    .execute()
}

/** @returns false when the second is no longer this holder's: then nothing was changed. */
export async function keepVantage(
  db: Db,
  { evidence, fence }: VantageClaim,
  facts: CaptureFacts,
  files: readonly FileRecord[],
): Promise<boolean> {
  const done = await db
    .updateTable('evidence_vantage')
    .set({
      status: 'captured',
      facts: JSON.stringify(facts),
      files: JSON.stringify(files),
      lease_owner: null,
      lease_until: null,
    })
    .where('evidence_id', '=', evidence.id)
    .where('fence', '=', fence)
    .where('status', '=', 'capturing')
    .where('lease_until', '>', now)
    .executeTakeFirst()
  return done.numUpdatedRows === 1n
}

/** Forgets what the second saw; that one was asked for stays, so that a retry asks the same. */
export async function eraseVantage(tx: Tx, evidenceId: string): Promise<void> {
  await tx
    .updateTable('evidence_vantage')
    .set({ status: 'failed', failure: 'erased', facts: null, files: null, lease_owner: null, lease_until: null })
    .where('evidence_id', '=', evidenceId)
    .execute()
}

/** The order of the queue, as SQL: `domain/queue-order.ts` is the same rule. */
import { sql, type RawBuilder } from 'kysely'
import type { Db, Tx } from '../../../../platform/db/database.ts'
import type { CaptureAction } from '../../domain/action.ts'
import { accountsBeforeStranger, placeOf, type Lane, type Taken, type Waiting } from '../../domain/queue-order.ts'
import type { EvidenceRecord } from '../record/store.ts'

/** Captures of accounts that a server began since it last began one of a stranger, counted no further than needed. */
export const accountsInARow = (action: CaptureAction, server: RawBuilder<string>): RawBuilder<number> =>
  sql<number>`(select count(*)::integer from (
    select from evidence b where b.server_id = ${server} and b.action = ${action} and b.lane = 'account'
      and b.begun_at > coalesce((select max(s.begun_at) from evidence s
        where s.server_id = ${server} and s.action = ${action} and s.lane = 'stranger'), '-infinity')
    limit ${accountsBeforeStranger}) in_a_row)`

/** Whether the last one of that lane that a server began had asked for it by name. */
export const lastWasNamed = (action: CaptureAction, lane: Lane, server: RawBuilder<string>): RawBuilder<boolean> =>
  sql<boolean>`coalesce((select b.asked_server is not null from evidence b
    where b.server_id = ${server} and b.action = ${action} and b.lane = ${lane} and b.begun_at is not null
    order by b.begun_at desc limit 1), true)`

/** What was taken lately by the server that was asked for; of none, by the public one that took something last. */
async function takenLately(db: Db | Tx, action: CaptureAction, askedServer: string | null): Promise<Taken> {
  const server = sql<string>`chosen.id`
  const { rows } = await sql<{ in_a_row: number; account: boolean; stranger: boolean }>`
    select ${accountsInARow(action, server)} as in_a_row, ${lastWasNamed(action, 'account', server)} as account,
      ${lastWasNamed(action, 'stranger', server)} as stranger
    from (select s.id, (select max(b.begun_at) from unnest(array['account', 'stranger']) l (lane) cross join lateral (
        select e.begun_at from evidence e where e.server_id = s.id and e.action = ${action} and e.lane = l.lane and e.begun_at is not null
        order by e.begun_at desc limit 1) b) as begun_at
      from capture_server s where case when ${askedServer}::text is null then s.kind = 'public' else s.id = ${askedServer} end
      order by begun_at desc nulls last limit 1) chosen`.execute(db)
  const [row] = rows
  return {
    accountsInARow: row?.in_a_row ?? 0,
    lastWasNamed: { account: row?.account ?? true, stranger: row?.stranger ?? true },
  }
}

async function countWaiting(db: Db | Tx, action: CaptureAction, askedServer: string | null): Promise<Waiting> {
  const { rows } = await sql<{ lane: Lane; named: number; automatic: number }>`
    select lane, count(*) filter (where asked_server is not null)::integer as named,
      count(*) filter (where asked_server is null)::integer as automatic
    from evidence where status = 'queued' and action = ${action}
      and (${askedServer}::text is null or asked_server is null or asked_server = ${askedServer})
    group by lane`.execute(db)
  const of = (lane: Lane) => rows.find((row) => row.lane === lane) ?? { named: 0, automatic: 0 }
  return { account: of('account'), stranger: of('stranger') }
}

/**
 * Its place in the queue: how many that could be taken before it would be, if nobody else asked, plus one; null when it does not
 * wait. With several servers those that asked for another one by name count as if they were in the way.
 */
export async function queuePosition(db: Db | Tx, evidence: EvidenceRecord): Promise<number | null> {
  if (evidence.status !== 'queued') return null
  const { action, askedServer } = evidence
  const { rows } = await sql<{ lane: Lane; before: number }>`
    select own.lane, (select count(*)::integer from evidence w where w.status = 'queued' and w.action = own.action and w.lane = own.lane
      and coalesce(w.asked_server, '') = coalesce(own.asked_server, '')
      and (w.turn, w.created_at, w.id) < (own.turn, own.created_at, own.id)) as before
    from evidence own where own.id = ${evidence.id}::uuid`.execute(db)
  const [own] = rows
  if (own === undefined) return null
  const waiting = await countWaiting(db, action, askedServer)
  const taken = await takenLately(db, action, askedServer)
  return placeOf({ lane: own.lane, named: askedServer !== null }, own.before, waiting, taken)
}

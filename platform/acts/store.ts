/** The SQL of the record of acts: a chain of hashes that only grows (the database refuses all else). */
import { sql, type Selectable } from 'kysely'
import type { Database } from '../../db/schema.d.ts'
import type { Db, Tx } from '../db/database.ts'

export type ActLine = {
  readonly number: number
  readonly at: Date
  readonly action: string
  readonly actorId: string | null
  readonly onBehalfOf: string | null
  readonly subjectType: string | null
  readonly subjectId: string | null
  readonly data: Readonly<Record<string, string | number | boolean | null>>
  readonly previousHash: Buffer
  readonly hash: Buffer
}

/** Held until the transaction ends: one line at a time gets into the chain. */
export async function holdEndOfActs(tx: Tx): Promise<{ number: number; hash: Buffer } | null> {
  await sql`select pg_advisory_xact_lock(hashtext('act'))`.execute(tx)
  return (await tx.selectFrom('act').select(['number', 'hash']).orderBy('number', 'desc').limit(1).executeTakeFirst()) ?? null
}

export async function appendAct(tx: Tx, line: ActLine): Promise<void> {
  await tx
    .insertInto('act')
    .values({
      number: line.number,
      at: line.at,
      action: line.action,
      actor_id: line.actorId,
      on_behalf_of: line.onBehalfOf,
      subject_type: line.subjectType,
      subject_id: line.subjectId,
      data: JSON.stringify(line.data),
      previous_hash: line.previousHash,
      hash: line.hash,
    })
    .execute()
}

function toLine(row: Selectable<Database['act']>): ActLine {
  return {
    number: row.number,
    at: row.at,
    action: row.action,
    actorId: row.actor_id,
    onBehalfOf: row.on_behalf_of,
    subjectType: row.subject_type,
    subjectId: row.subject_id,
    data: row.data as ActLine['data'],
    previousHash: row.previous_hash,
    hash: row.hash,
  }
}

/** Those after a number, in the order of the chain. */
export async function listActsAfter(db: Db, number: number, limit: number): Promise<ActLine[]> {
  const rows = await db.selectFrom('act').selectAll().where('number', '>', number).orderBy('number').limit(limit).execute()
  return rows.map(toLine)
}

/** Newest first; `accountId`: what that user did, and what was done in his name or to him. */
export async function listActs(
  db: Db | Tx,
  query: {
    readonly accountId?: string
    readonly actorId?: string
    readonly subjectId?: string
    readonly action?: string
    readonly limit: number
    readonly offset: number
  },
): Promise<{ count: number; rows: ActLine[] }> {
  const { accountId, actorId, subjectId, action } = query
  let found = db.selectFrom('act')
  if (accountId !== undefined)
    found = found.where((eb) =>
      eb.or([
        eb('actor_id', '=', accountId),
        eb('on_behalf_of', '=', accountId),
        eb.and([eb('subject_type', '=', 'user'), eb('subject_id', '=', accountId)]),
      ]),
    )
  if (actorId !== undefined) found = found.where('actor_id', '=', actorId)
  if (subjectId !== undefined) found = found.where('subject_id', '=', subjectId)
  if (action !== undefined) found = found.where('action', '=', action)
  const { count } = await found.select((eb) => eb.fn.countAll<number>().as('count')).executeTakeFirstOrThrow()
  const rows = await found.selectAll().orderBy('number', 'desc').limit(query.limit).offset(query.offset).execute()
  return {
    count,
    rows: rows.map(toLine),
  }
}

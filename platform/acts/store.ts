/** The SQL of the record of acts: a chain of hashes that only grows (the database refuses all else). */
import { sql, type RawBuilder, type Selectable, type SqlBool } from 'kysely'
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

export type ActsWanted = {
  /** What that user did, and what was done in his name or to him. */
  readonly accountId?: string | undefined
  readonly actorId?: string | undefined
  readonly subjectId?: string | undefined
  /** `module.verb_noun`, or a module: all of its acts. */
  readonly action?: string | undefined
  readonly from?: Date | undefined
  /** Excluded. */
  readonly to?: Date | undefined
  /** Only lines with a lower number. */
  readonly before?: number | undefined
}

function conditionsOf({ actorId, subjectId, action, from, to, before }: ActsWanted): RawBuilder<SqlBool>[] {
  const conditions: RawBuilder<SqlBool>[] = []
  if (actorId !== undefined) conditions.push(sql`act.actor_id = ${actorId}::uuid`)
  if (subjectId !== undefined) conditions.push(sql`act.subject_id = ${subjectId}`)
  if (action?.includes('.') === true) conditions.push(sql`act.action = ${action}`)
  else if (action !== undefined) conditions.push(sql`split_part(act.action, '.', 1) = ${action}`)
  if (from !== undefined) conditions.push(sql`act.at >= ${from}`)
  if (to !== undefined) conditions.push(sql`act.at < ${to}`)
  if (before !== undefined) conditions.push(sql`act.number < ${before}`)
  return conditions
}

const all = (conditions: readonly RawBuilder<SqlBool>[]) =>
  conditions.length === 0 ? sql<SqlBool>`true` : sql<SqlBool>`(${sql.join(conditions, sql` and `)})`

/** Numbers of the lines that are wanted. Of an account they lie in three indexes, from each of which no more is read than is shown. */
function numbers(wanted: ActsWanted, most: number | null): RawBuilder<unknown> {
  const conditions = conditionsOf(wanted)
  const end = most === null ? sql`` : sql`order by number desc limit ${most}`
  const { accountId } = wanted
  if (accountId === undefined) return sql`select number from act where ${all(conditions)} ${end}`
  const ways: RawBuilder<SqlBool>[] = [
    sql`act.actor_id = ${accountId}::uuid`,
    sql`act.on_behalf_of = ${accountId}::uuid`,
    sql`(act.subject_type = 'user' and act.subject_id = ${accountId})`,
  ]
  return sql.join(
    ways.map((way) => sql`(select number from act where ${all([way, ...conditions])} ${end})`),
    sql` union `,
  )
}

/** Newest first. */
export async function listActs(
  db: Db | Tx,
  wanted: ActsWanted & { readonly limit: number; readonly offset?: number },
): Promise<ActLine[]> {
  const { limit, offset = 0 } = wanted
  const { rows } = await sql<Selectable<Database['act']>>`
    select act.* from (${numbers(wanted, limit + offset)}) as found join act using (number)
    order by number desc limit ${limit} offset ${offset}`.execute(db)
  return rows.map(toLine)
}

export async function countActs(db: Db | Tx, wanted: ActsWanted): Promise<number> {
  // No number is ever missing: the last one counts them.
  if (wanted.accountId === undefined && conditionsOf(wanted).length === 0) return await lastActNumber(db)
  const { rows } = await sql<{ count: number }>`select count(*) as count from (${numbers(wanted, null)}) as found`.execute(db)
  return rows[0]?.count ?? 0
}

/** 0: nothing was recorded yet. */
export async function lastActNumber(db: Db | Tx): Promise<number> {
  const row = await db.selectFrom('act').select('number').orderBy('number', 'desc').limit(1).executeTakeFirst()
  return row?.number ?? 0
}

/** null: there is no line of that number. */
export async function findActHash(db: Db | Tx, number: number): Promise<Buffer | null> {
  const row = await db.selectFrom('act').select('hash').where('number', '=', number).executeTakeFirst()
  return row?.hash ?? null
}

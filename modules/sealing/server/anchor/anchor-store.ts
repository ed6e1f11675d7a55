/** The SQL of anchors. Every function takes the database or the transaction first. */
import { sql } from 'kysely'
import { z } from 'zod'
import type { Db, Tx } from '../../../../platform/db/database.ts'
import type { AnchorEventKind, AnchorStatus, AnchorWay } from '../../domain/anchor.ts'
import { anchorTransaction, type AnchorTransaction } from './pay-anchor.ts'

/** The block that an anchor stands in. */
export type AnchorBlock = {
  readonly height: number
  /** As explorers write it. */
  readonly hash: string
  /** 80 octets. */
  readonly header: Uint8Array
  readonly time: Date
  readonly sources: readonly string[]
}

export type AnchorRecord = {
  readonly id: string
  readonly way: AnchorWay
  readonly size: number
  readonly rootHash: Uint8Array
  readonly noteHash: Uint8Array
  readonly commitment: Uint8Array
  readonly status: AnchorStatus
  readonly createdAt: Date
  readonly version: number
  readonly failures: number
  readonly nextTryAt: Date | null
  /** Serialised OpenTimestamps trees from the commitment. */
  readonly promise: Uint8Array | null
  readonly proof: Uint8Array | null
  readonly transactions: readonly AnchorTransaction[]
  readonly block: AnchorBlock | null
  readonly confirmedAt: Date | null
}

const octets = (buffer: Buffer): Uint8Array => new Uint8Array(buffer)

const anchors = (db: Db | Tx) => db.selectFrom('log_anchor').selectAll()
type AnchorRow = Awaited<ReturnType<ReturnType<typeof anchors>['executeTakeFirstOrThrow']>>

function toAnchor(row: AnchorRow): AnchorRecord {
  const { height, block_hash: hash, header, block_time: time, header_sources: sources } = row
  return {
    id: row.id,
    way: row.way as AnchorWay,
    size: row.tree_size,
    rootHash: octets(row.tree_root),
    noteHash: octets(row.note_hash),
    commitment: octets(row.commitment),
    status: row.status as AnchorStatus,
    createdAt: row.created_at,
    version: row.version,
    failures: row.failures,
    nextTryAt: row.next_try_at,
    promise: row.promise === null ? null : octets(row.promise),
    proof: row.proof === null ? null : octets(row.proof),
    transactions: z.array(anchorTransaction).parse(row.transactions),
    block:
      height === null || hash === null || header === null || time === null || sources === null
        ? null
        : { height, hash, header: octets(header), time, sources },
    confirmedAt: row.confirmed_at,
  }
}

export type NewAnchor = Pick<AnchorRecord, 'id' | 'way' | 'size' | 'rootHash' | 'noteHash' | 'commitment'>

/** @returns false when that way is already taken for that checkpoint. */
export async function insertAnchor(tx: Tx, anchor: NewAnchor, now: Date): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await tx
    .insertInto('log_anchor')
    .values({
      id: anchor.id,
      way: anchor.way,
      tree_size: anchor.size,
      tree_root: anchor.rootHash,
      note_hash: anchor.noteHash,
      commitment: anchor.commitment,
      status: 'pending',
      created_at: now,
      next_try_at: now,
    })
    .onConflict((conflict) => conflict.columns(['tree_size', 'way']).where('status', '<>', 'given_up').doNothing())
    .executeTakeFirstOrThrow()
  if (numInsertedOrUpdatedRows !== 1n) return false
  await insertAnchorEvent(tx, anchor.id, now, 'begun', { size: anchor.size })
  return true
}

/** The last that was begun, whatever became of it. */
export async function newestAnchor(db: Db | Tx, way: AnchorWay): Promise<AnchorRecord | null> {
  const row = await anchors(db)
    .where('way', '=', way)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row === undefined ? null : toAnchor(row)
}

export async function findAnchor(db: Db | Tx, id: string): Promise<AnchorRecord | null> {
  const row = await anchors(db).where('id', '=', id).executeTakeFirst()
  return row === undefined ? null : toAnchor(row)
}

export async function listDueAnchors(db: Db | Tx, now: Date, limit: number): Promise<AnchorRecord[]> {
  const rows = await anchors(db).where('next_try_at', '<=', now).orderBy('next_try_at').limit(limit).execute()
  return rows.map(toAnchor)
}

/**
 * The anchor that speaks for the leaf `index`: the earliest checkpoint that covers it among the confirmed; else, unless only those
 * are wanted, the most advanced of the others.
 */
export async function findAnchorOf(
  db: Db | Tx,
  index: number,
  { confirmed }: { confirmed: boolean },
): Promise<AnchorRecord | null> {
  const row = await anchors(db)
    .where('tree_size', '>', index)
    .where('status', 'in', confirmed ? ['confirmed'] : ['confirmed', 'mined', 'pending'])
    .orderBy(sql`array_position(array['confirmed', 'mined', 'pending'], status)`)
    .orderBy('tree_size')
    .orderBy('confirmed_at')
    .orderBy('id')
    .limit(1)
    .executeTakeFirst()
  return row === undefined ? null : toAnchor(row)
}

/** The same of several leaves, by index, by one look at the index of anchors for each; a leaf that none covers is absent. */
export async function findAnchorsOf(
  db: Db | Tx,
  indexes: readonly number[],
  { confirmed }: { confirmed: boolean },
): Promise<ReadonlyMap<number, AnchorRecord>> {
  if (indexes.length === 0) return new Map()
  const wanted = confirmed ? ['confirmed'] : ['confirmed', 'mined', 'pending']
  const { rows } = await sql<{ leaf: number; id: string }>`
    select asked.leaf, found.id from unnest(${[...new Set(indexes)]}::bigint[]) as asked (leaf), lateral (
      select id from log_anchor where tree_size > asked.leaf and status = any(${wanted}::text[])
      order by array_position(array['confirmed', 'mined', 'pending'], status), tree_size, confirmed_at, id limit 1) found`.execute(
    db,
  )
  const ids = [...new Set(rows.map(({ id }) => id))]
  const found = ids.length === 0 ? [] : await anchors(db).where('id', 'in', ids).execute()
  const byId = new Map(found.map((row) => [row.id, toAnchor(row)]))
  return new Map(
    rows.flatMap(({ leaf, id }) => {
      const anchor = byId.get(id)
      return anchor === undefined ? [] : [[leaf, anchor] as const]
    }),
  )
}

/** Of a checkpoint: the confirmed first. */
export async function listAnchorsOfSize(db: Db | Tx, size: number): Promise<AnchorRecord[]> {
  const rows = await anchors(db)
    .where('tree_size', '=', size)
    .where('status', '<>', 'given_up')
    .orderBy(sql`array_position(array['confirmed', 'mined', 'pending'], status)`)
    .orderBy('way')
    .execute()
  return rows.map(toAnchor)
}

export type AnchorChange = {
  readonly status?: AnchorStatus
  readonly failures: number
  readonly nextTryAt: Date | null
  readonly promise?: Uint8Array
  readonly transactions?: readonly AnchorTransaction[]
  /** null: not in a block any more. */
  readonly mined?: { readonly proof: Uint8Array; readonly block: AnchorBlock; readonly at: Date } | null
  readonly confirmedAt?: Date
}

/** @returns false when somebody else wrote since `version` was read: then nothing was changed. */
export async function changeAnchor(tx: Tx, { id, version }: AnchorRecord, change: AnchorChange): Promise<boolean> {
  const { mined } = change
  const { numUpdatedRows } = await tx
    .updateTable('log_anchor')
    .set({
      version: version + 1,
      failures: change.failures,
      next_try_at: change.nextTryAt,
      ...(change.status === undefined ? {} : { status: change.status }),
      ...(change.promise === undefined ? {} : { promise: change.promise }),
      ...(change.transactions === undefined ? {} : { transactions: JSON.stringify(change.transactions) }),
      ...(mined === undefined
        ? {}
        : {
            proof: mined?.proof ?? null,
            height: mined?.block.height ?? null,
            block_hash: mined?.block.hash ?? null,
            header: mined?.block.header ?? null,
            header_sources: mined === null ? null : [...mined.block.sources],
            block_time: mined?.block.time ?? null,
            mined_at: mined?.at ?? null,
          }),
      ...(change.confirmedAt === undefined ? {} : { confirmed_at: change.confirmedAt }),
    })
    .where('id', '=', id)
    .where('version', '=', version)
    .executeTakeFirstOrThrow()
  return numUpdatedRows === 1n
}

export type AnchorEvent = {
  readonly at: Date
  readonly kind: AnchorEventKind
  readonly data: Readonly<Record<string, string | number | boolean | null>>
}

/** The same failure is told once: it may last for days. */
export async function insertAnchorEvent(
  tx: Tx,
  anchorId: string,
  at: Date,
  kind: AnchorEventKind,
  data: AnchorEvent['data'],
): Promise<void> {
  const json = JSON.stringify(data)
  await sql`insert into log_anchor_event (anchor_id, at, kind, data)
    select ${anchorId}::uuid, ${at}::timestamptz, ${kind}::text, ${json}::jsonb
    where ${kind}::text <> 'failed' or not exists (
      select 1 from log_anchor_event where anchor_id = ${anchorId}::uuid and kind = 'failed' and data = ${json}::jsonb)`.execute(
    tx,
  )
}

/** Oldest first. */
export async function listAnchorEvents(db: Db | Tx, anchorId: string): Promise<readonly AnchorEvent[]> {
  return (await listEventsOfAnchors(db, [anchorId])).get(anchorId) ?? []
}

/** By id of anchor, oldest first. */
export async function listEventsOfAnchors(
  db: Db | Tx,
  anchorIds: readonly string[],
): Promise<ReadonlyMap<string, readonly AnchorEvent[]>> {
  if (anchorIds.length === 0) return new Map()
  const rows = await db
    .selectFrom('log_anchor_event')
    .select(['anchor_id', 'at', 'kind', 'data'])
    .where(sql<boolean>`anchor_id = any(${[...anchorIds]}::uuid[])`)
    .orderBy('id')
    .execute()
  const events = new Map<string, AnchorEvent[]>(anchorIds.map((id) => [id, []]))
  for (const { anchor_id: id, at, kind, data } of rows)
    events.get(id)?.push({ at, kind: kind as AnchorEventKind, data: data as AnchorEvent['data'] })
  return events
}

export type CheckpointStamp = {
  readonly number: number
  /** TimeStampResp, DER. */
  readonly response: Uint8Array
  readonly authority: string
  readonly genTime: Date
}

/** What stands already stays: tokens of a checkpoint are asked for once. */
export async function insertCheckpointStamps(tx: Tx, size: number, stamps: readonly CheckpointStamp[]): Promise<void> {
  if (stamps.length === 0) return
  await tx
    .insertInto('log_checkpoint_stamp')
    .values(stamps.map(({ number, response, authority, genTime }) => ({ size, number, response, authority, gen_time: genTime })))
    .onConflict((conflict) => conflict.columns(['size', 'number']).doNothing())
    .execute()
}

export async function listCheckpointStamps(db: Db | Tx, size: number): Promise<CheckpointStamp[]> {
  const rows = await db.selectFrom('log_checkpoint_stamp').selectAll().where('size', '=', size).orderBy('number').execute()
  return rows.map((row) => ({
    number: row.number,
    response: octets(row.response),
    authority: row.authority,
    genTime: row.gen_time,
  }))
}

export async function insertHeader(
  db: Db | Tx,
  header: { height: number; source: string; header: Uint8Array },
  at: Date,
): Promise<void> {
  await db
    .insertInto('bitcoin_header')
    .values({ ...header, at })
    .onConflict((conflict) => conflict.columns(['height', 'source']).doNothing())
    .execute()
}

export async function listHeaders(db: Db | Tx, height: number): Promise<{ source: string; header: Uint8Array }[]> {
  const rows = await db
    .selectFrom('bitcoin_header')
    .select(['source', 'header'])
    .where('height', '=', height)
    .orderBy('source')
    .execute()
  return rows.map(({ source, header }) => ({ source, header: octets(header) }))
}

/** The SQL of batches: what is sealed at once. Every function takes the database or the transaction first. */
import { sql, type Selectable } from 'kysely'
import type { Database } from '../../../../db/schema.d.ts'
import type { Db, Tx } from '../../../../platform/db/database.ts'
import type { LogFacts, PendingAuthority, SignerFacts } from '../../../sealing/server/index.ts'

/** What a seal says of itself. */
export type BatchSummary = {
  /** ISO 8601 UTC, of the signature. */
  readonly signed_at: string
  readonly signer: SignerFacts
  /** The first is `document.tsr`. */
  readonly timestamps: readonly {
    readonly file: string
    readonly ca_file: string
    readonly authority: string
    readonly gen_time: string
    readonly serial: string
    readonly embedded: boolean
  }[]
  /** Null where there is no log. */
  readonly log: LogFacts | null
}

/** How long the time stamps of a batch hold. */
export type BatchHealth = {
  /** The last end of those that stand, through their renewals; where none does, of those that stood. */
  readonly stampedUntil: Date
  /** When the first of them is to be renewed; null: none stands. */
  readonly renewAt: Date | null
}

export type BatchRecord = {
  readonly id: string
  readonly ownerId: string
  readonly state: 'stamping' | 'sealed' | 'failed'
  readonly size: number
  readonly outsideStamps: boolean
  /** 32 octets. */
  readonly blind: Uint8Array
  readonly giveUpAt: Date
  readonly attempts: number
  /** Code of why there is no seal. */
  readonly failure: string | null
  /** 32 octets; it and the summary are there once it is sealed. */
  readonly root: Uint8Array | null
  readonly summary: BatchSummary | null
  readonly sealedAt: Date | null
  /** Authorities that gave no token when it was sealed, when they are asked again, and how often they were. */
  readonly pending: readonly PendingAuthority[]
  readonly askAgainAt: Date | null
  readonly askedAgain: number
  /** As it was read from its tokens at `assessedAt`; null where it never was. */
  readonly health: (BatchHealth & { readonly assessedAt: Date }) | null
  readonly anchoredAt: Date | null
  readonly anchorId: string | null
  /** Whether its way to the block can be told as Chainpoint. */
  readonly chainpoint: boolean
}

function toBatch(row: Selectable<Database['document_batch']>): BatchRecord {
  return {
    id: row.id,
    ownerId: row.owner_id,
    state: row.state as BatchRecord['state'],
    size: row.size,
    outsideStamps: row.outside_stamps,
    blind: row.blind,
    giveUpAt: row.give_up_at,
    attempts: row.attempts,
    failure: row.failure,
    root: row.root,
    summary: row.summary as BatchSummary | null,
    sealedAt: row.sealed_at,
    pending: row.pending as BatchRecord['pending'],
    askAgainAt: row.ask_again_at,
    askedAgain: row.asked_again,
    health:
      row.stamped_until === null || row.assessed_at === null
        ? null
        : { stampedUntil: row.stamped_until, renewAt: row.renew_at, assessedAt: row.assessed_at },
    anchoredAt: row.anchored_at,
    anchorId: row.anchor_id,
    chainpoint: row.chainpoint,
  }
}

export async function insertBatches(
  tx: Tx,
  batches: readonly {
    readonly id: string
    readonly ownerId: string
    readonly size: number
    readonly outsideStamps: boolean
    readonly blind: Uint8Array
    readonly createdAt: Date
    readonly giveUpAt: Date
  }[],
): Promise<void> {
  if (batches.length === 0) return
  await tx
    .insertInto('document_batch')
    .values(
      batches.map(({ id, ownerId, size, outsideStamps, blind, createdAt, giveUpAt }) => ({
        id,
        owner_id: ownerId,
        size,
        outside_stamps: outsideStamps,
        blind,
        created_at: createdAt,
        give_up_at: giveUpAt,
      })),
    )
    .execute()
}

/** By id; one that is missing is absent. */
export async function findBatches(db: Db | Tx, ids: readonly string[]): Promise<ReadonlyMap<string, BatchRecord>> {
  if (ids.length === 0) return new Map()
  const rows = await db
    .selectFrom('document_batch')
    .selectAll()
    .where(sql<boolean>`id = any(${[...new Set(ids)]}::uuid[])`)
    .execute()
  return new Map(rows.map((row) => [row.id, toBatch(row)]))
}

/** Holds the row until the transaction ends. */
export async function lockBatch(tx: Tx, id: string): Promise<BatchRecord | null> {
  const row = await tx.selectFrom('document_batch').selectAll().where('id', '=', id).forUpdate().executeTakeFirst()
  return row === undefined ? null : toBatch(row)
}

/** Deposits of a batch with their fingerprints, in the order of their ids. */
export async function listMembers(
  db: Db | Tx,
  batchId: string,
): Promise<readonly { readonly id: string; readonly sha256: Uint8Array }[]> {
  return await db.selectFrom('document').select(['id', 'sha256']).where('batch_id', '=', batchId).orderBy('id').execute()
}

export type BatchFile = {
  readonly name: string
  readonly mediaType: string
  readonly data: Uint8Array
}

/** Beside those that are there: none is ever another. */
export async function insertBatchFiles(tx: Tx, batchId: string, files: readonly BatchFile[]): Promise<void> {
  await tx
    .insertInto('document_batch_file')
    .values(
      files.map(({ name, mediaType, data }) => ({ batch_id: batchId, name, media_type: mediaType, data: Buffer.from(data) })),
    )
    .execute()
}

/** The batch and every deposit of it become final, with their ways to the root. The caller holds the batch. */
export async function setSealed(
  tx: Tx,
  id: string,
  sealed: {
    readonly root: Uint8Array
    readonly summary: BatchSummary
    readonly at: Date
    /** What the deposits are dated with: the time stamp's own word. */
    readonly datedAt: Date
    readonly files: readonly BatchFile[]
    readonly health: BatchHealth
    readonly pending: readonly PendingAuthority[]
    readonly askAgainAt: Date | null
    /** Those that are not the root themselves. */
    readonly paths: readonly { readonly id: string; readonly path: Uint8Array }[]
  },
): Promise<void> {
  const { root, summary, at, datedAt, files, health, pending, askAgainAt, paths } = sealed
  await tx
    .updateTable('document_batch')
    .set({
      state: 'sealed',
      root,
      summary: JSON.stringify(summary),
      sealed_at: at,
      failure: null,
      pending: JSON.stringify(pending),
      ask_again_at: askAgainAt,
      stamped_until: health.stampedUntil,
      renew_at: health.renewAt,
      assessed_at: at,
    })
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  await insertBatchFiles(tx, id, files)
  if (paths.length > 0)
    await sql`insert into document_path (document_id, path)
      select id, decode(path, 'hex') from unnest(${paths.map((each) => each.id)}::uuid[],
        ${paths.map(({ path }) => Buffer.from(path).toString('hex'))}::text[]) as each (id, path)`.execute(tx)
  await sql`update document set status = 'final', status_changed_at = ${at}::timestamptz, sealed_at = ${datedAt}::timestamptz
    where batch_id = ${id}::uuid and status = 'stamping'`.execute(tx)
}

/** Nobody could be had for the seal, this time. */
export async function noteAttempt(tx: Tx, id: string, failure: string): Promise<void> {
  await tx
    .updateTable('document_batch')
    .set((eb) => ({ attempts: eb('attempts', '+', 1), failure }))
    .where('id', '=', id)
    .execute()
}

/** Given up: its deposits may be agreed to again. The caller holds the batch. */
export async function setFailed(tx: Tx, id: string, failure: string, at: Date): Promise<void> {
  await tx.updateTable('document_batch').set({ state: 'failed', failure }).where('id', '=', id).executeTakeFirstOrThrow()
  await sql`update document set status = 'failed', status_changed_at = ${at}::timestamptz
    where batch_id = ${id}::uuid and status = 'stamping'`.execute(tx)
}

/** Batches whose day is over without a seal. */
export async function listGivenUp(db: Db | Tx, now: Date, limit: number): Promise<string[]> {
  const rows = await db
    .selectFrom('document_batch')
    .select('id')
    .where('state', '=', 'stamping')
    .where('give_up_at', '<=', now)
    .orderBy('give_up_at')
    .limit(limit)
    .execute()
  return rows.map(({ id }) => id)
}

/** The way of a deposit to the root of its batch, nearest first; none where it is the root. */
export async function findPath(db: Db | Tx, documentId: string): Promise<Uint8Array[]> {
  return (await findPaths(db, [documentId])).get(documentId) ?? []
}

/** The same of many; those that are the root themselves are absent. */
export async function findPaths(db: Db | Tx, documentIds: readonly string[]): Promise<ReadonlyMap<string, Uint8Array[]>> {
  if (documentIds.length === 0) return new Map()
  const { rows } = await sql<{ document_id: string; path: Buffer }>`
    select document_id, path from document_path where document_id = any(${[...documentIds]}::uuid[])`.execute(db)
  const steps = (path: Buffer) => Array.from({ length: path.length / 32 }, (_, i) => path.subarray(i * 32, i * 32 + 32))
  return new Map(rows.map(({ document_id, path }) => [document_id, steps(path)]))
}

/** How many steps the way of each has; those without are absent. */
export async function countSteps(db: Db | Tx, documentIds: readonly string[]): Promise<ReadonlyMap<string, number>> {
  if (documentIds.length === 0) return new Map()
  const { rows } = await sql<{ document_id: string; steps: number }>`
    select document_id, octet_length(path) / 32 as steps from document_path where document_id = any(${[...documentIds]}::uuid[])`.execute(
    db,
  )
  return new Map(rows.map(({ document_id, steps }) => [document_id, steps]))
}

export async function findBatchFile(db: Db | Tx, batchId: string, name: string): Promise<BatchFile | null> {
  const row = await db
    .selectFrom('document_batch_file')
    .selectAll()
    .where('batch_id', '=', batchId)
    .where('name', '=', name)
    .executeTakeFirst()
  return row === undefined ? null : { name, mediaType: row.media_type, data: row.data }
}

/** Of its seal, and what was added to that. */
export async function listBatchFiles(db: Db | Tx, batchId: string): Promise<BatchFile[]> {
  const rows = await db.selectFrom('document_batch_file').selectAll().where('batch_id', '=', batchId).orderBy('name').execute()
  return rows.map(({ name, media_type, data }) => ({ name, mediaType: media_type, data }))
}

/** Tokens of batches and the certificates of their issuers, by `<id of the batch> <name>`. */
export async function findStampFiles(db: Db | Tx, batchIds: readonly string[]): Promise<ReadonlyMap<string, Uint8Array>> {
  if (batchIds.length === 0) return new Map()
  const rows = await db
    .selectFrom('document_batch_file')
    .select(['batch_id', 'name', 'data'])
    .where(sql<boolean>`batch_id = any(${[...batchIds]}::uuid[])`)
    .where('name', 'like', 'document%')
    .execute()
  return new Map(rows.map(({ batch_id: batchId, name, data }) => [`${batchId} ${name}`, data]))
}

/** The SQL of copies. Every function takes the database or the transaction first. */
import { sql, type RawBuilder, type Selectable, type SqlBool } from 'kysely'
import type { Database } from '../../../../db/schema.d.ts'
import type { Db, Tx } from '../../../../platform/db/database.ts'
import type { CopyEnd, CopyState, PieceExtent } from '../../domain/copy.ts'

export type CopyRecord = {
  readonly id: string
  /** Null: the deposit is gone. */
  readonly documentId: string | null
  readonly state: Exclude<CopyState, 'waiting'>
  readonly bytes: number
  /** Null once it ended. */
  readonly sealedKey: Uint8Array | null
  readonly storedAt: Date | null
  readonly keptUntil: Date | null
  readonly endedAt: Date | null
  readonly endedBy: CopyEnd | null
  readonly foundSha256: Uint8Array | null
  /** When its key was found not to open. */
  readonly unopenedAt: Date | null
  /** That the file was there once, and the same: of this copy or of one before. */
  readonly compared: { readonly at: Date; readonly bytes: number } | null
}

function toCopy(row: Selectable<Database['document_copy']>): CopyRecord {
  return {
    id: row.id,
    documentId: row.document_id,
    state: row.state as CopyRecord['state'],
    bytes: row.bytes,
    sealedKey: row.sealed_key,
    storedAt: row.stored_at,
    keptUntil: row.kept_until,
    endedAt: row.ended_at,
    endedBy: row.ended_by as CopyEnd | null,
    foundSha256: row.found_sha256,
    unopenedAt: row.unopened_at,
    compared: row.compared_at === null || row.compared_bytes === null ? null : { at: row.compared_at, bytes: row.compared_bytes },
  }
}

/** By the id of the deposit. */
export async function findCopies(db: Db | Tx, documentIds: readonly string[]): Promise<ReadonlyMap<string, CopyRecord>> {
  if (documentIds.length === 0) return new Map()
  const rows = await db
    .selectFrom('document_copy')
    .selectAll()
    .where(sql<boolean>`document_id = any(${[...documentIds]}::uuid[])`)
    .execute()
  return new Map(rows.map((row) => [row.document_id ?? '', toCopy(row)]))
}

export async function findCopyOf(db: Db | Tx, documentId: string): Promise<CopyRecord | null> {
  return (await findCopies(db, [documentId])).get(documentId) ?? null
}

/** `held`: its row is held until the transaction ends. */
export async function findCopy(db: Db | Tx, id: string, held = false): Promise<CopyRecord | null> {
  const query = db.selectFrom('document_copy').selectAll().where('id', '=', id)
  const row = await (held ? query.forUpdate() : query).executeTakeFirst()
  return row === undefined ? null : toCopy(row)
}

/** Bytes that the account has, or has announced. */
export async function countHeldBytes(db: Db | Tx, ownerId: string): Promise<number> {
  const { rows } = await sql<{ bytes: string }>`
    select coalesce(sum(bytes), 0)::text as bytes from document_copy where owner_id = ${ownerId}::uuid and sealed_key is not null`.execute(
    db,
  )
  return Number(rows[0]?.bytes ?? 0)
}

export async function insertCopy(
  tx: Tx,
  copy: {
    readonly id: string
    readonly documentId: string
    readonly ownerId: string
    readonly bytes: number
    readonly sealedKey: Buffer
    readonly now: Date
    /** Of the one whose place it takes. */
    readonly compared: CopyRecord['compared']
  },
): Promise<void> {
  await tx
    .insertInto('document_copy')
    .values({
      id: copy.id,
      document_id: copy.documentId,
      owner_id: copy.ownerId,
      state: 'receiving',
      bytes: copy.bytes,
      sealed_key: copy.sealedKey,
      begun_at: copy.now,
      touched_at: copy.now,
      compared_at: copy.compared?.at ?? null,
      compared_bytes: copy.compared?.bytes ?? null,
    })
    .execute()
}

/** Of one that ended: another takes its place. */
export async function forgetCopy(tx: Tx, id: string): Promise<void> {
  await tx.updateTable('document_copy').set({ document_id: null }).where('id', '=', id).execute()
}

export type KeptPiece = PieceExtent & { readonly blob: string }

/** What came, in the order of the file; of one piece, where it is told. */
export async function listPieces(db: Db | Tx, copyId: string, part: number | null = null): Promise<KeptPiece[]> {
  const all = db.selectFrom('document_copy_part').select(['part', 'at', 'bytes', 'blob']).where('copy_id', '=', copyId)
  return await (part === null ? all : all.where('part', '=', part)).orderBy('part').orderBy('at').execute()
}

/** By the id of the copy, how many bytes came. */
export async function countReceived(db: Db | Tx, copyIds: readonly string[]): Promise<ReadonlyMap<string, number>> {
  if (copyIds.length === 0) return new Map()
  const { rows } = await sql<{ id: string; bytes: string }>`
    select copy_id as id, sum(bytes)::text as bytes from document_copy_part where copy_id = any(${[...copyIds]}::uuid[]) group by 1`.execute(
    db,
  )
  return new Map(rows.map(({ id, bytes }) => [id, Number(bytes)]))
}

/**
 * Takes the place of what it covers; a slice of a piece that is there whole is not needed. The caller holds the copy.
 * @returns blobs that are named no more, its own among them when it is not needed
 */
export async function putPiece(tx: Tx, copyId: string, { part, at, bytes, blob }: KeptPiece, now: Date): Promise<string[]> {
  const before = (await listPieces(tx, copyId, part)).filter((held) => held.at < at + bytes && at < held.at + held.bytes)
  await tx.updateTable('document_copy').set({ touched_at: now }).where('id', '=', copyId).execute()
  if (before.some((held) => held.bytes > bytes)) return [blob]
  await tx
    .deleteFrom('document_copy_part')
    .where('copy_id', '=', copyId)
    .where('part', '=', part)
    .where('at', '>=', at)
    .where('at', '<', at + bytes)
    .execute()
  await tx.insertInto('document_copy_part').values({ copy_id: copyId, part, at, bytes, blob }).execute()
  return before.map((held) => held.blob)
}

/** A piece that is damaged must come again. */
export async function dropPart(tx: Tx, copyId: string, part: number): Promise<void> {
  await tx.deleteFrom('document_copy_part').where('copy_id', '=', copyId).where('part', '=', part).execute()
}

export async function setCopyState(tx: Tx, id: string, state: 'receiving' | 'comparing', now: Date): Promise<void> {
  await tx.updateTable('document_copy').set({ state, touched_at: now }).where('id', '=', id).execute()
}

/** That it was compared stays from the first time on. */
export async function setStored(tx: Tx, id: string, at: { readonly storedAt: Date; readonly keptUntil: Date }): Promise<void> {
  await sql`update document_copy set state = 'stored', stored_at = ${at.storedAt}::timestamptz, kept_until = ${at.keptUntil}::timestamptz,
      compared_at = coalesce(compared_at, ${at.storedAt}::timestamptz), compared_bytes = coalesce(compared_bytes, bytes)
    where id = ${id}::uuid`.execute(tx)
}

/** Keys that do not open are not tried again and again; see `checkCopyKeys`. @returns how many were not known to be so */
export async function setUnopened(db: Db | Tx, ids: readonly string[], at: Date): Promise<number> {
  const { numAffectedRows } = await sql`
    update document_copy set unopened_at = ${at}::timestamptz where id = any(${[...ids]}::uuid[]) and unopened_at is null`.execute(
    db,
  )
  return Number(numAffectedRows ?? 0)
}

/** The former master key is back. */
export async function setOpened(db: Db | Tx, ids: readonly string[]): Promise<void> {
  await sql`update document_copy set unopened_at = null where id = any(${[...ids]}::uuid[])`.execute(db)
}

/** Copies that have a key, from that one on. */
export async function listSealedKeys(
  db: Db,
  after: string | null,
  limit: number,
): Promise<{ id: string; documentId: string | null; state: string; sealedKey: Uint8Array; unopened: boolean }[]> {
  const { rows } = await sql<{ id: string; document_id: string | null; state: string; sealed_key: Buffer; unopened: boolean }>`
    select id, document_id, state, sealed_key, unopened_at is not null as unopened from document_copy
    where sealed_key is not null and (${after}::uuid is null or id > ${after}::uuid) order by id limit ${limit}`.execute(db)
  return rows.map((row) => ({
    id: row.id,
    documentId: row.document_id,
    state: row.state,
    sealedKey: row.sealed_key,
    unopened: row.unopened,
  }))
}

/** Its key goes first of all: from here on nobody reads it, whatever becomes of its bytes. */
export async function setEnded(
  tx: Tx,
  id: string,
  ended: { readonly by: CopyEnd; readonly at: Date; readonly foundSha256?: Uint8Array },
): Promise<void> {
  await tx
    .updateTable('document_copy')
    .set({
      state: ended.foundSha256 === undefined ? 'deleted' : 'refused',
      sealed_key: null,
      ended_at: ended.at,
      ended_by: ended.by,
      found_sha256: ended.foundSha256 === undefined ? null : Buffer.from(ended.foundSha256),
    })
    .where('id', '=', id)
    .execute()
  await tx.deleteFrom('document_copy_part').where('copy_id', '=', id).execute()
}

/** Copies of deposits that the condition on `document` holds of, held for the caller. */
export async function lockLiveCopies(tx: Tx, of: RawBuilder<SqlBool>, limit: number): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select c.id from document_copy c join document on document.id = c.document_id
    where c.sealed_key is not null and ${of} order by c.id limit ${limit} for update of c`.execute(tx)
  return rows.map(({ id }) => id)
}

/** Those whose time is over, and why; held for the caller. */
export async function lockDueCopies(
  tx: Tx,
  before: { readonly now: Date; readonly trashed: Date; readonly touched: Date },
  limit: number,
): Promise<{ readonly id: string; readonly by: CopyEnd }[]> {
  const { rows } = await sql<{ id: string; by: CopyEnd }>`
    select c.id, case
        when d.id is null or d.status = 'expired' or d.trashed_at <= ${before.trashed}::timestamptz then 'trash'
        when c.state = 'stored' then 'retention'
        else 'abandoned' end as by
    from document_copy c left join document d on d.id = c.document_id
    where c.sealed_key is not null and (d.id is null or d.status = 'expired' or d.trashed_at <= ${before.trashed}::timestamptz
      or (c.state = 'stored' and c.kept_until <= ${before.now}::timestamptz)
      or (c.state = 'receiving' and c.touched_at <= ${before.touched}::timestamptz))
    order by c.id limit ${limit} for update of c skip locked`.execute(tx)
  return rows
}

/** Whole, and since then not compared: whatever kept the job back may be over. */
export async function listUncompared(db: Db, before: Date, limit: number): Promise<string[]> {
  const rows = await db
    .selectFrom('document_copy')
    .select('id')
    .where('state', '=', 'comparing')
    .where('unopened_at', 'is', null)
    .where('touched_at', '<=', before)
    .orderBy('touched_at')
    .limit(limit)
    .execute()
  return rows.map(({ id }) => id)
}

/** Of deposits that are gone, or that another copy took the place of. */
export async function deleteForgotten(db: Db, limit: number): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from document_copy where id in (
      select id from document_copy where document_id is null and sealed_key is null limit ${limit})`.execute(db)
  return Number(numAffectedRows ?? 0)
}

/** Whoever follows the deposit looks again. */
export async function announceCopy(tx: Db | Tx, documentId: string): Promise<void> {
  await sql`select pg_notify('document', ${documentId})`.execute(tx)
}

/** The SQL of copies. Every function takes the database or the transaction first. */
import { sql, type RawBuilder, type Selectable, type SqlBool } from 'kysely'
import type { Database } from '../../../../db/schema.d.ts'
import type { Db, Tx } from '../../../../platform/db/database.ts'
import type { CopyEnd, CopyState } from '../../domain/copy.ts'

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
    })
    .execute()
}

/** Of one that ended: another takes its place. */
export async function forgetCopy(tx: Tx, id: string): Promise<void> {
  await tx.updateTable('document_copy').set({ document_id: null }).where('id', '=', id).execute()
}

/** By its number, the blob of each piece that came. */
export async function listParts(db: Db | Tx, copyId: string): Promise<ReadonlyMap<number, string>> {
  const rows = await db.selectFrom('document_copy_part').select(['part', 'blob']).where('copy_id', '=', copyId).execute()
  return new Map(rows.map(({ part, blob }) => [part, blob]))
}

/** By the id of the copy, how many pieces came. */
export async function countPartsOf(db: Db | Tx, copyIds: readonly string[]): Promise<ReadonlyMap<string, number>> {
  if (copyIds.length === 0) return new Map()
  const { rows } = await sql<{ id: string; count: number }>`
    select copy_id as id, count(*)::int as count from document_copy_part where copy_id = any(${[...copyIds]}::uuid[]) group by 1`.execute(
    db,
  )
  return new Map(rows.map(({ id, count }) => [id, count]))
}

/** The caller holds the copy. @returns the blob that it takes the place of, if there was one */
export async function putPart(
  tx: Tx,
  copyId: string,
  { part, blob, now }: { readonly part: number; readonly blob: string; readonly now: Date },
): Promise<string | null> {
  const before = await tx
    .selectFrom('document_copy_part')
    .select('blob')
    .where('copy_id', '=', copyId)
    .where('part', '=', part)
    .executeTakeFirst()
  await tx
    .insertInto('document_copy_part')
    .values({ copy_id: copyId, part, blob })
    .onConflict((conflict) => conflict.columns(['copy_id', 'part']).doUpdateSet({ blob }))
    .execute()
  await tx.updateTable('document_copy').set({ touched_at: now }).where('id', '=', copyId).execute()
  return before?.blob ?? null
}

/** A piece that is damaged must come again. */
export async function dropPart(tx: Tx, copyId: string, part: number): Promise<void> {
  await tx.deleteFrom('document_copy_part').where('copy_id', '=', copyId).where('part', '=', part).execute()
}

export async function setCopyState(tx: Tx, id: string, state: 'receiving' | 'comparing', now: Date): Promise<void> {
  await tx.updateTable('document_copy').set({ state, touched_at: now }).where('id', '=', id).execute()
}

export async function setStored(tx: Tx, id: string, at: { readonly storedAt: Date; readonly keptUntil: Date }): Promise<void> {
  await tx
    .updateTable('document_copy')
    .set({ state: 'stored', stored_at: at.storedAt, kept_until: at.keptUntil })
    .where('id', '=', id)
    .execute()
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
export async function announceCopy(tx: Tx, documentId: string): Promise<void> {
  await sql`select pg_notify('document', ${documentId})`.execute(tx)
}

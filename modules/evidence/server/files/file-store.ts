/** The files of a package, as rows; the bytes are in the blob store. */
import { sql, type Selectable } from 'kysely'
import type { Database } from '../../../../db/schema.d.ts'
import type { Db, Tx } from '../../../../platform/db/database.ts'

export type FileSection = 'piece' | 'seal' | 'core' | 'cover_core' | 'cover_pieces'

export type FileRecord = {
  readonly path: string
  readonly section: FileSection
  /** Of pieces only. */
  readonly role: string | null
  readonly mediaType: string
  readonly bytes: number
  readonly sha256: string
  readonly crc32: number
}

function toFile(row: Selectable<Database['evidence_file']>): FileRecord {
  return {
    path: row.path,
    section: row.section as FileSection,
    role: row.role,
    mediaType: row.media_type,
    bytes: row.bytes,
    sha256: row.sha256,
    crc32: row.crc32,
  }
}

export async function insertFiles(tx: Tx, evidenceId: string, files: readonly FileRecord[]): Promise<void> {
  if (files.length === 0) return
  const { next } = await tx
    .selectFrom('evidence_file')
    .select(sql<number>`coalesce(max(position) + 1, 0)`.as('next'))
    .where('evidence_id', '=', evidenceId)
    .executeTakeFirstOrThrow()
  await tx
    .insertInto('evidence_file')
    .values(
      files.map((file, index) => ({
        evidence_id: evidenceId,
        path: file.path,
        section: file.section,
        role: file.role,
        media_type: file.mediaType,
        bytes: file.bytes,
        sha256: file.sha256,
        crc32: file.crc32,
        position: next + index,
      })),
    )
    .execute()
}

/** The bytes of a file that the package does not have yet, exchanged for newer ones. */
export async function replaceFile(tx: Tx, evidenceId: string, { path, bytes, sha256, crc32 }: FileRecord): Promise<void> {
  await tx
    .updateTable('evidence_file')
    .set({ bytes, sha256, crc32 })
    .where('evidence_id', '=', evidenceId)
    .where('path', '=', path)
    .executeTakeFirstOrThrow()
}

/** Takes files out of the package. Their bytes stay in the store until the evidence goes. */
export async function deleteFiles(tx: Tx, evidenceId: string, paths: readonly string[]): Promise<void> {
  if (paths.length === 0) return
  await tx
    .deleteFrom('evidence_file')
    .where('evidence_id', '=', evidenceId)
    .where('path', 'in', [...paths])
    .execute()
}

/** Fixes the order of the rows to that of the paths. */
export async function orderFiles(tx: Tx, evidenceId: string, paths: readonly string[]): Promise<void> {
  await sql`update evidence_file set position = wanted.position
    from unnest(${[...paths]}::text[]) with ordinality as wanted (path, position)
    where evidence_file.evidence_id = ${evidenceId}::uuid and evidence_file.path = wanted.path`.execute(tx)
}

export async function listFiles(db: Db | Tx, evidenceId: string): Promise<readonly FileRecord[]> {
  return (await listFilesOf(db, [evidenceId])).get(evidenceId) ?? []
}

/** By id of evidence; one that has none is absent. */
export async function listFilesOf(
  db: Db | Tx,
  evidenceIds: readonly string[],
): Promise<ReadonlyMap<string, readonly FileRecord[]>> {
  if (evidenceIds.length === 0) return new Map()
  const rows = await db
    .selectFrom('evidence_file')
    .selectAll()
    .where(sql<boolean>`evidence_id = any(${[...evidenceIds]}::uuid[])`)
    .orderBy('position')
    .execute()
  const files = new Map<string, FileRecord[]>()
  for (const row of rows) {
    const before = files.get(row.evidence_id)
    if (before === undefined) files.set(row.evidence_id, [toFile(row)])
    else before.push(toFile(row))
  }
  return files
}

/** The time stamps of seals that are held, and the certificates of those. */
export async function listStampFiles(
  db: Db | Tx,
  evidenceIds: readonly string[],
): Promise<readonly { readonly evidenceId: string; readonly path: string; readonly sha256: string; readonly bytes: number }[]> {
  return await db
    .selectFrom('evidence_file')
    .select(['evidence_id as evidenceId', 'path', 'sha256', 'bytes'])
    .where(sql<boolean>`evidence_id = any(${[...evidenceIds]}::uuid[])`)
    .where('path', 'like', 'seal/timestamp-%')
    .execute()
}

export async function findFile(db: Db | Tx, evidenceId: string, path: string): Promise<FileRecord | null> {
  const row = await db
    .selectFrom('evidence_file')
    .selectAll()
    .where('evidence_id', '=', evidenceId)
    .where('path', '=', path)
    .executeTakeFirst()
  return row === undefined ? null : toFile(row)
}

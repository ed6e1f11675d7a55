/** The files of a package and its seal, as rows; the bytes are in the blob store. */
import { sql, type Selectable } from 'kysely'
import type { SealSummary } from '../../../sealing/server/index.ts'
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

export type NewSeal = {
  readonly root: string
  readonly summary: SealSummary
  readonly sealedAt: Date
  /** End of the latest stamp that holds, and when it should be renewed: null when it has ended. */
  readonly health?: { readonly stampedUntil: Date; readonly renewAt: Date | null } | null
  /** When the authorities that gave no token are asked again. */
  readonly askAgainAt?: Date | null
}

export type SealRecord = {
  readonly root: string
  readonly summary: SealSummary
  readonly sealedAt: Date
  /** Null in seals of before it was calculated. */
  readonly stampedUntil: Date | null
  /** Null: none is missing, or they were given up. */
  readonly askAgainAt: Date | null
  /** How often they were asked again. */
  readonly askedAgain: number
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

export async function insertSeal(tx: Tx, evidenceId: string, seal: NewSeal): Promise<void> {
  await tx
    .insertInto('seal')
    .values({
      evidence_id: evidenceId,
      root: seal.root,
      summary: JSON.stringify(seal.summary),
      sealed_at: seal.sealedAt,
      stamped_until: seal.health?.stampedUntil ?? null,
      renew_at: seal.health?.renewAt ?? null,
      ask_again_at: seal.askAgainAt ?? null,
    })
    .execute()
}

export async function findSeal(db: Db | Tx, evidenceId: string): Promise<SealRecord | null> {
  return (await findSeals(db, [evidenceId])).get(evidenceId) ?? null
}

/** By id of evidence; one that has none is absent. */
export async function findSeals(db: Db | Tx, evidenceIds: readonly string[]): Promise<ReadonlyMap<string, SealRecord>> {
  if (evidenceIds.length === 0) return new Map()
  const rows = await db
    .selectFrom('seal')
    .selectAll()
    .where(sql<boolean>`evidence_id = any(${[...evidenceIds]}::uuid[])`)
    .execute()
  return new Map(rows.map((row) => [row.evidence_id, toSeal(row)]))
}

function toSeal(row: Selectable<Database['seal']>): SealRecord {
  return {
    root: row.root,
    summary: row.summary as SealSummary,
    sealedAt: row.sealed_at,
    stampedUntil: row.stamped_until,
    askAgainAt: row.ask_again_at,
    askedAgain: row.asked_again,
  }
}

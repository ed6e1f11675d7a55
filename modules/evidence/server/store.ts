/** The SQL of the module. Every function takes the database or the transaction first. */
import { sql, type Selectable } from 'kysely'
import type { CaptureFacts, CaptureProgress } from '../../capture/server/index.ts'
import type { SealSummary } from '../../sealing/server/index.ts'
import type { Database } from '../../../db/schema.d.ts'
import type { Locale } from '../../../kernel/locale.ts'
import type { Page } from '../../../kernel/page.ts'
import type { Db, Tx } from '../../../platform/db/database.ts'
import type { Status } from '../domain/status.ts'

export type FailureRecord = { readonly code: string; readonly data: Readonly<Record<string, string | number>> }

export type EvidenceRecord = {
  readonly id: string
  readonly tokenHash: Buffer
  readonly action: 'static'
  readonly requestedUrl: string
  readonly locale: Locale
  readonly status: Status
  readonly statusChangedAt: Date
  readonly createdAt: Date
  readonly capturedAt: Date | null
  readonly finalizedAt: Date | null
  readonly expiresAt: Date | null
  readonly attempts: number
  readonly fence: number
  readonly progress: CaptureProgress | null
  readonly failure: FailureRecord | null
  readonly facts: CaptureFacts | null
  readonly replacedBy: string | null
  readonly version: number
}

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

export type SealRecord = { readonly root: string; readonly summary: SealSummary; readonly sealedAt: Date }

/** The jsonb columns are written by this file only, from these types. */
function toRecord(row: Selectable<Database['evidence']>): EvidenceRecord {
  return {
    id: row.id,
    tokenHash: row.token_hash,
    action: row.action as 'static',
    requestedUrl: row.requested_url,
    locale: row.locale as Locale,
    status: row.status as Status,
    statusChangedAt: row.status_changed_at,
    createdAt: row.created_at,
    capturedAt: row.captured_at,
    finalizedAt: row.finalized_at,
    expiresAt: row.expires_at,
    attempts: row.attempts,
    fence: row.fence,
    progress: row.progress as CaptureProgress | null,
    failure: row.failure as FailureRecord | null,
    facts: row.facts as CaptureFacts | null,
    replacedBy: row.replaced_by,
    version: row.version,
  }
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

export async function insertEvidence(
  db: Db | Tx,
  row: { id: string; tokenHash: Buffer; action: 'static'; requestedUrl: string; locale: Locale; now: Date },
): Promise<EvidenceRecord> {
  const inserted = await db
    .insertInto('evidence')
    .values({
      id: row.id,
      token_hash: row.tokenHash,
      action: row.action,
      requested_url: row.requestedUrl,
      locale: row.locale,
      status: 'queued',
      status_changed_at: row.now,
      created_at: row.now,
    })
    .returningAll()
    .executeTakeFirstOrThrow()
  return toRecord(inserted)
}

export async function findEvidence(db: Db | Tx, id: string): Promise<EvidenceRecord | null> {
  const row = await db.selectFrom('evidence').selectAll().where('id', '=', id).executeTakeFirst()
  return row === undefined ? null : toRecord(row)
}

export type EvidenceListQuery = {
  readonly tokenHash: Buffer
  readonly statuses: readonly Status[] | null
  /** In the address that was asked for, any case. */
  readonly search: string | null
  readonly ordering: { readonly column: 'created_at' | 'status'; readonly direction: 'asc' | 'desc' }
  readonly limit: number
  readonly offset: number
}

/** Reads by the index on the token: a visitor's own rows only, however many others there are. */
export async function listEvidence(db: Db | Tx, query: EvidenceListQuery): Promise<Page<EvidenceRecord>> {
  let found = db.selectFrom('evidence').where('token_hash', '=', query.tokenHash)
  if (query.statuses !== null) found = found.where('status', 'in', [...query.statuses])
  if (query.search !== null) {
    const pattern = `%${query.search.replaceAll(/[\\%_]/g, (special) => `\\${special}`)}%`
    found = found.where('requested_url', 'ilike', pattern)
  }
  const { count } = await found.select((eb) => eb.fn.countAll<number>().as('count')).executeTakeFirstOrThrow()
  const { column, direction } = query.ordering
  const rows = await found
    .selectAll()
    .orderBy(column, direction)
    .orderBy('id', direction)
    .limit(query.limit)
    .offset(query.offset)
    .execute()
  return { count, rows: rows.map(toRecord) }
}

/** Holds the row until the transaction ends, so that two transitions of one evidence come one after the other. */
export async function lockEvidence(tx: Tx, id: string): Promise<EvidenceRecord | null> {
  const row = await tx.selectFrom('evidence').selectAll().where('id', '=', id).forUpdate().executeTakeFirst()
  return row === undefined ? null : toRecord(row)
}

/** How many wait before this one, plus one; null when it does not wait. */
export async function queuePosition(db: Db | Tx, evidence: EvidenceRecord): Promise<number | null> {
  if (evidence.status !== 'queued') return null
  const { before } = await db
    .selectFrom('evidence')
    .select((eb) => eb.fn.countAll<number>().as('before'))
    .where('status', '=', 'queued')
    .where(sql<boolean>`(created_at, id) < (${evidence.createdAt}, ${evidence.id}::uuid)`)
    .executeTakeFirstOrThrow()
  return before + 1
}

/** One status change with what belongs to it. The caller holds the row and has asked the domain. */
export async function changeStatus(
  tx: Tx,
  id: string,
  to: Status,
  now: Date,
  also: { expiresAt?: Date | null; finalizedAt?: Date } = {},
): Promise<void> {
  await tx
    .updateTable('evidence')
    .set({
      status: to,
      status_changed_at: now,
      ...(also.expiresAt === undefined ? {} : { expires_at: also.expiresAt }),
      ...(also.finalizedAt === undefined ? {} : { finalized_at: also.finalizedAt }),
    })
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
}

export async function linkReplacement(tx: Tx, id: string, replacedBy: string): Promise<void> {
  await tx.updateTable('evidence').set({ replaced_by: replacedBy }).where('id', '=', id).executeTakeFirstOrThrow()
}

// ——— the lease of a capture; every instant here is the database's own clock ———

/** Takes the oldest waiting evidence, or null. Growing the fence shuts out whoever held it before. */
export async function claimNext(db: Db, owner: string, leaseSeconds: number): Promise<EvidenceRecord | null> {
  const row = await db
    .updateTable('evidence')
    .set((eb) => ({
      status: 'preparing',
      status_changed_at: sql<Date>`clock_timestamp()`,
      lease_owner: owner,
      lease_until: sql<Date>`clock_timestamp() + make_interval(secs => ${leaseSeconds})`,
      fence: eb('fence', '+', 1),
      attempts: eb('attempts', '+', 1),
      progress: null,
    }))
    .where('id', '=', (eb) =>
      eb
        .selectFrom('evidence')
        .select('id')
        .where('status', '=', 'queued')
        .orderBy('created_at')
        .orderBy('id')
        .limit(1)
        .forUpdate()
        .skipLocked(),
    )
    .returningAll()
    .executeTakeFirst()
  return row === undefined ? null : toRecord(row)
}

/** @returns false when the lease is no longer this holder's: the capture must stop. */
export async function renewLease(db: Db, id: string, fence: number, leaseSeconds: number): Promise<boolean> {
  const done = await db
    .updateTable('evidence')
    .set({ lease_until: sql<Date>`clock_timestamp() + make_interval(secs => ${leaseSeconds})` })
    .where('id', '=', id)
    .where('fence', '=', fence)
    .where('lease_until', '>', sql<Date>`clock_timestamp()`)
    .executeTakeFirst()
  return done.numUpdatedRows === 1n
}

export async function recordProgress(db: Db, id: string, fence: number, progress: CaptureProgress): Promise<boolean> {
  const capturing = progress.phase === 'capturing' || progress.phase === 'completing'
  const done = await db
    .updateTable('evidence')
    .set({
      progress: JSON.stringify(progress),
      ...(capturing
        ? {
            status: sql<string>`case when status = 'preparing' then 'capturing' else status end`,
            status_changed_at: sql<Date>`case when status = 'preparing' then clock_timestamp() else status_changed_at end`,
          }
        : {}),
    })
    .where('id', '=', id)
    .where('fence', '=', fence)
    .where('lease_until', '>', sql<Date>`clock_timestamp()`)
    .executeTakeFirst()
  return done.numUpdatedRows === 1n
}

/** Ends the lease with a result. @returns false when the fence is stale: then nothing was changed. */
export async function closeCapture(
  tx: Tx,
  id: string,
  fence: number,
  result: { status: 'completing'; facts: CaptureFacts } | { status: 'failed'; failure: FailureRecord; expiresAt: Date },
): Promise<boolean> {
  const done = await tx
    .updateTable('evidence')
    .set({
      status: result.status,
      status_changed_at: sql<Date>`clock_timestamp()`,
      lease_owner: null,
      lease_until: null,
      ...(result.status === 'completing'
        ? { facts: JSON.stringify(result.facts), captured_at: result.facts.finished_at }
        : { failure: JSON.stringify(result.failure), expires_at: result.expiresAt }),
    })
    .where('id', '=', id)
    .where('fence', '=', fence)
    .where('status', 'in', ['preparing', 'capturing'])
    .where('lease_until', '>', sql<Date>`clock_timestamp()`)
    .executeTakeFirst()
  return done.numUpdatedRows === 1n
}

/** Gives the evidence back to the queue, for another try. @returns false when the fence is stale. */
export async function requeueCapture(db: Db, id: string, fence: number): Promise<boolean> {
  const done = await db
    .updateTable('evidence')
    .set({
      status: 'queued',
      status_changed_at: sql<Date>`clock_timestamp()`,
      lease_owner: null,
      lease_until: null,
      progress: null,
    })
    .where('id', '=', id)
    .where('fence', '=', fence)
    .where('status', 'in', ['preparing', 'capturing'])
    .executeTakeFirst()
  return done.numUpdatedRows === 1n
}

/**
 * Leases that ran out: their capture process is gone or cut off. The evidence goes back to the queue, or fails when it has
 * been begun too often. @returns the ids put back and the ids failed.
 */
export async function releaseExpiredLeases(db: Db, maxAttempts: number): Promise<{ requeued: string[]; exhausted: string[] }> {
  const rows = await db
    .updateTable('evidence')
    .set({
      status: sql<string>`case when attempts < ${maxAttempts} then 'queued' else 'failed' end`,
      status_changed_at: sql<Date>`clock_timestamp()`,
      lease_owner: null,
      lease_until: null,
      progress: null,
      failure: sql`case when attempts < ${maxAttempts} then null else '{"code":"internal","data":{}}'::jsonb end`,
      expires_at: sql<Date | null>`case when attempts < ${maxAttempts} then null else clock_timestamp() + interval '24 hours' end`,
    })
    .where('id', 'in', (eb) =>
      eb
        .selectFrom('evidence')
        .select('id')
        .where('lease_until', '<=', sql<Date>`clock_timestamp()`)
        .where('status', 'in', ['preparing', 'capturing'])
        .forUpdate()
        .skipLocked(),
    )
    .returning(['id', 'status'])
    .execute()
  return {
    requeued: rows.filter((row) => row.status === 'queued').map((row) => row.id),
    exhausted: rows.filter((row) => row.status === 'failed').map((row) => row.id),
  }
}

// ——— files and seal ———

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

/** Fixes the order of the rows to that of the paths. */
export async function orderFiles(tx: Tx, evidenceId: string, paths: readonly string[]): Promise<void> {
  await sql`update evidence_file set position = wanted.position
    from unnest(${[...paths]}::text[]) with ordinality as wanted (path, position)
    where evidence_file.evidence_id = ${evidenceId}::uuid and evidence_file.path = wanted.path`.execute(tx)
}

export async function listFiles(db: Db | Tx, evidenceId: string): Promise<FileRecord[]> {
  const rows = await db
    .selectFrom('evidence_file')
    .selectAll()
    .where('evidence_id', '=', evidenceId)
    .orderBy('position')
    .execute()
  return rows.map(toFile)
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

export async function insertSeal(tx: Tx, evidenceId: string, seal: SealRecord): Promise<void> {
  await tx
    .insertInto('seal')
    .values({ evidence_id: evidenceId, root: seal.root, summary: JSON.stringify(seal.summary), sealed_at: seal.sealedAt })
    .execute()
}

export async function findSeal(db: Db | Tx, evidenceId: string): Promise<SealRecord | null> {
  const row = await db.selectFrom('seal').selectAll().where('evidence_id', '=', evidenceId).executeTakeFirst()
  return row === undefined ? null : { root: row.root, summary: row.summary as SealSummary, sealedAt: row.sealed_at }
}

// ——— retention ———

/** Drafts whose time is over (S-40), at most `limit`, locked for the caller. */
export async function lockExpired(tx: Tx, now: Date, limit: number): Promise<EvidenceRecord[]> {
  const rows = await tx
    .selectFrom('evidence')
    .selectAll()
    .where('expires_at', '<=', now)
    .where('status', 'in', ['to_validate', 'rejected', 'failed'])
    .orderBy('expires_at')
    .limit(limit)
    .forUpdate()
    .skipLocked()
    .execute()
  return rows.map(toRecord)
}

/** Forgets what the capture showed; the row stays, so that the visitor learns what became of it. */
export async function eraseContent(tx: Tx, evidenceId: string): Promise<void> {
  await tx.deleteFrom('evidence_file').where('evidence_id', '=', evidenceId).execute()
  await tx.deleteFrom('seal').where('evidence_id', '=', evidenceId).execute()
  await tx.updateTable('evidence').set({ facts: null, progress: null }).where('id', '=', evidenceId).execute()
}

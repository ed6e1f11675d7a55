/** The previews of a draft's report: which were asked for, what became of them. The bytes are in the blob store. */
import { sql } from 'kysely'
import type { Locale } from '../../../../kernel/locale.ts'
import type { Db, Tx } from '../../../../platform/db/database.ts'

export type PreviewKey = { readonly evidenceId: string; readonly language: Locale }

export type PreviewFile = { readonly sha256: string; readonly bytes: number }

export type PreviewRecord = {
  readonly askedAt: Date
  /** Of the latest attempt. */
  readonly startedAt: Date | null
  readonly failedAt: Date | null
  readonly file: PreviewFile | null
  /** Of which the file was made; null too of one that was printed before documents were kept. */
  readonly document: PreviewFile | null
}

const fileOf = (sha256: string | null, bytes: number | null): PreviewFile | null =>
  sha256 === null || bytes === null ? null : { sha256, bytes }

export async function findPreview(db: Db | Tx, key: PreviewKey): Promise<PreviewRecord | null> {
  const row = await db
    .selectFrom('report_preview')
    .selectAll()
    .where('evidence_id', '=', key.evidenceId)
    .where('language', '=', key.language)
    .executeTakeFirst()
  if (row === undefined) return null
  return {
    askedAt: row.asked_at,
    startedAt: row.started_at,
    failedAt: row.failed_at,
    file: fileOf(row.sha256, row.bytes),
    document: fileOf(row.document_sha256, row.document_bytes),
  }
}

/**
 * Notes that it is asked for: for the first time, or again after it failed or nothing was heard of it since `lateBefore`.
 * @returns whether this call is the one that has it printed
 */
export async function beginPreview(tx: Tx, key: PreviewKey, now: Date, lateBefore: Date): Promise<boolean> {
  const row = await tx
    .insertInto('report_preview')
    .values({ evidence_id: key.evidenceId, language: key.language, asked_at: now })
    .onConflict((conflict) =>
      conflict
        .columns(['evidence_id', 'language'])
        .doUpdateSet({ asked_at: now, started_at: null, failed_at: null })
        .where('report_preview.sha256', 'is', null)
        .where((eb) =>
          eb.or([
            eb('report_preview.failed_at', 'is not', null),
            eb(sql<Date>`coalesce(report_preview.started_at, report_preview.asked_at)`, '<=', lateBefore),
          ]),
        ),
    )
    .returning('language')
    .executeTakeFirst()
  return row !== undefined
}

async function change(
  db: Db | Tx,
  key: PreviewKey,
  set:
    | { started_at: Date }
    | { failed_at: Date }
    | { sha256: string; bytes: number; document_sha256: string; document_bytes: number; failed_at: null },
): Promise<boolean> {
  const row = await db
    .updateTable('report_preview')
    .set(set)
    .where('evidence_id', '=', key.evidenceId)
    .where('language', '=', key.language)
    .where('sha256', 'is', null)
    .returning('language')
    .executeTakeFirst()
  return row !== undefined
}

/** @returns false when nobody asks for it any more, or it is there already; so do the two below */
export async function startPreview(db: Db, key: PreviewKey, now: Date): Promise<boolean> {
  return await change(db, key, { started_at: now })
}

export async function failPreview(db: Db, key: PreviewKey, now: Date): Promise<boolean> {
  return await change(db, key, { failed_at: now })
}

export type PreviewFiles = { readonly file: PreviewFile; readonly document: PreviewFile }

export async function finishPreview(tx: Tx, key: PreviewKey, { file, document }: PreviewFiles): Promise<boolean> {
  const kept = { ...file, document_sha256: document.sha256, document_bytes: document.bytes }
  return await change(tx, key, { ...kept, failed_at: null })
}

export async function listPreviewBlobs(db: Db | Tx, evidenceId: string): Promise<string[]> {
  const rows = await db
    .selectFrom('report_preview')
    .select(['sha256', 'document_sha256'])
    .where('evidence_id', '=', evidenceId)
    .execute()
  return rows.flatMap(({ sha256, document_sha256 }) => [sha256, document_sha256]).filter((each) => each !== null)
}

export async function forgetPreviews(db: Db | Tx, evidenceId: string): Promise<void> {
  await db.deleteFrom('report_preview').where('evidence_id', '=', evidenceId).execute()
}

import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { writeDocument } from '../../../../kernel/document/read-document.ts'
import { type ReportInput, printPreview } from '../../../report/server/index.ts'
import type { Piece, PieceRole } from '../../../verification/server/index.ts'
import { askedByOf } from '../own/asked-by.ts'
import { mayBePreviewed } from '../../domain/status.ts'
import type { EvidenceDeps } from '../record/deps.ts'
import { eraseEvidence } from './expire-drafts.ts'
import { listFiles } from '../files/file-store.ts'
import { findSeal } from '../seal/seal-store.ts'
import { localCopies } from '../files/local-copies.ts'
import { findEvidence, lockEvidence } from '../record/store.ts'
import { subjectOf } from '../seal/subject-of.ts'
import { failPreview, findPreview, finishPreview, startPreview, type PreviewFiles, type PreviewKey } from './preview-store.ts'

export type PrintPreviewDeps = EvidenceDeps &
  Pick<ReportInput, 'siteUrl'> & {
    /** Holds the folders of jobs that are running. */
    readonly workFolder: string
  }

/** Less than the visitor's patience (ask-preview.ts): a print never outlives the moment when it may be asked for again. */
const longestMs = 4 * 60 * 1000

/**
 * Prints the preview of a draft's report and keeps it with the draft, as paper and as what a screen shows. May be repeated; keeps nothing of a draft that was decided
 * on or deleted meanwhile.
 * @param attempt `last`: when this one fails, the visitor is told so
 */
export async function printReportPreview(
  deps: PrintPreviewDeps,
  key: PreviewKey,
  attempt: { readonly stop: AbortSignal; readonly last: boolean },
): Promise<void> {
  const { evidenceId, language } = key
  const workDir = join(deps.workFolder, `preview-${evidenceId}-${language}`)
  // Also what an attempt that was cut off has left.
  await rm(workDir, { recursive: true, force: true })
  const evidence = await findEvidence(deps.db, evidenceId)
  if (evidence === null) return
  if (!mayBePreviewed(evidence.status)) return await eraseEvidence(deps, evidenceId)
  if (!(await startPreview(deps.db, key, deps.clock.now()))) return
  try {
    const seal = await findSeal(deps.db, evidenceId)
    if (evidence.facts === null || seal === null) throw new Error(`evidence ${evidenceId} is a draft without facts or seal`)
    const files = await listFiles(deps.db, evidenceId)
    const scope = deps.blobs.scope(evidenceId)
    await mkdir(workDir, { recursive: true, mode: 0o700 })
    const capture = {
      subject: subjectOf(evidenceId, evidence.action, evidence.facts),
      facts: evidence.facts,
      askedBy: await askedByOf(deps.db, evidence),
      pieces: files
        .filter((file) => file.section === 'piece')
        .map((file): Piece => ({
          path: file.path,
          role: file.role as PieceRole,
          media_type: file.mediaType,
          bytes: file.bytes,
          sha256: file.sha256,
        })),
      seal: seal.summary,
      siteUrl: deps.siteUrl,
    } as const
    const { pdf, document } = await printPreview(capture, language, {
      localFile: localCopies(scope, files, workDir),
      workDir,
      signal: AbortSignal.any([attempt.stop, AbortSignal.timeout(longestMs)]),
    })
    await keep(deps, key, pdf, writeDocument(document))
  } catch (error) {
    if (attempt.last) await failPreview(deps.db, key, deps.clock.now())
    throw error
  } finally {
    await rm(workDir, { recursive: true, force: true })
  }
}

/** Bytes first, then the row under the lock of the evidence: a draft that is deleted meanwhile takes both, or neither came to be. */
async function keep(deps: PrintPreviewDeps, key: PreviewKey, pdf: Uint8Array, json: string): Promise<void> {
  const scope = deps.blobs.scope(key.evidenceId)
  const made: PreviewFiles = { file: await scope.putBytes(pdf), document: await scope.putBytes(Buffer.from(json)) }
  const kept = await deps.db.transaction().execute(async (tx) => {
    const locked = await lockEvidence(tx, key.evidenceId)
    return locked !== null && mayBePreviewed(locked.status) && (await finishPreview(tx, key, made))
  })
  if (kept) return
  const other = await findPreview(deps.db, key)
  const held = [other?.file?.sha256, other?.document?.sha256]
  for (const { sha256 } of [made.file, made.document]) if (!held.includes(sha256)) await scope.remove(sha256)
  await eraseEvidence(deps, key.evidenceId)
}

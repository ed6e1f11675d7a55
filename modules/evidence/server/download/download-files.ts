import { Readable } from 'node:stream'
import { DomainError } from '../../../../kernel/errors.ts'
import type { Locale } from '../../../../kernel/locale.ts'
import { packageStream, type PackageEntry } from '../package/write-package.ts'
import type { EvidenceDeps } from '../record/deps.ts'
import { assertDraft } from '../draft/ask-preview.ts'
import { findPreview, type PreviewRecord } from '../draft/preview-store.ts'
import { findFile, listFiles, type FileRecord, type FileSection } from '../files/file-store.ts'
import { findSeal } from '../seal/seal-store.ts'
import { findEvidence, type EvidenceRecord } from '../record/store.ts'

/** A file of the package as its bytes are asked for. `end` is exclusive. */
export type Download = {
  readonly bytes: number
  readonly mediaType: string
  readonly fileName: string
  /** Strong validator: what the bytes are determined by. */
  readonly etag: string
  open(start: number, end: number): Promise<Readable>
}

const shown = ['to_validate', 'awaiting_payment', 'finalizing', 'final']

export async function findShown(deps: EvidenceDeps, id: string, statuses: readonly string[]): Promise<EvidenceRecord> {
  const evidence = await findEvidence(deps.db, id)
  if (evidence === null) throw new DomainError('not_found', 'evidence.not_found')
  if (evidence.status === 'expired' || evidence.status === 'rejected') throw new DomainError('gone', 'evidence.expired')
  if (!statuses.includes(evidence.status)) throw new DomainError('conflict', 'evidence.not_ready', { status: evidence.status })
  return evidence
}

/** @throws DomainError gone `evidence.content_deleted`: it was in the trash for thirty days, or its account was closed */
async function findWhole(deps: EvidenceDeps, id: string, statuses: readonly string[]): Promise<EvidenceRecord> {
  const evidence = await findShown(deps, id, statuses)
  if (evidence.contentDeletedAt !== null) throw new DomainError('gone', 'evidence.content_deleted')
  return evidence
}

function downloadOf(
  deps: EvidenceDeps,
  id: string,
  file: Pick<FileRecord, 'sha256' | 'bytes' | 'mediaType'>,
  fileName: string,
): Download {
  return {
    bytes: file.bytes,
    mediaType: file.mediaType,
    fileName,
    etag: file.sha256,
    open: async (start, end) =>
      start >= end ? Readable.from([]) : await deps.blobs.scope(id).open(file.sha256, { start, end: end - 1 }),
  }
}

/** `url` with its host and date, safe in a file name of any system. */
export function packageName(evidence: EvidenceRecord): string {
  const host = new URL(evidence.requestedUrl).hostname.replace(/[^a-z0-9.-]/gi, '').slice(0, 60)
  const day = (evidence.capturedAt ?? evidence.createdAt).toISOString().slice(0, 10)
  return `probant-${host}-${day}-${evidence.id.slice(-8)}`
}

/** @throws DomainError not_found, gone or conflict */
export async function downloadPiece(deps: EvidenceDeps, id: string, path: string): Promise<Download> {
  await findWhole(deps, id, shown)
  const file = await findFile(deps.db, id, path)
  if (file === null || file.section !== 'piece') throw new DomainError('not_found', 'evidence.not_found')
  return downloadOf(deps, id, file, path.split('/').at(-1) ?? 'piece')
}

/** @throws DomainError not_found, gone or conflict */
export async function downloadReport(deps: EvidenceDeps, id: string, language: Locale): Promise<Download> {
  const evidence = await findWhole(deps, id, ['final'])
  const file = await findFile(deps.db, id, `report.${language}.pdf`)
  if (file === null) throw new DomainError('not_found', 'evidence.not_found')
  return downloadOf(deps, id, file, `${packageName(evidence)}.${language}.pdf`)
}

export function previewName(id: string, language: Locale): string {
  return `preview_${id}_${language}.pdf`
}

/** While it is still to be decided on. */
async function previewOf(deps: EvidenceDeps, id: string, language: Locale): Promise<PreviewRecord> {
  const evidence = await findEvidence(deps.db, id)
  if (evidence === null) throw new DomainError('not_found', 'evidence.not_found')
  assertDraft(evidence, deps.clock.now())
  const preview = await findPreview(deps.db, { evidenceId: id, language })
  if (preview === null) throw new DomainError('not_found', 'evidence.not_found')
  return preview
}

/** The report as it will be (C-29). @throws DomainError not_found, gone or conflict */
export async function downloadPreview(deps: EvidenceDeps, id: string, language: Locale): Promise<Download> {
  const { file } = await previewOf(deps, id, language)
  if (file === null) throw new DomainError('not_found', 'evidence.not_found')
  return downloadOf(deps, id, { ...file, mediaType: 'application/pdf' }, previewName(id, language))
}

/** The same for a screen (decision 0365). @throws DomainError not_found, gone or conflict */
export async function downloadPreviewDocument(deps: EvidenceDeps, id: string, language: Locale): Promise<Download> {
  const { document } = await previewOf(deps, id, language)
  if (document === null) throw new DomainError('not_found', 'evidence.not_found')
  return downloadOf(deps, id, { ...document, mediaType: 'application/json' }, `preview_${id}_${language}.json`)
}

/** Only in the full package. */
const fullOnly: readonly FileSection[] = ['piece', 'cover_pieces']

/**
 * The package as one download of known length, any range of it, made of the stored files at the moment it is asked for.
 * @throws DomainError not_found, gone or conflict
 */
export async function downloadPackage(deps: EvidenceDeps, id: string, full: boolean): Promise<Download> {
  const evidence = await findWhole(deps, id, ['final'])
  const blobs = deps.blobs.scope(id)
  // The order of the format is the order of the rows: it was fixed when the package was laid out.
  const files = (await listFiles(deps.db, id)).filter((file) => full || !fullOnly.includes(file.section))
  const entries = files.map((file): PackageEntry => ({
    path: file.path,
    bytes: file.bytes,
    crc32: file.crc32,
    open: async () => await blobs.open(file.sha256),
    openAt: async (start) => await blobs.open(file.sha256, { start, end: file.bytes - 1 }),
  }))
  const whole = packageStream(entries, { start: 0, end: 0 })
  whole.stream.destroy()
  const seal = await findSeal(deps.db, id)
  // The list of the core names every entry of it: a package that was made anew has another.
  const core = files.find(({ path }) => path === 'META-INF/ASiCManifest001.xml')
  return {
    bytes: whole.totalBytes,
    mediaType: 'application/vnd.etsi.asic-e+zip',
    fileName: `${packageName(evidence)}${full ? '' : '-short'}.zip`,
    etag: `${seal?.root ?? id}-${core?.sha256.slice(0, 16) ?? ''}-${full ? 'full' : 'short'}`,
    open: (start, end) => Promise.resolve(packageStream(entries, { start, end }).stream),
  }
}

import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { BlobStore } from '../../../../platform/blobs/blob-store.ts'
import type { Manifest, PieceRole } from '../../../verification/server/index.ts'
import { finalizingMinutes } from '../../domain/told-times.ts'
import { askedByOf } from '../own/asked-by.ts'
import { assemblePackage } from '../package/assemble-package.ts'
import { anchorKnownNow } from './anchor-known-now.ts'
import { insertEvidenceAnchor } from '../anchor/anchor-store.ts'
import type { MadeEntry } from '../package/lay-out.ts'
import { askRefresh } from '../anchor/spread-anchor.ts'
import { timestampersFor, type SealDeps } from '../seal/seal-evidence.ts'
import { fileOf, localCopies } from '../files/local-copies.ts'
import { dropPreviews } from '../draft/drop-previews.ts'
import { renewLogProof } from '../seal/renew-log-proof.ts'
import { beginTerm } from '../keep/keep-files.ts'
import { notifyPeople } from '../notify/notify-people.ts'
import { storeBytes } from '../files/store-files.ts'
import { insertFiles, listFiles, orderFiles, replaceFile, type FileRecord, type FileSection } from '../files/file-store.ts'
import { findSeal } from '../seal/seal-store.ts'
import { changeStatus, findEvidence, lockEvidence } from '../record/store.ts'

export type FinalizeDeps = SealDeps & {
  /** Built `verify.html`. */
  readonly verifyHtmlFile: string
  /** Holds the folders of jobs that are running. */
  readonly workFolder: string
  /** Where readers elsewhere reach this installation; null when they cannot. */
  readonly siteUrl: string | null
}

/** Of small sealed files: manifest, signature, tokens. */
const maxSealFileBytes = 64 * 1024 * 1024
const longestMs = finalizingMinutes * 60_000

/**
 * Prints and signs the reports, lays out the package around the seal, and makes the evidence final. Everything before the
 * last transaction may be repeated after a crash: bytes that nobody names are cleared with the evidence's scope.
 */
export async function finalizeEvidence(deps: FinalizeDeps, evidenceId: string, stop: AbortSignal): Promise<void> {
  const evidence = await findEvidence(deps.db, evidenceId)
  if (evidence === null || evidence.status !== 'finalizing') return
  const seal = await findSeal(deps.db, evidenceId)
  if (evidence.facts === null || seal === null) throw new Error(`evidence ${evidenceId} is finalizing without facts or seal`)
  const files = await listFiles(deps.db, evidenceId)
  const scope = deps.blobs.scope(evidenceId)
  // The report itself takes their place.
  await dropPreviews(deps, evidenceId)
  const stored = []
  for (const file of files.filter((one) => one.section === 'seal')) {
    stored.push({
      path: file.path,
      media_type: file.mediaType,
      bytes: await scope.read(file.sha256, { maxBytes: maxSealFileBytes }),
    })
  }
  const known = await anchorKnownNow(deps, seal.root)
  const { sealedFiles, renewed } = await renewLogProof({ publicLog: deps.publicLog, scope }, seal.root, stored, known.size)
  const manifestFile = stored.find((file) => file.path === 'manifest.json')
  if (manifestFile === undefined) throw new Error(`evidence ${evidenceId} has no manifest`)
  // Written by sealPieces; every verifier parses it strictly.
  const manifest = JSON.parse(manifestFile.bytes.toString('utf8')) as Manifest
  const workDir = join(deps.workFolder, `finalize-${evidenceId}`)
  await rm(workDir, { recursive: true, force: true })
  await mkdir(workDir, { recursive: true, mode: 0o700 })
  try {
    const layout = await assemblePackage(
      {
        subject: manifest.subject,
        facts: evidence.facts,
        askedBy: await askedByOf(deps.db, evidence),
        pieces: manifest.pieces.map((piece) => entryOf(scope, fileOf(files, piece.path))),
        seal: seal.summary,
        sealedFiles: [...sealedFiles, ...known.files],
        siteUrl: deps.siteUrl,
      },
      {
        ...deps,
        timestampers: timestampersFor(deps, evidence),
        localFile: localCopies(scope, files, workDir),
        workDir,
        signal: AbortSignal.any([stop, AbortSignal.timeout(longestMs)]),
      },
    )
    const sealed = new Set(sealedFiles.map((file) => file.path))
    const made: FileRecord[] = []
    const store = async (entries: readonly MadeEntry[], section: FileSection) => {
      for (const entry of entries.filter((one) => !sealed.has(one.path))) {
        made.push(await storeBytes(scope, { path: entry.path, section, role: null, mediaType: entry.mediaType }, entry.data))
      }
    }
    await store(layout.core, 'core')
    await store(layout.coverOfCore, 'cover_core')
    await store(layout.coverOfPieces, 'cover_pieces')
    await deps.db.transaction().execute(async (tx) => {
      const locked = await lockEvidence(tx, evidenceId)
      if (locked?.status !== 'finalizing') return
      const now = deps.clock.now()
      await insertFiles(tx, evidenceId, made)
      if (renewed !== null) await replaceFile(tx, evidenceId, renewed)
      await orderFiles(
        tx,
        evidenceId,
        layout.full().map((entry) => entry.path),
      )
      await changeStatus(tx, evidenceId, 'final', now, { finalizedAt: now })
      await beginTerm(tx, locked, now)
      await notifyPeople(tx, locked, { kind: 'report_ready' }, now)
      if (known.anchor !== null) {
        await insertEvidenceAnchor(tx, evidenceId, known.anchor, now)
        await notifyPeople(tx, locked, { kind: 'anchored' }, now)
      }
      // An anchor confirmed a moment ago has not seen this evidence among the final ones.
      else if (deps.publicLog !== undefined) await askRefresh(tx, evidenceId)
    })
  } finally {
    await rm(workDir, { recursive: true, force: true })
  }
}

function entryOf(scope: BlobStore, file: FileRecord) {
  return {
    path: file.path,
    role: file.role as PieceRole,
    media_type: file.mediaType,
    mediaType: file.mediaType,
    bytes: file.bytes,
    sha256: file.sha256,
    crc32: file.crc32,
    open: async () => await scope.open(file.sha256),
  }
}

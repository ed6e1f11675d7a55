import {
  attachPreflight,
  CaptureFailure,
  listSetAside,
  type CapturedFile,
  type CaptureFacts,
  type CaptureProgress,
} from '../../../capture/server/index.ts'
import { enqueue } from '../../../../platform/jobs/jobs.ts'
import { mayBeginAgain } from '../../domain/action.ts'
import { draftLifetimeMs, maxCaptureAttempts } from '../../domain/status.ts'
import type { CaptureLoopDeps, CaptureRequest } from './capture-loop-deps.ts'
import { insertFiles, type FileRecord } from '../files/file-store.ts'
import { holdClaim } from './hold-claim.ts'
import { sealEvidenceJob } from '../record/jobs.ts'
import { closeCapture, renewLease, requeueCapture } from '../queue/lease-store.ts'
import { createProgressReporter } from './report-progress.ts'
import { storeLocalFile } from '../files/store-files.ts'
import type { EvidenceRecord } from '../record/store.ts'
import { joinVantage } from '../vantage/join-vantage.ts'
import { meetAsFirst } from '../vantage/meet.ts'
import { findVantage } from '../vantage/vantage-store.ts'

const maxBrowserTries = 2

export type StopSignals = {
  /** The process takes nothing more: sessions are to end by themselves and be completed. */
  readonly ending: AbortSignal
  /** It waits no longer: what still runs is broken off. */
  readonly stopping: AbortSignal
}

/**
 * Captures a claimed evidence and keeps what came of it: outcome, failure, or the evidence back in the queue. Never throws.
 * Whoever was stopped past its lease finds its writes refused.
 */
export async function captureFirst(deps: CaptureLoopDeps, evidence: EvidenceRecord, stop: StopSignals): Promise<void> {
  const { id, fence } = evidence
  // Until it is the visitor's, a session that is told to end has nothing to complete: it goes back to the queue.
  const early = new AbortController()
  const stopping = evidence.action === 'static' ? stop.stopping : AbortSignal.any([stop.stopping, early.signal])
  let status: 'preparing' | 'capturing' = 'preparing'
  const breakOff = () => {
    if (status === 'preparing') early.abort()
  }
  stop.ending.addEventListener('abort', breakOff, { once: true })
  if (stop.ending.aborted) breakOff()
  const log = deps.log.child({ evidence_id: id })
  const renew = async () => await renewLease(deps.db, id, fence, deps.leaseSeconds)
  const claim = holdClaim(deps, { folder: `${id}.${String(fence)}`, renew, log }, stopping)
  const { workDir, signal, lost, setAside } = claim
  const reporter = createProgressReporter(deps, id, fence, () => lost.abort())
  let begun = false
  try {
    const preflight = await claim.prepare(id)
    const vantage = await findVantage(deps.db, id)
    const request = {
      ...claim.request(evidence, preflight),
      onProgress: (progress: CaptureProgress) => {
        if (progress.phase === 'capturing' || progress.phase === 'completing') status = 'capturing'
        reporter.report(progress)
      },
      beforeNavigation:
        vantage === null
          ? undefined
          : async () => {
              reporter.report({ phase: 'preparing', step: 'meet' })
              await meetAsFirst(deps.db, id, signal, deps.meetMs)
            },
    }
    begun = true
    const captured = await captureBy(deps, evidence, request, stop.ending)
    await reporter.settled()
    signal.throwIfAborted()
    const outcome = await attachPreflight(captured, preflight, await listSetAside(deps.db, id), workDir)
    if (vantage !== null) reporter.report({ phase: 'completing', step: 'second_server' })
    const joined = await joinVantage(deps, id, outcome, { workDir, signal })
    await reporter.settled()
    await keepOutcome(deps, evidence, joined.outcome, joined.stored)
  } catch (error) {
    await reporter.settled()
    if (lost.signal.aborted) log.warn({}, 'the lease was lost; this capture is left to its new holder')
    else if (!mayBeginAgain(evidence.action, status)) await keepFailure(deps, evidence, nameSessionEnd(error))
    else if (stopping.aborted || setAside.signal.aborted) await giveBack(deps, evidence, error, false)
    else if (isWorthAnotherTry(evidence, error, begun)) await giveBack(deps, evidence, error, true)
    else await keepFailure(deps, evidence, error)
  } finally {
    stop.ending.removeEventListener('abort', breakOff)
    await claim.release()
  }
}

async function captureBy(deps: CaptureLoopDeps, evidence: EvidenceRecord, request: CaptureRequest, ending: AbortSignal) {
  if (evidence.action === 'static') return await deps.capture(request)
  const { interactive } = deps
  if (interactive === undefined) throw new Error('an interactive capture was claimed by a process that takes none')
  const { sessionMs, graceMs } = interactive
  const held = interactive.door.hold({ evidenceId: evidence.id, fence: evidence.fence, sessionMs })
  try {
    return await interactive.capture({
      ...request,
      device: evidence.device,
      sessions: held.sessions,
      sessionMs,
      graceMs,
      ending,
    })
  } finally {
    await held.close()
  }
}

/** Broken off from outside, by a stop that could not wait say, it is lost; whatever else ended it is named by itself. */
function nameSessionEnd(error: unknown): unknown {
  const cancelled =
    error instanceof CaptureFailure ? error.code === 'cancelled' : error instanceof Error && error.name === 'AbortError'
  return cancelled ? new CaptureFailure('session_lost', {}, error) : error
}

/**
 * A browser that died may have been killed from outside; a page that kills it does so again. What failed before the capture
 * began, the database being away say, is none of the page's doing.
 */
function isWorthAnotherTry(evidence: EvidenceRecord, error: unknown, begun: boolean): boolean {
  if (!begun) return evidence.attempts < maxCaptureAttempts
  return error instanceof CaptureFailure && error.code === 'browser_crashed' && evidence.attempts < maxBrowserTries
}

/** @param counts whether it is one of the tries that an evidence has */
async function giveBack(deps: CaptureLoopDeps, evidence: EvidenceRecord, error: unknown, counts: boolean): Promise<void> {
  deps.log.warn({ err: error, evidence_id: evidence.id }, 'the capture was broken off and goes back to the queue')
  try {
    await requeueCapture(deps.db, evidence.id, evidence.fence, counts)
  } catch (storeError) {
    // Its lease runs out by itself.
    deps.log.error({ err: storeError, evidence_id: evidence.id }, 'the capture could not be given back')
  }
}

/** Bytes first, then one transaction: rows, status and the sealing job exist together or not at all. */
async function keepOutcome(
  deps: CaptureLoopDeps,
  evidence: EvidenceRecord,
  outcome: { files: readonly CapturedFile[]; facts: CaptureFacts },
  stored: readonly FileRecord[],
): Promise<void> {
  const scope = deps.blobs.scope(evidence.id)
  const pieces: FileRecord[] = [...stored]
  for (const file of outcome.files) {
    const described = { path: file.path, section: 'piece' as const, role: file.role, mediaType: file.media_type }
    pieces.push(await storeLocalFile(scope, described, file.file))
  }
  await deps.db.transaction().execute(async (tx) => {
    if (!(await closeCapture(tx, evidence.id, evidence.fence, { status: 'completing', facts: outcome.facts }))) {
      deps.log.warn({ evidence_id: evidence.id }, 'the result came after the lease had ended; it was dropped')
      return
    }
    await insertFiles(tx, evidence.id, pieces)
    await enqueue(tx, sealEvidenceJob, { evidence_id: evidence.id }, { key: `seal:${evidence.id}` })
  })
}

async function keepFailure(deps: CaptureLoopDeps, evidence: EvidenceRecord, error: unknown): Promise<void> {
  const known = error instanceof CaptureFailure
  if (!known) deps.log.error({ err: error, evidence_id: evidence.id }, 'capture ended in a defect')
  const failure = known ? { code: error.code, data: error.data } : { code: 'internal', data: {} }
  try {
    await deps.db.transaction().execute(async (tx) => {
      const expiresAt = new Date(deps.clock.now().getTime() + draftLifetimeMs)
      await closeCapture(tx, evidence.id, evidence.fence, { status: 'failed', failure, expiresAt })
    })
  } catch (storeError) {
    // The lease runs out and the evidence is taken up again.
    deps.log.error({ err: storeError, evidence_id: evidence.id }, 'the failure could not be recorded')
  }
}

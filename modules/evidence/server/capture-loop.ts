import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import {
  attachPreflight,
  CaptureFailure,
  listSetAside,
  type CapturedFile,
  type CaptureFacts,
  type CaptureProgress,
  type Preparation,
  type CaptureServerProcess,
  type StartedBrowser,
} from '../../capture/server/index.ts'
import type { Locale } from '../../../kernel/locale.ts'
import { listen } from '../../../platform/db/listen.ts'
import { enqueue } from '../../../platform/jobs/jobs.ts'
import { draftLifetimeMs, maxCaptureAttempts } from '../domain/status.ts'
import { preparationOf } from './capture-options.ts'
import type { EvidenceDeps } from './deps.ts'
import { evidenceChannel, workPayload } from './evidence-changes.ts'
import { sealEvidenceJob } from './jobs.ts'
import { storeLocalFile } from './store-files.ts'
import { insertFiles, type FileRecord } from './file-store.ts'
import { claimNext, closeCapture, recordProgress, releaseExpiredLeases, renewLease, requeueCapture } from './lease-store.ts'
import { type EvidenceRecord } from './store.ts'
import { captureSecond } from './vantage/capture-second.ts'
import { joinVantage } from './vantage/join-vantage.ts'
import { meetAsFirst } from './vantage/meet.ts'
import { claimVantage, findVantage } from './vantage/vantage-store.ts'

/** The witness, bound by the composition root to its configuration. Throws only `CaptureFailure`. */
export type Capture = (request: {
  evidenceId: string
  url: string
  locale: Locale
  /** Empty folder of this capture; removed by the caller. */
  workDir: string
  signal: AbortSignal
  /** What is done to the page before it is photographed; undefined: nothing. */
  preparation: Preparation | undefined
  onProgress(progress: CaptureProgress): void
  /** Awaited when everything stands ready, before the address is visited. */
  beforeNavigation: (() => Promise<void>) | undefined
  /** Told of the browser before it visits anything; the signal is aborted when it is not the pinned one. */
  onBrowser(browser: StartedBrowser): Promise<void>
}) => Promise<{ files: readonly CapturedFile[]; facts: CaptureFacts }>

export type CaptureLoopDeps = EvidenceDeps & {
  readonly databaseUrl: string
  readonly capture: Capture
  /** The capture server that this process is part of: it claims as that one, while that one is as pinned. */
  readonly server: CaptureServerProcess
  /** Captures at a time in this process. */
  readonly concurrency: number
  /** Holds the folders of running captures. */
  readonly workFolder: string
  /** The lease is renewed at a third of this. */
  readonly leaseSeconds: number
  /** How long the two captures of an evidence with a second vantage wait for each other; 20 s unless told. */
  readonly meetMs?: number
}

export type CaptureLoop = {
  /** Looks for work at once: the server has become ready. */
  wake(): void
  /** Takes no more work; running captures get `graceMs`, then are put back into the queue. */
  stop(graceMs: number): Promise<void>
}

/** Besides notifications: work is looked for this often, and dead holders' leases are released. */
const pollMs = 2_000
const maxBrowserTries = 2

/**
 * Claims waiting evidences and captures them, at most `concurrency` at a time. Ownership is a lease on the database's clock
 * with a fencing token: whoever was stopped past its lease finds its writes refused (design/security.md §2).
 */
export async function startCaptureLoop(deps: CaptureLoopDeps): Promise<CaptureLoop> {
  const claimer = { owner: deps.server.owner, server: deps.server.server }
  const stopping = new AbortController()
  const running = new Set<Promise<void>>()
  let wake = Promise.withResolvers<void>()
  const closing = new AbortController()

  async function take(): Promise<void> {
    while (!closing.signal.aborted && deps.server.isReady()) {
      // Somebody waits for a second vantage this very moment: it may be one more than otherwise, so that two servers that are
      // each busy with a first one do not wait for each other in vain.
      const second = running.size > deps.concurrency ? null : await claimVantage(deps.db, claimer, deps.leaseSeconds)
      // Meanwhile a capture under way may have found that this server differs, and been given back: not to this one again.
      const full = second !== null || running.size >= deps.concurrency || !deps.server.isReady()
      const evidence = full ? null : await claimNext(deps.db, claimer, deps.leaseSeconds)
      const begun =
        second !== null
          ? captureSecond(deps, second, stopping.signal)
          : evidence !== null
            ? captureClaimed(deps, evidence, stopping.signal)
            : null
      if (begun === null) return
      const work = begun.finally(() => {
        running.delete(work)
        wake.resolve()
      })
      running.add(work)
    }
  }

  async function loop(): Promise<void> {
    while (!closing.signal.aborted) {
      wake = Promise.withResolvers()
      try {
        const { requeued, exhausted } = await releaseExpiredLeases(deps.db, maxCaptureAttempts)
        if (requeued.length + exhausted.length > 0)
          deps.log.warn({ requeued, exhausted }, 'captures of a lost process were released')
        await take()
      } catch (error) {
        // The database may be away; leases protect what runs meanwhile.
        deps.log.error({ err: error }, 'looking for work failed')
      }
      const timer = setTimeout(() => wake.resolve(), pollMs)
      await wake.promise
      clearTimeout(timer)
    }
  }

  const hear = (payload: string) => {
    if (payload === workPayload) wake.resolve()
  }
  const listener = await listen(deps.databaseUrl, evidenceChannel, hear, {
    log: deps.log,
    onReconnect: () => wake.resolve(),
  })
  const looping = loop()
  return {
    wake: () => wake.resolve(),
    async stop(graceMs) {
      closing.abort()
      wake.resolve()
      await listener.close()
      const timer = setTimeout(() => stopping.abort(), graceMs)
      await looping
      await Promise.all(running)
      clearTimeout(timer)
    },
  }
}

async function captureClaimed(deps: CaptureLoopDeps, evidence: EvidenceRecord, stopping: AbortSignal): Promise<void> {
  const { id, fence } = evidence
  const log = deps.log.child({ evidence_id: id })
  const workDir = join(deps.workFolder, `${id}.${String(fence)}`)
  const lost = new AbortController()
  const setAside = new AbortController()
  const signal = AbortSignal.any([stopping, lost.signal, setAside.signal])
  const heartbeat = setInterval(
    () => {
      renewLease(deps.db, id, fence, deps.leaseSeconds).then(
        (held) => {
          if (!held) lost.abort()
        },
        (error: unknown) => log.warn({ err: error }, 'lease could not be renewed'),
      )
    },
    (deps.leaseSeconds * 1000) / 3,
  )
  const reporter = progressReporter(deps, id, fence, () => lost.abort())
  let begun = false
  try {
    await rm(workDir, { recursive: true, force: true })
    await mkdir(workDir, { recursive: true, mode: 0o700 })
    const preflight = await deps.server.examine(id)
    if (preflight === null) setAside.abort()
    signal.throwIfAborted()
    if (preflight === null) return
    const vantage = await findVantage(deps.db, id)
    const request = {
      evidenceId: id,
      url: evidence.requestedUrl,
      locale: evidence.locale,
      workDir,
      signal,
      preparation: preparationOf(evidence),
      onProgress: (progress: CaptureProgress) => reporter.report(progress),
      beforeNavigation:
        vantage === null
          ? undefined
          : async () => {
              reporter.report({ phase: 'preparing', step: 'meet' })
              await meetAsFirst(deps.db, id, signal, deps.meetMs)
            },
      onBrowser: async (browser: StartedBrowser) => {
        if (!(await deps.server.admitBrowser(preflight, browser, id))) setAside.abort()
      },
    }
    begun = true
    const captured = await deps.capture(request)
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
    else if (stopping.aborted || setAside.signal.aborted) await giveBack(deps, evidence, error, false)
    else if (isWorthAnotherTry(evidence, error, begun)) await giveBack(deps, evidence, error, true)
    else await keepFailure(deps, evidence, error)
  } finally {
    clearInterval(heartbeat)
    await rm(workDir, { recursive: true, force: true }).catch((error: unknown) =>
      log.error({ err: error }, 'work folder not removed'),
    )
  }
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

/** Writes the latest progress, one write at a time: a fast capture is not slowed down by its own reports. */
function progressReporter(deps: CaptureLoopDeps, id: string, fence: number, onLost: () => void) {
  let waiting: CaptureProgress | null = null
  let writing: Promise<void> | null = null

  async function write(): Promise<void> {
    while (waiting !== null) {
      const progress = waiting
      waiting = null
      try {
        if (!(await recordProgress(deps.db, id, fence, progress))) onLost()
      } catch (error) {
        deps.log.warn({ err: error, evidence_id: id }, 'progress could not be recorded')
      }
    }
    writing = null
  }

  return {
    report(progress: CaptureProgress): void {
      waiting = progress
      writing ??= write()
    },
    async settled(): Promise<void> {
      await writing
    },
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

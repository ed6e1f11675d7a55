/** A capture with a visitor at the wheel: the page that was asked for is opened first, and whatever follows is recorded. */
import { parseWebAddress } from '../../../../kernel/web-address.ts'
import { packageSoftware as software } from '../../../../platform/config/software.ts'
import {
  CaptureFailure,
  type InteractiveFacts,
  boundCapture,
  createActionLog,
  type CaptureResult,
  completeCapture,
  createConditionProbes,
  interfacesOfBrowser,
  listExtensions,
  noOutsideSources,
  measureMachine,
  openSession,
  type SessionState,
  startSessionTimestamps,
  type ShowDeps,
} from '../../../capture/server/index.ts'
import { sessionWarnings } from '../../domain/session-warnings.ts'
import { steeredBrowser } from '../session/tabs/steered-browser.ts'
import { finishPages } from './finish-pages.ts'
import { gatherFacts } from './gather-facts.ts'
import { openTimeline, timelineFormat, timelinePath } from '../session/timeline/timeline.ts'
import { mostNavigations } from './note-tabs.ts'
import type { InteractiveDeps, InteractiveInput } from './visit-input.ts'
import { visitPages } from './visit-pages.ts'

/** How long the browser may take to list its extensions, in milliseconds. */
const extensionsMs = 15_000

/**
 * One visitor's session, from the first page to the pieces. Nothing of it is left when it settles. @throws CaptureFailure, and
 * nothing else.
 */
export async function captureInteractive(input: InteractiveInput, deps: InteractiveDeps): Promise<CaptureResult> {
  // What surrounds the visitor's time has the time of a whole capture.
  return await boundCapture(
    input.sessionMs + 2 * input.limits.totalMs,
    input.limits,
    deps,
    async (own, state) => await runSession(input, own, state),
  )
}

async function runSession(input: InteractiveInput, deps: InteractiveDeps, state: SessionState): Promise<CaptureResult> {
  const { workDir } = input
  const { clock, log, signal } = deps
  const address = parseWebAddress(input.url, input.allowAddresses)
  if (!address.ok) throw new CaptureFailure(address.code, address.data)
  const progress: ShowDeps['progress'] = (phase, step, data) =>
    input.onProgress(data === undefined ? { phase, step } : { phase, step, data })

  const actions = createActionLog(clock)
  const startedAt = actions.add('session_started', { software, requested_url: address.url, action: 'interactive' })
  const measuring = measureMachine(software)
  measuring.catch(() => undefined)
  const conditions = (deps.conditions ?? createConditionProbes(noOutsideSources)).begin({
    clock,
    signal,
    allowAddresses: input.allowAddresses,
    ownAddresses: deps.ownAddresses ?? [],
  })
  const session = await openSession({ ...input, kind: steeredBrowser }, { ...deps, actions, progress }, state).catch(
    (error: unknown) => {
      conditions.stop()
      throw error
    },
  )
  const timeline = await openTimeline({ workDir, clock, log }).catch(async (error: unknown) => {
    conditions.stop()
    await session.release()
    throw error
  })
  try {
    const { browser, stage } = session
    timeline.add('session', {
      format: timelineFormat,
      evidence_id: input.evidenceId,
      requested_url: address.url,
      browser: browser.product,
      software,
    })
    const { notary } = deps
    const timestamps =
      notary === undefined
        ? null
        : startSessionTimestamps({
            notary,
            clock,
            actions,
            signal,
            evidenceId: input.evidenceId,
            requestedUrl: address.url,
            workDir,
            rollingHash: () => session.tunnel.checkpoint(),
            timeline: () => timeline.head(),
            pcap: 'capture/network.pcap',
          })
    await input.onBrowser?.({
      product: browser.product,
      profileEntries: browser.profile.entries.length,
      isolation: browser.isolation.kind,
    })
    signal.throwIfAborted()
    const interfaces = interfacesOfBrowser(browser.pid)
    interfaces.catch(() => undefined)
    const visit = await visitPages({
      input,
      deps: { ...deps, signal },
      session,
      url: address.url,
      timeline,
      timestamps,
      actions,
      progress,
      conditions,
    })
    try {
      progress('completing', 'screenshot')
      const finished = await finishPages(visit, { input, session, signal, progress, actions, timeline })
      progress('completing', 'recording')
      const recorded = await gatherFacts(visit, { input, stage, timeline, signal, log, progress })
      const extensions = await listExtensions(browser.cdp, AbortSignal.any([signal, AbortSignal.timeout(extensionsMs)]))
      actions.add('extensions_listed', { extensions: extensions?.map(({ id, location }) => `${location} ${id}`) ?? null })
      progress('completing', 'close_browser')
      const processesLeft = await session.finish()
      conditions.ended()
      timeline.add('end', { why: visit.endedBy, timeline_dropped: timeline.dropped() })
      const written = await timeline.finish()
      await timestamps?.checkpoint('end')
      const finishedAt = actions.add('session_finished', {
        processes_left: processesLeft,
        rolling_hash: session.tunnel.rollingHash(),
      })
      const facts: InteractiveFacts = {
        ...recorded.facts,
        timeline: { path: timelinePath, entries: written.entries, head: written.head },
      }
      const collecting = timestamps?.collect() ?? Promise.resolve({ files: [], timestamps: [] })
      collecting.catch(() => undefined)
      const done = await completeCapture(
        input,
        { clock, signal, actions, progress, notary },
        {
          session,
          shown: finished.shown,
          arrival: { frameId: stage.tabs.first.mainFrame, certificateError: finished.certificateError },
          interfaces: await interfaces,
          extensions,
          machine: await measuring,
          conditions,
          timestamps: collecting.then((one) => one.timestamps),
          requestedUrl: address.url,
          startedAt,
          navigatedAt: visit.navigatedAt,
          finishedAt,
          processesLeft,
          visited: {
            page: finished.page,
            seen: finished.seen,
            path: visit.path(),
            documents: session.page.observation.requests.filter(({ type }) => type === 'Document'),
            document: finished.document,
            files: [
              ...recorded.files,
              { path: timelinePath, role: 'timeline', media_type: 'application/x-ndjson', file: written.file },
            ],
            facts,
            pathCut: visit.navigations.length >= mostNavigations,
            warnings: sessionWarnings(facts, {
              refused: visit.refused(),
              certificates: visit.certificates(),
              timelineDropped: timeline.dropped(),
              seen: finished.seen,
            }),
            secrets: visit.secrets.all(),
          },
        },
      )
      const dated = await collecting
      return { files: [...done.files, ...dated.files], facts: { ...done.facts, timestamps: dated.timestamps } }
    } finally {
      await visit.release()
    }
  } finally {
    conditions.stop()
    await timeline.finish().catch(() => undefined)
    await session.release()
  }
}

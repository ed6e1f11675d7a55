/** A capture with a visitor at the wheel: the page that was asked for is opened first, and whatever follows is recorded. */
import { packageSoftware as software } from '../../../../platform/config/software.ts'
import {
  beginSession,
  boundCapture,
  type CaptureResult,
  type InteractiveFacts,
  interfacesOfBrowser,
  type SessionState,
} from '../../../capture/server/index.ts'
import { sessionWarnings } from '../../domain/session-warnings.ts'
import { steeredBrowser } from '../session/tabs/steered-browser.ts'
import { finishPages } from './finish-pages.ts'
import { gatherFacts } from './gather-facts.ts'
import { openTimeline, timelineFormat, timelinePath } from '../session/timeline/timeline.ts'
import { mostNavigations } from './note-tabs.ts'
import type { InteractiveDeps, InteractiveInput } from './visit-input.ts'
import { visitPages } from './visit-pages.ts'

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
  const begun = await beginSession(steeredBrowser, input, deps, state, { action: 'interactive' })
  const { url, session, conditions, actions, progress } = begun
  const timeline = await openTimeline({ workDir, clock, log }).catch(async (error: unknown) => {
    await begun.release()
    throw error
  })
  try {
    const { browser, stage } = session
    timeline.add('session', {
      format: timelineFormat,
      evidence_id: input.evidenceId,
      requested_url: url,
      browser: browser.product,
      software,
    })
    const timestamps = begun.date(() => timeline.head())
    await begun.tellOfBrowser()
    const interfaces = interfacesOfBrowser(browser.pid)
    interfaces.catch(() => undefined)
    const visit = await visitPages({
      input,
      deps: { ...deps, signal },
      session,
      url,
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
      const extensions = await begun.listExtensions()
      const closed = await begun.close()
      timeline.add('end', { why: visit.endedBy, timeline_dropped: timeline.dropped() })
      const written = await timeline.finish()
      const facts: InteractiveFacts = {
        ...recorded.facts,
        timeline: { path: timelinePath, entries: written.entries, head: written.head },
      }
      return await begun.complete(timestamps, closed, {
        shown: finished.shown,
        arrival: { frameId: stage.tabs.first.mainFrame, certificateError: finished.certificateError },
        interfaces: await interfaces,
        extensions,
        navigatedAt: visit.navigatedAt,
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
      })
    } finally {
      await visit.release()
    }
  } finally {
    await timeline.finish().catch(() => undefined)
    await begun.release()
  }
}

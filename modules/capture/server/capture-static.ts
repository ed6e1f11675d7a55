import type { CapturedFile, CaptureResult } from '../domain/outcome/outcome.ts'
import { beginSession, type BegunSession, type VisitEnded } from './begin-session.ts'
import { interfacesOfBrowser, siteOf } from './conditions/index.ts'
import { boundCapture } from './course/bound-capture.ts'
import type { CaptureDeps, CaptureInput } from './course/capture-request.ts'
import { showPage } from './course/show-page.ts'
import type { SessionTimestamps } from './dating/session-timestamps.ts'
import { mainDocuments, navigatePage } from './page/navigate-page.ts'
import type { SessionState } from './session/prepare-session.ts'
import { onePage } from './session/session-kind.ts'

/**
 * Captures one page: everything that crossed the network, what was shown, and the conditions. One browser, one tunnel, one
 * folder; nothing of them is left when it settles. @throws CaptureFailure, and nothing else.
 */
export async function captureStatic(input: CaptureInput, deps: CaptureDeps): Promise<CaptureResult> {
  return await boundCapture(input.limits.totalMs, input.limits, deps, async (own, state) => await runCapture(input, own, state))
}

async function runCapture(input: CaptureInput, deps: CaptureDeps, state: SessionState): Promise<CaptureResult> {
  const begun = await beginSession(onePage, input, deps, state)
  const { session } = begun
  try {
    session.page.observation.limitRequests(input.limits.requests)
    const timestamps = begun.date()
    await begun.tellOfBrowser()
    const seen = await Promise.race([visitPage(input, deps, begun, timestamps), session.lost])
    return await begun.complete(timestamps, await begun.close(), seen)
  } finally {
    await begun.release()
  }
}

/** Goes to the page, and keeps what it shows. */
async function visitPage(
  input: CaptureInput,
  { clock, signal }: CaptureDeps,
  begun: BegunSession<null>,
  timestamps: SessionTimestamps | null,
): Promise<VisitEnded> {
  const { limits, workDir, preparation } = input
  const { url, session, conditions, actions, progress } = begun
  const { page, browser, tunnel } = session
  const connections = () => tunnel.connections()
  await timestamps?.checkpoint('start')
  await input.beforeNavigation?.()
  progress('capturing', 'navigate')
  const arrival = await navigatePage(page, url, {
    limits,
    actions,
    connections,
    requests: () => page.observation.requests,
    crossed: () => {
      const { requests, bytes_sent: sent, bytes_received: received } = tunnel.totals()
      return requests + sent + received
    },
  })
  const navigatedAt = clock.now().toISOString()
  const site = siteOf(mainDocuments(page.observation.requests, arrival.frameId).at(-1)?.url, connections())
  if (site !== null) conditions.siteSeen(site)
  const interfaces = interfacesOfBrowser(browser.pid)
  const dateImages =
    timestamps === null ? undefined : (images: readonly CapturedFile[]) => timestamps.checkpoint('screenshot', images)
  const shown = await showPage(page, { limits, workDir, actions, signal, progress, preparation, connections, dateImages })
  const extensions = await begun.listExtensions()
  return { arrival, navigatedAt, shown, interfaces: await interfaces, extensions }
}

import { parseWebAddress } from '../../../kernel/web-address.ts'
import { packageSoftware as software } from '../../../platform/config/software.ts'
import { CaptureFailure } from '../domain/outcome/failures.ts'
import type { CapturedFile, CaptureResult } from '../domain/outcome/outcome.ts'
import { boundCapture } from './course/bound-capture.ts'
import { createActionLog } from './page/action-log.ts'
import type { CaptureDeps, CaptureInput } from './course/capture-request.ts'
import { completeCapture } from './completion/complete-capture.ts'
import { createConditionProbes, interfacesOfBrowser, listExtensions, noOutsideSources, siteOf } from './conditions/index.ts'
import { measureMachine } from './conditions/machine/measure-machine.ts'
import { mainDocuments, navigatePage } from './page/navigate-page.ts'
import { openSession } from './session/open-session.ts'
import type { SessionState } from './session/prepare-session.ts'
import { onePage } from './session/session-kind.ts'
import { startSessionTimestamps } from './dating/session-timestamps.ts'
import { showPage, type ShowDeps } from './course/show-page.ts'

/** How long the browser may take to list its extensions, in milliseconds. */
const extensionsMs = 15_000

/**
 * Captures one page: everything that crossed the network, what was shown, and the conditions. One browser, one tunnel, one
 * folder; nothing of them is left when it settles. @throws CaptureFailure, and nothing else.
 */
export async function captureStatic(input: CaptureInput, deps: CaptureDeps): Promise<CaptureResult> {
  return await boundCapture(input.limits.totalMs, input.limits, deps, async (own, state) => await runCapture(input, own, state))
}

async function runCapture(input: CaptureInput, deps: CaptureDeps, state: SessionState): Promise<CaptureResult> {
  const { limits, workDir } = input
  const { clock, signal } = deps
  const address = parseWebAddress(input.url, input.allowAddresses)
  if (!address.ok) throw new CaptureFailure(address.code, address.data)
  const progress: ShowDeps['progress'] = (phase, step, data) =>
    input.onProgress(data === undefined ? { phase, step } : { phase, step, data })

  const actions = createActionLog(clock)
  const startedAt = actions.add('session_started', { software, requested_url: address.url })
  const measuring = measureMachine(software)
  // Awaited at the end; a session that fails earlier leaves it alone.
  measuring.catch(() => undefined)
  const conditions = (deps.conditions ?? createConditionProbes(noOutsideSources)).begin({
    clock,
    signal,
    allowAddresses: input.allowAddresses,
    ownAddresses: deps.ownAddresses ?? [],
  })
  const session = await openSession({ ...input, kind: onePage }, { ...deps, actions, progress }, state).catch(
    (error: unknown) => {
      conditions.stop()
      throw error
    },
  )
  try {
    session.page.observation.limitRequests(limits.requests)
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
            pcap: 'capture/network.pcap',
          })
    const { browser } = session
    await input.onBrowser?.({
      product: browser.product,
      profileEntries: browser.profile.entries.length,
      isolation: browser.isolation.kind,
    })
    signal.throwIfAborted()
    const show = async () => {
      await timestamps?.checkpoint('start')
      await input.beforeNavigation?.()
      progress('capturing', 'navigate')
      const arrival = await navigatePage(session.page, address.url, {
        limits,
        actions,
        connections: () => session.tunnel.connections(),
        requests: () => session.page.observation.requests,
        crossed: () => {
          const { requests, bytes_sent: sent, bytes_received: received } = session.tunnel.totals()
          return requests + sent + received
        },
      })
      const navigatedAt = clock.now().toISOString()
      const site = siteOf(
        mainDocuments(session.page.observation.requests, arrival.frameId).at(-1)?.url,
        session.tunnel.connections(),
      )
      if (site !== null) conditions.siteSeen(site)
      const interfaces = interfacesOfBrowser(session.browser.pid)
      const connections = () => session.tunnel.connections()
      const dateImages =
        timestamps === null ? undefined : (images: readonly CapturedFile[]) => timestamps.checkpoint('screenshot', images)
      const shown = await showPage(session.page, {
        limits,
        workDir,
        actions,
        signal,
        progress,
        preparation: input.preparation,
        connections,
        dateImages,
      })
      const extensions = await listExtensions(session.browser.cdp, AbortSignal.any([signal, AbortSignal.timeout(extensionsMs)]))
      actions.add('extensions_listed', { extensions: extensions?.map(({ id, location }) => `${location} ${id}`) ?? null })
      return { arrival, navigatedAt, shown, interfaces: await interfaces, extensions }
    }
    const seen = await Promise.race([show(), session.lost])

    progress('completing', 'close_browser')
    const processesLeft = await session.finish()
    conditions.ended()
    await timestamps?.checkpoint('end')
    const finishedAt = actions.add('session_finished', {
      processes_left: processesLeft,
      rolling_hash: session.tunnel.rollingHash(),
    })
    const machine = await measuring
    const collecting = timestamps?.collect() ?? Promise.resolve({ files: [], timestamps: [] })
    collecting.catch(() => undefined)
    const done = await completeCapture(
      input,
      { clock, signal, actions, progress, notary },
      {
        session,
        ...seen,
        machine,
        conditions,
        timestamps: collecting.then((one) => one.timestamps),
        requestedUrl: address.url,
        startedAt,
        finishedAt,
        processesLeft,
      },
    )
    const dated = await collecting
    return { files: [...done.files, ...dated.files], facts: { ...done.facts, timestamps: dated.timestamps } }
  } finally {
    conditions.stop()
    await session.release()
  }
}

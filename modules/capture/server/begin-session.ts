/** What captures of every kind have in common, from the address to the pieces; what happens to the page in between is their own. */
import { parseWebAddress } from '../../../kernel/web-address.ts'
import { packageSoftware as software } from '../../../platform/config/software.ts'
import type { ExtensionFacts } from '../domain/conditions/machine-facts.ts'
import { CaptureFailure } from '../domain/outcome/failures.ts'
import type { CaptureResult } from '../domain/outcome/outcome.ts'
import { completeCapture } from './completion/complete-capture.ts'
import type { EndedSession } from './completion/ended-session.ts'
import { createConditionProbes, listExtensions, noOutsideSources, type SessionConditions } from './conditions/index.ts'
import { measureMachine } from './conditions/machine/measure-machine.ts'
import type { CaptureDeps, CaptureInput } from './course/capture-request.ts'
import type { ShowDeps } from './course/show-page.ts'
import { startSessionTimestamps, type SessionTimestamps } from './dating/session-timestamps.ts'
import { createActionLog, type ActionLog } from './page/action-log.ts'
import { openSession, type CaptureSession } from './session/open-session.ts'
import type { SessionState } from './session/prepare-session.ts'
import type { SessionKind } from './session/session-kind.ts'
import type { WarmPool } from './session/warm-pool.ts'

/** How long the browser may take to list its extensions, in milliseconds. */
const extensionsMs = 15_000

/** What is known of a visit to the page, once it is over. */
export type VisitEnded = Pick<EndedSession, 'shown' | 'arrival' | 'interfaces' | 'extensions' | 'navigatedAt' | 'visited'>

export type BegunSession<Stage> = {
  /** The address that is asked for, as it is written in full. */
  readonly url: string
  readonly session: CaptureSession<Stage>
  readonly conditions: SessionConditions
  readonly actions: ActionLog
  readonly progress: ShowDeps['progress']
  /** Dates what is recorded while it is; null where nobody dates. @param timeline of a live session, so far */
  date(timeline?: Parameters<typeof startSessionTimestamps>[0]['timeline']): SessionTimestamps | null
  /** Tells whoever asked for it of the browser, before anything is visited. @throws where he objects */
  tellOfBrowser(): Promise<void>
  /** Null: the browser did not list them in time. */
  listExtensions(): Promise<readonly ExtensionFacts[] | null>
  /** Ends the browser, and with it what is measured while it runs. */
  close(): Promise<ClosedSession>
  /** The last stamp; then everything is read, compared, written and stated: the pieces. */
  complete(timestamps: SessionTimestamps | null, closed: ClosedSession, visit: VisitEnded): Promise<CaptureResult>
  /** Removes whatever is left. Idempotent; never throws. */
  release(): Promise<void>
}
export type ClosedSession = Pick<EndedSession, 'processesLeft'>

/**
 * Opens a browser behind its tunnel and begins to measure what surrounds it. Nothing of it is left when this fails.
 * @param said what the action log says of its beginning, besides the address
 * @throws CaptureFailure, or what opening throws
 */
export async function beginSession<Stage>(
  kind: SessionKind<Stage>,
  input: CaptureInput,
  deps: Omit<CaptureDeps, 'warmPool'> & { readonly warmPool?: WarmPool<Stage> },
  state: SessionState,
  said: Readonly<Record<string, string>> = {},
): Promise<BegunSession<Stage>> {
  const { clock, signal, notary } = deps
  const address = parseWebAddress(input.url, input.allowAddresses)
  if (!address.ok) throw new CaptureFailure(address.code, address.data)
  const { url } = address
  const progress: ShowDeps['progress'] = (phase, step, data) =>
    input.onProgress(data === undefined ? { phase, step } : { phase, step, data })
  const actions = createActionLog(clock)
  const startedAt = actions.add('session_started', { software, requested_url: url, ...said })
  const measuring = measureMachine(software)
  // Awaited at the end; a session that fails earlier leaves it alone.
  measuring.catch(() => undefined)
  const conditions = (deps.conditions ?? createConditionProbes(noOutsideSources)).begin({
    clock,
    signal,
    allowAddresses: input.allowAddresses,
    ownAddresses: deps.ownAddresses ?? [],
  })
  const session = await openSession({ ...input, kind }, { ...deps, actions, progress }, state).catch((error: unknown) => {
    conditions.stop()
    throw error
  })
  return {
    url,
    session,
    conditions,
    actions,
    progress,
    date: (timeline) =>
      notary === undefined
        ? null
        : startSessionTimestamps({
            notary,
            clock,
            actions,
            signal,
            evidenceId: input.evidenceId,
            requestedUrl: url,
            workDir: input.workDir,
            rollingHash: () => session.tunnel.checkpoint(),
            ...(timeline === undefined ? {} : { timeline }),
            pcap: 'capture/network.pcap',
          }),
    tellOfBrowser: async () => {
      const { product, profile, isolation } = session.browser
      await input.onBrowser?.({ product, profileEntries: profile.entries.length, isolation: isolation.kind })
      signal.throwIfAborted()
    },
    listExtensions: async () => {
      const listed = await listExtensions(session.browser.cdp, AbortSignal.any([signal, AbortSignal.timeout(extensionsMs)]))
      actions.add('extensions_listed', { extensions: listed?.map(({ id, location }) => `${location} ${id}`) ?? null })
      return listed
    },
    close: async () => {
      progress('completing', 'close_browser')
      const processesLeft = await session.finish()
      conditions.ended()
      return { processesLeft }
    },
    complete: async (timestamps, { processesLeft }, visit) => {
      await timestamps?.checkpoint('end')
      const finishedAt = actions.add('session_finished', {
        processes_left: processesLeft,
        rolling_hash: session.tunnel.rollingHash(),
      })
      const machine = await measuring
      const collecting = timestamps?.collect() ?? Promise.resolve({ files: [], timestamps: [] })
      const collected = collecting.then((one) => one.timestamps)
      // Its failure is that of the capture, wherever it is awaited first: what ends the capture before then leaves it alone.
      collected.catch(() => undefined)
      const done = await completeCapture(
        input,
        { clock, signal, actions, progress, notary },
        {
          ...visit,
          session,
          machine,
          conditions,
          timestamps: collected,
          requestedUrl: url,
          startedAt,
          finishedAt,
          processesLeft,
        },
      )
      const dated = await collecting
      return { files: [...done.files, ...dated.files], facts: { ...done.facts, timestamps: dated.timestamps } }
    },
    release: async () => {
      conditions.stop()
      await session.release()
    },
  }
}

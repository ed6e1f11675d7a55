import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Locale } from '../../../../kernel/locale.ts'
import type { LaunchedBrowser } from '../../../../platform/browser/launch-browser.ts'
import type { Log } from '../../../../platform/log/log.ts'
import type { CaptureLimits } from '../../domain/outcome/limits.ts'
import type { CaptureProgress } from '../../domain/outcome/outcome.ts'
import type { ActionLog } from '../page/action-log.ts'
import type { Tunnel, TunnelTotals } from '../network/index.ts'
import type { PageState } from '../page/open-page.ts'
import { prepareSession, type PreparedSession, type SessionDeps, type SessionState } from './prepare-session.ts'
import type { SessionKind } from './session-kind.ts'
import type { WarmPool } from './warm-pool.ts'

export type CaptureSession<Stage = null> = {
  readonly tunnel: Tunnel
  readonly browser: LaunchedBrowser
  /** Of a session with many the one that it began with. */
  readonly page: PageState
  /** What its kind has besides. */
  readonly stage: Stage
  readonly language: string
  /** How the session came to be, for the record of conditions. */
  readonly origin: {
    /** The browser had been started, with an empty profile, before this capture was asked for. */
    readonly prepared: boolean
    readonly browser_started_at: string
    readonly taken_at: string
    /** What the tunnel had carried when the session was taken. */
    readonly tunnel_before: TunnelTotals
  }
  /** Rejects with BrowserGone when the browser ends by itself, or the session by what its kind says. */
  readonly lost: Promise<never>
  /** Ends the browser, then the tunnel, so that the record has every connection's end. Returns the processes left. */
  finish(): Promise<number>
  /** Removes whatever is left of the session. Idempotent; never throws. */
  release(): Promise<void>
}

/**
 * One tunnel, one browser in its jail, one page: taken from the pool when it has one that is untouched, else made now.
 * @throws what any of them throws; nothing is left then.
 */
export async function openSession<Stage>(
  input: {
    readonly kind: SessionKind<Stage>
    readonly locale: Locale
    readonly workDir: string
    readonly limits: CaptureLimits
    readonly allowAddresses: readonly string[]
  },
  deps: SessionDeps & {
    readonly log: Log
    readonly warmPool?: WarmPool<Stage>
    readonly actions: ActionLog
    readonly progress: (phase: CaptureProgress['phase'], step: string) => void
  },
  state: SessionState,
): Promise<CaptureSession<Stage>> {
  const { clock, log, signal, actions } = deps
  const { kind, locale, limits, allowAddresses, workDir } = input
  signal.throwIfAborted()
  const owner = { state, actions, log }
  const warm = (await deps.warmPool?.take({ locale, limits, allowAddresses }, owner, signal)) ?? null
  if (warm !== null) {
    const taken = takenSession(warm.session, actions, clock.now().toISOString(), true)
    return {
      ...taken,
      release: async () => {
        await taken.release()
        await rm(warm.recordDir, { recursive: true, force: true }).catch((error: unknown) =>
          log.error({ err: error }, 'the record of a session was not removed'),
        )
      },
    }
  }
  const session = await prepareSession(
    { kind, locale, limits, allowAddresses, recordDir: join(workDir, 'record') },
    deps,
    owner,
    (step) => deps.progress('preparing', step),
  )
  return takenSession(session, actions, session.preparedAt, false)
}

function takenSession<Stage>(
  session: PreparedSession<Stage>,
  actions: ActionLog,
  takenAt: string,
  prepared: boolean,
): CaptureSession<Stage> {
  const { browser, tunnel } = session
  const before = tunnel.totals()
  actions.add(prepared ? 'prepared_browser_taken' : 'browser_started', {
    browser: browser.product,
    isolation: browser.isolation.kind,
    profile_entries: browser.profile.entries.length,
    profile_sha256: browser.profile.sha256,
    ...(prepared ? { browser_started_at: session.preparedAt, tunnel_before: before } : {}),
  })
  return {
    tunnel,
    browser,
    page: session.page,
    stage: session.stage,
    language: session.language,
    origin: { prepared, browser_started_at: session.preparedAt, taken_at: takenAt, tunnel_before: before },
    lost: session.lost,
    finish: async () => await session.finish(),
    release: async () => await session.release(),
  }
}

import { chown, mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Clock } from '../../../../kernel/clock.ts'
import type { Locale } from '../../../../kernel/locale.ts'
import { BrowserGone } from '../../../../platform/browser/cdp-connection.ts'
import type { LaunchedBrowser } from '../../../../platform/browser/launch-browser.ts'
import { processTree } from '../../../../platform/browser/process-tree.ts'
import { createSessionFolder } from '../../../../platform/browser/session-folder.ts'
import type { Log } from '../../../../platform/log/log.ts'
import type { CaptureLimits } from '../../domain/outcome/limits.ts'
import type { ActionLog } from '../page/action-log.ts'
import { defaultTunnelLimits, dnsResolver, startTunnel, type NameResolver, type Tunnel } from '../network/index.ts'
import { createObservation } from '../page/observe-browser.ts'
import type { PageState } from '../page/open-page.ts'
import type { SessionKind } from './session-kind.ts'

/** What has come up so far; known to whoever must name a failure, also when opening itself failed. */
export type SessionState = {
  browser: LaunchedBrowser | null
  page: PageState | null
  tooLarge: boolean
  /** Whether bytes of the record could not be kept, from when there is a tunnel on. */
  recordFailed?: () => boolean
}

/** Whose session it is: changes once, from the pool that prepared it to the capture that takes it. */
export type SessionOwner = { state: SessionState; actions: ActionLog; log: Log }

/** A tunnel that carried nothing, a browser in its jail, a blank page that is listened to. Good for one capture. */
export type PreparedSession<Stage = null> = {
  readonly tunnel: Tunnel
  readonly browser: LaunchedBrowser
  readonly page: PageState
  /** What its kind has besides. */
  readonly stage: Stage
  readonly locale: Locale
  readonly language: string
  /** When the browser had come up, our clock. */
  readonly preparedAt: string
  /** Rejects with BrowserGone when the browser ends by itself, or the session by what its kind says. */
  readonly lost: Promise<never>
  readonly owner: SessionOwner
  /** From here on what happens is told to this owner, and its signal alone ends the session. */
  readonly handOver: (owner: SessionOwner, signal: AbortSignal) => void
  /** Ends the browser, then the tunnel, so that the record has every connection's end. Returns the processes left. */
  finish(): Promise<number>
  /** Removes whatever is left of the session. Idempotent; never throws. */
  release(): Promise<void>
}

export type SessionInput<Stage> = {
  readonly kind: SessionKind<Stage>
  readonly locale: Locale
  /** Holds the recorded connections. Made when missing; the caller removes it. */
  readonly recordDir: string
  readonly limits: CaptureLimits
  readonly allowAddresses: readonly string[]
}

export type SessionDeps = {
  readonly clock: Clock
  readonly signal: AbortSignal
  readonly resolver?: NameResolver
  readonly ownAddresses?: readonly string[]
  /** The operator's word that captures may run without namespaces (PROBANT_UNJAILED_BROWSER). */
  readonly isolationOverride: boolean
  /** The browser's program; that of this process unless told. */
  readonly program?: string
}

/** IANA zone of every session: the one that French courts read. */
export const timeZone = 'Europe/Paris'
export const languageOf = (locale: Locale): string => (locale === 'fr' ? 'fr-FR' : 'en-US')

/**
 * One tunnel, one browser in its jail, one blank page with what its kind has besides. `step` is told what is being done.
 * @throws what any of them throws; nothing is left then.
 */
export async function prepareSession<Stage>(
  input: SessionInput<Stage>,
  deps: SessionDeps,
  owner: SessionOwner,
  step: (name: 'tunnel' | 'browser') => void = () => undefined,
): Promise<PreparedSession<Stage>> {
  const { kind, limits, recordDir } = input
  const { clock } = deps
  const language = languageOf(input.locale)
  const { requests, idleTimeoutMs, documentBytes } = kind.bounds(limits)
  const ending = new AbortController()
  let unlink = (): void => undefined
  const endWith = (signal: AbortSignal): void => {
    unlink()
    const end = () => ending.abort(signal.reason)
    signal.addEventListener('abort', end, { once: true })
    unlink = () => signal.removeEventListener('abort', end)
    if (signal.aborted) end()
  }
  endWith(deps.signal)
  const actions: ActionLog = { add: (...entry) => owner.actions.add(...entry), text: () => owner.actions.text() }
  const folder = await createSessionFolder()
  let tunnel: Tunnel | undefined
  let browser: LaunchedBrowser | undefined
  const release = async (): Promise<void> => {
    unlink()
    // Every step is tried: a failure of one leaves nothing of the others behind.
    const ends = await Promise.allSettled([browser?.kill(), tunnel?.close()])
    const outcomes = [...ends, ...(await Promise.allSettled([folder.remove()]))]
    for (const outcome of outcomes)
      if (outcome.status === 'rejected') owner.log.error({ err: outcome.reason as unknown }, 'the end of a session failed')
  }
  try {
    const socketPath = join(folder.path, 'egress.sock')
    await mkdir(recordDir, { recursive: true, mode: 0o700 })
    step('tunnel')
    tunnel = await startTunnel({
      socketPath,
      recordDir,
      resolver: deps.resolver ?? dnsResolver(),
      allowAddresses: input.allowAddresses,
      ownAddresses: deps.ownAddresses ?? [],
      limits: {
        ...defaultTunnelLimits,
        requests,
        // A body's connection also carries heads, framing and TLS records.
        bytesPerConnection: Math.min(limits.totalBytes, limits.bodyBytes + 16 * 1024 * 1024),
        bytesTotal: limits.totalBytes,
        idleTimeoutMs,
      },
      clock,
      log: owner.log,
      signal: ending.signal,
    })
    const recording = tunnel
    const recordFailed = () => recording.connections().some(({ cut }) => cut === 'record_failed')
    owner.state.recordFailed = recordFailed
    if (process.getuid?.() === 0) await chown(socketPath, folder.uid, folder.uid)
    step('browser')
    const started = await kind.launch({
      folder,
      writeKeyLog: true,
      language,
      timeZone,
      memoryBytes: limits.memoryBytes,
      isolation: deps.isolationOverride ? 'override' : 'required',
      ...(deps.program === undefined ? {} : { program: deps.program }),
      signal: ending.signal,
    })
    const launched = started.browser
    browser = launched
    owner.state.browser = launched
    const preparedAt = clock.now().toISOString()
    const observation = createObservation((bytes) => {
      if (bytes <= documentBytes || owner.state.tooLarge) return
      owner.state.tooLarge = true
      void launched.kill()
    })
    const { page, stage, lost: over } = await started.open(observation, { language, actions })
    owner.state.page = page
    const lost = Promise.race([
      ...(over === null ? [] : [over]),
      launched.ended.then((): never => {
        throw new BrowserGone('the browser ended')
      }),
    ])
    // It also ends when we end it, with nobody waiting.
    lost.catch(() => undefined)
    const opened = tunnel
    return {
      tunnel: opened,
      browser: launched,
      page,
      stage,
      locale: input.locale,
      language,
      preparedAt,
      lost,
      owner,
      handOver: (next, signal) => {
        Object.assign(next.state, { browser: launched, page, recordFailed })
        Object.assign(owner, next)
        endWith(signal)
      },
      finish: async () => {
        await launched.kill()
        await opened.close()
        return (await processTree(launched.pid)).length
      },
      release,
    }
  } catch (error) {
    await release()
    throw error
  }
}

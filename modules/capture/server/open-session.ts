import { chown, mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Clock } from '../../../kernel/clock.ts'
import type { Locale } from '../../../kernel/locale.ts'
import { BrowserGone } from '../../../platform/browser/cdp-connection.ts'
import { launchBrowser, type LaunchedBrowser } from '../../../platform/browser/launch-browser.ts'
import { processTree } from '../../../platform/browser/process-tree.ts'
import { createSessionFolder } from '../../../platform/browser/session-folder.ts'
import type { Log } from '../../../platform/log/log.ts'
import type { CaptureLimits } from '../domain/limits.ts'
import type { CaptureProgress } from '../domain/outcome.ts'
import type { ActionLog } from './action-log.ts'
import { defaultTunnelLimits, dnsResolver, startTunnel, type NameResolver, type Tunnel } from './network/index.ts'
import { createObservation } from './observe-browser.ts'
import { openPage, viewport, type PageState } from './open-page.ts'

/** What has come up so far; known to whoever must name a failure, also when opening itself failed. */
export type SessionState = { browser: LaunchedBrowser | null; page: PageState | null; tooLarge: boolean }

export type CaptureSession = {
  readonly tunnel: Tunnel
  readonly browser: LaunchedBrowser
  readonly page: PageState
  readonly language: string
  /** Rejects with BrowserGone when the page or the browser ends by itself. */
  readonly lost: Promise<never>
  /** Ends the browser, then the tunnel, so that the record has every connection's end. Returns the processes left. */
  finish(): Promise<number>
  /** Removes whatever is left of the session. Idempotent; never throws. */
  release(): Promise<void>
}

/** IANA zone of every session: the one that French courts read. */
export const timeZone = 'Europe/Paris'
export const languageOf = (locale: Locale): string => (locale === 'fr' ? 'fr-FR' : 'en-US')

/** One tunnel, one browser in its jail, one page. @throws what any of them throws; nothing is left then. */
export async function openSession(
  input: {
    readonly locale: Locale
    readonly workDir: string
    readonly limits: CaptureLimits
    readonly allowAddresses: readonly string[]
  },
  deps: {
    readonly clock: Clock
    readonly log: Log
    readonly signal: AbortSignal
    readonly resolver?: NameResolver
    readonly ownAddresses?: readonly string[]
    readonly isolationOverride: boolean
    readonly actions: ActionLog
    readonly progress: (phase: CaptureProgress['phase'], step: string) => void
  },
  state: SessionState,
): Promise<CaptureSession> {
  const { limits } = input
  const { clock, log, signal, actions } = deps
  const language = languageOf(input.locale)
  const folder = await createSessionFolder()
  let tunnel: Tunnel | undefined
  const release = async (): Promise<void> => {
    // Every step is tried: a failure of one leaves nothing of the others behind.
    const ends = await Promise.allSettled([state.browser?.kill(), tunnel?.close()])
    const outcomes = [...ends, ...(await Promise.allSettled([folder.remove()]))]
    for (const outcome of outcomes)
      if (outcome.status === 'rejected') log.error({ err: outcome.reason as unknown }, 'the end of a session failed')
  }
  try {
    const socketPath = join(folder.path, 'egress.sock')
    const recordDir = join(input.workDir, 'record')
    await mkdir(recordDir, { recursive: true })
    deps.progress('preparing', 'tunnel')
    tunnel = await startTunnel({
      socketPath,
      recordDir,
      resolver: deps.resolver ?? dnsResolver(),
      allowAddresses: input.allowAddresses,
      ownAddresses: deps.ownAddresses ?? [],
      limits: {
        ...defaultTunnelLimits,
        requests: limits.requests,
        // A body's connection also carries heads, framing and TLS records.
        bytesPerConnection: Math.min(limits.totalBytes, limits.bodyBytes + 16 * 1024 * 1024),
        bytesTotal: limits.totalBytes,
        idleTimeoutMs: limits.totalMs,
      },
      clock,
      log,
      signal,
    })
    if (process.getuid?.() === 0) await chown(socketPath, folder.uid, folder.uid)
    deps.progress('preparing', 'browser')
    const browser = await launchBrowser({
      folder,
      writeKeyLog: true,
      language,
      timeZone,
      window: { width: viewport.width, height: viewport.height },
      memoryBytes: limits.memoryBytes,
      isolation: deps.isolationOverride ? 'override' : 'required',
      signal,
    })
    state.browser = browser
    actions.add('browser_started', {
      browser: browser.product,
      isolation: browser.isolation.kind,
      profile_entries: browser.profile.entries.length,
      profile_sha256: browser.profile.sha256,
    })
    const observation = createObservation((bytes) => {
      if (bytes <= limits.documentBytes || state.tooLarge) return
      state.tooLarge = true
      void browser.kill()
    })
    const page = await openPage(browser.cdp, observation, actions)
    state.page = page
    const lost = Promise.race([
      page.gone.then((how): never => {
        throw new BrowserGone(`the page ended: ${how}`)
      }),
      browser.ended.then((): never => {
        throw new BrowserGone('the browser ended')
      }),
    ])
    // It also ends when we end it, with nobody waiting.
    lost.catch(() => undefined)
    const opened = tunnel
    return {
      tunnel,
      browser,
      page,
      language,
      lost,
      finish: async () => {
        await browser.kill()
        await opened.close()
        return (await processTree(browser.pid)).length
      },
      release,
    }
  } catch (error) {
    await release()
    throw error
  }
}

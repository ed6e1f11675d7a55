/**
 * Browsers that wait for a capture: each with a tunnel of its own that carried nothing, an empty profile, and a blank page.
 * Each serves one capture and is then thrown away (decision 0137).
 */
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { defaultLocale, locales, type Locale } from '../../../../kernel/locale.ts'
import { memoryIntervalMs } from '../../../../platform/browser/watch-memory.ts'
import type { Log } from '../../../../platform/log/log.ts'
import type { CaptureLimits } from '../../domain/outcome/limits.ts'
import { createActionLog } from '../page/action-log.ts'
import { prepareSession, type PreparedSession, type SessionDeps, type SessionOwner } from './prepare-session.ts'
import type { SessionKind } from './session-kind.ts'

/** All of one kind. */
export type WarmPool<Stage = null> = {
  /**
   * An untouched session in that language, prepared for these very limits and exceptions; null when there is none, and the caller
   * makes its own. From then on it is the new owner's and ends with that signal; the owner removes `recordDir` after `release()`.
   */
  take(
    want: WarmWant,
    owner: SessionOwner,
    signal: AbortSignal,
  ): Promise<{ readonly session: PreparedSession<Stage>; readonly recordDir: string } | null>
  /** Runs a capture; while as many run as the process may, no browser is prepared. */
  during<T>(capture: () => Promise<T>): Promise<T>
  /** Sessions ready to be taken, by language. */
  ready(): Readonly<Record<Locale, number>>
  /** Ends every session that waits or is being prepared. Idempotent. */
  stop(): Promise<void>
}

export type WarmWant = {
  readonly locale: Locale
  readonly limits: CaptureLimits
  readonly allowAddresses: readonly string[]
}

export type WarmPoolInput<Stage = null> = Omit<WarmWant, 'locale'> & {
  readonly kind: SessionKind<Stage>
  /** Browsers kept ready, all languages together. With one, it is in the language last asked for. */
  readonly size: number
  /** Captures that this process runs at a time. */
  readonly concurrency: number
  /** Holds the records of waiting sessions; belongs to this process alone. */
  readonly folder: string
  /** A browser that waited longer is thrown away and made anew. */
  readonly maxAgeMs?: number
}

export type WarmPoolDeps = Omit<SessionDeps, 'signal'> & {
  readonly log: Log
  /** Asked before each preparation: no browser is made on a machine that does not match what was pinned. */
  readonly preflight?: () => Promise<boolean>
}

type Waiting<Stage> = { readonly session: PreparedSession<Stage>; readonly recordDir: string; readonly made: number }

export const defaultMaxAgeMs = 10 * 60 * 1000
/** After a preparation that failed, the next is tried this much later, doubling up to the last. */
const firstDelayMs = 2_000
const lastDelayMs = 5 * 60 * 1000
/** A blank page does nothing; its memory is looked at now and then. */
const waitingMemoryMs = 5_000
/** How long a waiting browser may take to show that it is untouched. */
const answerMs = 10_000

export function startWarmPool<Stage>(input: WarmPoolInput<Stage>, deps: WarmPoolDeps): WarmPool<Stage> {
  const { log } = deps
  const maxAgeMs = input.maxAgeMs ?? defaultMaxAgeMs
  const stopping = new AbortController()
  const key = keyOf(input)
  const waiting: Waiting<Stage>[] = []
  const ending = new Set<Promise<void>>()
  /** Most recently asked first: which languages are worth a browser when there are fewer browsers than languages. */
  let asked: readonly Locale[] = [defaultLocale, ...locales.filter((locale) => locale !== defaultLocale)]
  let captures = 0
  let made = 0
  let delayMs = 0
  let timer: NodeJS.Timeout | undefined
  let working: Promise<void> | null = null

  const discard = (one: Waiting<Stage>, why: string): void => {
    const heard = [...new Set(one.session.tunnel.connections().map(({ host, port }) => `${host}:${String(port)}`))].slice(0, 20)
    const facts = { why, locale: one.session.locale, browser_started_at: one.session.preparedAt }
    // It had no page: whoever it asked for, it asked by itself.
    if (heard.length > 0) log.warn({ ...facts, heard }, 'a waiting browser spoke by itself and was thrown away')
    else log[why === 'stop' ? 'debug' : 'info'](facts, 'a waiting browser was thrown away')
    const end = (async () => {
      await one.session.release()
      await rm(one.recordDir, { recursive: true, force: true })
    })()
      .catch((error: unknown) => log.error({ err: error }, 'a waiting browser was not removed'))
      .finally(() => ending.delete(end))
    ending.add(end)
  }

  const remove = (one: Waiting<Stage>): boolean => {
    const at = waiting.indexOf(one)
    if (at === -1) return false
    waiting.splice(at, 1)
    return true
  }

  /** The language most in want of a browser, or null when the pool is full. One too many of another makes room. */
  const lacking = (): Locale | null => {
    const share = new Map(asked.map((locale, place) => [locale, Math.ceil(Math.max(0, input.size - place) / asked.length)]))
    return asked.find((locale) => count(locale) < (share.get(locale) ?? 0)) ?? null
  }
  const count = (locale: Locale): number => waiting.filter(({ session }) => session.locale === locale).length

  const prepare = async (locale: Locale): Promise<void> => {
    made += 1
    const recordDir = join(input.folder, `ready-${String(made)}`)
    const actions = createActionLog(deps.clock)
    try {
      const session = await prepareSession(
        { kind: input.kind, locale, recordDir, limits: input.limits, allowAddresses: input.allowAddresses },
        { ...deps, signal: stopping.signal },
        { state: { browser: null, page: null, tooLarge: false }, actions, log },
      )
      session.browser.watchMemoryEvery(waitingMemoryMs)
      const one: Waiting<Stage> = { session, recordDir, made: performance.now() }
      waiting.push(one)
      // A browser that dies while it waits makes room for another; one that was taken is its capture's.
      session.lost.catch(() => {
        if (!remove(one)) return
        discard(one, 'ended')
        later()
      })
    } catch (error) {
      await rm(recordDir, { recursive: true, force: true })
      throw error
    }
  }

  const refill = async (): Promise<void> => {
    for (const one of waiting.filter(({ made: at }) => performance.now() - at > maxAgeMs)) {
      remove(one)
      discard(one, 'age')
    }
    for (;;) {
      if (stopping.signal.aborted || captures >= input.concurrency) return
      const locale = lacking()
      if (locale === null) break
      // Made for a language that is asked for less: it gives way.
      const surplus = waiting.length >= input.size ? waiting.findLast(({ session }) => session.locale !== locale) : undefined
      if (surplus !== undefined && remove(surplus)) discard(surplus, 'language')
      if ((await deps.preflight?.()) === false) {
        delayMs = Math.min(lastDelayMs, Math.max(firstDelayMs, delayMs * 2))
        return
      }
      await prepare(locale)
      delayMs = 0
    }
    delayMs = 0
  }

  /** One refill at a time; another is due after a failure, or when the oldest comes of age. */
  const later = (): void => {
    if (stopping.signal.aborted || working !== null) return
    clearTimeout(timer)
    timer = setTimeout(work, delayMs)
    timer.unref()
  }
  const work = (): void => {
    clearTimeout(timer)
    if (stopping.signal.aborted || working !== null) return
    working = refill()
      .catch((error: unknown) => {
        if (stopping.signal.aborted) return
        delayMs = Math.min(lastDelayMs, Math.max(firstDelayMs, delayMs * 2))
        log.warn({ err: error, retry_ms: delayMs }, 'no browser could be prepared')
      })
      .finally(() => {
        working = null
        if (stopping.signal.aborted) return
        const oldest = Math.min(...waiting.map((one) => one.made + maxAgeMs - performance.now()), maxAgeMs)
        if (delayMs === 0 && captures < input.concurrency && lacking() !== null) return later()
        timer = setTimeout(work, delayMs > 0 ? delayMs : Math.max(1_000, oldest))
        timer.unref()
      })
  }

  if (input.size > 0) work()
  return {
    take: async (want, owner, signal) => {
      asked = [want.locale, ...asked.filter((locale) => locale !== want.locale)]
      if (keyOf(want) !== key) return null
      for (;;) {
        const one = waiting.find(({ session }) => session.locale === want.locale)
        if (one === undefined || stopping.signal.aborted) return null
        remove(one)
        const why = performance.now() - one.made > maxAgeMs ? 'age' : await whyTouched(one.session)
        if (why === null) {
          one.session.browser.watchMemoryEvery(memoryIntervalMs)
          one.session.handOver(owner, signal)
          return { session: one.session, recordDir: one.recordDir }
        }
        discard(one, why)
      }
    },
    during: async (capture) => {
      captures += 1
      try {
        return await capture()
      } finally {
        captures -= 1
        if (input.size > 0) later()
      }
    },
    ready: () => ({ en: count('en'), fr: count('fr') }),
    stop: async () => {
      stopping.abort(new Error('the pool was stopped'))
      clearTimeout(timer)
      await working
      for (const one of waiting.splice(0)) discard(one, 'stop')
      await Promise.all(ending)
    },
  }
}

const keyOf = ({ limits, allowAddresses }: Omit<WarmWant, 'locale'>): string => JSON.stringify([limits, allowAddresses])

/** Why a waiting session may not serve a capture; null when it is as it was made. Nothing is assumed: the browser is asked. */
export async function whyTouched({ tunnel, browser, page, owner }: PreparedSession<unknown>): Promise<string | null> {
  const totals = tunnel.totals()
  if (totals.requests > 0 || totals.bytes_sent + totals.bytes_received > 0) return 'tunnel_used'
  if (tunnel.dnsAnswers().length > 0) return 'name_resolved'
  if (browser.profile.entries.length > 0) return 'profile_not_empty'
  if (browser.endReason() !== 'exited' || page.crash !== null) return 'ended'
  if (owner.actions.text() !== '' || page.observation.requests.length > 0 || page.navigations > 0) return 'page_used'
  try {
    const [{ frameTree }, { cookies }, { targetInfos }] = await Promise.all([
      page.session.send('Page.getFrameTree', {}, { timeoutMs: answerMs }),
      browser.cdp.browser.send('Storage.getCookies', {}, { timeoutMs: answerMs }),
      browser.cdp.browser.send('Target.getTargets', {}, { timeoutMs: answerMs }),
    ])
    if (frameTree.frame.url !== 'about:blank' || frameTree.childFrames !== undefined) return 'page_used'
    if (cookies.length > 0) return 'cookies'
    // The browser keeps pages of its own interface behind the address bar.
    const pages = targetInfos.filter(({ type, url }) => type === 'page' && !url.startsWith('chrome://'))
    return pages.length === 1 && pages[0]?.targetId === page.targetId ? null : 'other_pages'
  } catch {
    return 'no_answer'
  }
}

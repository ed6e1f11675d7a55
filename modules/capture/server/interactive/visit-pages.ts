/** The visitor's part of a session: from the first picture to the moment when it ends, for whatever reason. */
import { join } from 'node:path'
import { BrowserGone } from '../../../../platform/browser/cdp-connection.ts'
import { jailSession } from '../../../../platform/browser/jail.ts'
import { liveClose, type LiveNotice } from '../../contract/live.ts'
import { interactiveLimits, type InteractiveFacts } from '../../domain/interactive-facts.ts'
import type { RefusedCertificate, SessionRefusals } from '../../domain/session-warnings.ts'
import type { CapturedFile } from '../../domain/outcome.ts'
import type { ActionLog } from '../action-log.ts'
import type { CaptureDeps } from '../capture-request.ts'
import { siteOf, type SessionConditions } from '../conditions/index.ts'
import type { ObservedRequest } from '../observe-browser.ts'
import type { CaptureSession } from '../open-session.ts'
import type { VisitorSession } from '../prepare-session.ts'
import type { SessionTimestamps } from '../session-timestamps.ts'
import type { ShowDeps } from '../show-page.ts'
import { createPageAsks, type PageAsks } from './answer-page.ts'
import type { InteractiveInput } from './capture-interactive.ts'
import { createCountDown } from './count-down.ts'
import { phoneOf } from './devices.ts'
import { createDownloads, type Downloads } from './keep-downloads.ts'
import { createLiveSession, type RunningSession, type SessionParts } from './live-session.ts'
import { startPicture, type Picture } from './picture/start-picture.ts'
import { createSecrets, type Secrets } from './secrets.ts'
import { createSteering } from './steer-page.ts'
import type { Device, Navigation, Tab, TabEvents } from './tab.ts'
import { createScreenshots, type LiveScreenshots } from './take-live-screenshots.ts'
import type { Timeline } from './timeline.ts'

type Listed<K extends 'navigations' | 'crashes'> = {
  -readonly [M in keyof InteractiveFacts[K][number]]: InteractiveFacts[K][number][M]
}[]

export type Visit = {
  readonly endedBy: InteractiveFacts['ended_by']
  readonly navigatedAt: string
  readonly beganAt: string
  /** How long the visitor had, in milliseconds. */
  readonly visitedMs: number
  readonly device: Device
  readonly picture: Picture
  readonly running: RunningSession
  readonly secrets: Secrets
  readonly shots: LiveScreenshots
  readonly downloads: Downloads
  readonly asks: PageAsks
  readonly navigations: InteractiveFacts['navigations']
  readonly crashes: InteractiveFacts['crashes']
  /** What the visitor was refused, and how often. */
  refused(): SessionRefusals
  /** Sites whose certificate the browser did not accept, and whether the visitor went on. */
  certificates(): readonly RefusedCertificate[]
  /** The first page and what led to it. */
  path(): readonly ObservedRequest[]
  /** Ends what it runs; viewers are told. Idempotent. */
  release(): Promise<void>
}

/** More are in the timeline. */
export const mostNavigations = 2_000
const mostCrashes = 200
const mostCertificates = 200

export async function visitPages(given: {
  readonly input: InteractiveInput
  readonly deps: CaptureDeps
  readonly session: CaptureSession
  readonly visitor: VisitorSession
  readonly url: string
  readonly timeline: Timeline
  readonly timestamps: SessionTimestamps | null
  readonly actions: ActionLog
  readonly progress: ShowDeps['progress']
  readonly conditions: SessionConditions
}): Promise<Visit> {
  const { input, session, visitor, timeline, timestamps, actions, progress } = given
  const { clock, log, signal } = given.deps
  const { display, tabs } = visitor
  const { cdp } = session.browser
  const device: Device = input.device === 'mobile' ? phoneOf(session.browser.product) : { kind: 'desktop' }
  const navigations: Listed<'navigations'> = []
  const crashes: Listed<'crashes'> = []
  const requests = session.page.observation.requests
  const certificates = new Map<string, { host: string; error: string; passed: boolean }>()
  let arrivedAfter: number | null = null
  /** Where the first tab stands before the browser's warning of a certificate. */
  let warnedAt: string | null = null
  let limitTold = false
  let visited = false
  const quietly = (work: Promise<unknown>): void => {
    work.catch((error: unknown) => {
      if (!(error instanceof BrowserGone)) actions.add('browser_refused', { message: String(error).slice(0, 200) })
    })
  }
  const crash = (what: InteractiveFacts['crashes'][number]['what'], data: Readonly<Record<string, unknown>>) => {
    timeline.add('crash', { what, ...data })
    if (crashes.length < mostCrashes) crashes.push({ ms: timeline.ms(), what, recovered: false })
  }
  const recovered = (what: InteractiveFacts['crashes'][number]['what']) => {
    const last = crashes.findLast((one) => one.what === what)
    if (last !== undefined) last.recovered = true
    timeline.add('crash', { what, recovered: true })
  }

  const secrets = createSecrets(timeline)
  let parts: SessionParts
  const running = createLiveSession({
    evidenceId: input.evidenceId,
    timeline,
    log,
    picture: display.picture,
    device,
    parts: () => parts,
    onTabs: () => quietly(display.setStrip(secrets.mask(tabs.active()?.url ?? ''))),
  })
  const told = new Map<LiveNotice, number>()
  const tell = (code: LiveNotice, data: Readonly<Record<string, string | number>> = {}) => {
    told.set(code, (told.get(code) ?? 0) + 1)
    running.tell(code, data)
  }

  progress('preparing', 'display')
  // Shown in every picture of the recording.
  await display.setSession(input.evidenceId)
  const picture = await startPicture({
    display,
    folder: join(input.workDir, 'picture'),
    now: () => performance.now(),
    log,
    onGroup: (group) => void timeline.add('video', { group }),
    onGap: (gap) => void timeline.add('video', { gap }),
    onInterrupted: (reason, detail) => {
      crash('picture', { reason, detail })
      tell('picture_interrupted')
    },
    onRecovered: () => recovered('picture'),
    onLost: (reason, detail) => {
      // Told as interrupted before, when it was an encoder that could not be started again.
      if (crashes.findLast(({ what }) => what === 'picture')?.recovered === false)
        timeline.add('crash', { what: 'picture', reason, detail, lost: true })
      else crash('picture', { reason, detail, lost: true })
      tell('picture_interrupted')
    },
    onLevel: (_viewer, level) => void timeline.add('viewer', { act: 'quality', level }),
  })
  timeline.begin(picture.config.originMs)
  const beganAt = timeline.at(0)
  const stopHearing = display.onPartEnded((part, status) => {
    if (part !== 'sound') return
    crash('sound', { status })
    tell('sound_interrupted')
  })

  const countDown = createCountDown({
    sessionMs: input.sessionMs,
    graceMs: input.graceMs,
    warningsMs: interactiveLimits.warningsMs,
    warn: (leftMs) => {
      timeline.add('warning', { code: 'time', left_ms: leftMs })
      tell(leftMs > 60_000 ? 'two_minutes' : 'thirty_seconds')
    },
    end: (why) => running.end(why),
  })
  const shots = createScreenshots({
    workDir: input.workDir,
    timeline,
    actions,
    maxHeight: input.limits.maxHeight,
    device: () => device,
    dateImages: async (files: readonly CapturedFile[]) => {
      if (timestamps === null) return
      timeline.add('timestamp', { reason: 'screenshot' })
      await timestamps.checkpoint('screenshot', files)
    },
  })
  const downloads = createDownloads({
    cdp,
    folder: visitor.folder,
    inBrowser: jailSession,
    workDir: input.workDir,
    timeline,
    log,
    tell,
  })
  const asks = createPageAsks({
    folder: visitor.folder,
    inBrowser: jailSession,
    timeline,
    secrets,
    ask: (message) => running.viewers.controller()?.send(message),
    quietly,
  })
  const steering = createSteering({
    tabs,
    display,
    timeline,
    secrets,
    allowAddresses: input.allowAddresses,
    tell,
    send: (message) => running.send(message),
    quietly,
  })
  parts = { tabs, steering, asks, shots, picture, countDown }

  const navigated = (navigation: Navigation) => {
    const { tab, url, status, cause, failure, within } = navigation
    const ms = timeline.ms()
    actions.add('navigated', { url: secrets.mask(url).slice(0, 2_000), tab: tab.number, cause })
    timeline.add('navigation', {
      url,
      status,
      cause,
      tab: tab.number,
      ...(failure === null ? {} : { failure }),
      ...(within ? { within } : {}),
    })
    if (navigations.length < mostNavigations)
      navigations.push({ ms, at: timeline.at(ms), tab: tab.number, url: secrets.mask(url), title: '', status, cause })
    if (!within) secrets.commit()
    if (tab === tabs.first && !within) {
      // Who goes on from the warning arrives then, and not before.
      const arrives = arrivedAfter === null || warnedAt === url
      warnedAt = arrives && isCertificateError(failure) ? url : null
      if (arrives) arrivedAfter = requests.length
      const site = arrives ? siteOf(url, session.tunnel.connections()) : null
      if (site !== null) given.conditions.siteSeen(site)
    }
    steering.focusMoved(tab)
    if (requests.length >= mostRequests && !limitTold) {
      limitTold = true
      timeline.add('warning', { code: 'limit_requests' })
      tell('limit_requests', { count: requests.length })
    }
  }
  const events: TabEvents = {
    changed: () => running.tabsChanged(),
    navigated,
    titled: (tab) => {
      const last = navigations.findLast((one) => one.tab === tab.number)
      if (last !== undefined) last.title = secrets.mask(tab.title.slice(0, 500).toWellFormed())
    },
    crashed: (tab, status) => {
      if (tab.endedToLeave) {
        timeline.add('crash', { what: 'page', tab: tab.number, status, to_leave: true })
        return
      }
      crash('page', { tab: tab.number, status })
      tell('page_crashed')
    },
    reloadedAfterCrash: () => recovered('page'),
    dialogOpened: (tab, { type, message, url }) => {
      timeline.add('dialog', { act: 'opened', type, message, url, tab: tab.number })
      tell('dialog_open', { type })
    },
    dialogClosed: (tab, { accepted, text }) => void timeline.add('dialog', { act: 'closed', accepted, text, tab: tab.number }),
    popupBlocked: (tab, url) => {
      timeline.add('tab', { act: 'blocked', url, opener: tab.number })
      tell('popup_blocked')
    },
    chooser: (tab, own, asked) => asks.chooser(tab, own, asked),
    credentials: (tab, own, asked) => asks.credentials(tab, own, asked),
    certificateError: (tab, url, error, passed) => {
      const host = URL.canParse(url) ? secrets.mask(new URL(url).host) : ''
      const name = `${host} ${error}`
      const known = certificates.get(name)
      // A page that goes there again and again says nothing new.
      if (known === undefined ? certificates.size >= mostCertificates : known.passed || !passed) return
      certificates.set(name, { host, error, passed })
      timeline.add('warning', { code: passed ? 'certificate_passed' : 'certificate_error', url, error, tab: tab.number })
      if (!passed) tell('certificate_error', { host, error })
    },
    focusMoved: (tab) => steering.focusMoved(tab),
    answered: (tab, request) => void timeline.add('request', { ...request, tab: tab.number }),
    opened: (tab, opener) => void timeline.add('tab', { act: 'opened', tab: tab.number, opener: opener?.number ?? null }),
    closed: (tab) => {
      timeline.add('tab', { act: 'closed', tab: tab.number })
      // A session has a page to show for as long as it lasts.
      if (tabs.all().length === 0) quietly(tabs.open())
    },
    refused: (_reason, url) => {
      timeline.add('tab', { act: 'refused', url })
      tell('tab_limit')
    },
  }
  tabs.listen(events)

  let released: Promise<void> | null = null
  const release = (): Promise<void> =>
    (released ??= (async () => {
      input.sessions.remove(input.evidenceId)
      countDown.stop()
      running.stop()
      stopHearing()
      tabs.listen({ ...events, changed: () => undefined })
      running.phase('ended')
      running.viewers.close(liveClose.ended, 'the session is over')
      await picture.release()
    })())

  const stop = () => running.end('operator')
  const abort = Promise.withResolvers<never>()
  abort.promise.catch(() => undefined)
  const aborted = () => abort.reject(signal.reason as Error)
  try {
    input.ending?.addEventListener('abort', stop, { once: true })
    if (input.ending?.aborted === true) stop()
    signal.addEventListener('abort', aborted, { once: true })
    if (signal.aborted) aborted()
    session.lost.catch(() => {
      if (visited) return
      crash('browser', { reason: session.browser.endReason() })
      tell('browser_gone')
      running.end('browser_gone')
    })
    if (device.kind === 'mobile') await tabs.emulate(device)
    else await Promise.race([tabs.first.session.send('Page.bringToFront'), session.lost])
    await tabs.setZoom(tabs.first, 100)
    await downloads.begin()
    input.sessions.add(running.session)
    await timestamps?.checkpoint('start')
    await input.beforeNavigation?.()
    progress('capturing', 'visit')
    running.phase('capturing')
    countDown.begin()
    await steering.navigate(given.url)
    const navigatedAt = clock.now().toISOString()
    const began = timeline.ms()
    const endedBy = await Promise.race([running.over, abort.promise])
    const visitedMs = timeline.ms() - began
    // From here on it is the capture that ends the browser.
    visited = true
    countDown.stop()
    timeline.add('session', { act: 'visit_ended', why: endedBy })
    actions.add('visit_ended', { why: endedBy })
    if (endedBy === 'time') tell('time_up')
    running.phase('completing')
    await running.settle()
    await steering.release().catch((error: unknown) => {
      if (endedBy !== 'browser_gone') log.warn({ err: error }, 'keys were not released')
    })
    secrets.commit()
    return {
      endedBy,
      navigatedAt,
      beganAt,
      visitedMs,
      device,
      picture,
      running,
      secrets,
      shots,
      downloads,
      asks,
      navigations,
      crashes,
      refused: () => {
        const count = (code: LiveNotice): number => told.get(code) ?? 0
        return {
          tabs: count('tab_limit'),
          popups: count('popup_blocked'),
          files: count('download_refused'),
          uploads: asks.refused(),
          addresses: count('navigation_refused'),
        }
      },
      certificates: () => [...certificates.values()],
      path: () => pathOfFirst(requests, tabs.first, arrivedAfter),
      release,
    }
  } catch (error) {
    await release()
    throw error
  } finally {
    input.ending?.removeEventListener('abort', stop)
    signal.removeEventListener('abort', aborted)
  }
}

/** As many as are listed (observe-browser.ts). */
const mostRequests = 20_000

const isCertificateError = (failure: string | null): boolean => failure?.startsWith('net::ERR_CERT_') === true

/** Documents of the first tab until its first page was there: where the visitor went from it is not how one came to it. */
function pathOfFirst(requests: readonly ObservedRequest[], tab: Tab, arrivedAfter: number | null): readonly ObservedRequest[] {
  const until = arrivedAfter === null ? requests : requests.slice(0, arrivedAfter)
  const documents = until.filter(({ type, frameId }) => type === 'Document' && frameId === tab.mainFrame)
  // What a certificate stopped was never sent: it is a step only where it is the last.
  return documents.filter(({ failure }, i) => !isCertificateError(failure) || i === documents.length - 1)
}

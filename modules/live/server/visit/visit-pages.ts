/** The visitor's part of a session: from the first picture to the moment when it ends, for whatever reason. */
import { join } from 'node:path'
import { endBusiestPage } from '../../../../platform/browser/end-busiest-page.ts'
import { BrowserGone, CdpTimeout } from '../../../../platform/browser/cdp-connection.ts'
import { jailSession } from '../../../../platform/browser/jail.ts'
import type {
  InteractiveFacts,
  CapturedFile,
  ActionLog,
  SessionConditions,
  ObservedRequest,
  CaptureSession,
  SessionTimestamps,
  ShowDeps,
} from '../../../capture/server/index.ts'
import { liveClose, type LiveNotice } from '../../contract/live.ts'
import { interactiveLimits } from '../../domain/interactive-limits.ts'
import type { RefusedCertificate, SessionRefusals } from '../../domain/session-warnings.ts'
import { createPageAsks, type PageAsks } from '../session/wishes/answer-page.ts'
import type { InteractiveDeps, InteractiveInput } from './visit-input.ts'
import { createCountDown } from '../session/count-down.ts'
import { phoneOf } from '../session/tabs/devices.ts'
import { createDownloads, type Downloads } from '../session/wishes/keep-downloads.ts'
import { createPageLeaving } from '../session/input/leave-page.ts'
import { createLiveSession, type RunningSession, type SessionParts } from '../session/live-session.ts'
import { noteCrashes } from '../session/timeline/note-crashes.ts'
import { noteTabs } from './note-tabs.ts'
import { openPhotographer } from '../session/shots/photograph-page.ts'
import { startPicture, type Picture } from '../session/picture/start-picture.ts'
import { createSecrets, type Secrets } from '../session/fields/secrets.ts'
import { createSteering } from '../session/input/steer-page.ts'
import type { SteeredBrowser } from '../session/tabs/steered-browser.ts'
import type { Device } from '../session/tabs/tab.ts'
import { createScreenshots, type LiveScreenshots } from '../session/shots/take-live-screenshots.ts'
import type { Timeline } from '../session/timeline/timeline.ts'
import { watchLimits } from './watch-limits.ts'
import { watchPermissions } from './watch-permissions.ts'

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

export async function visitPages(given: {
  readonly input: InteractiveInput
  readonly deps: InteractiveDeps
  readonly session: CaptureSession<SteeredBrowser>
  readonly url: string
  readonly timeline: Timeline
  readonly timestamps: SessionTimestamps | null
  readonly actions: ActionLog
  readonly progress: ShowDeps['progress']
  readonly conditions: SessionConditions
}): Promise<Visit> {
  const { input, session, timeline, timestamps, actions, progress } = given
  const { clock, log, signal } = given.deps
  const { display, tabs, folder } = session.stage
  const { cdp } = session.browser
  const device: Device = input.device === 'mobile' ? phoneOf(session.browser.product) : { kind: 'desktop' }
  let visited = false
  const quietly = (work: Promise<unknown>): void => {
    work.catch((error: unknown) => {
      if (!(error instanceof BrowserGone)) actions.add('browser_refused', { message: String(error).slice(0, 200) })
    })
  }
  const crashes = noteCrashes(timeline)
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
      crashes.happened('picture', { reason, detail })
      tell('picture_interrupted')
    },
    onRecovered: () => crashes.recovered('picture'),
    onLost: (reason, detail) => {
      // Told as interrupted before, when it was an encoder that could not be started again.
      if (crashes.isOpen('picture')) timeline.add('crash', { what: 'picture', reason, detail, lost: true })
      else crashes.happened('picture', { reason, detail, lost: true })
      tell('picture_interrupted')
    },
    onLevel: (viewer, level, side) => running.levelChanged(viewer, level, side),
  })
  timeline.begin(picture.config.originMs)
  const beganAt = timeline.at(0)
  const stopHearing = display.onPartEnded((part, status) => {
    if (part !== 'sound') return
    crashes.happened('sound', { status })
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
    photograph: openPhotographer({
      display,
      timeline,
      device: () => device,
      onUnheld: (error) => log.warn({ err: error }, 'the picture could not be held for a screenshot'),
    }),
    dateImages: async (files: readonly CapturedFile[]) => {
      if (timestamps === null) return
      timeline.add('timestamp', { reason: 'screenshot' })
      await timestamps.checkpoint('screenshot', files)
    },
  })
  const downloads = createDownloads({
    cdp,
    folder,
    inBrowser: jailSession,
    workDir: input.workDir,
    timeline,
    log,
    tell,
  })
  const asks = createPageAsks({
    folder,
    inBrowser: jailSession,
    timeline,
    secrets,
    ask: (message) => running.viewers.controller()?.send(message),
    tell,
    quietly,
  })
  const leaving = createPageLeaving({
    timeline,
    used: async () => {
      const { processInfo } = await cdp.browser.send('SystemInfo.getProcessInfo', {}, { timeoutMs: 5_000 })
      const sum = (kind: string) =>
        processInfo.filter(({ type }) => type.toLowerCase() === kind).reduce((total, { cpuTime }) => total + cpuTime, 0)
      return { graphics: sum('gpu'), pages: sum('renderer') }
    },
    restartGraphics: async () => await cdp.browser.send('Browser.crashGpuProcess', {}, { timeoutMs: 5_000 }),
    browserAnswers: async () =>
      await cdp.browser.send('Browser.getVersion', {}, { timeoutMs: 3_000 }).then(
        () => true,
        (error: unknown) => {
          if (error instanceof CdpTimeout) return false
          throw error
        },
      ),
    endBusiest: async () => await endBusiestPage(session.browser.pid),
    quietly,
  })
  const steering = createSteering({
    leaving,
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

  const permissions = watchPermissions({ browser: cdp.browser, timeline, tell })
  const unwatchLimits = watchLimits({ tunnel: session.tunnel, limitBytes: input.limits.totalBytes, timeline, tell })
  const notes = noteTabs({
    tabs,
    timeline,
    actions,
    secrets,
    asks,
    steering,
    crashes,
    requests: session.page.observation.requests,
    connections: () => session.tunnel.connections(),
    changed: () => running.tabsChanged(),
    documentShown: () => permissions.navigated(),
    siteSeen: (site) => given.conditions.siteSeen(site),
    tell,
    quietly,
  })
  tabs.listen(notes.events)

  let released: Promise<void> | null = null
  const release = (): Promise<void> =>
    (released ??= (async () => {
      input.sessions.remove(input.evidenceId)
      countDown.stop()
      running.stop()
      stopHearing()
      permissions.stop()
      unwatchLimits()
      asks.stop()
      tabs.listen({ ...notes.events, changed: () => undefined })
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
      crashes.happened('browser', { reason: session.browser.endReason() })
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
    const front = endedBy === 'browser_gone' ? null : tabs.active()
    if (front !== null)
      await leaving.free(front).catch((error: unknown) => {
        if (!(error instanceof BrowserGone)) throw error
      })
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
      navigations: notes.navigations,
      crashes: crashes.facts(),
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
      certificates: () => notes.certificates(),
      path: () => notes.path(),
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

/** The tabs of a live session: followed from their first request, eight at most, the newest in front. */
import { BrowserGone, CdpError, type CdpConnection, type CdpSession } from '../../../../../platform/browser/cdp-connection.ts'
import { fillDisplay } from '../../../../../platform/display/fill-display.ts'
import type { ActionLog, Observation } from '../../../../capture/server/index.ts'
import type { LiveTab } from '../../../contract/live.ts'
import { interactiveLimits } from '../../../domain/interactive-limits.ts'
import { emulateDevice } from './devices.ts'
import { followTab } from './follow-tab.ts'
import { liveTab, type Device, type Tab, type TabEvents } from './tab.ts'

export type Tabs = {
  /** The blank tab that the browser began with. */
  readonly first: Tab
  all(): readonly Tab[]
  /** Every tab that there was. */
  everyone(): readonly Tab[]
  active(): Tab | null
  find(id: string | undefined): Tab | null
  live(): readonly LiveTab[]
  /** Tells what happens from now on. */
  listen(events: TabEvents): void
  /** Emulates a device in every tab, those to come included. */
  emulate(device: Device): Promise<void>
  /** False: there are as many as there may be. */
  open(url?: string): Promise<boolean>
  select(tab: Tab): Promise<void>
  close(tab: Tab): Promise<void>
  setZoom(tab: Tab, percent: number): Promise<void>
  /** Pages that appear from now on are none of the visitor's. */
  stop(): Promise<void>
}

export const silentEvents: TabEvents = {
  changed: () => undefined,
  navigated: () => undefined,
  titled: () => undefined,
  crashed: () => undefined,
  reloadedAfterCrash: () => undefined,
  dialogOpened: () => undefined,
  dialogClosed: () => undefined,
  popupBlocked: () => undefined,
  chooser: () => undefined,
  credentials: () => undefined,
  certificateError: () => undefined,
  focusMoved: () => undefined,
  buttonSeen: () => undefined,
  answered: () => undefined,
  opened: () => undefined,
  closed: () => undefined,
  refused: () => undefined,
}

/** Opens what a live session needs of its browser, before anything is visited. */
export async function openTabs(
  cdp: CdpConnection,
  observation: Observation,
  deps: { readonly language: string; readonly actions: ActionLog; readonly most?: number },
): Promise<Tabs> {
  const most = deps.most ?? interactiveLimits.tabs
  const tabs: Tab[] = []
  const everyone: Tab[] = []
  let events: TabEvents = silentEvents
  let device: Device = { kind: 'desktop' }
  let active: Tab | null = null
  let stopped = false
  let refusedLogged = 0
  const quietly = (work: Promise<unknown>): void => {
    work.catch((error: unknown) => {
      if (!(error instanceof BrowserGone)) deps.actions.add('browser_refused', { message: String(error).slice(0, 200) })
    })
  }
  const forward: TabEvents = {
    changed: () => events.changed(),
    navigated: (navigation) => events.navigated(navigation),
    titled: (tab) => events.titled(tab),
    crashed: (tab, status) => events.crashed(tab, status),
    reloadedAfterCrash: (tab) => events.reloadedAfterCrash(tab),
    dialogOpened: (tab, dialog) => events.dialogOpened(tab, dialog),
    dialogClosed: (tab, answer) => events.dialogClosed(tab, answer),
    popupBlocked: (tab, url) => events.popupBlocked(tab, url),
    chooser: (tab, session, asked) => events.chooser(tab, session, asked),
    credentials: (tab, session, asked) => events.credentials(tab, session, asked),
    certificateError: (tab, url, error, passed) => events.certificateError(tab, url, error, passed),
    focusMoved: (tab) => events.focusMoved(tab),
    buttonSeen: (tab, event) => events.buttonSeen(tab, event),
    answered: (tab, request) => events.answered(tab, request),
    opened: (tab, opener) => events.opened(tab, opener),
    closed: (tab) => {
      const at = tabs.indexOf(tab)
      if (at === -1) return
      tabs.splice(at, 1)
      events.closed(tab)
      if (active === tab) {
        active = null
        const next = tabs[Math.min(at, tabs.length - 1)]
        if (next !== undefined) quietly(select(next))
      }
      events.changed()
    },
    refused: (reason, url) => events.refused(reason, url),
  }

  const select = async (tab: Tab): Promise<void> => {
    active = tab
    events.changed()
    await cdp.browser.send('Target.activateTarget', { targetId: tab.targetId })
    await session(tab).send('Page.bringToFront')
  }
  const session = (tab: Tab): CdpSession => tab.session

  const first = Promise.withResolvers<Tab>()
  cdp.browser.on('Target.attachedToTarget', ({ sessionId, targetInfo, waitingForDebugger }) => {
    const own = cdp.session(sessionId)
    if (targetInfo.type !== 'page') {
      // Shared workers belong to no page.
      const sent = [
        observation.attach(own),
        own.send('Emulation.setLocaleOverride', { locale: deps.language }),
        ...emulateDevice(own, device, 'part'),
        ...(waitingForDebugger ? [own.send('Runtime.runIfWaitingForDebugger')] : []),
      ]
      for (const one of sent) one.catch(() => undefined)
      return
    }
    if (stopped || targetInfo.url.startsWith('chrome')) {
      if (waitingForDebugger) quietly(own.send('Runtime.runIfWaitingForDebugger'))
      return
    }
    if (tabs.length >= most) {
      // Held since it was made: it asked for nothing.
      refusedLogged += 1
      if (refusedLogged <= 20) deps.actions.add('tab_refused', { url: targetInfo.url.slice(0, 500) })
      quietly(cdp.browser.send('Target.closeTarget', { targetId: targetInfo.targetId }))
      events.refused('tab_limit', targetInfo.url)
      return
    }
    const opener = tabs.find(({ targetId }) => targetId === targetInfo.openerId) ?? null
    const { tab, ready } = followTab({
      cdp,
      session: own,
      targetId: targetInfo.targetId,
      number: everyone.length + 1,
      held: waitingForDebugger,
      observation,
      language: deps.language,
      events: forward,
      opened: opener !== null,
      quietly,
      emulate: (one, kind) => emulateDevice(one, device, kind),
    })
    tabs.push(tab)
    everyone.push(tab)
    active = tab
    if (everyone.length === 1) {
      ready.then(
        () => first.resolve(tab),
        (error: unknown) => first.reject(error as Error),
      )
      return
    }
    quietly(ready)
    events.opened(tab, opener)
    events.changed()
    quietly(fillDisplay(cdp, tab.targetId).then(() => (tabs.includes(tab) && active === tab ? select(tab) : undefined)))
  })
  first.promise.catch(() => undefined)
  await cdp.browser.send('Browser.setDownloadBehavior', { behavior: 'deny', eventsEnabled: true })
  await cdp.browser.send('Target.setDiscoverTargets', { discover: true })
  await cdp.browser.send('Target.setAutoAttach', {
    autoAttach: true,
    waitForDebuggerOnStart: true,
    flatten: true,
    filter: [
      { type: 'page', exclude: false },
      { type: 'shared_worker', exclude: false },
    ],
  })
  const { targetInfos } = await cdp.browser.send('Target.getTargets')
  if (!targetInfos.some(({ type, url }) => type === 'page' && !url.startsWith('chrome')))
    await cdp.browser.send('Target.createTarget', { url: 'about:blank' })
  const blank = await first.promise
  const tree = await blank.session.send('Page.getFrameTree')
  blank.mainFrame = tree.frameTree.frame.id

  return {
    first: blank,
    all: () => tabs,
    everyone: () => everyone,
    active: () => active,
    find: (id) => tabs.find((tab) => tab.id === id) ?? null,
    live: () => tabs.map((tab) => liveTab(tab, tab === active)),
    listen: (next) => {
      events = next
    },
    emulate: async (next) => {
      device = next
      await Promise.all(
        tabs.flatMap((tab) => [
          ...emulateDevice(tab.session, device, 'page'),
          ...[...tab.frames.values()].flatMap((frame) => emulateDevice(frame.session, device, 'part')),
        ]),
      )
    },
    open: async (url = 'about:blank') => {
      if (tabs.length >= most) return false
      await cdp.browser.send('Target.createTarget', { url })
      return true
    },
    select,
    close: async (tab) => {
      await cdp.browser.send('Target.closeTarget', { targetId: tab.targetId }).catch((error: unknown) => {
        // It went by itself in between.
        if (!(error instanceof CdpError)) throw error
      })
      // What is sent next is meant for another tab, whenever the browser tells of the end.
      forward.closed(tab)
    },
    setZoom: async (tab, percent) => {
      tab.zoom = percent
      await Promise.all(emulateDevice(tab.session, device, 'page', percent))
    },
    stop: async () => {
      stopped = true
      events = silentEvents
      await cdp.browser
        .send('Target.setAutoAttach', {
          autoAttach: true,
          waitForDebuggerOnStart: false,
          flatten: true,
          filter: [{ type: 'shared_worker', exclude: false }],
        })
        .catch(() => undefined)
    },
  }
}

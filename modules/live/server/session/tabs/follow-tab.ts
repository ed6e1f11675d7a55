/** Keeps a tab as the browser tells of it. */
import { BrowserGone, type CdpConnection, type CdpSession } from '../../../../../platform/browser/cdp-connection.ts'
import { type Observation, newPageState } from '../../../../capture/server/index.ts'
import type { LiveTab } from '../../../contract/live.ts'
import { dressTargets } from './dress-targets.ts'
import type { NavigationCause, Tab, TabEvents } from './tab.ts'

const causeOf: Readonly<Record<string, NavigationCause>> = {
  anchorClick: 'link',
  formSubmissionGet: 'form',
  formSubmissionPost: 'form',
  reload: 'reload',
}

/**
 * Listens to a tab and makes it ready, before it asks for anything when the browser holds it. Nothing is awaited in between: a held
 * target answers only once it runs.
 */
export function followTab(deps: {
  readonly cdp: CdpConnection
  readonly session: CdpSession
  readonly targetId: string
  readonly number: number
  readonly held: boolean
  readonly observation: Observation
  readonly language: string
  readonly events: TabEvents
  readonly opened: boolean
  readonly quietly: (work: Promise<unknown>) => void
  /** Device emulation of a session that belongs to the tab. */
  readonly emulate: (session: CdpSession, kind: 'page' | 'part') => readonly Promise<unknown>[]
}): { readonly tab: Tab; readonly ready: Promise<unknown> } {
  const { cdp, session, observation, events, quietly } = deps
  const frames: Tab['frames'] = new Map()
  const gone = Promise.withResolvers<'crash' | 'closed'>()
  let reason: string | null = null
  /** The document whose certificate was told of. */
  let warned: string | null = null
  // Not the last that was asked for: that may have become a file, or be behind what Back shows again.
  const documentOf = () => observation.requests.findLast(({ requestId }) => requestId === tab.loader)
  const page = newPageState({
    session,
    targetId: deps.targetId,
    observation,
    frames,
    documentFailed: () => {
      const shown = documentOf()
      return shown?.failure == null || shown.failure === 'net::ERR_ABORTED' ? null : shown.failure
    },
    gone: gone.promise,
    // Nobody holds a visitor's page.
    holdNavigation: () => Promise.resolve(),
    releaseNavigation: () => Promise.resolve(),
  })
  const tab: Tab = {
    id: `tab-${deps.number}`,
    number: deps.number,
    targetId: deps.targetId,
    session,
    frames,
    mainFrame: deps.targetId,
    loader: '',
    url: 'about:blank',
    title: '',
    loading: false,
    back: false,
    forward: false,
    security: 'none',
    failure: null,
    certificateError: null,
    crashed: null,
    dialog: null,
    leaving: false,
    endedToLeave: false,
    untilCrashed: () => crashed.promise,
    zoom: 100,
    asked: deps.opened ? 'opened' : null,
    page,
  }
  let crashed = Promise.withResolvers<void>()
  /** Two parts of the browser tell of each crash, the later perhaps when the next page is there already. */
  const told = { page: 0, browser: 0, counted: 0 }
  const crash = (by: 'page' | 'browser', status: string) => {
    told[by] += 1
    if (told[by] <= told.counted) return
    told.counted = told[by]
    tab.crashed = status
    crashed.resolve()
    tab.loading = false
    page.crash = status
    events.buttonSeen(tab, null)
    events.crashed(tab, status)
    events.changed()
  }
  const takeTitle = (title: string) => {
    if (title === '' || title === tab.title) return
    tab.title = title
    events.titled(tab)
    events.changed()
  }
  // The browser tells of a title when it tells of something else; it is asked where one is likely to be there.
  const readHistory = () =>
    quietly(
      session.send('Page.getNavigationHistory').then(({ currentIndex, entries }) => {
        tab.back = currentIndex > 0 && !(currentIndex === 1 && entries[0]?.url === 'about:blank')
        tab.forward = currentIndex < entries.length - 1
        takeTitle(entries[currentIndex]?.title ?? '')
        events.changed()
      }),
    )
  const takeCause = (otherwise: NavigationCause): NavigationCause => {
    const cause = tab.asked ?? (reason === null ? otherwise : (causeOf[reason] ?? 'script'))
    tab.asked = null
    reason = null
    return cause
  }
  session.on('Page.frameRequestedNavigation', (event) => {
    if (event.frameId === tab.mainFrame && event.disposition === 'currentTab') reason = event.reason
  })
  session.on('Page.frameNavigated', ({ frame }) => {
    if (frame.parentId !== undefined) return
    tab.mainFrame = frame.id
    tab.loader = frame.loaderId
    page.unreachable = frame.unreachableUrl ?? null
    if (tab.crashed !== null) {
      tab.crashed = null
      crashed = Promise.withResolvers()
      page.crash = null
      if (!tab.endedToLeave) events.reloadedAfterCrash(tab)
      tab.endedToLeave = false
    }
    if (frame.url === 'about:blank' && page.navigations === 0) return
    page.navigations += 1
    page.loaded = false
    tab.leaving = false
    const before = tab.url
    tab.url = frame.unreachableUrl ?? `${frame.url}${frame.urlFragment ?? ''}`
    const shown = documentOf()
    // The browser loads the page again once its visitor goes on from the warning.
    const goesOn =
      frame.unreachableUrl === undefined && tab.certificateError !== null && tab.failure !== null && tab.url === before
    if (goesOn && tab.asked === null && reason === null) reason = 'reload'
    tab.certificateError = null
    tab.failure = frame.unreachableUrl === undefined ? null : (shown?.failure ?? 'net::ERR_FAILED')
    if (/^http:/i.test(tab.url)) tab.security = 'plain'
    else if (!/^https:/i.test(tab.url)) tab.security = 'none'
    events.navigated({
      tab,
      url: tab.url,
      status: shown?.status ?? null,
      cause: takeCause('script'),
      failure: tab.failure,
      within: false,
    })
    readHistory()
  })
  session.on('Page.navigatedWithinDocument', ({ frameId, url, navigationType }) => {
    if (frameId !== tab.mainFrame) return
    tab.url = url
    // A script that writes the address (History API) has done nothing of what the visitor waits for.
    const cause = navigationType === 'historyApi' ? 'script' : takeCause('script')
    events.navigated({ tab, url, status: null, cause, failure: null, within: true })
    readHistory()
  })
  session.on('Page.frameStartedLoading', ({ frameId }) => {
    if (frameId !== tab.mainFrame) return
    tab.loading = true
    events.changed()
  })
  session.on('Page.frameStoppedLoading', ({ frameId }) => {
    if (frameId !== tab.mainFrame) return
    tab.loading = false
    readHistory()
    events.changed()
  })
  session.on('Page.domContentEventFired', () => readHistory())
  session.on('Page.loadEventFired', () => {
    page.loaded = true
    readHistory()
  })
  session.on('Security.visibleSecurityStateChanged', ({ visibleSecurityState: { securityState, certificateSecurityState } }) => {
    const error = certificateSecurityState?.certificateNetworkError
    const https = /^https:/i.test(tab.url)
    const next: LiveTab['security'] =
      error !== undefined && error !== ''
        ? 'certificate_error'
        : !https
          ? /^http:/i.test(tab.url)
            ? 'plain'
            : 'none'
          : securityState === 'secure'
            ? 'secure'
            : securityState === 'unknown'
              ? 'none'
              : 'weak'
    tab.certificateError = next === 'certificate_error' ? ((error ?? '') || securityState).replace(/^net::/, '') : null
    // Told once for each document: it comes after the navigation to it.
    if (tab.certificateError !== null && warned !== tab.loader) {
      warned = tab.loader
      events.certificateError(tab, tab.url, tab.certificateError, tab.failure === null)
    }
    tab.security = next
    events.changed()
  })
  session.on('Page.windowOpen', ({ url, userGesture }) => {
    // With a gesture the browser opens it: it comes as a tab of its own.
    if (userGesture) return
    page.popups += 1
    events.popupBlocked(tab, url)
  })
  session.on('Page.javascriptDialogOpening', ({ type, message, url }) => {
    page.dialogs += 1
    tab.dialog = { type, message }
    if (tab.leaving) {
      quietly(session.send('Page.handleJavaScriptDialog', { accept: type === 'beforeunload' }))
      // A script that opens one after the other would go on for ever.
      if (type !== 'beforeunload') session.send('Runtime.terminateExecution').catch(() => undefined)
    }
    events.buttonSeen(tab, null)
    events.dialogOpened(tab, { type, message, url })
  })
  session.on('Page.javascriptDialogClosed', ({ result, userInput }) => {
    tab.dialog = null
    events.dialogClosed(tab, { accepted: result, text: userInput })
  })
  session.on('Inspector.targetCrashed', () => crash('page', 'crashed'))
  // What the browser itself tells of every tab is not heard for one that is gone; of the tab's own session nothing comes then.
  const deaf = [
    cdp.browser.on('Target.targetCrashed', ({ targetId, status }) => {
      if (targetId === deps.targetId) crash('browser', status)
    }),
    cdp.browser.on('Target.targetDestroyed', ({ targetId }) => {
      if (targetId !== deps.targetId) return
      for (const stop of deaf) stop()
      gone.resolve('closed')
      events.buttonSeen(tab, null)
      events.closed(tab)
    }),
    cdp.browser.on('Target.targetInfoChanged', ({ targetInfo }) => {
      if (targetInfo.targetId === deps.targetId) takeTitle(targetInfo.title)
    }),
  ]

  const { dress, watchTargets, watch } = dressTargets({ ...deps, tab })
  watchTargets(session)
  watch(session)
  const sent = [
    session.send('Page.enable'),
    observation.attach(session),
    session.send('Security.enable'),
    session.send('Emulation.setLocaleOverride', { locale: deps.language }),
    session.send('Target.setAutoAttach', { autoAttach: true, waitForDebuggerOnStart: true, flatten: true }),
    ...dress(session),
    ...deps.emulate(session, 'page'),
    ...(deps.held ? [session.send('Runtime.runIfWaitingForDebugger')] : []),
  ]
  return {
    tab,
    ready: Promise.all(
      sent.map((one) =>
        one.catch((error: unknown) => {
          if (!(error instanceof BrowserGone)) throw error
        }),
      ),
    ),
  }
}

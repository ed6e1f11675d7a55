/** One tab of a live session: what the browser tells of it, kept. */
import { BrowserGone, type CdpConnection, type CdpSession, type Protocol } from '../../../../platform/browser/cdp-connection.ts'
import type { LiveTab } from '../../contract/live.ts'
import type { Observation } from '../observe-browser.ts'
import type { PageState } from '../open-page.ts'
import { watchFocus } from './find-focus.ts'
import { prepareMask } from './mask-field.ts'
import { watchRequests, type AnsweredRequest } from './watch-requests.ts'

/** What led to a navigation, as `InteractiveFacts.navigations` names it. */
export type NavigationCause = 'address' | 'link' | 'form' | 'back' | 'forward' | 'reload' | 'script' | 'opened'

export type Navigation = {
  readonly tab: Tab
  readonly url: string
  readonly status: number | null
  readonly cause: NavigationCause
  /** net::ERR_… of what did not come. */
  readonly failure: string | null
  /** Within the same document: a fragment, or an address that a script wrote. */
  readonly within: boolean
}

export type TabEvents = {
  changed(): void
  navigated(navigation: Navigation): void
  titled(tab: Tab): void
  crashed(tab: Tab, status: string): void
  reloadedAfterCrash(tab: Tab): void
  dialogOpened(tab: Tab, dialog: { readonly type: string; readonly message: string; readonly url: string }): void
  dialogClosed(tab: Tab, answer: { readonly accepted: boolean; readonly text: string }): void
  popupBlocked(tab: Tab, url: string): void
  chooser(tab: Tab, session: CdpSession, asked: Protocol.Page.fileChooserOpenedPayload): void
  credentials(tab: Tab, session: CdpSession, asked: Protocol.Fetch.authRequiredPayload): void
  /** `passed`: the page is shown all the same, since the visitor went on; else the browser warns in its place. */
  certificateError(tab: Tab, url: string, error: string, passed: boolean): void
  /** The focus may be elsewhere now. */
  focusMoved(tab: Tab): void
  /** An answer, or the failure of one. */
  answered(tab: Tab, request: AnsweredRequest): void
  opened(tab: Tab, opener: Tab | null): void
  closed(tab: Tab): void
  /** A tab over the limit, or one that no visitor may have, was closed before it asked for anything. */
  refused(reason: 'tab_limit', url: string): void
}

export type Device =
  | { readonly kind: 'desktop' }
  | {
      readonly kind: 'mobile'
      readonly name: string
      readonly width: number
      readonly height: number
      readonly scale: number
      /** Major version of the browser: the only one that it tells pages. */
      readonly major: string
    }

export type Tab = {
  readonly id: string
  /** From 1, in the order of opening; never given twice. */
  readonly number: number
  readonly targetId: string
  readonly session: CdpSession
  /** Frames of other sites, by frame id: targets of their own. */
  readonly frames: Map<string, { readonly session: CdpSession; readonly parent: CdpSession }>
  mainFrame: string
  /** Of the document that is shown: the id of the request that brought it. */
  loader: string
  url: string
  title: string
  loading: boolean
  back: boolean
  forward: boolean
  security: LiveTab['security']
  failure: string | null
  /** Why the browser does not accept the certificate of what is shown: ERR_… */
  certificateError: string | null
  crashed: string | null
  dialog: { readonly type: string; readonly message: string } | null
  /** The visitor wants to be elsewhere: dialogs that come in between are closed for it. */
  leaving: boolean
  /** Its process was ended so that the visitor could leave: that is no crash. */
  endedToLeave: boolean
  /** Percent. */
  zoom: number
  /** What we ourselves asked for, until the navigation is there. */
  asked: NavigationCause | null
  /** The same in the form that a capture without visitor has, for what is shared with it. */
  readonly page: PageState
}

export const liveTab = (tab: Tab, active: boolean): LiveTab => ({
  id: tab.id,
  title: tab.title.slice(0, 300),
  url: tab.url.slice(0, 2_000),
  active,
  loading: tab.loading,
  back: tab.back,
  forward: tab.forward,
  security: tab.security,
  failure: tab.failure,
})

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
  const page: PageState = {
    session,
    targetId: deps.targetId,
    observation,
    navigations: 0,
    dialogs: 0,
    popups: 0,
    navigationsPrevented: 0,
    scriptsEnded: 0,
    download: false,
    crash: null,
    loaded: false,
    unreachable: null,
    frames,
    documentFailed: () => {
      const shown = documentOf()
      return shown?.failure == null || shown.failure === 'net::ERR_ABORTED' ? null : shown.failure
    },
    gone: gone.promise,
    // Nobody holds a visitor's page.
    holdNavigation: () => Promise.resolve(),
    releaseNavigation: () => Promise.resolve(),
  }
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
    zoom: 100,
    asked: deps.opened ? 'opened' : null,
    page,
  }
  const crash = (status: string) => {
    if (tab.crashed !== null) return
    tab.crashed = status
    tab.loading = false
    page.crash = status
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
    const goesOn = frame.unreachableUrl === undefined && tab.certificateError !== null && tab.failure !== null && tab.url === before
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
          : securityState === 'secure' || securityState === 'neutral'
            ? 'secure'
            : 'certificate_error'
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
    events.dialogOpened(tab, { type, message, url })
  })
  session.on('Page.javascriptDialogClosed', ({ result, userInput }) => {
    tab.dialog = null
    events.dialogClosed(tab, { accepted: result, text: userInput })
  })
  session.on('Inspector.targetCrashed', () => crash('crashed'))
  cdp.browser.on('Target.targetCrashed', ({ targetId, status }) => {
    if (targetId === deps.targetId) crash(status)
  })
  cdp.browser.on('Target.targetDestroyed', ({ targetId }) => {
    if (targetId !== deps.targetId) return
    gone.resolve('closed')
    events.closed(tab)
  })
  cdp.browser.on('Target.targetInfoChanged', ({ targetInfo }) => {
    if (targetInfo.targetId === deps.targetId) takeTitle(targetInfo.title)
  })

  const watch = watchRequests((request) => events.answered(tab, request))
  /** What the tab and each of its frames of other sites need. */
  const dress = (own: CdpSession): readonly Promise<unknown>[] => {
    own.on('Page.fileChooserOpened', (asked) => events.chooser(tab, own, asked))
    own.on('Fetch.authRequired', (asked) => events.credentials(tab, own, asked))
    own.on('Fetch.requestPaused', ({ requestId }) => quietly(own.send('Fetch.continueRequest', { requestId })))
    return [
      own.send('Page.setInterceptFileChooserDialog', { enabled: true }),
      // Without it the browser asks in a window of its own, which nobody can type into.
      own.send('Fetch.enable', { handleAuthRequests: true, patterns: [{ resourceType: 'Document' }] }),
      ...watchFocus(own, () => events.focusMoved(tab)),
      ...prepareMask(own),
    ]
  }
  const attached = (
    parent: CdpSession,
    { sessionId, targetInfo, waitingForDebugger }: Protocol.Target.attachedToTargetPayload,
  ) => {
    const child = cdp.session(sessionId)
    watch(child)
    if (targetInfo.type === 'iframe') frames.set(targetInfo.targetId, { session: child, parent })
    watchTargets(child)
    const sent = [
      observation.attach(child),
      child.send('Emulation.setLocaleOverride', { locale: deps.language }),
      child.send('Target.setAutoAttach', { autoAttach: true, waitForDebuggerOnStart: true, flatten: true }),
      ...(targetInfo.type === 'iframe' ? [child.send('Page.enable'), ...dress(child)] : []),
      ...deps.emulate(child, 'part'),
      ...(waitingForDebugger ? [child.send('Runtime.runIfWaitingForDebugger')] : []),
    ]
    // Not every kind of target has every domain.
    for (const one of sent) one.catch(() => undefined)
  }
  const watchTargets = (parent: CdpSession) => {
    parent.on('Target.attachedToTarget', (event) => {
      // Pages that a page opens are told of by the browser.
      if (event.targetInfo.type !== 'page') attached(parent, event)
    })
    parent.on('Target.detachedFromTarget', ({ sessionId }) => {
      for (const [id, frame] of frames) if (frame.session.id === sessionId) frames.delete(id)
    })
  }
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

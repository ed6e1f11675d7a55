import { BrowserGone, type CdpConnection, type CdpSession, type Protocol } from '../../../../platform/browser/cdp-connection.ts'
import type { ActionLog } from './action-log.ts'
import type { Observation } from './observe-browser.ts'

export type PageState = {
  readonly session: CdpSession
  readonly targetId: string
  readonly observation: Observation
  /** Main-frame navigations that were committed, about:blank apart. */
  navigations: number
  dialogs: number
  popups: number
  navigationsPrevented: number
  /** Scripts ended because they never let the page answer. */
  scriptsEnded: number
  download: boolean
  /** How the page's process ended, when it did. */
  crash: string | null
  loaded: boolean
  /** Where the main frame could not go: the browser shows an error page of its own in its place. */
  unreachable: string | null
  /** Frames that are targets of their own, by frame id, with the session of the target that holds their element. */
  readonly frames: ReadonlyMap<string, { readonly session: CdpSession; readonly parent: CdpSession }>
  /** Error of the document that the main frame shows, when it did not come whole. */
  documentFailed(): string | null
  /** Settles when the page can no longer answer. */
  readonly gone: Promise<'crash' | 'closed'>
  /** From now on the main frame stays where it is. */
  holdNavigation(): Promise<void>
  releaseNavigation(): Promise<void>
}

/** A page of which nothing has happened yet. */
export function newPageState(
  given: Pick<
    PageState,
    'session' | 'targetId' | 'observation' | 'frames' | 'documentFailed' | 'gone' | 'holdNavigation' | 'releaseNavigation'
  >,
): PageState {
  return {
    ...given,
    navigations: 0,
    dialogs: 0,
    popups: 0,
    navigationsPrevented: 0,
    scriptsEnded: 0,
    download: false,
    crash: null,
    loaded: false,
    unreachable: null,
  }
}

export const viewport = { width: 1280, height: 800, deviceScaleFactor: 1 } as const

/** Actions of one kind that are written one by one; afterwards only counted. */
const loggedEach = 20
/** After so many dialogs the script that opens them is ended, or the page would never come to rest. */
const dialogsPerScript = 100

/** Opens the one page of a session and stands guard: dialogs dismissed, popups closed, downloads denied, crashes seen. */
export async function openPage(
  cdp: CdpConnection,
  observation: Observation,
  actions: ActionLog,
  language: string,
): Promise<PageState> {
  const { targetInfos } = await cdp.browser.send('Target.getTargets')
  const first = targetInfos.find((target) => target.type === 'page' && target.url === 'about:blank')
  const { targetId } = first ?? (await cdp.browser.send('Target.createTarget', { url: 'about:blank' }))
  const { sessionId } = await cdp.browser.send('Target.attachToTarget', { targetId, flatten: true })
  const session = cdp.session(sessionId)
  const gone = Promise.withResolvers<'crash' | 'closed'>()
  const quietly = (work: Promise<unknown>) =>
    void work.catch((error: unknown) => {
      // The target may have gone meanwhile: that is noticed elsewhere.
      if (!(error instanceof BrowserGone)) actions.add('browser_refused', { message: String(error).slice(0, 200) })
    })
  const frames = new Map<string, { readonly session: CdpSession; readonly parent: CdpSession }>()
  let holding = false
  let mainFrame = ''

  const state = newPageState({
    session,
    targetId,
    observation,
    frames,
    // Aborted is a document that made way for another, or for a file to save.
    documentFailed: () => {
      const shown = observation.requests.findLast(({ type, frameId }) => type === 'Document' && frameId === mainFrame)
      return shown?.failure == null || shown.failure === 'net::ERR_ABORTED' ? null : shown.failure
    },
    gone: gone.promise,
    holdNavigation: async () => {
      holding = true
      await session.send('Fetch.enable', { patterns: [{ resourceType: 'Document', requestStage: 'Request' }] })
    },
    releaseNavigation: async () => {
      holding = false
      await session.send('Fetch.disable')
    },
  })

  cdp.browser.on('Target.targetCreated', ({ targetInfo }) => {
    // The browser's own first window has no opener.
    if (targetInfo.type !== 'page' || targetInfo.targetId === targetId || targetInfo.openerId === undefined) return
    state.popups += 1
    if (state.popups <= loggedEach) actions.add('popup_closed', { url: targetInfo.url.slice(0, 500) })
    quietly(cdp.browser.send('Target.closeTarget', { targetId: targetInfo.targetId }))
  })
  cdp.browser.on('Target.targetCrashed', (event) => {
    if (event.targetId !== targetId) return
    state.crash = event.status
    gone.resolve('crash')
  })
  cdp.browser.on('Target.targetDestroyed', (event) => {
    if (event.targetId === targetId) gone.resolve('closed')
  })
  cdp.browser.on('Browser.downloadWillBegin', ({ url, suggestedFilename }) => {
    state.download = true
    actions.add('download_denied', { url: url.slice(0, 500), name: suggestedFilename.slice(0, 200) })
  })
  session.on('Inspector.targetCrashed', () => {
    state.crash ??= 'crashed'
    gone.resolve('crash')
  })
  session.on('Page.javascriptDialogOpening', ({ type, message }) => {
    state.dialogs += 1
    if (state.dialogs <= loggedEach) actions.add('dialog_dismissed', { type, message: message.slice(0, 500) })
    // Leaving is our own wish when it is asked for; everything else is answered "cancel".
    quietly(session.send('Page.handleJavaScriptDialog', { accept: type === 'beforeunload' }))
    if (state.dialogs % dialogsPerScript === 0) {
      actions.add('script_ended', { reason: 'dialogs', dialogs: state.dialogs })
      quietly(session.send('Runtime.terminateExecution'))
    }
  })
  // The browser's own popup blocker stops windows that nobody clicked for; this event is what is left of them.
  session.on('Page.windowOpen', ({ url }) => {
    state.popups += 1
    if (state.popups <= loggedEach) actions.add('popup_blocked', { url: url.slice(0, 500) })
  })
  session.on('Page.frameNavigated', ({ frame }) => {
    if (frame.parentId !== undefined) return
    mainFrame = frame.id
    state.unreachable = frame.unreachableUrl ?? null
    // The browser's own first page; one that goes there later has left like any other.
    if (frame.url === 'about:blank' && state.navigations === 0) return
    state.navigations += 1
    state.loaded = false
    if (state.navigations <= loggedEach) actions.add('navigated', { url: frame.url.slice(0, 2000) })
  })
  session.on('Page.loadEventFired', () => {
    state.loaded = true
  })
  session.on('Fetch.requestPaused', ({ requestId, frameId, request }) => {
    if (holding && frameId === mainFrame) {
      state.navigationsPrevented += 1
      if (state.navigationsPrevented <= loggedEach) actions.add('navigation_prevented', { url: request.url.slice(0, 500) })
      quietly(session.send('Fetch.failRequest', { requestId, errorReason: 'Aborted' }))
    } else quietly(session.send('Fetch.continueRequest', { requestId }))
  })
  // Frames of other sites and workers are targets of their own: observed like the page, and never left waiting.
  const watchTargets = (parent: CdpSession) => {
    parent.on('Target.attachedToTarget', (event) => attached(parent, event))
    parent.on('Target.detachedFromTarget', ({ sessionId: childId }) => {
      for (const [id, frame] of frames) if (frame.session.id === childId) frames.delete(id)
    })
  }
  const attached = (
    parent: CdpSession,
    { sessionId: childId, targetInfo, waitingForDebugger }: Protocol.Target.attachedToTargetPayload,
  ) => {
    const child = cdp.session(childId)
    // The id of such a target is that of its frame.
    if (targetInfo.type === 'iframe') frames.set(targetInfo.targetId, { session: child, parent })
    watchTargets(child)
    // In the order in which they are sent, and none awaited: a service worker answers nothing before it runs.
    const sent = [
      ...(targetInfo.type === 'page'
        ? []
        : [
            observation.attach(child),
            child.send('Emulation.setLocaleOverride', { locale: language }).catch(() => undefined),
            child
              .send('Target.setAutoAttach', { autoAttach: true, waitForDebuggerOnStart: true, flatten: true })
              .catch(() => undefined),
          ]),
      ...(waitingForDebugger ? [child.send('Runtime.runIfWaitingForDebugger')] : []),
    ]
    quietly(Promise.all(sent))
  }
  watchTargets(session)
  // Shared workers belong to no page: the browser itself tells of them.
  cdp.browser.on('Target.attachedToTarget', (event) => attached(session, event))

  await Promise.all([
    cdp.browser.send('Target.setDiscoverTargets', { discover: true }),
    cdp.browser.send('Target.setAutoAttach', {
      autoAttach: true,
      waitForDebuggerOnStart: true,
      flatten: true,
      filter: [{ type: 'shared_worker', exclude: false }],
    }),
    cdp.browser.send('Browser.setDownloadBehavior', { behavior: 'deny', eventsEnabled: true }),
    session.send('Page.enable'),
    observation.attach(session),
    session.send('Emulation.setDeviceMetricsOverride', { ...viewport, mobile: false, screenWidth: 1920, screenHeight: 1080 }),
    session.send('Emulation.setFocusEmulationEnabled', { enabled: true }),
    session.send('Target.setAutoAttach', { autoAttach: true, waitForDebuggerOnStart: true, flatten: true }),
    session.send('Page.setInterceptFileChooserDialog', { enabled: true }),
    // Without the browser's own translations installed, `--lang` alone leaves scripts with English dates and numbers.
    session.send('Emulation.setLocaleOverride', { locale: language }),
  ])
  const tree = await session.send('Page.getFrameTree')
  mainFrame = tree.frameTree.frame.id
  return state
}

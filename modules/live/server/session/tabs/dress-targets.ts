/** What a tab needs of its browser, and each of its frames of other sites and its workers with it, before they ask for anything. */
import type { CdpConnection, CdpSession, Protocol } from '../../../../../platform/browser/cdp-connection.ts'
import type { Observation } from '../../../../capture/server/index.ts'
import { prepareMask } from '../fields/mask-field.ts'
import type { Tab, TabEvents } from './tab.ts'
import { watchPage } from './watch-page.ts'
import { watchRequests } from './watch-requests.ts'

export function dressTargets(deps: {
  readonly cdp: CdpConnection
  readonly tab: Tab
  readonly observation: Observation
  readonly language: string
  readonly events: TabEvents
  readonly quietly: (work: Promise<unknown>) => void
  readonly emulate: (session: CdpSession, kind: 'page' | 'part') => readonly Promise<unknown>[]
}): {
  readonly dress: (session: CdpSession) => readonly Promise<unknown>[]
  /** Follows what this target opens, but for pages. */
  readonly watchTargets: (session: CdpSession) => void
  readonly watch: (session: CdpSession) => void
} {
  const { cdp, tab, observation, events, quietly } = deps
  const { frames } = tab
  const watch = watchRequests((request) => events.answered(tab, request))
  /** What the tab and each of its frames of other sites need. */
  const dress = (own: CdpSession): readonly Promise<unknown>[] => {
    own.on('Page.fileChooserOpened', (asked) => events.chooser(tab, own, asked))
    own.on('Fetch.authRequired', (asked) => events.credentials(tab, own, asked))
    own.on('Fetch.requestPaused', ({ requestId }) => quietly(own.send('Fetch.continueRequest', { requestId })))
    return [
      own.send('Page.setInterceptFileChooserDialog', { enabled: true }),
      // Without it the browser asks in a window of its own, which nobody can type into: of images and scripts too.
      own.send('Fetch.enable', { handleAuthRequests: true, patterns: [{ urlPattern: '*' }] }),
      ...watchPage(own, { focus: () => events.focusMoved(tab), button: (event) => events.buttonSeen(tab, event) }),
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
  return { dress, watchTargets, watch }
}

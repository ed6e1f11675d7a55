/** One tab of a live session: what the browser tells of it, kept. */
import type { CdpSession, Protocol } from '../../../../../platform/browser/cdp-connection.ts'
import type { PageState } from '../../../../capture/server/index.ts'
import type { LiveTab } from '../../../contract/live.ts'
import type { ButtonEvent } from './watch-page.ts'
import type { AnsweredRequest } from './watch-requests.ts'

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
  /** A page has seen a button; null: of those that it was given it will see nothing more. */
  buttonSeen(tab: Tab, event: ButtonEvent | null): void
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
  /** Settles when the page's process has ended, now or next. */
  readonly untilCrashed: () => Promise<void>
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

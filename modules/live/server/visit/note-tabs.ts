/** What happens in the tabs of a visit: to the timeline as it happens, to the viewers, and kept for the report. */
import {
  type InteractiveFacts,
  type ActionLog,
  siteOf,
  type Tunnel,
  type ObservedRequest,
} from '../../../capture/server/index.ts'
import type { LiveNotice } from '../../contract/live.ts'
import type { RefusedCertificate } from '../../domain/session-warnings.ts'
import type { PageAsks } from '../session/wishes/answer-page.ts'
import type { CrashNotes } from '../session/timeline/note-crashes.ts'
import type { Secrets } from '../session/fields/secrets.ts'
import type { Steering } from '../session/input/steer-page.ts'
import type { Navigation, Tab, TabEvents } from '../session/tabs/tab.ts'
import type { Tabs } from '../session/tabs/tabs.ts'
import type { Timeline } from '../session/timeline/timeline.ts'

type Navigated = InteractiveFacts['navigations'][number]

export type TabNotes = {
  readonly events: TabEvents
  readonly navigations: InteractiveFacts['navigations']
  /** Sites whose certificate the browser did not accept, and whether the visitor went on. */
  certificates(): readonly RefusedCertificate[]
  /** The first page and what led to it. */
  path(): readonly ObservedRequest[]
}

/** More are in the timeline. */
export const mostNavigations = 2_000
const mostCertificates = 200

/** As many as are listed (observe-browser.ts). */
const mostRequests = 20_000

export function noteTabs(deps: {
  readonly tabs: Tabs
  readonly timeline: Timeline
  readonly actions: ActionLog
  readonly secrets: Secrets
  readonly asks: PageAsks
  readonly steering: Pick<Steering, 'focusMoved' | 'buttonSeen'>
  readonly crashes: CrashNotes
  readonly requests: readonly ObservedRequest[]
  readonly connections: Tunnel['connections']
  readonly changed: () => void
  readonly documentShown: () => void
  readonly siteSeen: (site: NonNullable<ReturnType<typeof siteOf>>) => void
  readonly tell: (code: LiveNotice, data?: Readonly<Record<string, string | number>>) => void
  readonly quietly: (work: Promise<unknown>) => void
}): TabNotes {
  const { tabs, timeline, actions, secrets, asks, steering, crashes, requests, tell, quietly } = deps
  const navigations: { -readonly [M in keyof Navigated]: Navigated[M] }[] = []
  const certificates = new Map<string, { host: string; error: string; passed: boolean }>()
  let arrivedAfter: number | null = null
  /** Where the first tab stands before the browser's warning of a certificate. */
  let warnedAt: string | null = null
  let limitTold = false

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
    if (!within) {
      secrets.commit()
      asks.navigated(tab)
      deps.documentShown()
    }
    if (tab === tabs.first && !within) {
      // Who goes on from the warning arrives then, and not before.
      const arrives = arrivedAfter === null || warnedAt === url
      warnedAt = arrives && isCertificateError(failure) ? url : null
      if (arrives) arrivedAfter = requests.length
      const site = arrives ? siteOf(url, deps.connections()) : null
      if (site !== null) deps.siteSeen(site)
    }
    steering.focusMoved(tab)
    if (requests.length >= mostRequests && !limitTold) {
      limitTold = true
      timeline.add('warning', { code: 'limit_requests' })
      tell('limit_requests', { count: requests.length })
    }
  }
  const events: TabEvents = {
    changed: () => deps.changed(),
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
      crashes.happened('page', { tab: tab.number, status })
      tell('page_crashed')
    },
    reloadedAfterCrash: () => crashes.recovered('page'),
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
    buttonSeen: (tab, event) => steering.buttonSeen(tab, event),
    answered: (tab, request) => {
      asks.settled(tab, request.url)
      timeline.add('request', { ...request, tab: tab.number })
    },
    opened: (tab, opener) => void timeline.add('tab', { act: 'opened', tab: tab.number, opener: opener?.number ?? null }),
    closed: (tab) => {
      timeline.add('tab', { act: 'closed', tab: tab.number })
      asks.closed(tab)
      // A session has a page to show for as long as it lasts.
      if (tabs.all().length === 0) quietly(tabs.open())
    },
    refused: (_reason, url) => {
      timeline.add('tab', { act: 'refused', url })
      tell('tab_limit')
    },
  }
  return {
    events,
    navigations,
    certificates: () => [...certificates.values()],
    path: () => pathOfFirst(requests, tabs.first, arrivedAfter),
  }
}

const isCertificateError = (failure: string | null): boolean => failure?.startsWith('net::ERR_CERT_') === true

/** Documents of the first tab until its first page was there: where the visitor went from it is not how one came to it. */
function pathOfFirst(requests: readonly ObservedRequest[], tab: Tab, arrivedAfter: number | null): readonly ObservedRequest[] {
  const until = arrivedAfter === null ? requests : requests.slice(0, arrivedAfter)
  const documents = until.filter(({ type, frameId }) => type === 'Document' && frameId === tab.mainFrame)
  // What a certificate stopped was never sent: it is a step only where it is the last.
  return documents.filter(({ failure }, i) => !isCertificateError(failure) || i === documents.length - 1)
}

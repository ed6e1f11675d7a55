/** Logins of HTTP (RFC 9110 §11) that a page's requests wait for: asked of whoever steers, once for all requests of one realm. */
import { BrowserGone, CdpError, type CdpSession, type Protocol } from '../../../../../platform/browser/cdp-connection.ts'
import type { LiveNotice, LiveOutput } from '../../../contract/live.ts'
import type { Secrets } from '../fields/secrets.ts'
import type { Tab } from '../tabs/tab.ts'
import type { Timeline } from '../timeline/timeline.ts'

export type Logins = {
  asked(tab: Tab, session: CdpSession, asked: Protocol.Fetch.authRequiredPayload): void
  /** False: there is no such login, any more or at all. */
  give(id: number, user: string, password: string): boolean
  decline(id: number): boolean
  /** A request of the tab was answered or failed: it waits no longer. */
  settled(tab: Tab, url: string): void
  /** The tab shows another document. */
  navigated(tab: Tab): void
  closed(tab: Tab): void
  waiting(): readonly LiveOutput[]
  stop(): void
}

/** More wait for no answer at a time; a login is asked for so long. */
const mostWaiting = 50
const longestMs = 120_000
/** Requests that wait for one answer. */
const mostRequests = 200
/** Of what a page can have refused without end, so many are written down. */
const mostNoted = 200

type Waiting = { readonly session: CdpSession; readonly requestId: string; readonly url: string; readonly opens: boolean }
type Login = {
  readonly id: number
  readonly key: string
  readonly origin: string
  readonly realm: string
  readonly tab: Tab
  readonly timer: NodeJS.Timeout
  requests: readonly Waiting[]
}

const originOf = (url: string): string => (URL.canParse(url) ? new URL(url).origin : '')

export function createLogins(deps: {
  readonly nextId: () => number
  readonly timeline: Timeline
  readonly secrets: Pick<Secrets, 'full' | 'keep'>
  readonly ask: (message: LiveOutput) => void
  readonly tell: (code: LiveNotice, data: Readonly<Record<string, string | number>>) => void
  readonly quietly: (work: Promise<unknown>) => void
}): Logins {
  const { timeline, secrets } = deps
  const logins = new Map<number, Login>()
  /** What its visitor turned down is not asked again of the same document, by key. */
  const declined = new Map<string, Tab>()
  let noted = 0

  const answer = (
    { session, requestId }: Pick<Waiting, 'session' | 'requestId'>,
    authChallengeResponse: Protocol.Fetch.AuthChallengeResponse,
  ) =>
    deps.quietly(
      session.send('Fetch.continueWithAuth', { requestId, authChallengeResponse }).catch((error: unknown) => {
        // The request is gone, with its page perhaps.
        if (!(error instanceof CdpError || error instanceof BrowserGone)) throw error
      }),
    )
  const message = ({ id, origin, realm }: Login): LiveOutput => ({
    type: 'ask_credentials',
    id,
    origin: origin.slice(0, 300),
    realm: realm.slice(0, 300),
  })
  /** Asked no more: whoever steers is shown the next one that waits. */
  const end = (login: Login): void => {
    clearTimeout(login.timer)
    logins.delete(login.id)
    deps.ask({ type: 'ask_ended', id: login.id })
    const next = [...logins.values()].at(-1)
    if (next !== undefined) deps.ask(message(next))
  }
  const cancel = (login: Login, act: 'declined' | 'expired' | 'withdrawn'): void => {
    timeline.add('credentials', { act, origin: login.origin, realm: login.realm, tab: login.tab.number })
    for (const one of login.requests) answer(one, { response: 'CancelAuth' })
    if (act !== 'withdrawn' && declined.size < mostNoted) declined.set(login.key, login.tab)
    end(login)
  }
  const keep = (login: Login, requests: readonly Waiting[]): void => {
    login.requests = requests
    if (requests.length === 0) cancel(login, 'withdrawn')
  }
  const of = (tab: Tab) => [...logins.values()].filter((one) => one.tab === tab)

  return {
    asked: (tab, session, { requestId, request, resourceType, frameId, authChallenge: { origin, realm, source } }) => {
      const opens = resourceType === 'Document' && frameId === tab.mainFrame
      const one: Waiting = { session, requestId, url: request.url, opens }
      const key = `${tab.number} ${origin} ${realm}`
      // As browsers have it: what a page takes from another site may not ask in that page's name.
      const asks = tab.page.observation.requests.findLast(({ url }) => url === request.url)?.documentUrl ?? tab.url
      if (source === 'Proxy' || (resourceType !== 'Document' && originOf(asks) !== originOf(request.url))) {
        answer(one, { response: 'CancelAuth' })
        noted += 1
        if (noted > mostNoted) return
        timeline.add('credentials', { act: 'refused', origin, realm, tab: tab.number })
        deps.tell('login_refused', { origin: origin.slice(0, 300) })
        return
      }
      const known = [...logins.values()].find((login) => login.key === key)
      if (known !== undefined && known.requests.length < mostRequests) {
        known.requests = [...known.requests, one]
        return
      }
      if (known !== undefined || logins.size >= mostWaiting || (resourceType !== 'Document' && declined.has(key)))
        return answer(one, { response: 'CancelAuth' })
      const id = deps.nextId()
      const timer = setTimeout(() => cancel(login, 'expired'), longestMs).unref()
      const login: Login = { id, key, origin, realm, tab, timer, requests: [one] }
      logins.set(id, login)
      timeline.add('credentials', { act: 'asked', origin, realm, tab: tab.number })
      deps.ask(message(login))
    },
    give: (id, user, password) => {
      const login = logins.get(id)
      if (login === undefined) return false
      if (secrets.full()) {
        cancel(login, 'declined')
        return true
      }
      // Also as it is sent (RFC 7617 §2): a short password is looked for in that form.
      secrets.keep(password, 'credentials', login.origin, [Buffer.from(`${user}:${password}`, 'utf8').toString('base64')])
      timeline.add('credentials', { act: 'given', origin: login.origin, realm: login.realm, user })
      for (const one of login.requests) answer(one, { response: 'ProvideCredentials', username: user, password })
      end(login)
      return true
    },
    decline: (id) => {
      const login = logins.get(id)
      if (login === undefined) return false
      cancel(login, 'declined')
      return true
    },
    settled: (tab, url) => {
      for (const login of of(tab)) {
        const at = login.requests.findIndex((one) => one.url === url)
        if (at === -1) continue
        keep(login, login.requests.toSpliced(at, 1))
        return
      }
    },
    navigated: (tab) => {
      for (const [key, owner] of declined) if (owner === tab) declined.delete(key)
      for (const login of of(tab)) {
        const left = login.requests.filter(({ opens }) => !opens)
        if (left.length < login.requests.length) keep(login, left)
      }
    },
    closed: (tab) => {
      for (const [key, owner] of declined) if (owner === tab) declined.delete(key)
      for (const login of of(tab)) keep(login, [])
    },
    waiting: () => [...logins.values()].map(message),
    stop: () => {
      for (const { timer } of logins.values()) clearTimeout(timer)
      logins.clear()
    },
  }
}

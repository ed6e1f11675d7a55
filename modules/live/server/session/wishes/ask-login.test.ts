import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { CdpSession, Protocol } from '../../../../../platform/browser/cdp-connection.ts'
import type { LiveOutput } from '../../../contract/live.ts'
import { createLogins } from './ask-login.ts'
import type { Tab } from '../tabs/tab.ts'
import type { Timeline } from '../timeline/timeline.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const page = 'https://page.test/'
const tabAt = (number: number): Tab =>
  ({ number, url: page, mainFrame: 'main', page: { observation: { requests: [] } } }) as unknown as Tab

function played() {
  const answered: [string, string][] = []
  const session = {
    send: (_method: string, { requestId, authChallengeResponse }: Protocol.Fetch.continueWithAuthParameters) => {
      answered.push([requestId, authChallengeResponse.response])
      return Promise.resolve({})
    },
  } as unknown as CdpSession
  const lines: unknown[] = []
  const asked: LiveOutput[] = []
  const told: string[] = []
  let last = 0
  const logins = createLogins({
    nextId: () => (last += 1),
    timeline: { add: (_type: string, { act }: { act: string }) => void lines.push(act) } as unknown as Timeline,
    secrets: { full: () => false, keep: () => undefined },
    ask: (message) => void asked.push(message),
    tell: (code) => void told.push(code),
    quietly: (work) => void work.catch(() => undefined),
  })
  const ask = (tab: Tab, requestId: string, given: { url?: string; type?: string; realm?: string } = {}) =>
    logins.asked(tab, session, {
      requestId,
      request: { url: given.url ?? `${page}${requestId}` },
      resourceType: given.type ?? 'Image',
      frameId: 'main',
      authChallenge: { origin: new URL(given.url ?? page).origin, realm: given.realm ?? 'r', scheme: 'basic', source: 'Server' },
    } as unknown as Protocol.Fetch.authRequiredPayload)
  return { logins, ask, answered, lines, asked, told }
}

test('C-33: requests of one realm are asked for once, and have one answer', () => {
  const { logins, ask, answered, asked } = played()
  const tab = tabAt(1)
  for (const id of ['a', 'b', 'c']) ask(tab, id)
  expect(asked).toEqual([{ type: 'ask_credentials', id: 1, origin: 'https://page.test', realm: 'r' }])
  expect(logins.give(1, 'me', 'pw')).toBe(true)
  expect(answered).toEqual(['a', 'b', 'c'].map((id) => [id, 'ProvideCredentials']))
  expect(logins.give(1, 'me', 'pw')).toBe(false)
  expect(vi.getTimerCount()).toBe(0)
})

test('C-33: what a page takes from another site is refused by name, and never asks in that page’s stead', () => {
  const { ask, answered, asked, lines, told } = played()
  ask(tabAt(1), 'x', { url: 'https://other.test/pixel' })
  expect([answered, asked, lines, told]).toEqual([[['x', 'CancelAuth']], [], ['refused'], ['login_refused']])
})

test('C-33: a login ends with its bound, with its tab, and with its request; whoever steers is shown the next', () => {
  const { logins, ask, answered, asked, lines } = played()
  const [one, two] = [tabAt(1), tabAt(2)]
  ask(one, 'a')
  ask(two, 'b', { realm: 'other' })
  logins.closed(two)
  expect(asked.slice(2)).toEqual([
    { type: 'ask_ended', id: 2 },
    { type: 'ask_credentials', id: 1, origin: 'https://page.test', realm: 'r' },
  ])
  vi.advanceTimersByTime(120_000)
  expect(answered).toEqual([['a', 'CancelAuth']])
  // Of the same document it is not asked again; of the next it is.
  ask(one, 'c')
  expect(answered.at(-1)).toEqual(['c', 'CancelAuth'])
  logins.navigated(one)
  ask(one, 'd')
  logins.settled(one, `${page}d`)
  expect(lines).toEqual(['asked', 'asked', 'withdrawn', 'expired', 'asked', 'withdrawn'])
  expect(logins.waiting()).toEqual([])
  expect(vi.getTimerCount()).toBe(0)
})

test('C-33: a document that waits for a login is asked for until another one is shown', () => {
  const { logins, ask } = played()
  const tab = tabAt(1)
  ask(tab, 'a', { type: 'Document' })
  logins.decline(1)
  ask(tab, 'b', { type: 'Document' })
  expect(logins.waiting()).toHaveLength(1)
  logins.navigated(tab)
  expect(logins.waiting()).toEqual([])
})

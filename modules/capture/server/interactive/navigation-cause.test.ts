import { expect, test } from 'vitest'
import type { CdpConnection, CdpSession } from '../../../../platform/browser/cdp-connection.ts'
import type { Observation } from '../observe-browser.ts'
import { createSecrets } from './secrets.ts'
import { createSteering } from './steer-page.ts'
import { followTab } from './follow-tab.ts'
import type { Navigation } from './tab.ts'
import { silentEvents, type Tabs } from './tabs.ts'
import type { Timeline } from './timeline.ts'

/** A tab whose browser is played: what led to each of its navigations. */
function playedTab(answers: Readonly<Record<string, () => Promise<unknown>>> = {}) {
  const heard = new Map<string, ((event: unknown) => void)[]>()
  const sent: string[] = []
  const session = {
    id: 'page',
    on: (name: string, hear: (event: unknown) => void) => void heard.set(name, [...(heard.get(name) ?? []), hear]),
    send: (method: string) => {
      sent.push(method)
      const { history } = {
        history: { currentIndex: 2, entries: [{ url: 'about:blank' }, { id: 1, url: 'a' }, { id: 2, url: 'b' }] },
      }
      return answers[method]?.() ?? Promise.resolve(method === 'Page.getNavigationHistory' ? history : {})
    },
  } as unknown as CdpSession
  const causes: [Navigation['cause'], boolean][] = []
  const { tab } = followTab({
    cdp: { browser: { on: () => undefined } } as unknown as CdpConnection,
    session,
    targetId: 'main',
    number: 1,
    held: false,
    observation: { requests: [], attach: () => Promise.resolve() } as unknown as Observation,
    language: 'fr',
    events: { ...silentEvents, navigated: ({ cause, within }) => void causes.push([cause, within]) },
    opened: false,
    quietly: () => undefined,
    emulate: () => [],
  })
  const timeline = { add: () => null, ms: () => 0, maskWith: () => undefined } as unknown as Timeline
  const steering = createSteering({
    tabs: { active: () => tab } as unknown as Tabs,
    display: { picture: { width: 1280, height: 840, pageHeight: 800 } } as never,
    timeline,
    secrets: createSecrets(timeline),
    allowAddresses: [],
    leaving: { leave: () => Promise.resolve() },
    tell: () => undefined,
    send: () => undefined,
    quietly: () => undefined,
  })
  const tell = (name: string, event: unknown) => {
    for (const hear of heard.get(name) ?? []) hear(event)
  }
  return {
    causes,
    sent,
    steering,
    navigated: (url: string) => tell('Page.frameNavigated', { frame: { id: 'main', loaderId: url, url } }),
    within: (navigationType: string) =>
      tell('Page.navigatedWithinDocument', { frameId: 'main', url: 'https://x.test/#', navigationType }),
    clicked: () => tell('Page.frameRequestedNavigation', { frameId: 'main', reason: 'anchorClick', disposition: 'currentTab' }),
  }
}

test('C-32: an address that became a file leads to no later page', async () => {
  const page = playedTab({ 'Page.navigate': () => Promise.resolve({ isDownload: true, errorText: 'net::ERR_ABORTED' }) })
  await page.steering.navigate('https://x.test/file.zip')
  page.clicked()
  page.navigated('https://x.test/next')
  expect(page.causes).toEqual([['link', false]])
})

test('C-32: what a script writes into the address is the script’s, also while the visitor waits for another page', async () => {
  const page = playedTab()
  await page.steering.navigate('https://x.test/next')
  page.within('historyApi')
  page.navigated('https://x.test/next')
  expect(page.causes).toEqual([
    ['script', true],
    ['address', false],
  ])
})

test('C-32: the buttons of a mouse that go back and forward are said to have done so', async () => {
  const page = playedTab()
  for (const kind of ['down', 'up'] as const)
    await page.steering.act({ type: 'pointer', kind, x: 1, y: 1, button: 3, dx: 0, dy: 0 })
  page.within('other')
  expect(page.sent.filter((method) => method === 'Page.navigateToHistoryEntry')).toHaveLength(1)
  expect(page.causes).toEqual([['back', true]])
})

import type { CdpConnection, CdpSession } from '../../../../../platform/browser/cdp-connection.ts'
import type { Observation } from '../../../../capture/server/page/observe-browser.ts'
import { createSecrets } from '../fields/secrets.ts'
import { createSteering } from './steer-page.ts'
import { followTab } from '../tabs/follow-tab.ts'
import type { Navigation } from '../tabs/tab.ts'
import { silentEvents, type Tabs } from '../tabs/tabs.ts'
import type { Timeline } from '../timeline/timeline.ts'

/** A tab whose browser is played: what led to each of its navigations. */
export function playedTab(answers: Readonly<Record<string, () => Promise<unknown>>> = {}) {
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
  const browserHeard = new Map<string, Set<(event: unknown) => void>>()
  const browser = {
    on: (name: string, hear: (event: unknown) => void) => {
      const set = browserHeard.get(name) ?? new Set()
      browserHeard.set(name, set.add(hear))
      return () => void set.delete(hear)
    },
  }
  const causes: [Navigation['cause'], boolean][] = []
  const crashes: string[] = []
  const { tab } = followTab({
    cdp: { browser } as unknown as CdpConnection,
    session,
    targetId: 'main',
    number: 1,
    held: false,
    observation: { requests: [], attach: () => Promise.resolve() } as unknown as Observation,
    language: 'fr',
    events: {
      ...silentEvents,
      navigated: ({ cause, within }) => void causes.push([cause, within]),
      crashed: (_tab, status) => void crashes.push(status),
    },
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
    tab,
    crashes,
    tell,
    tellByBrowser: (name: string, event: object) => {
      for (const hear of browserHeard.get(name) ?? []) hear({ targetId: 'main', ...event })
    },
    browserListeners: () => [...browserHeard.values()].reduce((sum, { size }) => sum + size, 0),
    causes,
    sent,
    steering,
    navigated: (url: string) => tell('Page.frameNavigated', { frame: { id: 'main', loaderId: url, url } }),
    within: (navigationType: string) =>
      tell('Page.navigatedWithinDocument', { frameId: 'main', url: 'https://x.test/#', navigationType }),
    clicked: () => tell('Page.frameRequestedNavigation', { frameId: 'main', reason: 'anchorClick', disposition: 'currentTab' }),
  }
}

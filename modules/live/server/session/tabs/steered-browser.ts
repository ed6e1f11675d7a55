import { launchHeadfulBrowser } from '../../../../../platform/display/launch-headful-browser.ts'
import type { RecordedDisplay } from '../../../../../platform/display/recorded-display.ts'
import type { SessionKind } from '../../../../capture/server/index.ts'
import { interactiveLimits } from '../../../domain/interactive-limits.ts'
import { openTabs, type Tabs } from './tabs.ts'

/** What a visitor's session has besides the tab that it began with. */
export type SteeredBrowser = {
  readonly display: RecordedDisplay
  readonly tabs: Tabs
  readonly folder: { readonly path: string; readonly uid: number }
}

/** Requests that a visitor's pages may make together: ten minutes of browsing, not one page. */
const mostRequests = 20_000

/** Tabs on a display, which somebody steers. */
export const steeredBrowser: SessionKind<SteeredBrowser> = {
  name: 'live',
  bounds: ({ totalMs }) => ({
    requests: mostRequests,
    idleTimeoutMs: interactiveLimits.sessionMs + totalMs,
    // A visitor sees what becomes of it; the tunnel has its bounds.
    documentBytes: Infinity,
  }),
  launch: async (options) => {
    const browser = await launchHeadfulBrowser({ ...options, sessionId: 'waiting' })
    return {
      browser,
      open: async (observation, deps) => {
        const tabs = await openTabs(browser.cdp, observation, deps)
        // A visitor's tab may end and another be opened.
        return { page: tabs.first.page, stage: { display: browser.display, tabs, folder: options.folder }, lost: null }
      },
    }
  },
}

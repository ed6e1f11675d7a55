/** What a browser is started for: one page that a program reads, or what a module above this one opens in it. */
import { BrowserGone } from '../../../../platform/browser/cdp-connection.ts'
import { launchBrowser, type LaunchedBrowser, type LaunchOptions } from '../../../../platform/browser/launch-browser.ts'
import type { CaptureLimits } from '../../domain/outcome/limits.ts'
import type { SilenceKind } from '../../domain/servers/silence.ts'
import type { ActionLog } from '../page/action-log.ts'
import type { Observation } from '../page/observe-browser.ts'
import { openPage, viewport, type PageState } from '../page/open-page.ts'

/** `Stage`: what such a session has besides its page. */
export type SessionKind<Stage> = {
  readonly name: SilenceKind
  bounds(limits: CaptureLimits): {
    /** Requests that its pages may make together. */
    readonly requests: number
    /** How long a connection may be silent, in milliseconds. */
    readonly idleTimeoutMs: number
    /** Of a document: one that is larger ends the session. */
    readonly documentBytes: number
  }
  launch(options: Omit<LaunchOptions, 'window'>): Promise<{
    readonly browser: LaunchedBrowser
    /** Opens in it what is needed, before anything is visited. */
    open(
      observation: Observation,
      deps: { readonly language: string; readonly actions: ActionLog },
    ): Promise<{
      readonly page: PageState
      readonly stage: Stage
      /** Rejects with BrowserGone when the session is over though its browser is not; null: it is never. */
      readonly lost: Promise<never> | null
    }>
  }>
}

export const onePage: SessionKind<null> = {
  name: 'static',
  bounds: ({ requests, totalMs, documentBytes }) => ({ requests, idleTimeoutMs: totalMs, documentBytes }),
  launch: async (options) => {
    const browser = await launchBrowser({ ...options, window: { width: viewport.width, height: viewport.height } })
    return {
      browser,
      open: async (observation, { language, actions }) => {
        const page = await openPage(browser.cdp, observation, actions, language)
        const lost = page.gone.then((how): never => {
          throw new BrowserGone(`the page ended: ${how}`)
        })
        return { page, stage: null, lost }
      },
    }
  },
}

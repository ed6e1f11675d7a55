import { CdpError } from '../../../../platform/browser/cdp-connection.ts'
import type { CookieBannerFacts } from '../../domain/outcome/outcome.ts'
import type { PageState } from '../page/open-page.ts'
import { findBanner, isStillShown } from './find-banner.ts'
import { aimAt, clickAt, untilAnswered } from './real-input.ts'
import { takeWindowShot, type ShotDeps, type WindowShot } from './take-window-shot.ts'

/** A banner that comes later than this after the page has settled is not waited for. */
const appearMs = 2_500
/** Time for it to go after the click. */
const goMs = 5_000

export type DismissedBanner = { readonly facts: CookieBannerFacts; readonly shot: WindowShot | null }

const resultOf = { refuse: 'refused', continue: 'closed', close: 'closed', accept: 'accepted' } as const

/**
 * Dismisses the site's cookie banner (decision H-12): the window is photographed, the button that refuses or closes is pressed with
 * the mouse, the click is logged, and the banner is waited for to go. What cannot be dismissed stays, and is said to.
 */
export async function dismissBanner(
  page: PageState,
  options: ShotDeps & { readonly accept: boolean; readonly signal: AbortSignal },
): Promise<DismissedBanner> {
  const { actions, signal } = options
  // One that is there already, but whose button comes only with its animation, is asked again as well.
  let failure: CdpError | null = null
  const look = async () => {
    failure = null
    try {
      return await findBanner(page, options.accept)
    } catch (error) {
      // The document was exchanged while it was looked at; the next look sees the new one.
      if (!(error instanceof CdpError)) throw error
      failure = error
      return null
    }
  }
  const banner = await untilAnswered(look, appearMs, signal, 250)
  if (failure !== null) throw failure as CdpError
  if (banner === null) {
    actions.add('cookie_banner', { result: 'none_found' })
    return { facts: { result: 'none_found', selector: null, text: null, at: null, before_path: null }, shot: null }
  }
  const shot = await takeWindowShot(page, { path: 'capture/before-banner.png', kind: 'before_banner', index: 0 }, options)
  const stays = (why: string, at: string | null): DismissedBanner => {
    actions.add('cookie_banner', { result: 'still_there', selector: banner.selector, platform: banner.platform, reason: why })
    return {
      facts: {
        result: 'still_there',
        selector: banner.selector,
        text: banner.chosen?.button.text ?? null,
        at,
        before_path: shot.image.path,
      },
      shot,
    }
  }
  const { chosen, box, button } = banner
  if (chosen === null || box === null || button === null) return stays('nothing_refuses_or_closes', null)
  const point = await untilAnswered(
    async () => {
      const aim = await aimAt(page, button)
      return typeof aim === 'string' ? null : aim
    },
    appearMs,
    signal,
  )
  if (point === null) return stays('button_out_of_reach', null)
  const at = actions.add('click', {
    on: 'cookie_banner',
    choice: chosen.choice,
    selector: chosen.button.selector,
    text: chosen.button.text,
    platform: banner.platform,
    x: Math.round(point.x),
    y: Math.round(point.y),
  })
  await clickAt(page, point)
  const gone = await untilAnswered(async () => ((await isStillShown(box)) ? null : true), goMs, signal)
  if (gone === null) return stays('did_not_go', at)
  const result = resultOf[chosen.choice]
  actions.add('cookie_banner', { result, selector: chosen.button.selector })
  return {
    facts: { result, selector: chosen.button.selector, text: chosen.button.text, at, before_path: shot.image.path },
    shot,
  }
}

/** One picture of what a tab shows, drawn by the browser, without a trace of that in the recording. */
import { BrowserGone, CdpError, CdpTimeout } from '../../../../../platform/browser/cdp-connection.ts'
import type { RecordedDisplay } from '../../../../../platform/display/recorded-display.ts'
import type { Device, Tab } from '../tabs/tab.ts'
import type { Timeline } from '../timeline/timeline.ts'

/** When the recorded picture was kept as it was; `null`: it could not be, and may show the page laid out otherwise for a moment. */
export type Held = { readonly from_ms: number; readonly to_ms: number } | null
export type Photograph = {
  readonly png: Buffer
  /** Absent: the browser drew it without touching what it shows. */
  readonly held?: Held
}
export type Photographer = (
  tab: Tab,
  clip: { readonly y: number; readonly width: number; readonly height: number } | null,
) => Promise<Photograph>

/** A picture takes as long as the page shows signs of life: its script thread answers, however slow the drawing is. In milliseconds. */
export const patience = {
  /** Without any sign. */
  silent: 20_000,
  /** Between two questions. */
  ask: 2_000,
  /** For one picture, whatever the page answers. */
  longest: 120_000,
  /** For the page to stand again as it stood. */
  restored: 5_000,
} as const

/** Pixels of the picture for one of the page. */
export const densityOf = (device: Device, { zoom }: Pick<Tab, 'zoom'>): number =>
  (device.kind === 'mobile' ? device.scale : 1) * (zoom / 100)

/**
 * For anything but its window at the size of the picture, the browser lays that window out anew for a moment: a page would be seen to shrink and to
 * come back (measured, decision 0305). What stood on the screen is kept there meanwhile.
 */
export function openPhotographer(deps: {
  readonly display: Pick<RecordedDisplay, 'holdScreen' | 'releaseScreen'>
  readonly timeline: Pick<Timeline, 'ms'>
  readonly device: () => Device
  /** The picture could not be held. */
  readonly onUnheld: (error: unknown) => void
}): Photographer {
  const { display, timeline } = deps
  const draw = async (tab: Tab, clip: Parameters<Photographer>[1]): Promise<Buffer> => {
    const sent = tab.session.send(
      'Page.captureScreenshot',
      {
        format: 'png',
        fromSurface: true,
        captureBeyondViewport: clip !== null,
        ...(clip === null ? {} : { clip: { x: 0, ...clip, scale: 1 } }),
      },
      { timeoutMs: patience.longest },
    )
    return Buffer.from((await whileItAnswers(tab, sent)).data, 'base64')
  }
  /** Settled when the window is drawn as it was before. The browser takes this one as it stands on the screen, once that is drawn anew. */
  const restored = async (tab: Tab): Promise<void> => {
    const whole = { format: 'jpeg', quality: 1, optimizeForSpeed: true, fromSurface: false } as const
    await tab.session.send('Page.captureScreenshot', whole, { timeoutMs: patience.restored }).catch((error: unknown) => {
      // It shows what it shows: a page that is gone, or busy for that long.
      if (!(error instanceof CdpTimeout || error instanceof CdpError || error instanceof BrowserGone)) throw error
    })
  }
  return async (tab, clip) => {
    if (clip === null && densityOf(deps.device(), tab) === 1) return { png: await draw(tab, clip) }
    const from_ms = timeline.ms()
    const holds = await display.holdScreen().then(
      () => true,
      (error: unknown) => {
        deps.onUnheld(error)
        return false
      },
    )
    if (!holds) return { png: await draw(tab, clip), held: null }
    let png: Buffer
    try {
      png = await draw(tab, clip)
    } finally {
      await restored(tab)
      await display.releaseScreen()
    }
    return { png, held: { from_ms, to_ms: timeline.ms() } }
  }
}

/** @throws CdpTimeout of a page that gives no sign for too long, though the work may still end */
async function whileItAnswers<T>(tab: Tab, work: Promise<T>): Promise<T> {
  let isOver = false
  const silence = Promise.withResolvers<never>()
  const listen = async (): Promise<void> => {
    for (;;) {
      await new Promise((resolve) => setTimeout(resolve, patience.ask).unref())
      if (isOver) return
      await tab.session.send('Runtime.evaluate', { expression: '0' }, { timeoutMs: patience.silent }).catch((error: unknown) => {
        // Between two documents it has nothing to answer with.
        if (!(error instanceof CdpError)) throw error
      })
    }
  }
  listen().catch((error: unknown) => silence.reject(error as Error))
  silence.promise.catch(() => undefined)
  try {
    return await Promise.race([work, silence.promise])
  } finally {
    isOver = true
    // When it failed for silence, nobody waits for it any more.
    work.catch(() => undefined)
  }
}

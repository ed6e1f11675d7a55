import { BrowserGone } from '../../../../platform/browser/cdp-connection.ts'
import { CaptureFailure } from '../../domain/outcome/failures.ts'
import type { CaptureLimits } from '../../domain/outcome/limits.ts'
import type { CapturedFile, CaptureProgress } from '../../domain/outcome/outcome.ts'
import type { ActionLog } from '../page/action-log.ts'
import { failureOfNothing, failureOfShown } from '../page/navigate-page.ts'
import type { ConnectionRecord } from '../network/index.ts'
import { observePage } from '../page/observe-page.ts'
import type { PageState } from '../page/open-page.ts'
import { mostSheets, saveDom, saveMhtml, savePdf } from '../page/save-page.ts'
import { preparePage, untouched, type Preparation, type PreparedPage } from '../scenario/index.ts'
import { scrollPage, settlePage } from '../page/settle-page.ts'
import { takeScreenshots, type Screenshots } from '../page/take-screenshots.ts'

/** The page as it was shown: images, saved forms, and what was read from it, all of one document. */
export type ShownPage = {
  readonly loadTimedOut: boolean
  readonly stillGrowing: boolean
  readonly shots: Screenshots
  readonly seen: Awaited<ReturnType<typeof observePage>>
  readonly saved: readonly CapturedFile[]
  readonly missing: readonly { readonly url: string; readonly reason: string }[]
  readonly finalUrl: string
  /** What was done to the page before it was photographed. */
  readonly prepared: PreparedPage
}

export type ShowDeps = {
  readonly limits: CaptureLimits
  readonly workDir: string
  readonly actions: ActionLog
  readonly signal: AbortSignal
  /** Absent: the page is left as it comes. */
  readonly preparation?: Preparation | undefined
  readonly connections: () => readonly ConnectionRecord[]
  readonly progress: (phase: CaptureProgress['phase'], step: string, data?: CaptureProgress['data']) => void
  /** Has images dated as soon as they are taken (decision 0125). Settles when they are hashed. */
  readonly dateImages?: ((files: readonly CapturedFile[]) => Promise<void>) | undefined
}

/** A page that leaves while it is being captured is captured anew, this many times at most. */
const maxRounds = 3

/**
 * Waits for the page, photographs and saves it. Every piece is of the same document: should the page leave in between
 * (decision 0044), all is taken anew. @throws CaptureFailure `too_many_redirects` when it never stays, or why it
 * went by itself to where there is no page.
 */
export async function showPage(page: PageState, deps: ShowDeps): Promise<ShownPage> {
  let prepared: PreparedPage | null = null
  for (let round = 1; ; round += 1) {
    const { shown, done } = await takeRound(page, deps, prepared)
    if (shown !== null) return shown
    prepared = done
    if (round === maxRounds) throw new CaptureFailure('too_many_redirects', { count: page.navigations })
    deps.actions.add('captured_anew', { round })
    await page.releaseNavigation()
  }
}

async function takeRound(
  page: PageState,
  deps: ShowDeps,
  before: PreparedPage | null,
): Promise<{ readonly shown: ShownPage | null; readonly done: PreparedPage }> {
  const { limits, workDir, actions, signal, progress, preparation } = deps
  let loadTimedOut = false
  const arrive = async () => {
    progress('capturing', 'load')
    loadTimedOut = (await settlePage(page, page.observation, { limits, actions, signal })).loadTimedOut
    await page.holdNavigation()
    const failure =
      failureOfShown(page, { connections: deps.connections, requests: () => page.observation.requests }) ??
      (await failureOfNothing(page))
    if (failure !== null) throw failure
  }
  await arrive()
  const prepared =
    preparation === undefined
      ? untouched
      : await preparePage(
          page,
          preparation,
          { limits, workDir, actions, signal, progress, arrive, dateImages: deps.dateImages },
          before,
        )
  // What the preparation asked of the network is waited for like the rest.
  if (preparation !== undefined && !loadTimedOut) await settlePage(page, page.observation, { limits, actions, signal })
  progress('capturing', 'scroll')
  const { stillGrowing } = await scrollPage(page, page.observation, { limits, actions, signal })
  const navigationsBefore = page.navigations
  progress('capturing', 'screenshot')
  const shots = await takeScreenshots(page.session, {
    folder: workDir,
    maxHeight: limits.maxHeight,
    actions,
    signal,
    onImage: (done, of) => progress('capturing', 'screenshot_full', { done, of }),
    dateImages: deps.dateImages,
  })
  progress('capturing', 'observe')
  const seen = await observePage(page.session)
  progress('capturing', 'save')
  // Asked before the page is printed: a page that takes too long to print answers nothing afterwards.
  const { frameTree } = await page.session.send('Page.getFrameTree')
  const { saved, missing } = await saveForms(page, deps, mostSheets(limits.maxHeight, shots.capturedHeight < shots.pageHeight))
  if (page.navigations !== navigationsBefore) return { shown: null, done: prepared }
  const finalUrl = frameTree.frame.url + (frameTree.frame.urlFragment ?? '')
  return { shown: { loadTimedOut, stillGrowing, shots, seen, saved, missing, finalUrl, prepared }, done: prepared }
}

/** A form that cannot be made is missing, and said to be; the others are still taken. */
async function saveForms(page: PageState, deps: ShowDeps, sheets: number): Promise<Pick<ShownPage, 'saved' | 'missing'>> {
  const saved: CapturedFile[] = []
  const missing: { url: string; reason: string }[] = []
  // One form that takes for ever leaves time for the end of the capture.
  const bounds = { sheets, timeoutMs: Math.min(60_000, deps.limits.totalMs / 4) }
  for (const [name, save] of [
    ['page.mhtml', saveMhtml],
    ['dom.html', saveDom],
    ['page.pdf', savePdf],
  ] as const) {
    deps.signal.throwIfAborted()
    try {
      saved.push(await save(page.session, deps.workDir, bounds))
      deps.actions.add('saved', { path: `capture/${name}` })
    } catch (error) {
      if (error instanceof BrowserGone) throw error
      deps.actions.add('not_saved', { path: `capture/${name}`, reason: String(error).slice(0, 200) })
      missing.push({ url: `capture/${name}`, reason: 'artefact_missing' })
    }
  }
  return { saved, missing }
}

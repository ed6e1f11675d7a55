import { CdpError, CdpTimeout, type CdpSession } from '../../../../platform/browser/cdp-connection.ts'
import { CaptureFailure } from '../../domain/outcome/failures.ts'
import type { CaptureLimits } from '../../domain/outcome/limits.ts'
import type { ActionLog } from './action-log.ts'
import type { Observation } from './observe-browser.ts'
import { viewport, type PageState } from './open-page.ts'
import { evaluateApart } from './evaluate-apart.ts'

/** The network is quiet when nothing is on its way and nothing happened for this long. */
const quietMs = 500
/** A page that moves on by itself more often than this never shows itself. */
const maxNavigations = 20

const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms))

async function until(condition: () => boolean, boundMs: number, signal: AbortSignal): Promise<boolean> {
  const start = performance.now()
  while (!condition()) {
    signal.throwIfAborted()
    if (performance.now() - start > boundMs) return false
    await pause(25)
  }
  return true
}

/** After so many scripts that never yield, the page is given up. */
const maxBusyScripts = 3

/**
 * A script that never yields would keep the page from being seen at all: once nothing is answered for `busyMs`, what runs is
 * ended, as a visitor does who is asked by the browser. Says whether one was. @throws CaptureFailure `timeout` when they go on.
 */
async function endBusyScripts(
  page: PageState,
  { limits, actions, signal }: { readonly limits: CaptureLimits; readonly actions: ActionLog; readonly signal: AbortSignal },
): Promise<boolean> {
  for (let ended = 0; ; ended += 1) {
    signal.throwIfAborted()
    try {
      await evaluateApart(page.session, '() => true', [], limits.busyMs)
      return ended > 0
    } catch (error) {
      if (!(error instanceof CdpTimeout)) throw error
      if (ended === maxBusyScripts)
        throw new CaptureFailure('timeout', { seconds: Math.round((ended * limits.busyMs) / 1000), step: 'page' }, error)
    }
    page.scriptsEnded += 1
    actions.add('script_ended', { reason: 'busy', milliseconds: limits.busyMs })
    // The engine takes this one while a script runs.
    await page.session.send('Runtime.terminateExecution', {}, { timeoutMs: limits.busyMs }).catch((error: unknown) => {
      // Refused while the last one is still under way: it is as good.
      if (!(error instanceof CdpTimeout || (error instanceof CdpError && /termination request/i.test(error.message)))) throw error
    })
  }
}

/** Waits for load, quiet network and fonts, each within its bound. */
export async function settlePage(
  page: PageState,
  observation: Observation,
  deps: { readonly limits: CaptureLimits; readonly actions: ActionLog; readonly signal: AbortSignal },
): Promise<{ readonly loadTimedOut: boolean }> {
  const { limits, actions, signal } = deps
  const quiet = () => observation.inFlight() === 0 && observation.lastActivity() > quietMs
  const tooMany = () => page.navigations > maxNavigations
  // A document that broke off has no load event: there is nothing left to wait for once the network is quiet.
  const brokeOff = () => (page.documentFailed() !== null && quiet()) || tooMany()
  let loaded = await until(() => page.loaded || brokeOff(), limits.loadMs, signal)
  if (!loaded && (await endBusyScripts(page, deps)))
    loaded = await until(() => page.loaded || brokeOff(), limits.settleMs, signal)
  const settled = await until(() => (quiet() && page.loaded) || brokeOff(), loaded ? limits.settleMs : 0, signal)
  if (tooMany()) throw new CaptureFailure('too_many_redirects', { count: page.navigations })
  await endBusyScripts(page, deps)
  loaded = page.loaded
  if (!loaded) {
    // What has come is captured; the rest is stopped, so that the page rests, and that is the capture's doing.
    observation.stopping()
    await page.session.send('Page.stopLoading', {}, { timeoutMs: 5_000 }).catch(() => undefined)
  }
  await page.session
    .send(
      'Runtime.evaluate',
      {
        expression: 'Promise.race([document.fonts.ready.then(() => true), new Promise((r) => setTimeout(r, 3000))])',
        awaitPromise: true,
      },
      { timeoutMs: 4_000 },
    )
    .catch(() => undefined)
  actions.add('settled', { loaded, network_quiet: settled, in_flight: observation.inFlight() })
  return { loadTimedOut: !loaded && page.documentFailed() === null }
}

/**
 * Scrolls from top to bottom a viewport at a time, so that pictures which load when seen are loaded, then back to the top.
 * Bounded in time and in height; says whether the page still grew at the end.
 */
export async function scrollPage(
  page: PageState,
  observation: Observation,
  deps: { readonly limits: CaptureLimits; readonly actions: ActionLog; readonly signal: AbortSignal },
): Promise<{ readonly stillGrowing: boolean }> {
  const { limits, actions, signal } = deps
  const started = performance.now()
  const left = () => limits.scrollMs - (performance.now() - started)
  let steps = 0
  let first: number | undefined
  let pass: ScrollPass = { steps: 0, reached: 0, first: 0, height: 0, ended: false }
  do {
    pass = await scrollOn(page, { from: pass.reached, maxHeight: limits.maxHeight, maxMs: Math.max(0, left()) })
    steps += pass.steps
    first ??= pass.first
    if (pass.steps === 0) break
    // What the scrolling asked for: pictures, or more of the page, which comes later than the next frame.
    await until(
      () => observation.inFlight() === 0 && observation.lastActivity() > quietMs,
      Math.min(5_000, limits.settleMs),
      signal,
    )
  } while (pass.reached < limits.maxHeight && left() > 0)
  await evaluateApart(
    page.session,
    `async () => { scrollTo({ top: 0, left: 0, behavior: 'instant' }); await new Promise((done) => { setTimeout(done, 200); requestAnimationFrame(() => requestAnimationFrame(done)) }) }`,
    [],
    5_000,
  )
  await drawFrames(page)
  actions.add('scrolled', {
    steps,
    height: pass.height,
    reached_end: pass.ended,
    milliseconds: Math.round(performance.now() - started),
  })
  // A page that is only too high for the time or the bound did not grow.
  return { stillGrowing: !pass.ended && pass.height > (first ?? 0) }
}

/** Frames that are waited for. A page with more is pictured as far as they are. */
const mostFrames = 50
/** As many pictures as the page itself draws meanwhile: half a second of them, on a machine that has nothing else to do. */
const patienceFrames = 30

/** Settles when so many frames were drawn, or after five seconds: what is out of sight draws none. */
const draws = `async (count) => await new Promise((done) => {
  setTimeout(done, 5000)
  const next = () => { count -= 1; if (count < 0) done(); else requestAnimationFrame(next) }
  next()
})`

/**
 * Frames of other sites are drawn by processes of their own, of which a picture of the page takes what they have drawn by then: on a busy machine
 * nothing yet. One that lies outside of the window draws when it comes into a picture. How long that is waited for is counted in what the page
 * itself draws, which is as slow as they are; and once more after them, so that it has taken up what they drew.
 */
async function drawFrames(page: PageState): Promise<void> {
  const drawn = async (session: CdpSession, count: number): Promise<void> => {
    try {
      await evaluateApart(session, draws, [count], 6_000)
    } catch (error) {
      // A frame that went, goes on and on, or answers nothing, is no fault of the page.
      if (!(error instanceof CdpError || error instanceof CdpTimeout || error instanceof CaptureFailure)) throw error
    }
  }
  const frames = [...page.frames.values()].slice(0, mostFrames)
  if (frames.length === 0) return
  await Promise.race([
    Promise.all(frames.map(async ({ session }) => await drawn(session, 2))),
    drawn(page.session, patienceFrames),
  ])
  await drawn(page.session, 2)
}

type ScrollPass = {
  readonly steps: number
  /** Top of the window where the pass stopped, in CSS pixels. */
  readonly reached: number
  readonly height: number
  /** Height before the pass. */
  readonly first: number
  /** The end of the page as it was then. */
  readonly ended: boolean
}

/** From `from` down to the end of the page as it is, a viewport at a time; no step when it is the end already. */
async function scrollOn(
  page: PageState,
  bounds: { readonly from: number; readonly maxHeight: number; readonly maxMs: number },
): Promise<ScrollPass> {
  return await evaluateApart<ScrollPass>(
    page.session,
    `async (step, from, maxHeight, maxMs) => {
      const began = performance.now()
      const height = () => Math.max(document.documentElement ? document.documentElement.scrollHeight : 0, document.body ? document.body.scrollHeight : 0)
      const frame = () => new Promise((done) => { const t = setTimeout(done, 100); requestAnimationFrame(() => { clearTimeout(t); setTimeout(done, 15) }) })
      const first = height()
      let y = from, steps = 0
      while (y < height() - step && y < maxHeight && performance.now() - began < maxMs) {
        y += step
        steps += 1
        scrollTo({ top: y, behavior: 'instant' })
        await frame()
      }
      return { steps, reached: y, height: height(), first, ended: y >= height() - step }
    }`,
    [viewport.height, bounds.from, bounds.maxHeight, bounds.maxMs],
    bounds.maxMs + 5_000,
  )
}

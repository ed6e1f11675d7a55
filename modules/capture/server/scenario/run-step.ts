import { setTimeout as pause } from 'node:timers/promises'
import { fillTemplate, type ScenarioInput, type ScenarioStep } from '../../domain/scenario/scenario.ts'
import type { ScenarioStepOutcome } from '../../domain/outcome/outcome.ts'
import type { ActionLog } from '../page/action-log.ts'
import { evaluateApart } from '../page/evaluate-apart.ts'
import { viewport, type PageState } from '../page/open-page.ts'
import { findElement, InvalidSelector, type Described } from './find-elements.ts'
import { callOnElement } from './page-frames.ts'
import { aimAt, clickAt, turnWheel, typeText, untilAnswered } from './real-input.ts'

export type StepDeps = {
  readonly actions: ActionLog
  readonly signal: AbortSignal
  /** Milliseconds left for all steps. */
  readonly timeLeft: () => number
  readonly maxHeight: number
  readonly input: ScenarioInput
  /** After a click that may lead elsewhere: until the new page has come to rest and is held. */
  readonly arrive: () => Promise<void>
}

/** What one step came to; the rest of the outcome is the same for all. */
export type StepResult = Pick<ScenarioStepOutcome, 'result' | 'target' | 'text' | 'reason' | 'count'>

type StepOf<Kind extends ScenarioStep['do']> = Extract<ScenarioStep, { do: Kind }>

/** An element that is there at once or comes with what went before. */
const findMs = 3_000
/** A click's own consequence: a navigation that it asks for is asked for within this, and then held within that. */
const consequenceMs = 400
const heldMs = 5_000
const navigationMs = 15_000

const nothing = { target: null, text: null } as const

/** Goes through the page with the wheel, half a window at a turn, as far as there is page and time. */
export async function scrollStep(page: PageState, step: StepOf<'scroll'>, deps: StepDeps): Promise<StepResult> {
  const where = () =>
    evaluateApart<{ y: number; height: number; window: number }>(
      page.session,
      '() => ({ y: Math.round(scrollY), height: Math.max(document.documentElement.scrollHeight, document.body ? document.body.scrollHeight : 0), window: innerHeight })',
      [],
      10_000,
    )
  const start = await where()
  const down = step.to === 'bottom' || (typeof step.to === 'number' && step.to > 0)
  const turn = Math.round(viewport.height / 2)
  let [at, turns, idle] = [start, 0, 0]
  const goal = () => {
    if (step.to === 'top') return 0
    const end = Math.min(at.height, deps.maxHeight) - at.window
    return step.to === 'bottom' ? end : Math.max(0, Math.min(end, start.y + step.to))
  }
  const left = () => (down ? goal() - at.y : at.y - goal())
  while (left() > 0 && deps.timeLeft() > 0 && idle < 10) {
    deps.signal.throwIfAborted()
    const before = at.y
    await turnWheel(page, { x: viewport.width / 2, y: viewport.height / 2 }, (down ? 1 : -1) * Math.min(turn, left()))
    turns += 1
    // The wheel is answered when it has been felt, and seen a frame or two later.
    at =
      (await untilAnswered(
        async () => {
          const now = await where()
          return now.y === before ? null : now
        },
        500,
        deps.signal,
      )) ?? (await where())
    idle = at.y === before ? idle + 1 : 0
    if (step.pause_ms > 0) await pause(step.pause_ms, undefined, { signal: deps.signal })
  }
  const target = typeof step.to === 'number' ? `${step.to} px` : step.to
  if (left() <= 1) return { result: 'done', target, text: null, count: turns }
  return {
    result: 'timed_out',
    target,
    text: null,
    count: turns,
    ...(deps.timeLeft() <= 0 ? { reason: 'no_time' as const } : {}),
  }
}

export async function waitStep(_page: PageState, step: StepOf<'wait'>, deps: StepDeps): Promise<StepResult> {
  const asked = step.seconds * 1000
  await pause(Math.max(0, Math.min(asked, deps.timeLeft())), undefined, { signal: deps.signal })
  const target = `${step.seconds} s`
  return deps.timeLeft() > 0
    ? { ...nothing, target, result: 'done' }
    : { ...nothing, target, result: 'timed_out', reason: 'no_time' }
}

export async function waitForStep(page: PageState, step: StepOf<'wait_for'>, deps: StepDeps): Promise<StepResult> {
  const found = await seek(page, { selector: step.selector, text: null }, step.seconds * 1000, deps)
  if (found === 'invalid_selector') return { target: step.selector, text: null, result: 'refused', reason: 'invalid_selector' }
  return found === null
    ? { target: step.selector, text: null, result: 'timed_out' }
    : { target: found.selector, text: found.text, result: 'done' }
}

async function seek(
  page: PageState,
  find: Parameters<typeof findElement>[1],
  boundMs: number,
  deps: StepDeps,
): Promise<Described | 'invalid_selector' | null> {
  try {
    return await untilAnswered(async () => await findElement(page, find), Math.min(boundMs, deps.timeLeft()), deps.signal)
  } catch (error) {
    if (error instanceof InvalidSelector) return 'invalid_selector'
    throw error
  }
}

/** Clicks what was found, with the mouse; logs it, whatever comes of it. */
async function press(page: PageState, found: Described, deps: StepDeps): Promise<'done' | 'not_found' | 'covered'> {
  const aim = await aimAt(page, found)
  if (aim === 'hidden') return 'not_found'
  if (aim === 'covered') return 'covered'
  deps.actions.add('click', {
    on: 'scenario',
    selector: found.selector,
    text: found.text,
    x: Math.round(aim.x),
    y: Math.round(aim.y),
  })
  await clickAt(page, aim)
  return 'done'
}

export async function clickStep(page: PageState, step: StepOf<'click'>, deps: StepDeps): Promise<StepResult> {
  const text = step.text === undefined ? null : fillTemplate(step.text, deps.input)
  const asked = step.selector ?? text
  const found = await seek(page, { selector: step.selector ?? null, text }, findMs, deps)
  if (found === 'invalid_selector') return { target: asked, text: null, result: 'refused', reason: 'invalid_selector' }
  if (found === null) return { target: asked, text: null, result: 'not_found' }
  const touched = { target: found.selector, text: found.text }
  const before = { navigations: page.navigations, prevented: page.navigationsPrevented, popups: page.popups }
  const { frameTree } = await page.session.send('Page.getFrameTree', {}, { timeoutMs: 10_000 })
  let asks = false
  const unwatch = page.session.on('Page.frameRequestedNavigation', ({ frameId }) => {
    asks ||= frameId === frameTree.frame.id
  })
  if (step.navigates) await page.releaseNavigation()
  try {
    const pressed = await press(page, found, deps)
    if (pressed !== 'done')
      return pressed === 'covered' ? { ...touched, result: 'refused', reason: 'covered' } : { ...touched, result: 'not_found' }
    const consequence = () =>
      Promise.resolve(
        page.navigations > before.navigations
          ? ('went' as const)
          : page.navigationsPrevented > before.prevented
            ? ('held' as const)
            : page.popups > before.popups
              ? ('window' as const)
              : null,
      )
    const bound = step.navigates ? Math.min(navigationMs, deps.timeLeft()) : consequenceMs
    let came = await untilAnswered(consequence, bound, deps.signal)
    if (came === null && asks && !step.navigates) came = await untilAnswered(consequence, heldMs, deps.signal)
    if (came === 'window') return { ...touched, result: 'refused', reason: 'new_window' }
    if (came === 'held') return { ...touched, result: 'refused', reason: 'would_navigate' }
    if (step.navigates && came === null) return { ...touched, result: 'timed_out' }
    return { ...touched, result: 'done' }
  } finally {
    unwatch()
    // The new page is waited for and held, as the first one was; or the one that stayed is held again.
    if (step.navigates) await deps.arrive()
  }
}

export async function expandStep(page: PageState, step: StepOf<'expand'>, deps: StepDeps): Promise<StepResult> {
  const selector = step.selector ?? 'details:not([open]) > summary'
  const text = step.text === undefined ? null : fillTemplate(step.text, deps.input)
  const texts: string[] = []
  const before = page.navigationsPrevented
  let [opened, out, seen] = [0, 0, 0]
  for (; seen < step.at_most && deps.timeLeft() > 0; seen += 1) {
    deps.signal.throwIfAborted()
    let found: Described | null
    try {
      found = await findElement(page, { selector, text, untriedOnly: true })
    } catch (error) {
      if (error instanceof InvalidSelector) return { target: selector, text: null, result: 'refused', reason: 'invalid_selector' }
      throw error
    }
    if (found === null) break
    await callOnElement(found, 'function () { globalThis.__probantTried.add(this) }')
    const pressed = await press(page, found, deps)
    if (pressed !== 'done') {
      out += 1
      deps.actions.add('not_clicked', { selector: found.selector, text: found.text, reason: pressed })
      continue
    }
    opened += 1
    if (texts.length < 5) texts.push(found.text)
    await pause(30, undefined, { signal: deps.signal })
  }
  const answer = { target: selector, text: texts.length === 0 ? null : texts.join(' · ').slice(0, 500), count: opened }
  if (deps.timeLeft() <= 0) return { ...answer, result: 'timed_out', reason: 'no_time' }
  if (page.navigationsPrevented > before) return { ...answer, result: 'refused', reason: 'would_navigate' }
  if (opened === 0 && out > 0) return { ...answer, result: 'refused', reason: 'covered' }
  // A page without folded parts has nothing to open.
  return { ...answer, result: opened > 0 ? 'done' : 'not_found' }
}

export async function typeStep(page: PageState, step: StepOf<'type'>, deps: StepDeps): Promise<StepResult> {
  const value = fillTemplate(step.text, deps.input)
  const found = await seek(page, { selector: step.selector, text: null }, findMs, deps)
  if (found === 'invalid_selector') return { target: step.selector, text: null, result: 'refused', reason: 'invalid_selector' }
  if (found === null) return { target: step.selector, text: null, result: 'not_found' }
  const touched = { target: found.selector, text: found.text }
  if (found.secret) return { ...touched, result: 'refused', reason: 'secret_field' }
  const pressed = await press(page, found, deps)
  if (pressed !== 'done')
    return pressed === 'covered' ? { ...touched, result: 'refused', reason: 'covered' } : { ...touched, result: 'not_found' }
  deps.actions.add('type', { selector: found.selector, value })
  await typeText(page, value)
  return { ...touched, text: value, result: 'done' }
}

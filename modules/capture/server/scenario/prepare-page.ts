import { createHash } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { CdpError, CdpTimeout } from '../../../../platform/browser/cdp-connection.ts'
import type { CaptureLimits } from '../../domain/outcome/limits.ts'
import { isStepFault } from '../../domain/scenario/scenario-fault.ts'
import type { CapturedFile, CookieBannerFacts, ScenarioFacts, ScenarioStepOutcome } from '../../domain/outcome/outcome.ts'
import type { ScenarioInput, ScenarioRecipe, ScenarioStep } from '../../domain/scenario/scenario.ts'
import type { PageState } from '../page/open-page.ts'
import { dismissBanner } from './dismiss-banner.ts'
import { clickStep, expandStep, scrollStep, typeStep, waitForStep, waitStep, type StepDeps, type StepResult } from './run-step.ts'
import { takeWindowShot, type ShotDeps, type WindowShot } from './take-window-shot.ts'

/** A scenario as it was chosen: its text goes into the package byte for byte. */
export type ChosenScenario = {
  readonly recipe: ScenarioRecipe
  readonly text: string
  readonly input: ScenarioInput
}

export type Preparation = {
  /** null: none was asked for. */
  readonly scenario: ChosenScenario | null
  /** Dismiss the site's cookie banner before anything else is done. */
  readonly closeCookies: boolean
}

/** What was done to the page before it was photographed, and what that left. */
export type PreparedPage = {
  readonly scenario: ScenarioFacts | null
  readonly cookieBanner: CookieBannerFacts | null
  readonly shots: readonly WindowShot[]
  readonly files: readonly CapturedFile[]
}

export const untouched: PreparedPage = { scenario: null, cookieBanner: null, shots: [], files: [] }

export type PrepareDeps = ShotDeps & {
  readonly limits: CaptureLimits
  readonly signal: AbortSignal
  readonly progress: (phase: 'capturing', step: string, data?: Readonly<Record<string, string | number>>) => void
  readonly arrive: () => Promise<void>
}

const recipePath = 'capture/scenario.json'

/** Share of a capture's whole time that a scenario's steps may take, whatever the recipe says. */
const scenarioShare = 0.4

/**
 * Dismisses the cookie banner and follows the scenario, on a page that rests and is held. `before` is what an earlier round of the same
 * capture did: a page that was captured anew may remember that its banner was answered.
 */
export async function preparePage(
  page: PageState,
  preparation: Preparation,
  deps: PrepareDeps,
  before: PreparedPage | null,
): Promise<PreparedPage> {
  const shots: WindowShot[] = []
  let banner: CookieBannerFacts | null = null
  const dismiss = async (accept: boolean): Promise<CookieBannerFacts> => {
    deps.progress('capturing', 'cookie_banner')
    const { facts, shot } = await dismissBanner(page, { ...deps, accept })
    // The first answer to the banner stands; one that looks again and finds none takes nothing from it.
    if (banner === null || (banner.result !== 'refused' && banner.result !== 'closed' && facts.result !== 'none_found')) {
      banner = facts
      const at = shots.findIndex(({ image }) => image.kind === 'before_banner')
      if (shot !== null) shots.splice(at === -1 ? shots.length : at, at === -1 ? 0 : 1, shot)
    }
    return facts
  }
  if (preparation.closeCookies) await dismiss(false)
  const { scenario } = preparation
  const steps = scenario === null ? null : await followRecipe(page, scenario, { ...deps, dismiss, shots })
  let cookieBanner = banner as CookieBannerFacts | null
  const earlier = before?.cookieBanner ?? null
  if (cookieBanner?.result === 'none_found' && earlier !== null && earlier.result !== 'none_found') {
    cookieBanner = earlier
    shots.push(...(before?.shots.filter(({ image }) => image.kind === 'before_banner') ?? []))
  }
  const recipe = scenario === null ? null : await writeRecipe(scenario, deps.workDir)
  return {
    scenario:
      scenario === null || steps === null
        ? null
        : {
            id: scenario.recipe.id,
            version: scenario.recipe.version,
            name: scenario.recipe.name,
            sha256: createHash('sha256').update(scenario.text, 'utf8').digest('hex'),
            path: recipePath,
            ...(scenario.recipe.fields.length > 0 ? { input: scenario.input } : {}),
            steps,
          },
    cookieBanner,
    shots,
    files: [...shots.map(({ file }) => file), ...(recipe === null ? [] : [recipe])],
  }
}

async function writeRecipe({ text }: ChosenScenario, workDir: string): Promise<CapturedFile> {
  const file = join(workDir, recipePath.replace('/', '-'))
  await writeFile(file, text)
  return { path: recipePath, role: 'scenario', media_type: 'application/json', file }
}

async function followRecipe(
  page: PageState,
  { recipe, input }: ChosenScenario,
  deps: PrepareDeps & {
    readonly dismiss: (accept: boolean) => Promise<CookieBannerFacts>
    readonly shots: WindowShot[]
  },
): Promise<readonly ScenarioStepOutcome[]> {
  const { actions } = deps
  const deadline = performance.now() + Math.min(recipe.options.seconds * 1000, deps.limits.totalMs * scenarioShare)
  const stepDeps: StepDeps = {
    actions,
    signal: deps.signal,
    timeLeft: () => deadline - performance.now(),
    maxHeight: deps.limits.maxHeight,
    input,
    arrive: deps.arrive,
  }
  const outcomes: ScenarioStepOutcome[] = []
  let [failed, stepShots] = [false, 0]
  actions.add('scenario_started', { id: recipe.id, version: recipe.version, steps: recipe.steps.length })
  for (const [index, step] of recipe.steps.entries()) {
    deps.progress('capturing', 'scenario', { done: index + 1, of: recipe.steps.length })
    const shoot = async (): Promise<StepResult> => {
      stepShots += 1
      const path = `capture/step-${String(stepShots).padStart(3, '0')}.png`
      deps.shots.push(await takeWindowShot(page, { path, kind: 'step', index: stepShots - 1 }, deps))
      return { result: 'done', target: path, text: null }
    }
    const skip =
      failed && recipe.options.after_failure === 'stop'
        ? ({ result: 'skipped', target: null, text: null, reason: 'after_failure' } as const)
        : stepDeps.timeLeft() <= 0
          ? ({ result: 'skipped', target: null, text: null, reason: 'no_time' } as const)
          : null
    const done = skip ?? (await doStep(page, step, stepDeps, { shoot, dismiss: deps.dismiss }))
    failed ||= isStepFault({ kind: step.do, result: done.result })
    // The instant at which the step had come to its result.
    const at = actions.add('scenario_step', { index, kind: step.do, ...done })
    outcomes.push({ index, kind: step.do, at, ...done })
  }
  return outcomes
}

async function doStep(
  page: PageState,
  step: ScenarioStep,
  deps: StepDeps,
  also: { readonly shoot: () => Promise<StepResult>; readonly dismiss: (accept: boolean) => Promise<CookieBannerFacts> },
): Promise<StepResult> {
  try {
    switch (step.do) {
      case 'scroll':
        return await scrollStep(page, step, deps)
      case 'wait':
        return await waitStep(page, step, deps)
      case 'wait_for':
        return await waitForStep(page, step, deps)
      case 'expand':
        return await expandStep(page, step, deps)
      case 'click':
        return await clickStep(page, step, deps)
      case 'type':
        return await typeStep(page, step, deps)
      case 'screenshot':
        return await also.shoot()
      case 'dismiss_cookie_banner':
        break
    }
    const { result, selector, text } = await also.dismiss(step.accept_as_last_resort)
    if (result === 'none_found') return { result: 'not_found', target: null, text: null }
    if (result === 'still_there') return { result: 'refused', target: selector, text, reason: 'still_there' }
    return { result: 'done', target: selector, text }
  } catch (error) {
    // The page answered nothing, or what was found went meanwhile. Its own end is told elsewhere.
    if (error instanceof CdpTimeout)
      return { result: 'timed_out', target: 'selector' in step ? (step.selector ?? null) : null, text: null }
    if (error instanceof CdpError)
      return { result: 'not_found', target: 'selector' in step ? (step.selector ?? null) : null, text: null }
    throw error
  }
}

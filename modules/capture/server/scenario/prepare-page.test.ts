import { createHash } from 'node:crypto'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PNG } from 'pngjs'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { systemClock } from '../../../../kernel/clock.ts'
import { silentLog } from '../../../../platform/log/log.ts'
import { startFixtureSite, type FixtureSite } from '../../../../testing/site/start-fixture-site.ts'
import { captureStatic, defaultCaptureLimits, fillScenario, type CaptureResult, type Preparation } from '../index.ts'
import { parseScenario } from '../../domain/scenario/scenario.ts'
import { warningsOfPreparation, type ChosenScenario } from './index.ts'

let site: FixtureSite
let workDir: string
beforeAll(async () => {
  site = await startFixtureSite()
})
afterAll(() => site.close())
beforeEach(async () => {
  workDir = await mkdtemp(join(tmpdir(), 'probant-steps-'))
})
afterEach(() => rm(workDir, { recursive: true, force: true }))

function scenarioOf(steps: readonly object[], more: object = {}, input: Record<string, string> = {}): ChosenScenario {
  const text = JSON.stringify({
    format: 'probant-scenario/1',
    id: 'trial',
    version: 7,
    name: { en: 'Trial', fr: 'Essai' },
    description: { en: 'Tries.', fr: 'Essaie.' },
    kind: 'normal',
    steps,
    ...more,
  })
  const parsed = parseScenario(text)
  if (!parsed.ok) throw new Error(parsed.reason)
  const filled = fillScenario({ recipe: parsed.recipe, text }, input)
  if (!filled.ok) throw new Error(JSON.stringify(filled.faults))
  return filled.scenario
}

const capture = (path: string, preparation: Preparation): Promise<CaptureResult> =>
  captureStatic(
    {
      evidenceId: 'test',
      url: site.origin + path,
      locale: 'fr',
      workDir,
      limits: { ...defaultCaptureLimits, totalMs: 90_000 },
      allowAddresses: site.addresses,
      includeTlsKeys: false,
      preparation,
      onProgress: () => undefined,
    },
    { clock: systemClock, log: silentLog, signal: new AbortController().signal, isolationOverride: false },
  )

const read = async (result: CaptureResult, path: string): Promise<Buffer> => {
  const found = result.files.find((file) => file.path === path)
  if (!found) throw new Error(`no piece ${path}`)
  return readFile(found.file)
}
type Line = { at: string; action: string; on?: string; selector?: string; text?: string; kind?: string; result?: string }
const actionsOf = async (result: CaptureResult): Promise<Line[]> =>
  (await read(result, 'capture/actions.jsonl'))
    .toString('utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Line)

test('E-25 H-16: every step is done with a visitor’s own means, logged, and the recipe is in the package', async () => {
  const scenario = scenarioOf(
    [
      { do: 'expand' },
      { do: 'expand', selector: '[aria-expanded=false]', text: 'lire la suite' },
      { do: 'click', text: 'afficher le prix' },
      { do: 'type', selector: '#query', text: 'photo {image}' },
      { do: 'screenshot' },
      { do: 'wait_for', selector: '#came' },
      { do: 'scroll', to: 'bottom', pause_ms: 0 },
      { do: 'scroll', to: 'top', pause_ms: 0 },
      { do: 'wait', seconds: 0.1 },
    ],
    { fields: [{ name: 'image', label: { en: 'Image', fr: 'Image' } }] },
    { image: 'naïade' },
  )
  const result = await capture('/steps/', { closeCookies: false, scenario })
  const { facts } = result
  expect(facts.scenario?.steps.map(({ kind, result: came }) => `${kind} ${came}`)).toEqual([
    'expand done',
    'expand done',
    'click done',
    'type done',
    'screenshot done',
    'wait_for done',
    'scroll done',
    'scroll done',
    'wait done',
  ])
  expect(facts.scenario).toMatchObject({
    id: 'trial',
    version: 7,
    name: { en: 'Trial', fr: 'Essai' },
    path: 'capture/scenario.json',
    sha256: createHash('sha256').update(scenario.text).digest('hex'),
    input: { image: 'naïade' },
  })
  expect(facts.scenario?.steps[0]).toMatchObject({ text: 'Conditions · Annexe', count: 2 })
  expect(facts.scenario?.steps[2]).toMatchObject({ target: '#trusted', text: 'Afficher le prix' })
  expect((await read(result, 'capture/scenario.json')).toString('utf8')).toBe(scenario.text)
  // What the page saw of it: events from a hand, not from a script.
  const dom = (await read(result, 'capture/dom.html')).toString('utf8')
  expect(dom).toMatch(/<p id="log">[^<]*hand;/)
  expect(dom).not.toContain('script;')
  expect(dom).toContain('typed photo naïade;')
  expect(dom).toContain('seen;')
  expect(dom.match(/<details open="">/g)).toHaveLength(2)
  expect(dom).toContain('aria-expanded="true"')
  expect(Number(/data-turns="(\d+)"/.exec(dom)?.[1])).toBeGreaterThan(2)
  const [shot] = facts.images.filter(({ kind }) => kind === 'step')
  expect(shot).toMatchObject({ path: 'capture/step-001.png', width: 1280, height: 800, index: 0 })
  expect(PNG.sync.read(await read(result, 'capture/step-001.png'))).toMatchObject({ width: 1280, height: 800 })
  expect(result.files.find(({ path }) => path === 'capture/step-001.png')?.role).toBe('step_screenshot')
  const actions = await actionsOf(result)
  expect(actions.filter(({ action }) => action === 'scenario_step')).toHaveLength(9)
  expect(actions.filter(({ action, on }) => action === 'click' && on === 'scenario').map(({ text }) => text)).toEqual([
    'Conditions',
    'Annexe',
    'Lire la suite',
    'Afficher le prix',
    'Recherche',
  ])
  expect(facts.warnings.map(({ code }) => code)).not.toContain('scenario_incomplete')
}, 120_000)

test('what cannot be done is said, step by step, and warned about', async () => {
  const scenario = scenarioOf([
    { do: 'click', text: 'Nulle part' },
    { do: 'click', selector: '###' },
    { do: 'click', selector: '#under' },
    { do: 'click', text: 'Ailleurs' },
    { do: 'click', text: 'Nouvelle fenêtre', navigates: true },
    { do: 'type', selector: '#secret', text: 'x' },
    { do: 'wait_for', selector: '#never', seconds: 0.2 },
    { do: 'dismiss_cookie_banner' },
    { do: 'click', text: 'Vers le bas' },
  ])
  const { facts } = await capture('/steps/', { closeCookies: false, scenario })
  expect(facts.scenario?.steps.map(({ result, reason }) => [result, reason])).toEqual([
    ['not_found', undefined],
    ['refused', 'invalid_selector'],
    ['refused', 'covered'],
    ['refused', 'would_navigate'],
    ['refused', 'new_window'],
    ['refused', 'secret_field'],
    ['timed_out', undefined],
    ['not_found', undefined],
    ['done', undefined],
  ])
  expect(facts.final_url).toBe(`${site.origin}/steps/#end`)
  expect(facts.warnings).toContainEqual({ code: 'scenario_incomplete', data: { failed: 7, total: 9, first: 1 } })
  expect(facts.cookie_banner?.result).toBe('none_found')
  expect(facts.quality.verdict).toBe('doubtful')
}, 120_000)

test('a page with nothing folded away and no banner leaves nothing to do: said, and no fault', () => {
  const nothing = { index: 0, at: '', target: null, text: null, result: 'not_found' as const }
  const facts = { id: 'a', version: 1, name: { en: 'a', fr: 'a' }, sha256: '', path: '' }
  const warnings = (kind: string) =>
    warningsOfPreparation({ scenario: { ...facts, steps: [{ ...nothing, kind }] }, cookieBanner: null, shots: [], files: [] })
  expect(warnings('expand')).toEqual([])
  expect(warnings('dismiss_cookie_banner')).toEqual([])
  expect(warnings('click')).toEqual([{ code: 'scenario_incomplete', data: { failed: 1, total: 1, first: 1 } }])
})

test('H-12 H-16: a step that says so leads to another page, which is the one captured; a failure stops the rest when asked', async () => {
  const scenario = scenarioOf(
    [
      { do: 'click', text: 'Ailleurs', navigates: true },
      { do: 'wait_for', selector: '#not-there', seconds: 0.2 },
      { do: 'screenshot' },
    ],
    { options: { after_failure: 'stop' } },
  )
  const result = await capture('/steps/', { closeCookies: false, scenario })
  expect(result.facts.final_url).toBe(`${site.origin}/simple/`)
  expect(result.facts.http_status).toBe(200)
  expect(result.facts.scenario?.steps.map(({ result: came, reason }) => [came, reason])).toEqual([
    ['done', undefined],
    ['timed_out', undefined],
    ['skipped', 'after_failure'],
  ])
  expect(result.facts.completeness).toEqual({ state: 'complete', losses: [] })
  // The path to the page is in the log: where it was, what was clicked, where it went.
  const actions = await actionsOf(result)
  const verbs = actions.map(({ action }) => action).filter((action) => /^(navigate|navigated|click)$/.test(action))
  expect(verbs).toEqual(['navigate', 'navigated', 'click', 'navigated'])
}, 120_000)

test('H-12 D-03: the banner is photographed, refused by a logged click, gone from every image and from the warnings', async () => {
  const result = await capture('/banner/onetrust/', { closeCookies: true, scenario: null })
  const { facts } = result
  expect(facts.cookie_banner).toMatchObject({
    result: 'refused',
    selector: '#onetrust-reject-all-handler',
    text: 'Reject All',
    before_path: 'capture/before-banner.png',
  })
  const codes = facts.warnings.map(({ code }) => code)
  expect(codes).not.toContain('cookie_banner')
  expect(codes).not.toContain('cookie_banner_kept')
  expect(facts.scenario).toBeNull()
  expect(facts.images.map(({ kind }) => kind).toSorted()).toEqual(['before_banner', 'full_page', 'viewport'])
  // The banner's black border runs along its top edge: there before, not after.
  const dark = async (path: string) => {
    const { data, width } = PNG.sync.read(await read(result, path))
    const column = Array.from({ length: 800 }, (_, y) => data[(y * width + 640) * 4] ?? 255)
    return column.some((_, y) => y > 300 && column.slice(y, y + 4).every((red) => red === 0))
  }
  expect(await dark('capture/before-banner.png')).toBe(true)
  expect(await dark('capture/viewport.png')).toBe(false)
  const dom = (await read(result, 'capture/dom.html')).toString('utf8')
  expect(dom).toContain('Réponse : refuse')
  const actions = await actionsOf(result)
  const click = actions.findIndex(({ action, on }) => action === 'click' && on === 'cookie_banner')
  expect(actions[click]).toMatchObject({
    selector: '#onetrust-reject-all-handler',
    text: 'Reject All',
    at: facts.cookie_banner?.at,
  })
  expect(actions.slice(0, click).some(({ action, kind }) => action === 'screenshot' && kind === 'before_banner')).toBe(true)
}, 120_000)

test('a banner that stays is warned about, and nobody is told to ask for what was asked for', async () => {
  const { facts } = await capture('/banner/accept-only/', { closeCookies: true, scenario: null })
  expect(facts.cookie_banner).toMatchObject({ result: 'still_there', before_path: 'capture/before-banner.png' })
  const codes = facts.warnings.map(({ code }) => code)
  expect(codes).toContain('cookie_banner_kept')
  expect(codes).toContain('cookie_banner')
  expect(facts.quality.verdict).not.toBe('good')
  expect(facts.quality.advice).not.toContain('cookie_option')
}, 120_000)

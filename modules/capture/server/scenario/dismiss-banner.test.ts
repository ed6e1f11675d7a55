import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PNG } from 'pngjs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { systemClock } from '../../../../kernel/clock.ts'
import { silentLog } from '../../../../platform/log/log.ts'
import { knownBannerPages } from '../../../../testing/site/scenario-pages.ts'
import { startFixtureSite, type FixtureSite } from '../../../../testing/site/start-fixture-site.ts'
import { defaultCaptureLimits } from '../../domain/outcome/limits.ts'
import { createActionLog, type ActionLog } from '../page/action-log.ts'
import { evaluateApart } from '../page/evaluate-apart.ts'
import { openSession, type CaptureSession } from '../session/open-session.ts'
import { onePage } from '../session/session-kind.ts'
import { settlePage } from '../page/settle-page.ts'
import { dismissBanner, type DismissedBanner } from './dismiss-banner.ts'

let site: FixtureSite
let workDir: string
let session: CaptureSession
let actions: ActionLog
const { signal } = new AbortController()

/** One browser for all of them: each page is a document of its own, and nothing is sealed here. */
beforeAll(async () => {
  site = await startFixtureSite()
  workDir = await mkdtemp(join(tmpdir(), 'probant-banner-'))
  actions = createActionLog(systemClock)
  const limits = { ...defaultCaptureLimits, totalMs: 300_000 }
  session = await openSession(
    { kind: onePage, locale: 'fr', workDir, limits, allowAddresses: site.addresses },
    {
      clock: systemClock,
      log: silentLog,
      signal,
      isolationOverride: false,
      actions,
      progress: () => undefined,
    },
    { browser: null, page: null, tooLarge: false },
  )
}, 180_000)
afterAll(async () => {
  await session.release()
  await site.close()
  await rm(workDir, { recursive: true, force: true })
})

async function dismiss(path: string, accept = false): Promise<DismissedBanner & { readonly answer: string }> {
  const { page } = session
  await page.releaseNavigation()
  // A capture follows so many and no more; here each page is another.
  page.navigations = 0
  await page.session.send('Page.navigate', { url: site.origin + path })
  await expect.poll(() => page.navigations, { timeout: 20_000 }).toBeGreaterThan(0)
  await settlePage(page, page.observation, { limits: defaultCaptureLimits, actions, signal })
  await page.holdNavigation()
  const done = await dismissBanner(page, { accept, signal, workDir, actions })
  const answer = await evaluateApart<string>(
    page.session,
    '() => document.getElementById("answer") ? document.getElementById("answer").textContent.replace("Réponse : ", "") : ""',
    [],
    5_000,
  )
  return { ...done, answer }
}

const resultOf = { refuse: 'refused', continue: 'closed' } as const

describe('H-12: banners as consent platforms build them', () => {
  test.each(knownBannerPages)(
    '%s: what refuses is pressed',
    async (name, expected) => {
      const { facts, shot, answer } = await dismiss(`/banner/${name}/`)
      expect(answer).toBe(expected)
      expect(facts).toMatchObject({
        result: resultOf[expected as keyof typeof resultOf],
        selector: expect.stringMatching(/./) as string,
        text: expect.stringMatching(/./) as string,
        at: expect.stringMatching(/^\d{4}-/) as string,
        before_path: 'capture/before-banner.png',
      })
      expect(shot?.image).toMatchObject({ kind: 'before_banner', width: 1280, height: 800 })
    },
    180_000,
  )
})

describe('H-12: banners known by their words, wherever they stand', () => {
  test.each([
    ['/banner/words-en/', 'refused', 'refuse', 'Only necessary cookies'],
    ['/banner/words-de/', 'refused', 'refuse', 'Nur notwendige Cookies akzeptieren'],
    ['/banner/closed-shadow/', 'closed', 'continue', 'Continuer sans accepter'],
    ['/banner/frame/', 'refused', 'refuse', 'Tout refuser'],
    ['/banner/other-origin/', 'refused', 'refuse', 'Tout refuser'],
    ['/banner/clobbered/', 'refused', 'refuse', 'Tout refuser'],
  ])(
    '%s: %s',
    async (path, result, said, words) => {
      const { facts, answer } = await dismiss(path)
      expect(facts).toMatchObject({ result, text: words })
      expect(answer).toBe(said)
    },
    180_000,
  )
})

test('H-12: a frame of another site is a target of its own, and the mouse reaches into it', async () => {
  const { facts, answer } = await dismiss('/banner/other-site/')
  expect(facts).toMatchObject({ result: 'refused', text: 'Tout refuser' })
  expect(answer).toBe('refuse')
  const clicks = actions
    .text()
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { action: string; x: number; y: number; on: string })
    .filter(({ action, on }) => action === 'click' && on === 'cookie_banner')
  // Inside the frame's box on the page: its corner is added to what the frame says of itself.
  expect(clicks.at(-1)?.x).toBeGreaterThan(100)
  expect(clicks.at(-1)?.y).toBeGreaterThan(200)
}, 180_000)

test('H-12: what can only be accepted is left there, unless accepting was asked for', async () => {
  const left = await dismiss('/banner/accept-only/')
  expect(left.facts).toMatchObject({ result: 'still_there', text: null, at: null })
  expect(left.answer).toBe('Aucune réponse.')
  const asked = await dismiss('/banner/accept-only/', true)
  expect(asked.facts).toMatchObject({ result: 'accepted', text: 'Tout accepter' })
  expect(asked.answer).toBe('accept')
}, 180_000)

test('H-12: with accepting allowed, what refuses is still pressed first', async () => {
  expect((await dismiss('/banner/onetrust/', true)).facts.result).toBe('refused')
}, 180_000)

test('a banner that stays is said to be there, with the click that changed nothing', async () => {
  const { facts, answer, shot } = await dismiss('/banner/stubborn/')
  expect(facts).toMatchObject({ result: 'still_there', text: 'Tout refuser', before_path: 'capture/before-banner.png' })
  expect(facts.at).not.toBeNull()
  expect(answer).toBe('refuse')
  const png = PNG.sync.read(await readFile(shot?.file.file ?? ''))
  expect([png.width, png.height]).toEqual([1280, 800])
}, 180_000)

test('a refusal that reloads the page is held: the document that is captured stays', async () => {
  const before = session.page.navigationsPrevented
  const { facts } = await dismiss('/banner/reloads/')
  expect(facts.result).toBe('refused')
  await expect.poll(() => session.page.navigationsPrevented, { timeout: 20_000 }).toBeGreaterThan(before)
}, 180_000)

test('a menu that names cookies and a dialog that does not are no banner: nothing is touched', async () => {
  const { facts, shot, answer } = await dismiss('/banner/none/')
  expect(facts).toEqual({ result: 'none_found', selector: null, text: null, at: null, before_path: null })
  expect(shot).toBeNull()
  expect(answer).toBe('Aucune réponse.')
}, 180_000)

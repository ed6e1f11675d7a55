/** Every sign is found on a real page, a third of them by turns of the commit; no look-alike is, and what is said agrees with what was sent. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { qualityNames, qualityPages, qualitySite } from '../../../../testing/site/quality-pages.ts'
import { startLoggedSite, type LoggedSite } from '../../../../testing/site/start-logged-site.ts'
import { byTurns, seed } from '../../../../testing/sweep.ts'
import { createMessages } from '../../../../platform/messages/messages.ts'
import { captureOne, runPool, type Outcome } from './capture-many.fixture.ts'

process.stdout.write(`seed of the pages that are judged: PROBANT_SEED=${String(seed)}\n`)
const turn = byTurns(qualityPages, 3)
/** With the one that the last test reads. */
const tried = qualityPages.filter((page) => page.path === '/missing-pictures' || turn.includes(page))

let site: LoggedSite
const outcomes = new Map<string, Outcome>()

beforeAll(async () => {
  site = await startLoggedSite(qualitySite)
  await runPool(tried, 4, async ({ path }) => {
    const url = `http://site.test:${site.port}${path}`
    outcomes.set(path, await captureOne(url, { allow: [site.address], names: qualityNames, limits: { maxHeight: 12_000 } }))
  })
}, 400_000)
afterAll(() => site.close())

/** Said of every capture of a page on loopback. */
const always = 'allowed_private_address'

describe('the quality gate', () => {
  test.each(tried.map((page) => [page.path, page.codes.join(' + ') || 'nothing', page] as const))(
    '%s: %s',
    (path, _codes, page) => {
      const outcome = outcomes.get(path)
      const facts = outcome?.facts
      if (facts == null) throw new Error(`${path} was not captured: ${String(outcome?.failure)}`)
      const warnings = facts.warnings.filter(({ code }) => code !== always)
      expect(warnings.map(({ code }) => code)).toEqual(page.codes)
      expect(facts.quality).toMatchObject({ verdict: page.verdict, advice: page.advice })
      const telling = warnings.find(({ code }) => code !== 'http_error') ?? warnings[0]
      if (page.data !== undefined) expect(telling?.data).toMatchObject(page.data)
      for (const locale of ['en', 'fr'] as const)
        for (const { code, data } of warnings)
          expect(createMessages(locale).format(`capture.warning.${code}`, data)).not.toMatch(/[{}]|undefined|null|NaN/)

      // The record holds what the server logged that it sent: the document last, after its redirects.
      const [document] = site.sent.filter(({ url }) => url === facts.final_url)
      expect(facts.http_status).toBe(document?.status)
      expect(outcome?.har.find(({ request }) => request.url === facts.final_url)?.response.content._wireSha256).toBe(
        document?.sha256,
      )
      expect(facts.redirects.length).toBe(page.redirect === undefined ? 0 : 1)
      for (const { request, response } of outcome?.har ?? []) {
        const answers = site.sent.filter(({ url }) => url === request.url)
        expect([request.url, answers.some((one) => one.status === response.status)]).toEqual([request.url, true])
      }
      const { coverage } = facts.quality
      expect(coverage.captured_height).toBe(facts.captured_height)
      expect(coverage.percent === 100).toBe(facts.captured_height === coverage.page_height)
    },
  )

  test('a picture that is missing is one that the server did not send, and the others are counted', () => {
    const facts = outcomes.get('/missing-pictures')?.facts
    const missing = facts?.warnings.find(({ code }) => code === 'missing_images')
    expect(facts?.quality.coverage).toMatchObject({ percent: 100, missing_images: 4, images: 5 })
    expect(String(missing?.data['first'])).toContain('/gone/a.png')
    const notSent = site.asked.filter(
      (url) => url.includes('/gone/') && !url.includes('style.css') && !url.includes('tracker.js'),
    )
    expect(notSent.map((url) => new URL(url).pathname).toSorted()).toEqual(
      ['/gone/a.png', '/gone/hero.jpg', '/gone/hidden.png', '/gone/pixel.gif'].toSorted(),
    )
  })
})

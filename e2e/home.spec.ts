/** What somebody who has no account yet can try: a real report, and a date for a file. */
import { expect } from '@playwright/test'
import { address, isClean, keepPicture, test } from './fixtures/pages.ts'

const words = {
  en: {
    open: 'Open the report (PDF)',
    verify: 'Verify it here',
    quality: 'Good',
  },
  fr: {
    open: 'Ouvrir le rapport (PDF)',
    verify: 'Le vérifier ici',
    quality: 'Bonne',
  },
} as const

for (const [locale, width] of [
  ['fr', 360],
  ['en', 1280],
] as const)
  test.describe(`${locale}, ${width} px`, () => {
    test.use({ viewport: { width, height: 900 }, locale, contextOptions: { reducedMotion: 'reduce' } })

    test('P-02 P-04: a report that this installation made of itself is opened, and verified on the spot', async ({ page }) => {
      const say = words[locale]
      // Made some seconds after the worker has started.
      await expect
        .poll(async () => (await page.request.get(address('/sample/facts.json'))).status(), { timeout: 150_000 })
        .toBe(200)
      await page.goto(address(`/${locale}/sample/`))
      await expect(page.getByText(say.quality, { exact: true })).toBeVisible()
      const link = page.getByRole('link', { name: say.open })
      const report = await page.request.get(address((await link.getAttribute('href')) ?? ''))
      expect([report.status(), report.headers()['content-type'], (await report.body()).subarray(0, 5).toString()]).toEqual([
        200,
        'application/pdf',
        '%PDF-',
      ])
      await expect(page.getByRole('img').first()).toHaveJSProperty('complete', true)
      await isClean(page)
      await keepPicture(page, `sample-${locale}.png`)
      await page.getByRole('link', { name: say.verify }).click()
      await expect(page.locator('[data-verdict="passed"], [data-verdict="indeterminate"]')).toBeVisible()
      await isClean(page)
      await keepPicture(page, `sample-verified-${locale}.png`)
    })
  })

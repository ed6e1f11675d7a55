/** Where something is paid for, a visitor sees what it costs where he decides, before he scrolls. */
import { expect, type Locator } from '@playwright/test'
import { test } from './fixtures/money.ts'
import { address, heldId, holdEvidence, keepPicture, states } from './fixtures/pages.ts'

/** Both are in sight at once, and one follows the other. The application may take the place of the page that was sent between two looks. */
async function standTogether(price: Locator, button: Locator): Promise<void> {
  await expect(price).toBeInViewport({ ratio: 1 })
  await expect(button).toBeInViewport({ ratio: 1 })
  const between = async (): Promise<number> => {
    const [of, at] = [await price.boundingBox(), await button.boundingBox()]
    return of === null || at === null ? Infinity : Math.max(of.y - (at.y + at.height), at.y - (of.y + of.height))
  }
  await expect.poll(between).toBeLessThan(160)
}

const amount = /(?:€99\.00|99,00\s€)/
const words = {
  en: { capture: 'Capture this page', choose: 'Choose documents', agree: 'Agree and get the report', decide: 'Decide' },
  fr: {
    capture: 'Capturer cette page',
    choose: 'Choisir des documents',
    agree: 'Accepter et obtenir le rapport',
    decide: 'Décider',
  },
} as const

for (const [locale, width] of [
  ['en', 360],
  ['fr', 360],
  ['en', 1280],
  ['fr', 1280],
] as const)
  test.describe(`${locale}, ${String(width)} px`, () => {
    test.use({ viewport: { width, height: width === 360 ? 780 : 900 }, locale, contextOptions: { reducedMotion: 'reduce' } })

    test('the price stands beside what it is the price of: on the home page, of a document, of a report, of plans', async ({
      page,
    }) => {
      const say = words[locale]
      const main = page.getByRole('main')
      const button = (name: string) => main.getByRole('button', { name, exact: true })
      for (const path of ['/', '/capture/']) {
        await page.goto(address(`/${locale}${path}`))
        await standTogether(main.getByText(amount).first(), button(say.capture))
      }
      await page.goto(address(`/${locale}/date/`))
      // What is seen of a field for files is its label.
      await standTogether(main.getByText(/(?:€5\.00|5,00\s€)/).first(), main.getByText(say.choose, { exact: true }))
      await keepPicture(page, 'date.png')

      await page.goto(address(`/${locale}/plans/`))
      await expect(main.getByText(amount).first()).toBeInViewport()

      await holdEvidence(page, states.clear)
      await page.goto(address(`/${locale}/capture/${heldId}/`))
      // On a phone the picture is first, and the way to the decision stays in sight.
      if (width === 360) await page.getByRole('link', { name: say.decide }).click()
      await expect(button(say.agree)).toBeInViewport({ ratio: 1 })
      await standTogether(main.getByText(amount).first(), button(say.agree))
    })
  })

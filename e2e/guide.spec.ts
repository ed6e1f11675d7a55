/** The user guide as somebody with a question meets it: searched by the keyboard, from its page and from the help of another. */
import { expect } from '@playwright/test'
import { address, applicationStands, isClean, keepPicture, test } from './fixtures/pages.ts'

const words = {
  en: {
    search: 'Search the guide',
    typed: 'verfy a prof',
    heading: 'Verify a proof',
    marked: 'Verify',
    nothing: 'Nothing found for “qzxjk”.',
    example: 'cookie',
    help: 'Help',
    legal: 'terms',
  },
  fr: {
    search: 'Rechercher dans le guide',
    typed: 'verifer une preuve',
    heading: 'Vérifier une preuve',
    marked: 'Vérifier',
    nothing: 'Rien de trouvé pour «\u202fqzxjk\u202f».',
    example: 'cookie',
    help: 'Aide',
    legal: 'terms',
  },
} as const

for (const [locale, width] of [
  ['en', 360],
  ['fr', 1280],
] as const)
  test.describe(`${locale}, ${width} px`, () => {
    test.use({ viewport: { width, height: 800 }, locale, contextOptions: { reducedMotion: 'reduce' } })

    test('L-05 L-10 the guide is searched by the keyboard, without a network, and from the help of another page', async ({
      page,
      context,
    }) => {
      const say = words[locale]
      await page.goto(address(`/${locale}/guide/`))
      await applicationStands(page)
      const field = page.getByRole('combobox', { name: say.search })
      await field.focus()
      await field.fill(say.example)
      await expect(page.getByRole('option').first()).toBeVisible()
      // What was loaded once needs no network.
      await context.setOffline(true)
      await field.fill('')
      await field.pressSequentially(say.typed)
      const first = page.getByRole('option').first()
      await expect(first).toContainText(say.heading)
      await expect(first.locator('mark').first()).toHaveText(say.marked)
      await expect(first).toHaveAttribute('aria-selected', 'true')
      await keepPicture(page, `guide-search-${locale}.png`)
      await page.keyboard.press('ArrowDown')
      await expect(first).toHaveAttribute('aria-selected', 'false')
      await page.keyboard.press('ArrowUp')
      await page.keyboard.press('Enter')
      await expect(page.getByRole('heading', { name: say.heading, exact: true })).toBeFocused()
      await field.fill('qzxjk')
      await expect(page.getByText(say.nothing)).toBeVisible()
      await keepPicture(page, `guide-nothing-${locale}.png`)
      await page.getByRole('button', { name: say.example, exact: true }).click()
      await expect(field).toBeFocused()
      await expect(page.getByRole('option').first()).toBeVisible()
      await context.setOffline(false)
      await isClean(page)
      await page.keyboard.press('Escape')
      await expect(field).toHaveValue('')
      await expect(page.getByRole('option')).toHaveCount(0)

      await page.goto(address(`/${locale}/proofs/`))
      await page.getByRole('button', { name: say.help, exact: true }).click()
      await page.getByRole('dialog').getByRole('combobox', { name: say.search }).fill(say.typed)
      await expect(page.getByRole('option').first()).toContainText(say.heading)
      await keepPicture(page, `guide-help-${locale}.png`)
      await page.keyboard.press('Enter')
      await expect(page).toHaveURL(/\/guide\/#/)
      await expect(page.getByRole('heading', { name: say.heading, exact: true })).toBeFocused()
    })

    test('links of a text lead within the application; names of algorithms are whole', async ({ page }) => {
      await page.goto(address(`/${locale}/guide/`))
      await applicationStands(page)
      await page.evaluate(() => Object.assign(globalThis, { isSamePage: true }))
      const whole = page.locator('main span', { hasText: /^SHA-256$/ }).first()
      expect(await whole.evaluate((element) => element.getClientRects().length)).toBe(1)
      await page.locator(`main a[href="/${locale}/date/"]`).first().click()
      await expect(page).toHaveURL(address(`/${locale}/date/`))
      expect(await page.evaluate(() => 'isSamePage' in globalThis)).toBe(true)
    })
  })

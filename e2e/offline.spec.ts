/** A network that goes away in mid-sentence: the page stays, what was typed too, one bar says so and goes by itself. */
import { expect } from '@playwright/test'
import { address, applicationStands, isClean, keepPicture, test } from './fixtures/pages.ts'

const typed = 'exemple.fr/une page à prouver'

for (const { locale, width, words } of [
  { locale: 'en', width: 1280, words: { lost: 'No connection to the server', log: 'Public log' } },
  { locale: 'fr', width: 360, words: { lost: 'Pas de connexion au serveur', log: 'Journal public' } },
] as const)
  test.describe(`${locale} at ${width} px`, () => {
    test.use({ viewport: { width, height: 740 }, expected: /ERR_INTERNET_DISCONNECTED|dynamically imported module/ })

    test('X-03 K-32 typing without a network loses nothing; what is asked for meanwhile comes when it is back', async ({
      page,
      context,
    }) => {
      await page.goto(address(`/${locale}/`))
      const field = page.locator('#page-address')
      await applicationStands(page)
      // A page that is loaded again would not know it.
      await page.evaluate(() => sessionStorage.setItem('loads', '1'))
      await page.addInitScript(() => sessionStorage.setItem('loads', String(Number(sessionStorage.getItem('loads')) + 1)))
      await context.setOffline(true)
      const bar = page.locator('[data-connection]')
      await expect(bar).toContainText(words.lost)
      await field.fill(typed)
      await field.blur()
      await expect(field).toHaveValue(typed)
      await isClean(page)
      await keepPicture(page, `offline-${locale}.png`)
      // Another page: it is waited for where one is.
      await page.getByRole('contentinfo').getByRole('link', { name: words.log }).click()
      await expect(field).toHaveValue(typed)
      await expect(page.locator('main')).not.toContainText('500')
      await context.setOffline(false)
      await expect(bar).toHaveCount(0)
      await expect(page).toHaveURL(new RegExp(`/${locale}/log/$`))
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
      expect(await page.evaluate(() => sessionStorage.getItem('loads'))).toBe('1')
      // And what was typed is there on the way back.
      await page.goBack()
      await expect(page.locator('#page-address')).toHaveValue(typed)
    })
  })

test.describe('a network that goes before the application is there', () => {
  test.use({ expected: /ERR_INTERNET_DISCONNECTED|dynamically imported module/ })

  test('X-03 the page stays, with what is typed, and the application comes once the network is back', async ({
    page,
    context,
  }) => {
    const { promise: gone, resolve: lost } = Promise.withResolvers<void>()
    await page.route(/\/assets\/index-[^/]*\.js$/, async (route) => {
      await context.setOffline(true)
      lost()
      await route.abort('internetdisconnected')
    })
    await page.goto(address('/en/'))
    await gone
    const field = page.locator('#page-address')
    await field.fill(typed)
    await expect(page.locator('#root button:not([inert])')).toHaveCount(0)
    await page.unrouteAll()
    await context.setOffline(false)
    await applicationStands(page)
    await expect(field).toHaveValue(typed)
  })
})

test('X-03 a browser that takes itself for offline while the server answers is shown every page', async ({ page }) => {
  await page.addInitScript(() => Object.defineProperty(Navigator.prototype, 'onLine', { get: () => false }))
  await page.goto(address('/en/guide/'))
  await expect(page.getByRole('heading', { level: 1, name: 'User guide' })).toBeVisible()
  await page.getByRole('contentinfo').getByRole('link', { name: 'Public log' }).click()
  await expect(page).toHaveURL(/\/en\/log\/$/)
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await expect(page.locator('[data-connection]')).toHaveCount(0)
})

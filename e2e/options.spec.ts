import { expect } from '@playwright/test'
import { address, isClean, pressEnter, test } from './fixtures/pages.ts'

const site = (): string => process.env['PROBANT_E2E_SITE'] ?? ''

const languages = [
  {
    locale: 'en',
    width: 1280,
    words: {
      field: 'Address of the page',
      capture: 'Capture this page',
      cookies: 'Dismiss the site’s cookie banner',
      title: 'Dismiss the site’s cookie banner?',
      off: 'Leave it alone',
      on: 'Dismiss the banner',
      scenario: 'Scenario',
      unfold: 'Open folded sections',
      server: 'Capture server',
      agree: 'Agree and get the report',
      did: 'What the robot did',
      refused: 'Cookie banner refused by pressing “Reject all”',
      before: 'Window before the cookie banner was dismissed',
    },
  },
  {
    locale: 'fr',
    width: 360,
    words: {
      field: 'Adresse de la page',
      capture: 'Capturer cette page',
      cookies: 'Fermer le bandeau de cookies du site',
      title: /^Fermer le bandeau de cookies du site/,
      off: 'Ne pas y toucher',
      on: 'Fermer le bandeau',
      scenario: 'Scénario',
      unfold: 'Ouvrir les sections repliées',
      server: 'Serveur de capture',
      agree: 'Accepter et obtenir le rapport',
      did: 'Ce que le robot a fait',
      refused: /^Bandeau de cookies refusé en appuyant sur «\s?Reject all\s?»/,
      before: 'Fenêtre avant la fermeture du bandeau de cookies',
    },
  },
] as const

for (const { locale, width, words } of languages) {
  test.describe(`the options of a capture, in ${locale} at ${width} px`, () => {
    test.use({ viewport: { width, height: width < 600 ? 780 : 900 } })

    test('D-03 E-25 E-54: cookie banner and scenario, by keyboard, from the form to the preview', async ({ page }) => {
      await page.goto(address(`/${locale}/`))
      await page.getByLabel(words.field).fill(`${site()}/banner`)
      // Closed until it is asked for, and nothing of it is fetched before.
      await expect(page.getByRole('combobox')).toHaveCount(0)
      await pressEnter(page.getByText('Options', { exact: true }))
      const banner = page.getByRole('switch', { name: words.cookies })
      await expect(banner).not.toBeChecked()
      // The dialog explains first; Escape and the refusal leave the option off.
      await banner.focus()
      await page.keyboard.press('Space')
      await expect(page.getByRole('dialog', { name: words.title })).toBeVisible()
      await page.keyboard.press('Escape')
      await expect(page.getByRole('dialog')).toHaveCount(0)
      await expect(banner).not.toBeChecked()
      await page.keyboard.press('Space')
      await pressEnter(page.getByRole('button', { name: words.off }))
      await expect(banner).not.toBeChecked()
      await banner.press('Space')
      await pressEnter(page.getByRole('dialog').getByRole('button', { name: words.on, exact: true }))
      await expect(banner).toBeChecked()
      await page.getByLabel(words.scenario, { exact: true }).selectOption({ label: words.unfold })
      // E-26: the server that runs here can be chosen by its name.
      await expect(page.getByLabel(words.server, { exact: true }).getByRole('option')).toHaveCount(2)
      await page.getByRole('button', { name: words.capture }).click()
      await page.waitForURL(`**/${locale}/capture/*/`)
      await expect(page.getByRole('button', { name: words.agree })).toBeVisible({ timeout: 120_000 })
      const did = page.getByRole('region', { name: words.did })
      await expect(did.getByText(words.refused)).toBeVisible()
      await expect(did.locator('li[data-result=done]')).toHaveCount(1)
      const before = page.getByRole('region', { name: words.before }).locator('img')
      await before.scrollIntoViewIfNeeded()
      await expect.poll(() => before.evaluate((image: HTMLImageElement) => image.naturalHeight)).toBe(800)
      await isClean(page)
    })
  })
}

test('an option that no longer exists is said where it was chosen, and the address stays', async ({ page }) => {
  await page.goto(address('/en/'))
  await page.getByLabel('Address of the page').fill(`${site()}/page`)
  await page.getByText('Options', { exact: true }).click()
  const scenario = page.getByLabel('Scenario', { exact: true })
  await scenario.selectOption('scroll-slowly')
  await page.route('**/evidences/', async (route) => {
    const body = route.request().postDataJSON() as object
    await route.continue({ postData: JSON.stringify({ ...body, scenario: 'gone-meanwhile' }) })
  })
  await page.getByRole('button', { name: 'Capture this page' }).click()
  await expect(page.getByRole('alert').filter({ hasText: 'This choice no longer exists' })).toBeVisible()
  await expect(scenario).toHaveAttribute('aria-invalid', 'true')
  await expect(page.getByLabel('Address of the page')).toHaveValue(`${site()}/page`)
  await expect(page).toHaveURL(address('/en/'))
})

test('E-59: a partner’s scenario asks for its fields; what was filled in is sent, and a fault is said at its field', async ({
  page,
}) => {
  const words = (en: string, fr: string) => ({ en, fr })
  const partner = {
    id: 'galerie',
    version: 1,
    kind: 'partner',
    brand: 'Galerie',
    active: true,
    sha256: '0'.repeat(64),
    name: words('Gallery search', 'Recherche dans la galerie'),
    description: words('Looks an image up.', 'Recherche une image.'),
    fields: [{ name: 'image', label: words('Name of the image', 'Nom de l’image'), required: true, max_length: 20 }],
    steps: [],
    options: { seconds: 60, after_failure: 'continue' },
  }
  await page.route('**/scenarios/?*', (route) =>
    route.fulfill({ json: { count: 1, next: null, previous: null, results: [partner] } }),
  )
  const sent: unknown[] = []
  await page.route('**/evidences/', (route) => {
    sent.push(route.request().postDataJSON())
    const fields = { 'scenario_input.image': ['too_long'] }
    return route.fulfill({ status: 400, json: { code: 'evidence.options', message: 'no', fields, data: {}, request_id: 'r' } })
  })
  await page.goto(address('/fr/'))
  await page.getByLabel('Adresse de la page').fill(`${site()}/page`)
  await page.getByText('Options', { exact: true }).click()
  await page.getByLabel('Scénario', { exact: true }).selectOption({ label: 'Recherche dans la galerie' })
  const field = page.getByLabel('Nom de l’image')
  await field.fill('naïade')
  // Folded away again, it is still said that something was chosen.
  await page.getByText('Options', { exact: false }).first().click()
  await expect(page.getByText('1 choisie')).toBeVisible()
  await page.getByRole('button', { name: 'Capturer cette page' }).click()
  await expect(field).toHaveAttribute('aria-invalid', 'true')
  await expect(page.getByRole('alert').filter({ hasText: 'trop long' })).toBeVisible()
  await expect(field).toHaveValue('naïade')
  expect(sent).toEqual([
    { url: `${site()}/page`, action: 'static', locale: 'fr', scenario: 'galerie', scenario_input: { image: 'naïade' } },
  ])
  await isClean(page)
})

/** Partners' signs (decision 0276) in a real browser: by host name and by the older entry; the brands are those of testing/brands. */
import { gzipSync } from 'node:zlib'
import { expect, type Page } from '@playwright/test'
import { codeOf, mailTo, password } from './fixtures/accounts.ts'
import { address, applicationStands, isClean, test } from './fixtures/pages.ts'

/** The same installation by a partner's name: browsers take every name under localhost for this machine (RFC 6761 §6.3). */
const at = (host: string, path: string): string => {
  const url = new URL(address(path))
  url.hostname = host
  return url.href
}
const colour = (page: Page, name: string) =>
  page.evaluate((of) => getComputedStyle(document.documentElement).getPropertyValue(of), name)

const looks = [
  ['en', 360, 'light', '#772151'],
  ['fr', 360, 'dark', '#f0a8cf'],
  ['en', 1280, 'dark', '#f0a8cf'],
  ['fr', 1280, 'light', '#772151'],
] as const

for (const [locale, width, scheme, accent] of looks) {
  test.describe(`${locale}, ${width} px, ${scheme}`, () => {
    test.use({
      viewport: { width, height: width < 600 ? 780 : 900 },
      colorScheme: scheme,
      locale,
      contextOptions: { reducedMotion: 'reduce' },
    })
    test('R-16 R-17 R-28 L-18 H-07: under a partner’s name, and by his door, pages are his', async ({ page }) => {
      // Widths and schemes are tried on the page of the most parts and on one by the door; each of the other pages once.
      for (const url of [
        at('preuves.localhost', width === 360 ? `/${locale}/` : `/${locale}/authentication/registration/`),
        address(scheme === 'dark' ? `/${locale}/login/` : `/${locale}/old-authentication/forgot-password/`),
      ]) {
        await page.goto(url)
        await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
        await expect(page).toHaveTitle(/ – Étude Vauquelin$/)
        expect(await colour(page, '--accent')).toBe(accent)
        // What the browser waits for before it paints: no other colours are seen first.
        const blocking = await page.evaluate(() =>
          performance
            .getEntriesByType('resource')
            .filter(({ name }) => name.includes('/brands/') && name.endsWith('.css'))
            .map((entry) => (entry as PerformanceResourceTiming & { renderBlockingStatus: string }).renderBlockingStatus),
        )
        expect(blocking).toEqual(['blocking'])
        await isClean(page)
      }
      const logo = page.getByRole('img', { name: 'Étude Vauquelin' })
      await expect(logo).toBeVisible()
      expect(await logo.evaluate((image: HTMLImageElement) => [new URL(image.currentSrc).pathname, image.naturalWidth])).toEqual([
        scheme === 'dark' ? '/brands/etude-vauquelin/logo-dark' : '/brands/etude-vauquelin/logo',
        269,
      ])
    })
  })
}

test('another partner has his own; the product has its own', async ({ page }) => {
  await page.goto(at('orme.localhost', '/fr/authentication/login/'))
  await expect(page.getByRole('img', { name: 'Cabinet Orme' })).toBeVisible()
  expect(await colour(page, '--accent')).toBe('#1f4e8c')
  await isClean(page)
  await page.goto(address('/fr/authentication/login/'))
  await expect(page).toHaveTitle('Connexion – Probant')
  await expect(page.getByRole('link', { name: 'Probant', exact: true })).toBeVisible()
  expect(await colour(page, '--accent')).toBe('#0f5e63')
})

test('R-18 L-07 P-10 E-01: who registers by the door is the partner’s: mail, logo, no referral; his password is good by every name', async ({
  page,
}) => {
  const email = 'vauquelin@example.org'
  await page.setViewportSize({ width: 1400, height: 900 })
  await page.goto(address('/fr/old-authentication/registration/'))
  await expect(page.getByRole('link', { name: 'Lire les conditions du partenaire (Étude Vauquelin)' })).toHaveAttribute(
    'href',
    'https://etude-vauquelin.example/fr/conditions',
  )
  await page.getByLabel('Prénom', { exact: true }).fill('Zoë')
  await page.getByLabel('Nom', { exact: true }).fill('d’Artagnan')
  await page.getByLabel('Adresse e-mail').fill(email)
  await page.getByLabel('Mot de passe', { exact: true }).fill(password)
  await page.getByLabel('Mot de passe, une seconde fois').fill(password)
  await page.getByLabel('J’accepte les conditions d’utilisation').check()
  await page.getByRole('button', { name: 'Créer le compte' }).click()
  const mail = await mailTo(page, email, 1)
  expect(mail).toContain('Étude Vauquelin, avec Probant')
  await page.getByLabel('Code à six chiffres').fill(codeOf(mail))
  await page.getByRole('button', { name: 'Confirmer', exact: true }).click()
  await page.waitForURL('**/fr/evidences/pending/')
  const logo = page.getByRole('img', { name: 'Étude Vauquelin' })
  const referral = page.getByRole('button', { name: 'Copier mon lien de parrainage' })
  // The door's colours end with the door; the account's logo does not.
  await expect(logo).toBeVisible()
  await expect(page).toHaveTitle(/ – Probant$/)
  expect(await colour(page, '--accent')).toBe('#0f5e63')
  await expect(page.getByRole('button', { name: 'Zoë d’Artagnan' })).toBeVisible()
  await expect(referral).toHaveCount(0)
  await isClean(page)
  for (const [url, accent] of [
    [address('/fr/authentication/login/'), '#0f5e63'],
    [at('preuves.localhost', '/fr/authentication/login/'), '#772151'],
  ] as const) {
    await page.evaluate(() => sessionStorage.clear())
    await page.goto(url)
    await page.getByLabel('Adresse e-mail').fill(email)
    await page.getByLabel('Mot de passe', { exact: true }).fill(password)
    await page.getByRole('button', { name: 'Se connecter' }).click()
    await page.waitForURL('**/fr/evidences/pending/')
    await expect(page.getByRole('button', { name: 'Zoë d’Artagnan' })).toBeVisible()
    await expect(logo).toHaveCount(1)
    await expect(referral).toHaveCount(0)
    expect(await colour(page, '--accent')).toBe(accent)
  }
  await expect(page.getByRole('link', { name: 'Aide\u202F: preuves@etude-vauquelin.example' })).toBeVisible()
})

test('L-08 R-27: pages of signing in have the other language too, of the same page, its parameters and its query', async ({
  page,
}) => {
  await page.setViewportSize({ width: 360, height: 780 })
  await page.goto(address('/en/old-authentication/reset-password/an-id/a-token/?redirect=%2Fen%2Faccount%2F#here'))
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  const switcher = page.getByRole('navigation', { name: 'Language' })
  await expect(switcher.getByRole('link', { name: /^EN/ })).toHaveAttribute('aria-current', 'true')
  await switcher.getByRole('link', { name: /^FR/ }).click()
  await expect(page).toHaveURL(address('/fr/old-authentication/reset-password/an-id/a-token/?redirect=%2Fen%2Faccount%2F#here'))
  await expect(page.locator('html')).toHaveAttribute('lang', 'fr')
})

for (const locale of ['en', 'fr'])
  test(`at most 170 kB of script, gzipped, before one can sign in (${locale})`, async ({ page }) => {
    const scripts: Promise<Buffer>[] = []
    page.on('response', (response) => {
      if (new URL(response.url()).pathname.endsWith('.js')) scripts.push(response.body())
    })
    await page.goto(address(`/${locale}/authentication/login/`))
    await applicationStands(page)
    await page.waitForLoadState('networkidle')
    await expect(page.locator('input[type=password]')).toBeEditable()
    const total = (await Promise.all(scripts)).reduce((sum, body) => sum + gzipSync(body, { level: 9 }).length, 0)
    console.log(`script on the page of signing in, ${locale}: ${total} bytes gzipped, ${scripts.length} files`)
    expect(total).toBeGreaterThan(50_000)
    expect(total).toBeLessThanOrEqual(170_000)
  })

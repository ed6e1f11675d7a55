import { readFile } from 'node:fs/promises'
import { expect } from '@playwright/test'
import { address, applicationStands, isClean, keepPicture, test } from './fixtures/pages.ts'

const site = (): string => process.env['PROBANT_E2E_SITE'] ?? ''

test.describe('journey (a): from an address to a verified package', () => {
  for (const { locale, words } of [
    {
      locale: 'en',
      words: {
        field: 'Address of the page',
        capture: 'Capture this page',
        agree: 'Agree and get the report',
        full: 'Download the full package',
        ready: 'Your package is ready',
        verify: 'Verify it',
      },
    },
    {
      locale: 'fr',
      words: {
        field: 'Adresse de la page',
        capture: 'Capturer cette page',
        agree: 'Accepter et obtenir le rapport',
        full: 'Télécharger le dossier complet',
        ready: 'Votre dossier est prêt',
        verify: 'Le vérifier',
      },
    },
  ] as const) {
    test(`R-03 P-01 C-27 E-22 E-57 S-33 S-37 S-38 C-73 in ${locale}`, async ({ page }) => {
      await page.goto(address(`/${locale}/`))
      await page.getByLabel(words.field).fill(`${site()}/page`)
      await page.getByRole('button', { name: words.capture }).click()
      await page.waitForURL(`**/${locale}/capture/*/`)
      // S-32…S-37: the phases are there at once, and a reload finds them again.
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
      await page.reload()
      await expect(page.getByRole('button', { name: words.agree })).toBeVisible({ timeout: 120_000 })
      // The images are real, and the whole page is there.
      const image = page.locator('#content [role=group] img').first()
      await expect.poll(() => image.evaluate((element: HTMLImageElement) => element.naturalHeight)).toBeGreaterThan(3000)
      await page.getByRole('button', { name: words.agree }).click()
      await expect(page.getByRole('heading', { level: 1, name: words.ready })).toBeVisible({ timeout: 120_000 })
      const downloading = page.waitForEvent('download')
      await page.getByRole('button', { name: words.full }).click()
      const download = await downloading
      const bytes = await readFile(await download.path())
      expect(download.suggestedFilename()).toMatch(/\.zip$/)
      expect(bytes.subarray(0, 4).toString('latin1')).toBe('PK\x03\x04')
      // The page verifies it, from the file that was downloaded.
      await page.getByRole('link', { name: words.verify }).click()
      await page
        .locator('input[type=file]')
        .first()
        .setInputFiles({ name: 'package.zip', mimeType: 'application/zip', buffer: bytes })
      await expect(page.locator('[data-verdict="TOTAL-PASSED"][data-kind="package"]')).toBeVisible({ timeout: 60_000 })
      await isClean(page)
      // One byte of a piece is flipped: the verdict falls and the piece is named.
      const at = bytes.indexOf('Paragraph 7 of twenty-four')
      expect(at).toBeGreaterThan(0)
      const altered = Buffer.from(bytes)
      altered[at] = (altered[at] ?? 0) ^ 1
      await page
        .locator('input[type=file]')
        .first()
        .setInputFiles({ name: 'altered.zip', mimeType: 'application/zip', buffer: altered })
      await expect(page.locator('[data-verdict="TOTAL-FAILED"][data-kind="package"]')).toBeVisible({ timeout: 60_000 })
      await expect(page.locator('[data-piece="altered"]').first()).toBeVisible()
      await isClean(page)
    })
  }

  test('C-29 D-07 S-39: the report is shown as a preview before the decision; a rejected capture is gone, and its preview too', async ({
    page,
  }) => {
    await page.goto(address('/en/'))
    await page.getByLabel('Address of the page').fill(`${site()}/page`)
    await page.getByRole('button', { name: 'Capture this page' }).click()
    await page.getByRole('tab', { name: 'Report', exact: true }).click({ timeout: 120_000 })
    const link = page.getByRole('link', { name: /^Open the PDF/ })
    await expect(link).toBeVisible({ timeout: 120_000 })
    const pdf = (await link.getAttribute('href')) ?? ''
    const shown = await page.request.get(new URL(pdf, page.url()).href)
    expect((await shown.body()).subarray(0, 5).toString('latin1')).toBe('%PDF-')
    // The same on the page: its sections, and the original images in the places of their copies on paper.
    const report = page.getByRole('article')
    await expect(report.getByText('PREVIEW – not final', { exact: true }).first()).toBeVisible()
    const sections = await report.getByRole('navigation').getByRole('link').allTextContents()
    expect(sections.length).toBeGreaterThan(10)
    for (const section of sections)
      expect(await report.getByRole('heading', { name: section, exact: true }).count(), section).toBeGreaterThan(0)
    const pictures = report.getByRole('img')
    expect(await pictures.count()).toBeGreaterThan(2)
    for (const picture of await pictures.all()) {
      await picture.scrollIntoViewIfNeeded()
      // The rosette is an image itself.
      await expect(picture.or(picture.locator('img')).last()).toHaveJSProperty('complete', true)
      await expect(picture.or(picture.locator('img')).last()).toBeVisible()
    }
    await expect(report.getByText('Not shown here')).toHaveCount(0)
    await isClean(page)
    await keepPicture(page, 'report.png')
    const saving = page.waitForEvent('download')
    await page.getByRole('link', { name: /^Download \(/ }).click()
    expect((await saving).suggestedFilename()).toMatch(/^preview_[0-9a-f-]{36}_en\.pdf$/)
    await page.getByRole('button', { name: 'Reject', exact: true }).click()
    await page.getByRole('button', { name: 'Reject and delete' }).click()
    await expect(page.getByRole('heading', { level: 1, name: 'You rejected this capture' })).toBeVisible()
    expect((await page.request.get(new URL(pdf, page.url()).href)).status()).toBe(410)
    await page.reload()
    await expect(page.getByRole('heading', { level: 1, name: 'You rejected this capture' })).toBeVisible()
  })
})

test.describe('addresses that cannot be captured say why, and stay typed', () => {
  for (const [typed, en, fr] of [
    ['', 'Enter the address', 'Saisissez l’adresse'],
    ['not an address', 'not a web address', 'n’est pas une adresse web'],
    ['ftp://example.com/', 'http://', 'http://'],
    ['https://user:secret@example.com/', 'user name and password', 'mot de passe'],
    ['http://2130706433/', 'private network', 'réseau privé'],
  ] as const) {
    test(`V-24 V-25: “${typed}”`, async ({ page }) => {
      for (const [locale, words] of [
        ['en', en],
        ['fr', fr],
      ] as const) {
        await page.goto(address(`/${locale}/`))
        const field = page.getByRole('textbox').first()
        await field.fill(typed)
        await field.press('Enter')
        await expect(page.getByRole('alert').filter({ hasText: words })).toBeVisible()
        await expect(field).toBeFocused()
        await expect(field).toHaveValue(typed)
      }
    })
  }
})

test.describe('routes and languages', () => {
  test('R-25 K-24: the root leads to the browser’s language, then to the remembered one', async ({ browser }) => {
    const context = await browser.newContext({ locale: 'fr-CA' })
    const page = await context.newPage()
    await page.goto(address('/'))
    await expect(page).toHaveURL(address('/fr/'))
    // L-08, R-27: the switch keeps the page and its query.
    await page.goto(address('/fr/guide/?from=here'))
    await page.getByRole('link', { name: /^EN/ }).click()
    await expect(page).toHaveURL(address('/en/guide/?from=here'))
    await expect(page.getByRole('heading', { level: 1, name: 'User guide' })).toBeVisible()
    expect(await page.evaluate(() => document.documentElement.lang)).toBe('en')
    const cookie = (await context.cookies()).find(({ name }) => name === 'locale')
    expect(cookie?.value).toBe('en')
    // K-23: 365 days.
    expect(((cookie?.expires ?? 0) * 1000 - Date.now()) / 86_400_000).toBeGreaterThan(364)
    await page.goto(address('/'))
    await expect(page).toHaveURL(address('/en/'))
    await context.close()
  })

  test('R-02: the form without slash leads to the form with slash', async ({ page }) => {
    await page.goto(address('/en/guide?a=1'))
    await expect(page).toHaveURL(address('/en/guide/?a=1'))
  })

  test('R-26 L-16 X-01: an unmatched route is a 404 in words', async ({ page }) => {
    const answer = await page.goto(address('/en/nowhere/'))
    expect(answer?.status()).toBe(404)
    await expect(page.getByRole('heading', { level: 1, name: 'Oops... the page was not found!' })).toBeVisible()
    await expect(page.getByText('This page could not be found').last()).toBeVisible()
    await page.getByRole('link', { name: 'Go to the home page' }).click()
    await expect(page).toHaveURL(address('/en/'))
  })

  test('R-28: title and description follow the page, also without a reload', async ({ page }) => {
    await page.goto(address('/en/'))
    await expect(page).toHaveTitle('Evidence of a web page – Probant')
    await applicationStands(page)
    await page.getByRole('navigation', { name: 'Main menu' }).getByRole('link', { name: 'User guide' }).click()
    await expect(page).toHaveTitle('User guide – Probant')
    await expect(page.locator('meta[name=description]')).toHaveAttribute('content', /^How to capture a web page/)
    // The keyboard starts on the new page.
    await expect(page.locator('#content')).toBeFocused()
  })

  test('the skip link is the first stop and leads to the content', async ({ page }) => {
    await page.goto(address('/en/'))
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    await page.keyboard.press('Tab')
    await expect(page.getByRole('link', { name: 'Skip to content' })).toBeFocused()
    await page.keyboard.press('Enter')
    await expect(page.locator('#content')).toBeFocused()
  })
})

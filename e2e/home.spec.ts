/** What somebody who has no account yet can try: a real report, and a date for a file. */
import { createHash, randomUUID } from 'node:crypto'
import { expect } from '@playwright/test'
import { password, person, send } from './fixtures/accounts.ts'
import { address, heldId, holdEvidence, isClean, keepPicture, states, test } from './fixtures/pages.ts'

const words = {
  en: {
    open: 'Open the report (PDF)',
    verify: 'Verify it here',
    quality: 'Good',
    document: 'A document',
    enter: 'Sign in and have it dated',
    email: 'Email address',
    secret: 'Password',
    submit: 'Sign in',
    agree: 'Time-stamp 1 document',
    courts: 'What courts ask, and what the report answers',
    plain: 'Try http:// instead',
  },
  fr: {
    open: 'Ouvrir le rapport (PDF)',
    verify: 'Le vérifier ici',
    quality: 'Bonne',
    document: 'Un document',
    enter: 'Se connecter et la faire dater',
    email: 'Adresse e-mail',
    secret: 'Mot de passe',
    submit: 'Se connecter',
    agree: 'Horodater 1 document',
    courts: 'Ce que demandent les tribunaux, et ce que répond le rapport',
    plain: 'Essayer en http://',
  },
} as const

for (const [locale, width] of [
  ['fr', 360],
  ['en', 1280],
] as const)
  test.describe(`${locale}, ${width} px`, () => {
    test.use({ viewport: { width, height: 900 }, locale, contextOptions: { reducedMotion: 'reduce' } })

    test('an address that has no encryption is asked for without it only when its visitor says so', async ({ page }) => {
      const failed = { ...states.failed, failure: { code: 'tls_error', data: {} }, page_url: 'https://plain.example/terms' }
      await holdEvidence(page, failed)
      await page.goto(address(`/${locale}/capture/${heldId}/`))
      const link = page.getByRole('link', { name: words[locale].plain })
      await expect(link).toBeVisible()
      await isClean(page)
      await keepPicture(page, `plain-${locale}.png`)
      await link.click()
      await expect(page).toHaveURL(address(`/${locale}/?url=${encodeURIComponent('http://plain.example/terms')}`))
      await expect(page.getByRole('textbox').first()).toHaveValue('http://plain.example/terms')
    })

    test('P-02 P-04: a report that this installation made of its page in that language is opened, and verified on the spot', async ({
      page,
    }) => {
      const say = words[locale]
      // Made some seconds after the worker has started.
      await expect
        .poll(async () => (await page.request.get(address(`/sample/${locale}/facts.json`))).status(), { timeout: 150_000 })
        .toBe(200)
      // Its picture stands in the page as it is sent, as large as it is.
      const sent = await (await page.request.get(address(`/${locale}/sample/`))).text()
      expect(sent).toMatch(
        new RegExp(`<img (?=[^>]*src="/sample/${locale}/page\\.jpg")(?=[^>]*width="\\d{3,4}")[^>]*height="\\d+"`),
      )
      expect(sent).not.toContain('__SAMPLE')
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
      await expect(page.locator('[data-verdict="TOTAL-PASSED"]').first()).toBeVisible()
      await isClean(page)
      await keepPicture(page, `sample-verified-${locale}.png`)
    })

    test('E-32: before any account a file has its fingerprint, which waits for whoever signs in to have it dated', async ({
      page,
    }) => {
      const say = words[locale]
      const content = `a contract ${randomUUID()}`
      const sha256 = createHash('sha256').update(content).digest('hex')
      const somebody = await person(page, locale, `date-${randomUUID()}@example.org`)
      const sent: string[] = []
      page.on('request', (request) => {
        if (request.method() !== 'GET') sent.push(request.url())
      })
      await page.goto(address(`/${locale}/`))
      await expect(page.getByRole('heading', { name: say.courts })).toBeVisible()
      await isClean(page)
      await keepPicture(page, `home-${locale}.png`)
      await page.getByRole('link', { name: say.document, exact: true }).click()
      await page
        .getByRole('main')
        .locator('input[type=file]')
        .first()
        .setInputFiles([{ name: 'contrat d’œuvre.txt', mimeType: 'text/plain', buffer: Buffer.from(content) }])
      const groups = new RegExp((sha256.match(/.{8}/g) ?? []).join(String.raw`\s*`))
      await expect(page.getByText(groups)).toBeVisible()
      // It was computed here.
      expect(sent).toEqual([])
      await isClean(page)
      await keepPicture(page, `date-${locale}.png`)
      await page.getByRole('link', { name: say.enter }).click()
      await page.getByLabel(say.email).fill(somebody.email)
      await page.getByLabel(say.secret, { exact: true }).fill(password)
      await page.getByRole('button', { name: say.submit }).click()
      await expect(page).toHaveURL(new RegExp(`/${locale}/documents/pending/$`))
      await page.getByRole('button', { name: say.agree, exact: true }).click()
      await expect
        .poll(async () => {
          const { results } = await send(page, 'get', '/documents/', undefined, somebody)
          return (results as readonly { sha256: string }[]).map((each) => each.sha256)
        })
        .toEqual([sha256])
    })
  })

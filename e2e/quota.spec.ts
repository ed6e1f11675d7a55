import { expect, type Page } from '@playwright/test'
import { heldId, states } from './fixtures/evidence.ts'
import { address, holdEvidence, isClean, keepPicture, test } from './fixtures/pages.ts'

const words = {
  en: {
    field: 'Address of the page',
    capture: 'Capture this page',
    work: 'A short calculation first',
    cancel: 'Cancel',
    quota: 'You have reached the max preview quota.',
  },
  fr: {
    field: 'Adresse de la page',
    capture: 'Capturer cette page',
    work: 'D’abord un petit calcul',
    cancel: 'Annuler',
    quota: 'Vous avez atteint le nombre maximal d’aperçus.',
  },
} as const

/** A visitor from somewhere on the Internet, as the reverse proxy in front of the product tells of him. */
const from = (visitor: string) => ({ 'x-forwarded-for': visitor })

/** Three previews are over that this network asked for: of a host that has no address, so that nothing takes long. */
async function spendFree(visitor: string): Promise<void> {
  for (let i = 0; i < 3; i += 1) {
    const made = await fetch(address('/evidences/'), {
      method: 'POST',
      headers: { ...from(visitor), 'content-type': 'application/json' },
      body: JSON.stringify({ url: 'https://nobody.invalid/', action: 'static', locale: 'en' }),
    })
    const { evidence, evidence_token: token } = (await made.json()) as { evidence: { id: string }; evidence_token: string }
    await expect
      .poll(
        async () => {
          const read = await fetch(address(`/evidences/${evidence.id}/`), { headers: { 'x-evidence-token': token } })
          return ((await read.json()) as { status: string }).status
        },
        { timeout: 60_000 },
      )
      .toBe('failed')
  }
}

async function askFor(page: Page, locale: 'en' | 'fr'): Promise<void> {
  await page.goto(address(`/${locale}/`))
  await page.getByLabel(words[locale].field).fill(`${process.env['PROBANT_E2E_SITE'] ?? ''}/page`)
  await page.getByRole('button', { name: words[locale].capture }).click()
}

test('H-34 the fourth preview of a day is worked for by the page, can be given up, and goes through', async ({
  page,
  context,
}) => {
  const visitor = '203.0.113.9'
  await spendFree(visitor)
  await context.setExtraHTTPHeaders(from(visitor))
  // Meanwhile the calculation is held: a quick machine would be done before anybody looks.
  const go = Promise.withResolvers<void>()
  await page.route('**/work.worker-*.js', async (route) => {
    await go.promise
    // Of the one that was given up nobody waits any more.
    await route.continue().catch(() => undefined)
  })
  await askFor(page, 'en')
  const dialog = page.getByRole('dialog', { name: words.en.work })
  await expect(dialog).toBeVisible()
  await expect(dialog.getByRole('progressbar')).toBeVisible()
  await isClean(page)
  await dialog.getByRole('button', { name: words.en.cancel }).click()
  await expect(dialog).toBeHidden()
  // What was typed is there, and nobody is told of a fault.
  await expect(page.getByLabel(words.en.field)).toHaveValue(/\/page$/)
  await expect(page.getByRole('alert').filter({ hasText: /./ })).toHaveCount(0)
  go.resolve()
  await page.getByRole('button', { name: words.en.capture }).click()
  await page.waitForURL('**/en/capture/*/', { timeout: 120_000 })
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
})

test('H-34 a retry is worked for over the question whether it is wanted, and given up with it', async ({ page }) => {
  await holdEvidence(page, states.to_validate)
  const data = { challenge: 'nobody gave it', parts: 32, hashes: 4_000_000, reason: 'none' }
  await page.route(`**/evidences/${heldId}/retry/*`, (route) =>
    route.fulfill({
      status: 429,
      json: { code: 'evidence.work_required', data, message: 'x', fields: {}, request_id: 'x' },
    }),
  )
  await page.goto(address(`/en/capture/${heldId}/`))
  const again = page.getByRole('button', { name: 'Capture again', exact: true }).first()
  await again.click()
  await page.getByRole('dialog').getByRole('button', { name: 'Capture again', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: words.en.work })
  await dialog.getByRole('button', { name: words.en.cancel }).click()
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await expect(again).toBeEnabled()
})

for (const locale of ['en', 'fr'] as const) {
  test(`X-09 what is said fits the page, in ${locale} at 360 and 1280 px`, async ({ page }) => {
    const widths = [360, 1280] as const
    const at = async (width: number) => await page.setViewportSize({ width, height: 800 })
    await at(360)
    let answer: { code: string; data: object } = {
      code: 'evidence.work_required',
      data: { challenge: 'nobody gave it', parts: 32, hashes: 4_000_000, reason: 'none' },
    }
    await page.route('**/evidences/', (route) =>
      route.fulfill({
        status: 429,
        json: {
          ...answer,
          message: answer.code === 'evidence.preview_quota' ? words[locale].quota : answer.code,
          fields: {},
          request_id: 'x',
        },
      }),
    )
    await askFor(page, locale)
    const dialog = page.getByRole('dialog', { name: words[locale].work })
    await expect(dialog).toBeVisible()
    await keepPicture(page, `work-${locale}-360.png`)
    await dialog.getByRole('button', { name: words[locale].cancel }).click()
    answer = { code: 'evidence.preview_quota', data: { seconds: 3600 } }
    await page.getByRole('button', { name: words[locale].capture }).click()
    for (const width of widths) {
      await at(width)
      await expect(page.getByRole('alert').filter({ hasText: words[locale].quota })).toBeVisible()
      await keepPicture(page, `quota-${locale}-${width}.png`)
      const overflow = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)
      expect(overflow).toBe(0)
    }
  })
}

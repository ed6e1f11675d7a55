/** What everybody sees: home, guide, verifier, lists, log and keys. */
import { expect, type Page } from '@playwright/test'
import { proof } from '../testing/proof-vectors/anchored-file.ts'
import { findViolations } from './fixtures/find-violations.ts'
import { address, answerOptions, isClean, test } from './fixtures/pages.ts'
import { lookAt } from './fixtures/scenes.ts'

// One window for all scenes of a language: what a scene leaves in it is forgotten before the next (scenes.ts).
test.use({ reuseContext: true })

const openOptions = async (page: Page) => {
  await page.getByText('Options', { exact: true }).click()
  await expect(page.getByRole('combobox')).toHaveCount(4)
}

lookAt([
  { name: 'home', path: '/' },
  { name: 'guide', path: '/guide/' },
  { name: 'proofs', path: '/proofs/' },
  {
    name: 'proofs, a form with its faults',
    path: '/proofs/?kind=nano',
    act: async (page) => page.locator('form button[type=submit]').click(),
  },
  {
    name: 'proofs, a proof with its altered file',
    path: '/proofs/',
    act: async (page) => {
      await page
        .locator('input[type=file]')
        .first()
        .setInputFiles([
          { name: 'hello.txt.ots', mimeType: 'application/octet-stream', buffer: Buffer.from(proof) },
          { name: 'hello.txt', mimeType: 'text/plain', buffer: Buffer.from('altered') },
        ])
      await expect(page.locator('[data-verdict="TOTAL-FAILED"]').first()).toBeVisible()
    },
  },
  {
    name: 'trusted lists',
    path: '/trusted-lists/',
    act: async (page) => await expect(page.getByRole('heading', { level: 3 }).first()).toBeVisible(),
  },
  { name: 'log', path: '/log/' },
  {
    name: 'status',
    path: '/status/',
    act: async (page) => await expect(page.locator('dd[data-state=works]').first()).toBeVisible(),
  },
  {
    name: 'keys',
    path: '/keys/',
    act: async (page) => await expect(page.getByRole('heading', { level: 3 }).first()).toBeVisible(),
  },
  { name: 'support', path: '/support/' },
  {
    name: 'support, a form with its faults',
    path: '/support/',
    act: async (page) => {
      await page.locator('form button[type=submit]').click()
      await expect(page.locator('[aria-invalid=true]')).toHaveCount(4)
    },
  },
  { name: 'newsletter, where there is none', path: '/support/newsletter/' },
  ...['terms', 'privacy', 'notices', 'cookies', 'withdrawal'].map((page) => ({
    name: `legal: ${page}`,
    path: `/legal/${page}/`,
    act: async (shown: Page) => await expect(shown.getByRole('heading', { level: 2 }).first()).toBeVisible(),
  })),
  { name: 'not found', path: '/nowhere/' },
  {
    name: 'options and their dialog',
    path: '/',
    prepare: answerOptions,
    act: async (page) => {
      await openOptions(page)
      await isClean(page)
      await page.getByRole('switch').click()
      await expect(page.getByRole('dialog').getByRole('listitem')).toHaveCount(3)
    },
  },
  {
    name: 'help dialog',
    path: '/',
    act: async (page) => {
      await page.getByRole('button', { name: /^(Help|Aide)$/ }).click()
      await expect(page.getByRole('dialog').getByRole('listitem').first()).toBeVisible()
    },
  },
])

for (const locale of ['en', 'fr'] as const)
  test.describe(`${locale}, 360 px`, () => {
    test.use({
      viewport: { width: 360, height: 780 },
      colorScheme: locale === 'en' ? 'light' : 'dark',
      locale,
      contextOptions: { reducedMotion: 'reduce' },
    })
    test('drawer', async ({ page }) => {
      await page.goto(address(`/${locale}/`))
      await page.getByRole('button', { name: /^(Open the menu|Ouvrir le menu)$/ }).click()
      await expect(page.getByRole('dialog').getByRole('link').first()).toBeVisible()
      await isClean(page)
    })
  })

test('what axe finds is told by its rule and its place, once more where the page changed, and no frame is passed over', async ({
  page,
}) => {
  const of = (body: string) =>
    page.setContent(`<!doctype html><html lang="en"><title>A page</title><main><h1>A page</h1>${body}</main></html>`)
  await of('<p>It is in order.</p><button></button>')
  expect(await findViolations(page)).toEqual([{ id: 'button-name', at: ['<button></button>'] }])
  await page.evaluate(() => (document.querySelector('button') as HTMLElement).append('Send'))
  expect(await findViolations(page)).toEqual([])
  await page.evaluate(() => (document.querySelector('p') as HTMLElement).style.setProperty('color', '#ddd'))
  expect((await findViolations(page)).map(({ id }) => id)).toEqual(['color-contrast'])
  expect(await findViolations(page, { part: 'button' })).toEqual([])
  expect((await findViolations(page, { tags: ['wcag2a'] })).map(({ id }) => id)).toEqual([])
  await of('<iframe title="Another" srcdoc="<button></button>"></iframe>')
  await expect(findViolations(page)).rejects.toThrow('what a frame shows is not looked at')
  expect(await findViolations(page, { except: 'iframe' })).toEqual([])
})

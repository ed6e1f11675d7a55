/** What the policy of pages refuses, and that no page of ours asks for it: `test` fails when a page logs a violation. */
import { expect, type Page } from '@playwright/test'
import { pageRoutes } from '../apps/web/page-routes.ts'
import { person } from './fixtures/accounts.ts'
import { address, heldId, test } from './fixtures/pages.ts'

/** Statements of a page that was taken over. */
const tries = {
  'HTML from text': `document.createElement('p').innerHTML = '<img src=x onerror="window.ran=1">'`,
  'HTML after an element': `document.body.insertAdjacentHTML('beforeend', '<b>x</b>')`,
  'a document from text': `new DOMParser().parseFromString('<b>x</b>', 'text/html')`,
  'a fragment from text': `document.createRange().createContextualFragment('<b>x</b>')`,
  'a frame from text': `document.createElement('iframe').srcdoc = '<b>x</b>'`,
  'a script from text': `document.createElement('script').textContent = 'window.ran=1'`,
  'a script from elsewhere': `document.createElement('script').src = 'https://evil.example/x.js'`,
  'a script of a blob': `document.createElement('script').src = URL.createObjectURL(new Blob(['window.ran=1']))`,
  'a handler from text': `document.body.setAttribute('onclick', 'window.ran=1')`,
  'a worker of data': `new Worker('data:text/javascript,1')`,
  'a worker of this site that was not built': `new Worker('/files/x.js')`,
  'a policy of its own': `trustedTypes.createPolicy('mine', { createHTML: (x) => x })`,
  'another default policy': `trustedTypes.createPolicy('default', { createHTML: (x) => x })`,
} as const

test.describe('what is made of text', () => {
  test.use({ expected: /Trusted|Content Security Policy/ })

  test('ASVS 1.3.2 3.2.2 3.4.3 the browser takes no text for HTML or script, and no script but built ones', async ({ page }) => {
    await page.goto(address('/en/guide/'))
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    const outcomes: Record<string, unknown> = {}
    for (const [name, statement] of Object.entries(tries))
      outcomes[name] = await page.evaluate(`(() => { try { ${statement} } catch { return 'refused' } return 'taken' })()`)
    expect(outcomes).toEqual(Object.fromEntries(Object.keys(tries).map((name) => [name, 'refused'])))
    expect(await page.evaluate(() => 'ran' in window)).toBe(false)
  })
})

/** Each page as it is without anything in it; those that are gone through elsewhere have their journeys. */
async function walk(page: Page, locale: string, wanted: (guard: string) => boolean): Promise<number> {
  let seen = 0
  for (const route of pageRoutes) {
    // The second entry to signing in leads to the same pages.
    if (route.pattern.startsWith('/old-') || !wanted('guard' in route ? route.guard : 'open')) continue
    await page.goto(address(`/${locale}${route.pattern.replaceAll(':id', heldId).replaceAll(/:\w+/g, 'x')}`))
    await expect(page.locator('main')).not.toBeEmpty()
    await expect(page.getByRole('heading').first()).toBeVisible()
    seen += 1
  }
  return seen
}

test('no page asks the browser for what the policy refuses, signed out', async ({ page }) => {
  expect(await walk(page, 'fr', (guard) => guard === 'open' || guard === 'guest')).toBeGreaterThan(15)
})

test('no page asks the browser for what the policy refuses, signed in', async ({ page }) => {
  const who = await person(page, 'en', 'policy@example.org')
  await page.addInitScript(
    ([token, userId]) => sessionStorage.setItem('probant.session', JSON.stringify({ token, userId, brand: null })),
    [who.token, who.id] as const,
  )
  expect(await walk(page, 'en', (guard) => guard === 'user')).toBeGreaterThan(8)
})

/** What the policy of pages refuses, and that no page of ours asks for it: `test` fails when a page logs a violation. */
import { expect, type Page } from '@playwright/test'
import { announcedPages, pageRoutes } from '../apps/web/page-routes.ts'
import { person } from './fixtures/accounts.ts'
import { address, applicationStands, heldId, sentPageIsGone, test } from './fixtures/pages.ts'

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
    await applicationStands(page)
    const outcomes: Record<string, unknown> = {}
    for (const [name, statement] of Object.entries(tries))
      outcomes[name] = await page.evaluate(`(() => { try { ${statement} } catch { return 'refused' } return 'taken' })()`)
    expect(outcomes).toEqual(Object.fromEntries(Object.keys(tries).map((name) => [name, 'refused'])))
    expect(await page.evaluate(() => 'ran' in window)).toBe(false)
  })
})

/**
 * Each page as it is without anything in it; those that are gone through elsewhere have their journeys. Those that the server announces, to
 * which those of staff do not belong, fit a telephone; what staff is shown is measured with what is in it, in accessibility-accounts.spec.ts.
 */
async function walk(page: Page, wanted: (guard: string) => boolean): Promise<number> {
  const announced = new Set(announcedPages(false).map(({ pattern }) => pattern))
  let seen = 0
  for (const route of pageRoutes) {
    const { pattern } = route
    // The second entry to signing in leads to the same pages.
    if (pattern.startsWith('/old-') || !wanted('guard' in route ? route.guard : 'open')) continue
    await page.goto(address(`/fr${pattern.replaceAll(':id', heldId).replaceAll(/:\w+/g, 'x')}`))
    await expect(page.locator('main')).not.toBeEmpty()
    await expect(page.getByRole('heading').first()).toBeVisible()
    await sentPageIsGone(page)
    seen += 1
    if (!announced.has(pattern)) continue
    await expect(page.getByRole('heading', { level: 1 }), pattern).toBeVisible()
    expect(await page.evaluate(() => document.documentElement.scrollWidth), pattern).toBeLessThanOrEqual(360)
    const way = page.getByRole('button', { name: 'Ouvrir le menu' }).or(page.getByRole('link', { name: /^EN/ }))
    await expect(way.first(), pattern).toBeInViewport()
  }
  return seen
}

test.describe('in French, 360 px', () => {
  test.use({ viewport: { width: 360, height: 800 }, locale: 'fr', contextOptions: { reducedMotion: 'reduce' } })

  test('L-20: signed out, no page asks the browser for what the policy refuses; each has its heading and its ways on within the screen', async ({
    page,
  }) => {
    expect(await walk(page, (guard) => guard === 'open' || guard === 'guest')).toBeGreaterThan(15)
  })

  test('L-20: signed in, no page asks the browser for what the policy refuses; each has its heading and its ways on within the screen', async ({
    page,
  }) => {
    const who = await person(page, 'fr', 'policy@example.org')
    await page.addInitScript(
      ([token, userId]) => sessionStorage.setItem('probant.session', JSON.stringify({ token, userId, brand: null })),
      [who.token, who.id] as const,
    )
    expect(await walk(page, (guard) => guard === 'user')).toBeGreaterThan(8)
  })
})

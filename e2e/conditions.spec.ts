/** What visitors bring with them: a narrow screen and large text, long names and names from the right, a store that is refused. */
import { expect, type Page } from '@playwright/test'
import { pageRoutes, type PageRoute } from '../apps/web/page-routes.ts'
import { proof } from '../testing/proof-vectors/anchored-file.ts'
import { enter, password, person } from './fixtures/accounts.ts'
import { heldToken } from './fixtures/evidence.ts'
import { heldDeposit, heldShare, holdDocuments } from './fixtures/documents.ts'
import { heldInvoice, holdMoney, test } from './fixtures/money.ts'
import { address, heldId, holdEvidence, isClean, keepPicture, standingOut, states } from './fixtures/pages.ts'
import { heldUser, holdReview } from './fixtures/review.ts'
import { administrator } from './fixtures/staff.ts'

/** 200 characters without a blank, and as many that are read from the right. */
const long = 'Wolfeschlegelsteinhausenbergerdorff'.repeat(6).slice(0, 200)
const fromTheRight = 'مؤسسة‌الأدلة‌القضائية'.repeat(10).slice(0, 200)

/** Whatever the API calls by a name is called so. */
async function rename(page: Page): Promise<void> {
  await page.addInitScript(
    ([name, other]) => {
      const renamed: Readonly<Record<string, string>> = {
        first_name: other ?? '',
        last_name: name ?? '',
        name: name ?? '',
        company_name: other ?? '',
        label: name ?? '',
        document_name: name ?? '',
        description: other ?? '',
        owner_name: other ?? '',
        page_title: other ?? '',
      }
      const asked = window.fetch
      window.fetch = async (...of) => {
        const answer = await asked(...of)
        if (!(answer.headers.get('content-type') ?? '').startsWith('application/json')) return answer
        const text = await answer.text()
        const body = JSON.stringify(JSON.parse(text), (key, value: unknown) =>
          typeof value === 'string' && value !== '' ? (renamed[key] ?? value) : value,
        )
        return new Response(body, { status: answer.status, statusText: answer.statusText, headers: answer.headers })
      }
    },
    [long, fromTheRight],
  )
}

/** Texts that stand out of the screen where nothing can be scrolled to them, and those that are cut without a sign. */
async function cutTexts(page: Page): Promise<string[]> {
  return await page.evaluate(() => {
    const found = new Set<string>()
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
    while (walker.nextNode()) {
      const node = walker.currentNode
      const text = node.textContent?.trim() ?? ''
      const parent = node.parentElement
      if (text === '' || parent === null || !parent.checkVisibility({ visibilityProperty: true, opacityProperty: true })) continue
      const range = document.createRange()
      range.selectNodeContents(node)
      const box = range.getBoundingClientRect()
      if (box.width === 0 || box.height === 0) continue
      for (let each: Element | null = parent; each !== null; each = each.parentElement) {
        const style = getComputedStyle(each)
        if (style.position === 'fixed' || style.clipPath !== 'none') break
        if (/auto|scroll/.test(style.overflowX)) break
        if (style.overflowX === 'visible' && each !== document.body) continue
        const edge = each.getBoundingClientRect()
        if (edge.width < 2) break
        const isSaid = style.textOverflow === 'ellipsis' || style.webkitLineClamp !== 'none'
        if (!isSaid && (box.right > edge.right + 1 || box.left < edge.left - 1))
          found.add(`${each.outerHTML.slice(0, 120)} … ${text.slice(0, 60)}`)
        if (style.overflowX !== 'visible') break
      }
    }
    return [...found]
  })
}

type Visit = { readonly path: string; readonly prepare?: (page: Page) => Promise<void> }
const money = async (page: Page) => await holdMoney(page, {})
const review = async (page: Page) => await holdReview(page, { roles: ['administrator'] })

/** Pages about one thing, and lists that are to have something in them. */
const held: Readonly<Record<string, Visit>> = {
  '/capture/:id/': { path: `/capture/${heldId}/`, prepare: async (page) => await holdEvidence(page, states.final) },
  '/documents/deposit/:id/': { path: `/documents/deposit/${heldDeposit}/`, prepare: holdDocuments },
  '/documents/pending/': { path: '/documents/pending/', prepare: holdDocuments },
  '/documents/completed/': { path: '/documents/completed/', prepare: holdDocuments },
  '/evidences/pending/': { path: '/evidences/pending/', prepare: async (page) => await holdEvidence(page, states.to_validate) },
  '/evidences/completed/': { path: '/evidences/completed/', prepare: async (page) => await holdEvidence(page, states.final) },
  '/shared/:token/': { path: `/shared/${heldShare}/`, prepare: holdDocuments },
  '/account/invoice/:id/': { path: `/account/invoice/${heldInvoice}/`, prepare: money },
  '/account/invoice/': { path: '/account/invoice/', prepare: money },
  '/account/subscription/': { path: '/account/subscription/', prepare: money },
  '/account/payment-methods/': { path: '/account/payment-methods/', prepare: money },
  '/admin/users/:id/': { path: `/admin/users/${heldUser}/`, prepare: review },
  '/admin/users/': { path: '/admin/users/', prepare: review },
}

/** Every page that can be come to by its address; of the two doors of signing in, one. */
const visits = pageRoutes
  .map(({ pattern, guard }: PageRoute) => ({
    ...(held[pattern] ?? { path: pattern }),
    signedIn: guard !== undefined && !/^(?:open|guest)$/.test(guard),
  }))
  .filter(({ path }) => !path.includes(':') && !path.startsWith('/old-authentication/'))

test.describe('in French, 320 px', () => {
  test.use({ viewport: { width: 320, height: 640 }, locale: 'fr', contextOptions: { reducedMotion: 'reduce' } })

  for (const half of [0, 1])
    test(`no page scrolls sideways or cuts a text, with names of 200 characters, and with text of twice the size (${String(half + 1)} of 2)`, async ({
      page,
      paid,
    }) => {
      test.setTimeout(360_000)
      const boss = await administrator(page, 'fr', `conditions-${String(half)}@example.org`, paid.dataFolder)
      const found: string[] = []
      const open = async ({ prepare, signedIn }: Omit<(typeof visits)[number], 'path'>) => {
        const opened = await page.context().newPage()
        await rename(opened)
        await prepare?.(opened)
        // Whatever a page asks beside what is held is asked of the real server, by somebody whom it knows.
        if (signedIn) await enter(opened, boss)
        return opened
      }
      // Pages for which nothing is held follow each other in two windows: these have compiled by then what pages share.
      const [guest, own] = [await open({ signedIn: false }), await open({ signedIn: true })]
      for (const visit of visits.filter((_, n) => n % 2 === half)) {
        const { path, prepare, signedIn } = visit
        const shown = prepare !== undefined ? await open(visit) : signedIn ? own : guest
        await shown.goto(address(`/fr${path}`))
        await expect(shown.locator('h1').first(), path).toBeVisible()
        await expect(shown.getByText('Chargement…')).toHaveCount(0)
        await shown.waitForLoadState('networkidle')
        if (signedIn) await expect(shown.getByRole('link', { name: 'Se connecter' }), path).toHaveCount(0)
        for (const size of ['100%', '200%']) {
          await shown.evaluate((given) => document.documentElement.style.setProperty('font-size', given), size)
          const out = [...(await standingOut(shown)), ...(await cutTexts(shown))]
          found.push(...out.map((each) => `${path} at ${size}: ${each}`))
          await keepPicture(shown, `${path.replaceAll('/', '_')}${size.slice(0, 3)}.png`)
        }
        if (prepare !== undefined) await shown.close()
      }
      expect(found).toEqual([])
    })
})

/** What a browser says that keeps nothing, or has no room left. */
const stores = {
  async refused(page: Page) {
    await page.addInitScript(() => {
      const refuse = () => {
        throw new DOMException('Access is denied for this document.', 'SecurityError')
      }
      for (const name of ['localStorage', 'sessionStorage', 'indexedDB', 'caches'])
        Object.defineProperty(window, name, { get: refuse, configurable: true })
      Object.defineProperty(Document.prototype, 'cookie', { get: () => '', set() {}, configurable: true })
    })
  },
  async full(page: Page) {
    await page.addInitScript(() => {
      const refuse = () => {
        throw new DOMException('The quota has been exceeded.', 'QuotaExceededError')
      }
      Storage.prototype.setItem = refuse
      IDBObjectStore.prototype.put = refuse
      IDBObjectStore.prototype.add = refuse
    })
  },
} as const

for (const [store, prepare] of Object.entries(stores))
  test.describe(`a store that is ${store}, in French, 360 px`, () => {
    test.use({ viewport: { width: 360, height: 780 }, locale: 'fr', contextOptions: { reducedMotion: 'reduce' } })

    test('what is asked for is followed by the page, which says so; one signs in, a file has its fingerprint, a proof is verified', async ({
      page,
    }) => {
      const who = await person(page, 'fr', `store-${store}@example.org`)
      await prepare(page)
      await page.route(
        (url) => url.pathname === '/evidences/',
        (route) => route.fulfill({ json: { evidence: states.queued, evidence_token: heldToken } }),
      )
      await page.route(`**/evidences/${heldId}/`, (route) => route.fulfill({ json: states.queued }))
      await page.route(`**/evidences/${heldId}/events/`, () => undefined)
      await page.goto(address('/fr/'))
      await page.getByLabel('Adresse de la page').fill('https://example.com/')
      await page.getByRole('button', { name: 'Capturer cette page' }).click()
      await page.waitForURL(`**/fr/capture/${heldId}/`)
      await expect(page.getByText(/^Ce navigateur ne conserve rien/)).toBeVisible()
      await isClean(page)
      await keepPicture(page, 'capture.png')

      await page.goto(address('/fr/proofs/'))
      const given = [
        { name: 'hello.txt.ots', mimeType: 'application/octet-stream', buffer: Buffer.from(proof) },
        { name: 'hello.txt', mimeType: 'text/plain', buffer: Buffer.from('altered') },
      ]
      await page.locator('input[type=file]').first().setInputFiles(given)
      await expect(page.locator('[data-verdict="TOTAL-FAILED"]').first()).toBeVisible()

      await page.goto(address('/fr/date/'))
      await page.locator('main input[type=file]').first().setInputFiles(given.slice(1))
      await expect(page.getByText(/4aa00915/).first()).toBeVisible()

      await page.goto(address('/fr/authentication/login/'))
      await page.getByLabel('Adresse e-mail').fill(who.email)
      await page.getByLabel('Mot de passe', { exact: true }).fill(password)
      await page.getByRole('button', { name: 'Se connecter' }).click()
      await page.waitForURL('**/fr/evidences/**')
      await expect(page.getByRole('button', { name: /Zoë d’Artagnan/ })).toBeVisible()
    })
  })

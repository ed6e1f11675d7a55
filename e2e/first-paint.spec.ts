/** Public pages before any script has come, without any, and at the moment at which it takes over. */
import { readFileSync } from 'node:fs'
import { gzipSync } from 'node:zlib'
import { expect, type Page, type Request } from '@playwright/test'
import { address, applicationStands, isClean, keepPicture, test } from './fixtures/pages.ts'

const words = {
  en: {
    heading: 'Prove what a web page shows.',
    field: 'Address of the page',
    capture: 'Capture this page',
    verify: 'A proof',
    empty: 'Enter the address',
    script: 'This site needs JavaScript to capture and to verify. What stands here can be read without it.',
  },
  fr: {
    heading: 'Prouvez ce que montre une page web.',
    field: 'Adresse de la page',
    capture: 'Capturer cette page',
    verify: 'Une preuve',
    empty: 'Saisissez l’adresse',
    script: 'Ce site a besoin de JavaScript pour capturer et pour vérifier. Ce qui est écrit ici se lit sans lui.',
  },
} as const

/** Those of an installation where nothing is paid for; of each, that it says something only when it was drawn. */
const pages = [
  '/',
  '/proofs/',
  '/guide/',
  '/sample/',
  '/date/',
  '/support/',
  '/log/',
  '/keys/',
  '/trusted-lists/',
  '/status/',
  '/authentication/login/',
].concat(['terms', 'privacy', 'notices', 'cookies', 'withdrawal'].map((name) => `/legal/${name}/`))

/** Where everything that can be read stands, to the hundredth of a pixel. */
const places = async (page: Page) =>
  await page.locator('#root :is(h1, h2, h3, p, li, dt, dd, label, input, a, button, summary)').evaluateAll((elements) =>
    elements
      .map((element) => ({ text: element.textContent, box: element.getBoundingClientRect() }))
      .filter(({ box }) => box.width > 0)
      .map(({ text, box }) => `${text}: ${[box.x, box.y, box.width, box.height].map((each) => each.toFixed(2)).join(' ')}`),
  )

/** The application's first script waits, of the page that is opened next. @returns lets it come */
async function holdApplication(page: Page): Promise<() => void> {
  const { promise: released, resolve } = Promise.withResolvers<void>()
  const scripts = /\/assets\/index-[^/]*\.js$/
  await page.unroute(scripts)
  await page.route(scripts, async (route) => {
    await released
    await route.continue()
  })
  return resolve
}

for (const [locale, width] of [
  ['en', 360],
  ['fr', 1280],
] as const)
  test.describe(`${locale}, ${width} px`, () => {
    test.use({ viewport: { width, height: 900 }, locale, contextOptions: { reducedMotion: 'reduce' } })

    test.describe('JavaScript blocked', () => {
      test.use({ javaScriptEnabled: false })

      test('R-03 P-04: the home page can be read, leads on, and says what it cannot do', async ({ page }) => {
        const say = words[locale]
        const errors: string[] = []
        page.on('console', (message) => errors.push(message.text()))
        await page.goto(address(`/${locale}/`))
        await expect(page.getByRole('heading', { level: 1, name: say.heading })).toBeVisible()
        await expect(page.locator('.no-script')).toBeVisible()
        await expect(page.locator('.no-script')).toHaveText(say.script)
        // Nothing is offered that nobody would answer.
        await expect(page.locator('button:not([inert]), details:not([inert])')).toHaveCount(0)
        await expect(page.locator('button[inert]').first()).toBeAttached()
        await expect(page.getByRole('link', { name: say.verify, exact: true })).toHaveAttribute('href', `/${locale}/proofs/`)
        await keepPicture(page, `without-script-${locale}.png`)
        await page.getByLabel(say.field).fill('example.org/a?b=c')
        await page.getByLabel(say.field).press('Enter')
        // What was typed leads nowhere, a password least of all.
        await page.goto(address(`/${locale}/authentication/login/`))
        await page.locator('input[name=password]').fill('Secret-pass1')
        await page.locator('input[name=password]').press('Enter')
        await expect(page.locator('input[name=password]')).toHaveValue('Secret-pass1')
        await expect(page).toHaveURL(address(`/${locale}/authentication/login/`))
        for (const path of pages) {
          await page.goto(address(`/${locale}${path}`))
          await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
          expect(await page.locator('#root').textContent(), path).not.toMatch(/\{\{|__[A-Z]/)
        }
        // What the law wants to be read is there whole.
        await expect(page.getByRole('heading', { level: 2 }).nth(1)).toBeVisible()
        expect(errors).toEqual([])
      })
    })

    test('the page is there before its script; what is typed meanwhile stays, and nothing moves', async ({ page }) => {
      const say = words[locale]
      const release = await holdApplication(page)
      // Painted with the faces of the machine, now as then: others come once the application is there.
      await page.route('**/*.woff2', (route) => route.abort())
      await page.goto(address(`/${locale}/`), { waitUntil: 'commit' })
      const field = page.getByLabel(say.field)
      await field.click()
      await field.pressSequentially('exemple.fr/page')
      for (let i = 0; i < 4; i += 1) await field.press('ArrowLeft')
      await expect(page.locator('button:not([inert])')).toHaveCount(0)
      const before = await places(page)
      await keepPicture(page, `before-script-${locale}.png`)
      release()
      await expect(page.locator('button:not([inert])').filter({ hasText: say.capture })).toBeVisible()
      await expect(field).toHaveValue('exemple.fr/page')
      await expect(field).toBeFocused()
      expect(await places(page)).toEqual(before)
      // The cursor is where it was.
      await page.keyboard.type('la-')
      await expect(field).toHaveValue('exemple.fr/la-page')
      await isClean(page)
    })

    test('what is typed and ticked while signing in is on its way stays', async ({ page }) => {
      const release = await holdApplication(page)
      await page.goto(address(`/${locale}/authentication/login/`), { waitUntil: 'commit' })
      await page.locator('input[name=email]').fill('zoe@example.org')
      await page.locator('input[name=remember_me]').check()
      await page.locator('input[name=password]').pressSequentially('Secret')
      release()
      await expect(page.locator('button[type=submit]:not([inert])')).toBeVisible()
      await expect(page.locator('input[name=email]')).toHaveValue('zoe@example.org')
      await expect(page.locator('input[name=remember_me]')).toBeChecked()
      await expect(page.locator('input[name=password]')).toBeFocused()
      await page.keyboard.type('-pass1')
      await expect(page.locator('input[name=password]')).toHaveValue('Secret-pass1')
    })

    test('a file that is chosen before the script has come is verified, and one to be dated has its fingerprint', async ({
      page,
    }) => {
      const release = await holdApplication(page)
      const file = { name: 'contrat.txt', mimeType: 'text/plain', buffer: Buffer.from('abc') }
      await page.goto(address(`/${locale}/proofs/`), { waitUntil: 'commit' })
      await page.locator('input[type=file]').first().setInputFiles(file)
      release()
      await expect(page.getByRole('main').getByText('contrat.txt').first()).toBeVisible()
      // The dialog was opened before, the choice is made after.
      const releaseAgain = await holdApplication(page)
      await page.goto(address(`/${locale}/date/`), { waitUntil: 'commit' })
      const before = await page.waitForSelector('input[type=file]', { state: 'attached' })
      releaseAgain()
      await page.waitForFunction((field) => !(field as Node).isConnected, before)
      await before.evaluate((field) => {
        const chosen = new DataTransfer()
        chosen.items.add(new File(['abc'], 'contrat.txt'))
        ;(field as HTMLInputElement).files = chosen.files
        field.dispatchEvent(new Event('change', { bubbles: true }))
      })
      // FIPS 180-4, appendix B.1.
      await expect(page.getByText('ba7816bf', { exact: false }).first()).toBeVisible()
    })

    test('a page says itself what it needs: no other script comes before one acts on it', async ({ page }) => {
      for (const path of ['/', '/guide/', '/legal/terms/']) {
        const scripts = new Set<string>()
        const hear = (request: Request) => {
          if (request.url().endsWith('.js')) scripts.add(new URL(request.url()).pathname.slice(1))
        }
        page.on('request', hear)
        await page.goto(address(`/${locale}${path}`))
        await applicationStands(page)
        await page.waitForLoadState('networkidle')
        page.off('request', hear)
        expect([...scripts].toSorted(), path).toEqual([...scriptsOf(locale, path)].toSorted())
      }
    })

    test('scripts come once the page was painted; pictures further down with the application, or when they are looked at before', async ({
      page,
    }) => {
      await page.setViewportSize({ width, height: 600 })
      const release = await holdApplication(page)
      const looks = async () =>
        await page.locator('#root img[loading=lazy]').evaluateAll((pictures) =>
          (pictures as HTMLImageElement[]).map((picture) => ({
            box: picture.getBoundingClientRect().toJSON() as { readonly top: number },
            there: picture.src.startsWith('http'),
            width: picture.naturalWidth,
          })),
        )
      await page.goto(address(`/${locale}/`), { waitUntil: 'load' })
      await expect.poll(async () => (await looks()).map(({ box, there }) => there === box.top < 600)).toEqual([true, true, true])
      const before = await looks()
      expect(before.at(-1)?.there).toBe(false)
      await page.locator('#root img[loading=lazy]').last().scrollIntoViewIfNeeded()
      await expect.poll(async () => (await looks()).at(-1)?.width).toBe(1120)
      release()
      await expect(page.locator('button:not([inert])').filter({ hasText: words[locale].capture })).toBeAttached()
      await page.evaluate(() => window.scrollTo(0, 0))
      const after = await looks()
      expect(after.map(({ there }) => there)).toEqual([true, true, true])
      expect(after.map(({ box }) => box)).toEqual(before.map(({ box }) => box))
      const { painted, asked } = await page.evaluate(() => ({
        painted: performance.getEntriesByName('first-contentful-paint')[0]?.startTime,
        asked: performance
          .getEntriesByType('resource')
          .flatMap(({ name, startTime }) => (name.endsWith('.js') ? [startTime] : [])),
      }))
      expect(asked.length).toBeGreaterThan(5)
      expect(Math.min(...asked)).toBeGreaterThan(painted ?? Infinity)
    })

    test('V-24: a form that is sent before its script has come is sent once it is there', async ({ page }) => {
      const release = await holdApplication(page)
      await page.goto(address(`/${locale}/`), { waitUntil: 'commit' })
      const field = page.getByLabel(words[locale].field)
      await field.fill('ftp://example.com/')
      await field.press('Enter')
      release()
      await expect(page.getByRole('alert').filter({ hasText: 'http://' })).toBeVisible()
      await expect(page).toHaveURL(address(`/${locale}/`))
      await expect(field).toBeFocused()
      await expect(field).toHaveValue('ftp://example.com/')
      // Once.
      await field.fill('')
      await field.press('Enter')
      await expect(page.getByRole('alert').filter({ hasText: words[locale].empty })).toBeVisible()
    })

    test('a password that is sent before its script has come stands in no address, and signs in once it is there', async ({
      page,
    }) => {
      const release = await holdApplication(page)
      const addresses: string[] = []
      page.on('request', (request) => addresses.push(request.url()))
      await page.goto(address(`/${locale}/authentication/login/`), { waitUntil: 'commit' })
      await page.locator('input[name=email]').fill('nobody@example.org')
      await page.locator('input[name=password]').fill('Secret-pass1')
      const asked = page.waitForRequest(
        (request) => request.method() === 'POST' && request.postData()?.includes('Secret-pass1') === true,
      )
      await page.locator('input[name=password]').press('Enter')
      release()
      await asked
      await expect(page.getByRole('alert').filter({ hasText: /./ }).first()).toBeVisible()
      expect(addresses.filter((each) => each.includes('Secret'))).toEqual([])
    })

    test('V-24: an address that another program shares arrives in the field', async ({ page }) => {
      await page.goto(address(`/${locale}/?url=${encodeURIComponent('exemple.fr/a?b=c&d="<')}`))
      await expect(page.getByLabel(words[locale].field)).toHaveValue('exemple.fr/a?b=c&d="<')
    })
  })

/** As the build left them: an address is that of what stands there. */
const built = (file: string) => readFileSync(new URL(`../dist/${file}`, import.meta.url))
const written = () =>
  JSON.parse(built('written/pages.json').toString()) as Record<string, { paidPages: Record<string, { scripts: string[] }> }>

function scriptsOf(locale: string, path: string): ReadonlySet<string> {
  const own = [
    ...built('web/index.html')
      .toString()
      .matchAll(/(?:src|href)="\/(assets\/[^"]+\.js)"/g),
  ].map(([, file = '']) => file)
  return new Set([...own, ...(written()[locale]?.paidPages[path]?.scripts ?? [])])
}

/** Kilobytes of script, gzipped, that any public page may have before one can act on it. */
const most = 170

test('at most 170 kB of script, gzipped, before one can act on a public page, whichever', () => {
  for (const locale of ['en', 'fr'])
    for (const path of Object.keys(written()[locale]?.paidPages ?? {})) {
      const bytes = [...scriptsOf(locale, path)].reduce(
        (sum, file) => sum + gzipSync(built(`web/${file}`), { level: 9 }).length,
        0,
      )
      expect(bytes, path).toBeGreaterThan(100_000)
      expect(bytes, `${locale} ${path}`).toBeLessThanOrEqual(1000 * most)
    }
})

/** Services of others, in a real browser, against peers that speak their protocols: asked for before anything, refused as easily, gone with the page. */
import { expect, type Page } from '@playwright/test'
import { readEnvelope, startOutsideServices, type OutsideServices } from '../testing/outside/outside-services.ts'
import { startInstallation, type Installation } from './fixtures/installation.ts'
import { isClean, keepPicture, pressEnter, test } from './fixtures/pages.ts'

const words = {
  en: {
    heading: 'Third-party services on this page',
    refuse: 'Refuse all',
    agree: 'Agree to all',
    choose: 'Choose',
    keep: 'Keep my choice',
    score: /Recognition of robots/,
    again: 'Choose again',
    refused: 'You refused: nothing of others is loaded.',
    chat: 'Chat',
    send: 'Send',
    sent: 'Your message was sent',
  },
  fr: {
    heading: 'Services de tiers sur cette page',
    refuse: 'Tout refuser',
    agree: 'Tout accepter',
    choose: 'Choisir',
    keep: 'Enregistrer mon choix',
    score: /Reconnaissance des robots/,
    again: 'Choisir à nouveau',
    refused: 'Vous avez refusé\u202f: rien de tiers n’est chargé.',
    chat: 'Discuter',
    send: 'Envoyer',
    sent: 'Votre message est envoyé',
  },
} as const

let peers: OutsideServices
let product: Installation
const at = (path: string) => `${product.origin}${path}`
const paths = () => peers.heard.map(({ path }) => path)

test.describe.configure({ mode: 'serial' })
test.beforeAll(async () => {
  test.setTimeout(240_000)
  peers = await startOutsideServices()
  const dsn = (project: number) => `${peers.origin.replace('://', '://0123456789abcdef@')}/${String(project)}`
  product = await startInstallation((origin) => ({
    PROBANT_PUBLIC_URL: origin,
    PROBANT_BILLING: 'off',
    PROBANT_CHAT_URL: peers.origin,
    PROBANT_CHAT_TOKEN: 'inbox-1',
    PROBANT_PIXEL_URL: `${peers.origin}/matomo.php`,
    PROBANT_PIXEL_SITE: '3',
    PROBANT_RECORDING_DSN: dsn(7),
    PROBANT_ERRORS_DSN: dsn(8),
    PROBANT_SCORE_SITE_KEY: 'site-key',
    PROBANT_SCORE_SECRET: 'the-secret',
    PROBANT_SCORE_SCRIPT: `${peers.origin}/api.js`,
    PROBANT_SCORE_VERIFY: `${peers.origin}/siteverify`,
  }))
})
test.afterAll(async () => {
  await product.stop()
  product.removeData()
  await peers.close()
})
test.beforeEach(() => void peers.heard.splice(0))

/** What the recorder told, in order. */
const recorded = () =>
  peers.of('/api/7/envelope/').flatMap(({ body }) => {
    const item = readEnvelope(body).items.find(({ type }) => type === 'replay_recording')
    return JSON.parse(item?.payload.split('\n').slice(1).join('\n') ?? '[]') as { type: number; data: Record<string, unknown> }[]
  })

for (const [locale, width] of [
  ['en', 1280],
  ['fr', 360],
] as const) {
  const say = words[locale]
  test.describe(`${locale}, ${width} px`, () => {
    test.use({ viewport: { width, height: 800 }, locale, contextOptions: { reducedMotion: 'reduce' } })

    test('T-02 T-03 T-04 H-41: nothing is loaded before it is agreed to; refused and changed in one press', async ({ page }) => {
      await page.goto(at(`/${locale}/guide/`))
      const banner = page.getByRole('region', { name: say.heading })
      await expect(banner).toBeVisible()
      await isClean(page)
      await keepPicture(page, `banner-${locale}-${width}.png`)
      await pressEnter(banner.getByRole('button', { name: say.refuse }))
      await expect(banner).toHaveCount(0)
      await page.reload()
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
      await page.goto(at(`/${locale}/legal/cookies/`))
      await expect(page.getByText(say.refused)).toBeVisible()
      expect(paths()).toEqual([])
      await pressEnter(page.getByRole('button', { name: say.again }))
      await expect(banner).toBeVisible()
      await pressEnter(banner.getByRole('button', { name: say.choose, exact: true }))
      await isClean(page)
      await keepPicture(page, `choosing-${locale}-${width}.png`)
      await page.reload()
      await pressEnter(banner.getByRole('button', { name: say.agree }))
      await expect.poll(() => peers.of('/matomo.php').length).toBe(1)

      await page.goto(at(`/${locale}/support/?secret=1`))
      await expect.poll(() => peers.of('/matomo.php').length).toBe(2)
      const told = peers.of('/matomo.php').map(({ body }) => Object.fromEntries(new URLSearchParams(body)))
      expect(told[1]).toMatchObject({ idsite: '3', rec: '1', apiv: '1', url: at(`/${locale}/support/`) })
      expect(JSON.stringify(told)).not.toContain('secret')
      expect(peers.of('/matomo.php').map(({ headers }) => headers.referer)).toEqual([undefined, undefined])

      // What is typed and read stays here.
      await page.locator('textarea').fill('Privileged words')
      await page.locator('h1').click()
      await expect.poll(() => recorded().some(({ type, data }) => type === 3 && data['source'] === 2)).toBe(true)
      expect(
        recorded()
          .map(({ type }) => type)
          .slice(0, 2),
      ).toEqual([4, 2])
      const envelopes = peers
        .of('/api/7/envelope/')
        .map(({ body }) => body)
        .join('\n')
      const heading = await page.locator('h1').innerText()
      expect(envelopes).toContain('*'.repeat(heading.length))
      expect(envelopes).not.toMatch(/Privileged|secret=1/)
      expect(envelopes).not.toContain(`"textContent":"${heading}"`)

      // The chat comes when it is opened, and speaks the language of the page.
      expect(peers.of('/widget')).toEqual([])
      await pressEnter(page.getByRole('button', { name: say.chat, exact: true }))
      const chat = page.frameLocator('dialog iframe')
      await expect(chat.getByText(`speaks ${locale}`)).toBeVisible()
      expect(peers.of('/widget')[0]?.search.get('website_token')).toBe('inbox-1')
      expect(peers.of('/widget')[0]?.headers.referer).toBeUndefined()
      await isClean(page)
      await keepPicture(page, `chat-${locale}-${width}.png`)
      await page.keyboard.press('Escape')
      await expect(page.locator('iframe')).toHaveCount(0)
      await isClean(page)
      await keepPicture(page, `support-${locale}-${width}.png`)
    })

    test('T-02 T-03 T-04 H-41: where anything is captured, deposited, bought or managed there is none of it', async ({
      page,
    }) => {
      await page.goto(at(`/${locale}/guide/`))
      await pressEnter(page.getByRole('region', { name: say.heading }).getByRole('button', { name: say.agree }))
      await expect(page.getByRole('button', { name: say.chat, exact: true })).toBeVisible()
      await expect.poll(() => peers.of('/api/7/envelope/').length).toBe(1)
      // Without loading anything anew, from a page that has them.
      await page.evaluate(() => document.querySelector<HTMLAnchorElement>('footer a[href$="/log/"]')?.click())
      await expect(page).toHaveURL(at(`/${locale}/log/`))
      await expect(page.getByRole('button', { name: say.chat, exact: true })).toHaveCount(0)
      // What was recorded until then goes out as the page goes.
      await expect.poll(() => peers.of('/api/7/envelope/').length).toBeGreaterThanOrEqual(1)
      const before = peers.heard.length
      await page.locator('h1').click()
      for (const path of ['/', '/evidences/pending/', '/proofs/', '/authentication/login/', '/log/']) {
        const answer = await page.goto(at(`/${locale}${path}`))
        await expect(page.locator('h1').first()).toBeVisible()
        expect(answer?.headers()['content-security-policy'], path).not.toContain(peers.origin)
        await expect(page.locator('iframe')).toHaveCount(0)
      }
      expect(peers.heard.length - before, 'nothing but the end of a recording').toBeLessThanOrEqual(1)
      const here = await page.request.get(at(`/${locale}/support/`))
      const policy = here.headers()['content-security-policy']
      expect(policy).toContain(`connect-src 'self' ${peers.origin}`)
      expect(policy).toContain(`frame-src 'self' ${peers.origin}`)
      expect(policy).toMatch(/script-src 'self' 'nonce-[^']+';/)
    })

    test('T-01 H-41: who is scored well need not work; who is not, or whose score nobody tells, works', async ({ page }) => {
      const sent: Record<string, unknown>[] = []
      page.on('request', (request) => {
        if (request.method() === 'POST' && request.url().endsWith('/contact/'))
          sent.push(((request.postDataJSON() as Record<string, unknown>)['work'] ?? {}) as Record<string, unknown>)
      })
      const write = async () => {
        sent.length = 0
        await page.goto(at(`/${locale}/support/`))
        for (const [name, value] of [
          ['name', 'Jeanne Martin'],
          ['email', `scored.${locale}.${String(peers.heard.length)}@people.example`],
          ['title', 'A question'],
          ['description', 'Which one?'],
        ] as const)
          await page.locator(`main [name=${name}]`).fill(value)
        await pressEnter(page.getByRole('button', { name: say.send, exact: true }))
        await expect(page.getByRole('heading', { level: 3, name: say.sent })).toBeVisible({ timeout: 60_000 })
        return sent.map((work) => Object.keys(work).toSorted().join(' '))
      }
      await page.goto(at(`/${locale}/support/`))
      const banner = page.getByRole('region', { name: say.heading })
      await pressEnter(banner.getByRole('button', { name: say.choose, exact: true }))
      await banner.getByLabel(say.score).check()
      await pressEnter(banner.getByRole('button', { name: say.keep }))
      await expect(banner).toHaveCount(0)

      const well = {
        success: true,
        score: 0.9,
        action: 'support',
        hostname: '127.0.0.1',
        challenge_ts: new Date().toISOString(),
      }
      peers.judge(well)
      expect(await write()).toEqual(['', 'score'])
      expect(peers.of('/siteverify').map(({ body }) => Object.fromEntries(new URLSearchParams(body)))).toEqual([
        { secret: 'the-secret', response: 'token-for-support' },
      ])
      // Nobody else was agreed to, and the frame of the score is gone.
      expect(new Set(paths())).toEqual(new Set(['/api.js', '/siteverify']))
      await expect(page.locator('iframe')).toHaveCount(0)
      peers.judge({ ...well, score: 0.1 })
      expect(await write()).toEqual(['', 'score', 'challenge nonces'])
      peers.judge(null)
      expect(await write()).toEqual(['', 'score', 'challenge nonces'])
      // Who refused is not scored.
      await page.evaluate(() => localStorage.removeItem('probant.services'))
      await page.reload()
      await pressEnter(banner.getByRole('button', { name: say.refuse }))
      expect(await write()).toEqual(['', 'challenge nonces'])
    })
  })
}

/** A browser that keeps nothing. */
const forbidStorage = async (page: Page) =>
  await page.addInitScript(() => {
    for (const area of ['localStorage', 'sessionStorage'] as const)
      Object.defineProperty(window, area, {
        get() {
          throw new DOMException('forbidden', 'SecurityError')
        },
      })
  })

test('H-41 a browser that keeps nothing is asked on each page, and everything works meanwhile', async ({ page }) => {
  await forbidStorage(page)
  await page.goto(at('/en/support/'))
  const banner = page.getByRole('region', { name: words.en.heading })
  await pressEnter(banner.getByRole('button', { name: words.en.refuse }))
  await expect(banner).toHaveCount(0)
  await page.locator('[name=title]').fill('Kept in the page')
  await pressEnter(page.getByRole('button', { name: words.en.send, exact: true }))
  await expect(page.getByText('Please enter your name', { exact: true })).toBeVisible()
  await page.goto(at('/en/support/newsletter/'))
  await expect(banner).toBeVisible()
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  expect(paths()).toEqual([])
})

test.describe('without scripts', () => {
  test.use({ javaScriptEnabled: false })
  test('H-41 pages of help, support and legal texts ask nothing and load nothing', async ({ page }) => {
    for (const path of ['/fr/guide/', '/fr/support/', '/fr/legal/cookies/']) {
      await page.goto(at(path))
      await expect(page.locator('noscript')).toHaveCount(1)
    }
    expect(paths()).toEqual([])
  })
})

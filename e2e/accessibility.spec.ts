import { expect, type Page } from '@playwright/test'
import { proof } from '../testing/proof-vectors/anchored-file.ts'
import { heldDeposit, heldShare, holdDocuments } from './fixtures/documents.ts'
import { heldUser, holdReview, verifications } from './fixtures/review.ts'
import { address, answerOptions, heldId, holdEvidence, isClean, states, test } from './fixtures/pages.ts'

/** Each language at each width, each scheme at each width, each language in each scheme: every pair, in half of all combinations. */
const looks = {
  en: [
    { width: 360, scheme: 'light' },
    { width: 1280, scheme: 'dark' },
  ],
  fr: [
    { width: 360, scheme: 'dark' },
    { width: 1280, scheme: 'light' },
  ],
} as const

type Scene = {
  readonly name: string
  readonly path: string
  readonly prepare?: (page: Page) => Promise<void>
  readonly act?: (page: Page) => Promise<void>
}

const capture = `/capture/${heldId}/`
const tab = (n: number) => async (page: Page) => page.getByRole('tab').nth(n).click()
const openOptions = async (page: Page) => {
  await page.getByText('Options', { exact: true }).click()
  await expect(page.getByRole('combobox')).toHaveCount(4)
}
const scenes: readonly Scene[] = [
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
    name: 'keys',
    path: '/keys/',
    act: async (page) => await expect(page.getByRole('heading', { level: 3 }).first()).toBeVisible(),
  },
  { name: 'not found', path: '/nowhere/' },
  { name: 'evidences, none', path: '/evidences/pending/' },
  { name: 'evidences, one', path: '/evidences/pending/', prepare: (page) => holdEvidence(page, states.to_validate) },
  { name: 'evidences, completed', path: '/evidences/completed/', prepare: (page) => holdEvidence(page, states.final) },
  { name: 'capture without its key', path: capture },
  ...Object.entries(states).map(([name, evidence]) => ({
    name: `capture ${name}`,
    path: capture,
    prepare: (page: Page) => holdEvidence(page, evidence),
  })),
  {
    name: 'how long a proof holds',
    path: capture,
    prepare: (page) => holdEvidence(page, states.final),
    act: async (page) => await expect(page.locator('[data-state="renewed"]')).toBeVisible(),
  },
  ...[1, 2, 3, 4, 5].map((n) => ({
    name: `preview, tab ${n + 1}`,
    path: capture,
    prepare: (page: Page) => holdEvidence(page, states.to_validate),
    act: tab(n),
  })),
  {
    name: 'reject dialog',
    path: capture,
    prepare: (page) => holdEvidence(page, states.to_validate),
    act: async (page) => page.getByRole('button', { name: /^(Reject|Refuser)$/ }).click(),
  },
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
    name: 'identity, to rectify',
    path: '/account/identity/',
    prepare: (page) => holdReview(page, { verification: verifications.failure }),
    act: async (page) => await expect(page.getByRole('main').getByRole('img').last()).toBeVisible(),
  },
  {
    name: 'users',
    path: '/admin/users/',
    prepare: (page) => holdReview(page, { roles: ['administrator'] }),
    act: async (page) => await expect(page.locator('[data-open]')).toHaveCount(5),
  },
  {
    name: 'a file, two documents beside each other, being refused',
    path: `/admin/users/${heldUser}/`,
    prepare: (page) => holdReview(page, { roles: ['administrator'] }),
    act: async (page) => {
      await expect(page.getByRole('main').getByRole('img')).toHaveCount(1)
      await page.keyboard.press('b')
      await page.keyboard.press('x')
      await expect(page.getByRole('main').getByRole('img')).toHaveCount(2)
      await expect(page.locator('[aria-keyshortcuts="9"]')).toBeVisible()
      // Each picture is whole in its frame.
      await expect
        .poll(() =>
          page.locator('canvas').evaluateAll((all) =>
            all.map((each) => {
              const [inner, outer] = [each.getBoundingClientRect(), each.parentElement?.getBoundingClientRect()]
              return inner.left >= (outer?.left ?? 1e9) - 1 && inner.right <= (outer?.right ?? 0) + 1
            }),
          ),
        )
        .toEqual([true, true])
    },
  },
  {
    name: 'deposits',
    path: '/documents/pending/',
    prepare: holdDocuments,
    act: async (page) => await expect(page.locator('[data-status="failed"]')).toBeVisible(),
  },
  {
    name: 'deposit, with the answer about another file',
    path: `/documents/deposit/${heldDeposit}/`,
    prepare: holdDocuments,
    act: async (page) => {
      const other = { name: 'other.txt', mimeType: 'text/plain', buffer: Buffer.from('another') }
      await page.getByRole('main').locator('input[type=file]').first().setInputFiles([other])
      await expect(page.locator('[data-verdict="other"]')).toBeVisible()
    },
  },
  { name: 'deposit, shared', path: `/shared/${heldShare}/`, prepare: holdDocuments },
  {
    name: 'help dialog',
    path: '/',
    act: async (page) => {
      await page.getByRole('button', { name: /^(Help|Aide)$/ }).click()
      await expect(page.getByRole('dialog').getByRole('listitem').first()).toBeVisible()
    },
  },
]

const sizeOf = (width: number) => ({ width, height: width < 600 ? 780 : 900 })

/** The page that is open, at another width and in another scheme, as whoever turns a phone or whose evening comes sees it. */
async function turnTo(page: Page, { width, scheme }: (typeof looks)['en' | 'fr'][number]): Promise<void> {
  await page.setViewportSize(sizeOf(width))
  await page.emulateMedia({ colorScheme: scheme })
  // Colours that are on their way to others are nobody's.
  await page.evaluate(async () => {
    await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))
    const ending = document.getAnimations().filter((each) => each.effect?.getComputedTiming().endTime !== Infinity)
    await Promise.allSettled(ending.map((each) => each.finished))
  })
}

for (const locale of ['en', 'fr'] as const) {
  const [first, second] = looks[locale]
  test.describe(`${locale}: ${first.width} px, ${first.scheme}, then ${second.width} px, ${second.scheme}`, () => {
    test.use({
      viewport: sizeOf(first.width),
      colorScheme: first.scheme,
      locale,
      contextOptions: { reducedMotion: 'reduce' },
    })
    for (const scene of scenes) {
      test(scene.name, async ({ page }) => {
        await scene.prepare?.(page)
        await page.goto(address(`/${locale}${scene.path}`))
        await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
        await scene.act?.(page)
        await isClean(page)
        await turnTo(page, second)
        await isClean(page)
      })
    }
    test('drawer', async ({ page }) => {
      await page.goto(address(`/${locale}/`))
      await page.getByRole('button', { name: /^(Open the menu|Ouvrir le menu)$/ }).click()
      await expect(page.getByRole('dialog').getByRole('link').first()).toBeVisible()
      await isClean(page)
    })
  })
}

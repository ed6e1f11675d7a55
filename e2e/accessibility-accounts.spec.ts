/** What accounts and staff see: deposits, identity documents and their review. */
import { expect } from '@playwright/test'
import { holdCrowd } from './fixtures/crowd.ts'
import { heldDeposit, heldShare, holdDocuments } from './fixtures/documents.ts'
import { heldUser, holdReview, verifications } from './fixtures/review.ts'
import { address, isClean, keepPicture, test } from './fixtures/pages.ts'
import { lookAt } from './fixtures/scenes.ts'

lookAt([
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
      // As on the card, not as on the wire.
      await expect(page.getByText(/^28 (?:February|février) 2010/).first()).toBeVisible()
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
  {
    name: 'a group of thirty, with long names',
    path: '/account/users/',
    prepare: holdCrowd,
    act: async (page) => {
      await expect(page.getByRole('button', { name: /^(?:More|Autres actions) – / })).toHaveCount(29)
      await page.getByRole('button', { name: /^(?:Invite somebody|Inviter une personne)$/ }).click()
      await expect(page.getByLabel(/^(?:Email address to invite|Adresse e-mail à inviter)$/)).toBeFocused()
    },
  },
  {
    name: 'twenty keys, with long names',
    path: '/account/api-keys/',
    prepare: holdCrowd,
    act: async (page) => {
      // From the head of a long list straight to the form below it.
      await page.getByRole('button', { name: /^(?:Create a key|Créer une clé)$/ }).click()
      await expect(page.getByLabel(/^(?:Name|Nom)$/)).toBeFocused()
    },
  },
  { name: 'deposit, shared', path: `/shared/${heldShare}/`, prepare: holdDocuments },
])

test('tabs that have no room stand on one line, which goes sideways by arrow and by key; the chosen one is in sight', async ({
  page,
}) => {
  await page.setViewportSize({ width: 360, height: 780 })
  await page.emulateMedia({ reducedMotion: 'reduce' })
  await holdReview(page, { roles: ['administrator'] })
  const none = { count: 0, count_capped: false, sortable: true, next: null, previous: null, results: [] }
  await page.route(/\/admin\/(?:acts|servers)\//, (route) =>
    route.request().resourceType() === 'document' ? route.fallback() : route.fulfill({ json: none }),
  )
  await page.goto(address('/fr/admin/acts/'))
  const tabs = page.getByRole('navigation', { name: 'Pages internes' }).getByRole('link')
  const [first, last] = [tabs.first(), tabs.last()]
  await expect(last).toHaveAttribute('aria-current', 'page')
  await expect(last).toBeInViewport({ ratio: 1 })
  await expect(first).not.toBeInViewport()
  const boxes = await tabs.evaluateAll((all) => all.map((each) => each.getBoundingClientRect().toJSON() as DOMRect))
  expect(boxes.length).toBeGreaterThan(3)
  for (const { top, height } of boxes) expect([top, height >= 44]).toEqual([boxes[0]?.top, true])
  await isClean(page)
  await keepPicture(page, 'tabs-after.png')
  const arrow = (to: string) => page.locator(`[data-to=${to}]`)
  await expect(arrow('after')).toBeHidden()
  // Not as wide as what is seen at each press: whoever reads on finds where he was.
  const presses = await first.evaluate((link) => {
    const line = link.parentElement?.parentElement
    return Math.ceil((line?.scrollLeft ?? 0) / ((line?.clientWidth ?? 0) - 104))
  })
  for (let at = 0; at < presses; at += 1) await arrow('before').click()
  await expect(first).toBeInViewport({ ratio: 1 })
  await expect(arrow('before')).toBeHidden()
  await expect(arrow('after')).toBeVisible()
  await keepPicture(page, 'tabs-before.png')
  await first.focus()
  for (const _ of boxes.slice(1)) await page.keyboard.press('Tab')
  await expect(last).toBeFocused()
  await expect(last).toBeInViewport({ ratio: 1 })
  // What another tab opens is in sight too.
  await page.keyboard.press('Shift+Tab')
  await page.keyboard.press('Enter')
  await expect(tabs.nth(-2)).toHaveAttribute('aria-current', 'page')
  await expect(tabs.nth(-2)).toBeInViewport({ ratio: 1 })
})

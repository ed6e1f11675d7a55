/** What accounts and staff see: deposits, identity documents and their review. */
import { expect } from '@playwright/test'
import { heldDeposit, heldShare, holdDocuments } from './fixtures/documents.ts'
import { heldUser, holdReview, verifications } from './fixtures/review.ts'
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
])

/** What accounts and staff see: deposits, identity documents and their review. */
import { expect } from '@playwright/test'
import { holdCrowd } from './fixtures/crowd.ts'
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
      await page.getByRole('button', { name: /^(?:Make a key|Créer une clé)$/ }).click()
      await expect(page.getByLabel(/^(?:Name|Nom)$/)).toBeFocused()
    },
  },
  { name: 'deposit, shared', path: `/shared/${heldShare}/`, prepare: holdDocuments },
])

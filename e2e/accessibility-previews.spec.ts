/** What is shown of an evidence besides its state: how long its proof holds, its preview, the question before it is rejected. */
import { expect, type Page } from '@playwright/test'
import { heldId, holdEvidence, states, test } from './fixtures/pages.ts'
import { lookAt } from './fixtures/scenes.ts'

// One window for all scenes of a language: what a scene leaves in it is forgotten before the next (scenes.ts).
test.use({ reuseContext: true })

const capture = `/capture/${heldId}/`
const tab = (n: number) => async (page: Page) => page.getByRole('tab').nth(n).click()

lookAt([
  {
    name: 'how long a proof holds',
    path: capture,
    prepare: (page) => holdEvidence(page, states.final),
    act: async (page) => await expect(page.locator('[data-state="renewed"]')).toBeVisible(),
  },
  {
    name: 'preview, the report',
    path: capture,
    prepare: (page) => holdEvidence(page, states.to_validate),
    act: async (page) => {
      await tab(1)(page)
      await expect(page.getByRole('article')).toBeVisible()
    },
  },
  ...[2, 3, 4, 5].map((n) => ({
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
])

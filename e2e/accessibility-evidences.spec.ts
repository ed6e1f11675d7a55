/** An evidence in each of its states, its previews, and the lists of evidences. */
import { expect, type Page } from '@playwright/test'
import { heldId, holdEvidence, states } from './fixtures/pages.ts'
import { lookAt } from './fixtures/scenes.ts'

const capture = `/capture/${heldId}/`
const tab = (n: number) => async (page: Page) => page.getByRole('tab').nth(n).click()

lookAt([
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
])

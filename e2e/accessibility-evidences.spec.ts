/** An evidence in each of its states, and the lists of evidences. */
import type { Page } from '@playwright/test'
import { heldId, holdEvidence, states, test } from './fixtures/pages.ts'
import { lookAt } from './fixtures/scenes.ts'

// One window for all scenes of a language: what a scene leaves in it is forgotten before the next (scenes.ts).
test.use({ reuseContext: true })

const capture = `/capture/${heldId}/`

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
])

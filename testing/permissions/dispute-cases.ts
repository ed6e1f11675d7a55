import { randomUUID } from 'node:crypto'
import type { Case } from './case.ts'
import { signedIn, type Outcome } from './outcomes.ts'
import type { World } from './people.ts'

/** Of the owner of a report, who gives notice by himself, and those who act for him so far. */
const owners = (least: 'read' | 'manage', outcome: Outcome) =>
  signedIn('missing', {
    least,
    named: {
      owner: outcome,
      delegate_manage: outcome,
      ...(least === 'read' ? { delegate_read: outcome, delegate_create: outcome } : {}),
    },
  })
const ofReport = (body?: unknown) => ({
  send: ({ owned }: World) => ({ params: { id: owned.id }, ...(body === undefined ? {} : { body }) }),
})
const ofNothing = (body?: unknown) => ({
  as: 'of nothing',
  send: () => ({ params: { id: randomUUID() }, ...(body === undefined ? {} : { body }) }),
})

/** P-13: those who reach a report by their group give no notice in its owner’s name. */
export const disputeCases: Record<string, Case[]> = {
  'GET /dispute_packs/:id/': [
    { expect: owners('read', 'dispute.not_final'), ...ofReport() },
    { expect: signedIn('missing', { least: 'read' }), ...ofNothing() },
  ],
  'PATCH /dispute_packs/:id/': [
    { expect: owners('manage', 'dispute.not_final'), ...ofReport({ recipient: 'A\nB' }) },
    { expect: signedIn('missing', { least: 'manage' }), ...ofNothing({ recipient: 'A' }) },
  ],
  'GET /dispute_packs/:id/pdf/': [
    { expect: owners('manage', 'dispute.not_final'), ...ofReport() },
    { expect: signedIn('missing', { least: 'manage' }), ...ofNothing() },
  ],
}

import { randomUUID } from 'node:crypto'
import type { Case } from './case.ts'
import { anybody, signedIn } from './outcomes.ts'
import type { World } from './people.ts'

type Answer = `${string}.${string}` | 'admitted' | 'missing'
/** Of the owner of what is sold, and those who act for him so far. */
const sellers = (least: 'read' | 'manage', outcome: Answer) =>
  signedIn('missing', {
    least,
    named: {
      owner: outcome,
      delegate_manage: outcome,
      ...(least === 'read' ? { delegate_read: outcome, delegate_create: outcome } : {}),
    },
  })
const ofOffer = (which: 'offerId' | 'draftId', body?: unknown, more: Readonly<Record<string, string>> = {}) => ({
  send: ({ licensing }: World) => ({ params: { id: licensing[which], ...more }, ...(body === undefined ? {} : { body }) }),
})
const ofSale = (more: Readonly<Record<string, string>> = {}) => ({
  send: ({ licensing }: World) => ({ params: { sale_token: licensing.saleToken, ...more } }),
})
const elsewhere = { sale_token: 'z'.repeat(43), number: '1' }

/** P-03, P-12, P-16: who sells what is his, and who looks at it. */
export const licensingCases: Record<string, Case[]> = {
  'GET /offers/': [
    {
      expect: signedIn('admitted', { least: 'read' }),
      check: ({ count }, _, role) => count === (role === 'owner' || role.startsWith('delegate_') ? 2 : 0),
    },
  ],
  'POST /offers/': [
    {
      // Those who reach it by their group sell it no more than strangers.
      expect: sellers('manage', 'admitted'),
      send: ({ owned }) => ({ body: { evidences: [owned.id], price_cents: 5000 } }),
    },
    {
      as: 'of nothing',
      expect: signedIn('missing', { least: 'manage' }),
      send: () => ({ body: { evidences: [randomUUID()], price_cents: 5000 } }),
    },
  ],
  'GET /offers/:id/': [{ expect: sellers('read', 'admitted'), ...ofOffer('offerId') }],
  'PATCH /offers/:id/': [
    { as: 'stopping it', expect: sellers('manage', 'admitted'), ...ofOffer('draftId', { status: 'stopped' }) },
    {
      as: 'opening what is not ready',
      expect: sellers('manage', 'licensing.offer_not_ready'),
      ...ofOffer('draftId', { status: 'open' }),
    },
  ],
  'GET /offers/:id/preview/': [{ expect: sellers('read', 'admitted'), ...ofOffer('draftId') }],
  'GET /offers/:id/pictures/:number/': [
    { expect: signedIn('missing', { least: 'read' }), ...ofOffer('offerId', undefined, { number: '7' }) },
  ],
  'GET /sales/:sale_token/': [
    {
      expect: anybody('admitted', 'read'),
      check: ({ status, own }, _, role) =>
        status === 'open' && typeof own === 'boolean' && own === (role === 'owner' || role.startsWith('delegate_')),
      ...ofSale(),
    },
    { as: 'that is not there', expect: anybody('missing', 'read'), send: () => ({ params: elsewhere }) },
  ],
  'GET /sales/:sale_token/pictures/:number/': [{ expect: anybody('missing', 'read'), ...ofSale({ number: '7' }) }],
  'GET /sales/:sale_token/proofs/:number/': [{ expect: anybody('missing', 'read'), ...ofSale({ number: '7' }) }],
}

import { randomUUID } from 'node:crypto'
import type { Case } from './case.ts'
import { signLink } from '../../platform/http/answer/signed-link.ts'
import { linkSecret } from './open-web-api.test-data.ts'
import { anybody, signedIn, whoever } from './outcomes.ts'
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
const beneficiary = { email: 'a@b.example', first_name: 'A', last_name: 'B', company: '' }
const request = { beneficiary, terms_accepted: true, withdrawal_waived: true }
const buyer = (least: 'read' | 'manage', outcome: Answer) => signedIn('missing', { least, named: { other: outcome } })
const whoeverBuysMore = { delegate_manage: 'licensing.own_sale' } as const
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
  'GET /licenses/': [
    {
      expect: signedIn('admitted', { least: 'read' }),
      check: ({ count }, _, role) => count === (role === 'other' ? 2 : 0),
    },
    {
      as: 'those that were sold',
      expect: signedIn('admitted', { least: 'read' }),
      send: () => ({ path: '/licenses/?side=sold' }),
      // What is not paid is the buyer's own.
      check: ({ count }, _, role) => count === (role === 'owner' || role.startsWith('delegate_') ? 1 : 0),
    },
  ],
  'GET /licenses/stats/': [{ expect: signedIn('admitted', { least: 'read' }) }],
  'GET /licenses/:id/': [
    {
      expect: signedIn('missing', {
        least: 'read',
        named: {
          other: 'admitted',
          owner: 'admitted',
          delegate_read: 'admitted',
          delegate_create: 'admitted',
          delegate_manage: 'admitted',
        },
      }),
      send: ({ licensing }) => ({ params: { id: licensing.licenseId } }),
    },
    {
      as: 'that is not paid, of its buyer alone',
      expect: signedIn('missing', { least: 'read', named: { other: 'admitted' } }),
      send: ({ licensing }) => ({ params: { id: licensing.pendingId } }),
    },
  ],
  'POST /licenses/': [
    {
      as: 'of nothing',
      expect: signedIn('missing', { least: 'manage' }),
      send: () => ({ body: { sale_token: elsewhere.sale_token, ...request } }),
    },
    {
      as: 'of one’s own, and of what is not sealed; asked for before, it is the same',
      expect: signedIn('licensing.sale_stopped', {
        least: 'manage',
        named: { owner: 'licensing.own_sale', other: 'admitted', ...whoeverBuysMore },
      }),
      send: ({ licensing }) => ({ body: { sale_token: licensing.saleToken, ...request } }),
    },
  ],
  'POST /licenses/create_with_user_registration/': [
    {
      as: 'of nothing',
      expect: anybody('missing'),
      send: () => ({
        body: {
          sale_token: elsewhere.sale_token,
          ...request,
          email: `new.${randomUUID()}@people.example`,
          password: 'Another-horse 8',
          password_confirmation: 'Another-horse 8',
          first_name: 'Claire',
          last_name: 'Dupont',
          terms: true,
          locale: 'en',
        },
      }),
    },
  ],
  'PATCH /licenses/:id/': [
    {
      expect: buyer('manage', 'admitted'),
      send: ({ licensing }) => ({ params: { id: licensing.pendingId }, body: { beneficiary } }),
    },
    {
      as: 'that is paid',
      expect: buyer('manage', 'licensing.not_pending'),
      send: ({ licensing }) => ({ params: { id: licensing.licenseId }, body: { beneficiary } }),
    },
  ],
  // V-45: nobody here has said where he lives.
  'POST /licenses/:id/invoice/': [
    { expect: buyer('manage', 'billing.profile_incomplete'), send: ({ licensing }) => ({ params: { id: licensing.pendingId } }) },
  ],
  'GET /licenses/:id/pdf/': [
    {
      expect: signedIn('missing', {
        least: 'read',
        named: Object.fromEntries(
          (['other', 'owner', 'delegate_read', 'delegate_create', 'delegate_manage'] as const).map(
            (role) => [role, 'licensing.not_active'] as const,
          ),
        ),
      }),
      send: ({ licensing }) => ({ params: { id: licensing.licenseId } }),
    },
  ],
  'GET /licenses/:id/package/': [
    { expect: buyer('read', 'licensing.not_active'), send: ({ licensing }) => ({ params: { id: licensing.licenseId } }) },
  ],
  'GET /files/licenses/:id/package/': [
    {
      as: 'by a link for somebody else',
      expect: whoever('missing'),
      send: ({ licensing, people }) => ({
        path: signLink(
          linkSecret,
          `/files/licenses/${licensing.licenseId}/package/?for=${people.get('owner')?.id ?? ''}`,
          new Date(Date.now() + 3_600_000),
        ),
      }),
    },
    {
      as: 'without a link',
      expect: whoever('forbidden'),
      send: ({ licensing, people }) => ({
        path: `/files/licenses/${licensing.licenseId}/package/?for=${people.get('other')?.id ?? ''}`,
      }),
    },
  ],
  'GET /license_codes/:code/': [
    {
      expect: anybody('admitted', 'read'),
      send: ({ licensing }) => ({ params: { code: licensing.code } }),
      check: ({ number }) => number === 'L2026-000001',
    },
    { as: 'by another code', expect: anybody('missing', 'read'), send: () => ({ params: { code: elsewhere.sale_token } }) },
  ],
}

import { randomUUID } from 'node:crypto'
import type { Case } from './case.ts'
import { anybody, signedIn, staffAlone, staffAnswered } from './outcomes.ts'
import type { World } from './people.ts'

/** Here nobody moves money: what is tried is who is let in. */
const unavailable = signedIn('billing.means_unavailable', { least: 'manage' })
const returning = { return_to: '/en/account/invoice/' }
const comfort = { plan: 'comfort', cycle: 'month' }
/** Of the owner, and those who manage his account. */
const owners = (outcome: `${string}.${string}` | 'admitted') =>
  signedIn('missing', { least: 'manage', named: { owner: outcome, delegate_manage: outcome } })
const ofOwner = (body?: unknown) => ({
  send: ({ billing }: World) => ({ params: { id: billing.subscriptionId }, ...(body === undefined ? {} : { body }) }),
})

const reason = 'As agreed by telephone'
/** What an administrator may do to an invoice that waits for its payment as a draft. */
const toInvoice = (outcome: `${string}.${string}` | 'admitted', body: object) => ({
  expect: staffAnswered(outcome, 'administrator'),
  send: ({ billing }: World) => ({ params: { id: billing.invoiceId }, body: { reason, ...body } }),
})
const ofNoRefund = (body: object) => ({
  expect: staffAnswered('billing.refund_unknown', 'administrator'),
  send: () => ({ params: { id: randomUUID() }, body: { reason, ...body } }),
})
const terms = {
  from: '2099-01-01',
  month_cents: 50_000,
  year_cents: null,
  report_cents: 9900,
  timestamp_cents: 500,
  reports_per_month: null,
  timestamps_per_month: null,
  drafts: 50,
  seats: 5,
}

/** H-20: of whoever is invoiced, to administrators alone. */
const administrationCases: Record<string, Case[]> = {
  'GET /admin/billing/customers/': [{ expect: staffAlone('administrator'), check: ({ count }) => count === 1 }],
  'GET /admin/billing/customers/:id/': [
    { expect: staffAlone('administrator'), send: ({ billing }) => ({ params: { id: billing.customerId } }) },
  ],
  'GET /admin/billing/invoices/': [{ expect: staffAlone('administrator'), check: ({ count }) => count === 1 }],
  'GET /admin/billing/invoices/:id/pdf/': [
    {
      expect: staffAnswered('billing.not_issued', 'administrator'),
      send: ({ billing }) => ({ params: { id: billing.invoiceId } }),
    },
  ],
  'GET /admin/billing/failed_payments/': [{ expect: staffAlone('administrator') }],
  'GET /admin/billing/plans/': [{ expect: staffAlone('administrator') }],
  'GET /admin/billing/invariants/': [{ expect: staffAlone('administrator') }],
  'POST /admin/billing/invoices/:id/credit/': [toInvoice('billing.not_creditable', {})],
  'POST /admin/billing/invoices/:id/settle/': [toInvoice('admitted', { reference: 'VIR 1' })],
  'POST /admin/billing/invoices/:id/retry/': [toInvoice('billing.not_chargeable', {})],
  'POST /admin/billing/invoices/:id/refund/': [toInvoice('billing.not_refundable', {})],
  'POST /admin/billing/refunds/:id/settle/': [ofNoRefund({ reference: 'VIR 1' })],
  'POST /admin/billing/refunds/:id/drop/': [ofNoRefund({})],
  'POST /admin/billing/plans/': [{ expect: staffAlone('administrator'), send: () => ({ body: { plan: 'comfort', ...terms } }) }],
  'POST /admin/billing/customers/:id/custom_plan/': [
    {
      expect: staffAlone('administrator'),
      send: ({ billing }) => ({ params: { id: billing.customerId }, body: { ...terms, reason } }),
    },
  ],
}

/** C-39…C-43, C-60…C-64: who looks at plans, what was subscribed to, and what it cost. */
export const billingCases: Record<string, Case[]> = {
  ...administrationCases,
  'GET /subscriptions/plans/': [{ expect: anybody('admitted', 'read') }],
  'GET /subscriptions/': [
    {
      expect: signedIn('admitted', { least: 'read' }),
      check: ({ count }, _, role) => count === (role === 'owner' || role.startsWith('delegate_') ? 1 : 0),
    },
  ],
  // V-45: nobody here has said where he lives.
  'POST /subscriptions/': [
    { expect: signedIn('billing.profile_incomplete', { least: 'manage' }), send: () => ({ body: comfort }) },
    {
      as: 'by quote',
      expect: signedIn('billing.custom_by_quote', { least: 'manage' }),
      send: () => ({ body: { plan: 'custom' } }),
    },
  ],
  'POST /subscriptions/preview/': [
    { expect: signedIn('billing.profile_incomplete', { least: 'manage' }), send: () => ({ body: comfort }) },
  ],
  'GET /subscriptions/ending/': [
    { expect: signedIn('admitted'), check: ({ refunds }) => Array.isArray(refunds) && refunds.length === 0 },
  ],
  'GET /purchases/outlook/': [
    { expect: signedIn('admitted', { least: 'create' }), send: () => ({ path: '/purchases/outlook/?category=evidence' }) },
  ],
  'GET /purchases/limits/': [{ expect: signedIn('admitted') }],
  'PATCH /purchases/limits/:kind/:id/': [
    {
      as: 'of nobody whom one knows',
      expect: signedIn('missing'),
      send: () => ({ params: { kind: 'member', id: randomUUID() }, body: { ceiling_cents: 1 } }),
    },
  ],
  'GET /subscriptions/:id/': [
    {
      expect: signedIn('missing', {
        least: 'read',
        named: { owner: 'admitted', delegate_read: 'admitted', delegate_create: 'admitted', delegate_manage: 'admitted' },
      }),
      ...ofOwner(),
    },
    { as: 'that is not there', expect: signedIn('missing', { least: 'read' }), send: () => ({ params: { id: randomUUID() } }) },
  ],
  'PATCH /subscriptions/:id/': [
    { expect: owners('billing.profile_incomplete'), ...ofOwner(comfort) },
    { as: 'cancelling what is not pending', expect: owners('billing.nothing_pending'), ...ofOwner({ cancel_pending: true }) },
  ],
  'GET /invoices/': [
    {
      expect: signedIn('admitted', { least: 'manage' }),
      check: ({ count }, _, role) => count === (role === 'owner' || role === 'delegate_manage' ? 1 : 0),
    },
  ],
  'GET /invoices/:id/': [
    { expect: owners('admitted'), send: ({ billing }) => ({ params: { id: billing.invoiceId } }) },
    { as: 'that is not there', expect: signedIn('missing', { least: 'manage' }), send: () => ({ params: { id: randomUUID() } }) },
  ],
  'GET /invoices/statement/': [{ expect: signedIn('admitted', { least: 'manage' }), check: ({ count }) => count === 0 }],
  'GET /invoices/statement/pdf/': [{ expect: signedIn('billing.nothing_to_export', { least: 'manage' }) }],
  'GET /invoices/vat_number/': [
    {
      expect: signedIn('admitted', { least: 'manage' }),
      check: ({ status, vat_number: number }) => status === 'none' && number === null,
    },
  ],
  'POST /invoices/vat_number/': [
    {
      expect: signedIn('billing.profile_incomplete', { least: 'manage' }),
      send: () => ({ body: { vat_number: 'DE129273398' } }),
    },
    { as: 'none any more', expect: signedIn('admitted', { least: 'manage' }), send: () => ({ body: { vat_number: null } }) },
  ],
  'GET /invoices/:id/pdf/': [
    { expect: owners('billing.not_issued'), send: ({ billing }) => ({ params: { id: billing.invoiceId } }) },
    { as: 'that is not there', expect: signedIn('missing', { least: 'manage' }), send: () => ({ params: { id: randomUUID() } }) },
  ],
  'GET /invoices/export/': [
    { expect: signedIn('admitted', { least: 'manage' }) },
    {
      as: 'for the tax office',
      expect: signedIn('admitted', { least: 'manage' }),
      send: () => ({ path: '/invoices/export/?format=fec' }),
    },
    {
      as: 'as an archive of nothing',
      expect: signedIn('billing.nothing_to_export', { least: 'manage' }),
      send: () => ({ path: '/invoices/export/?format=zip' }),
    },
  ],
  'POST /payments/card_registration/': [{ expect: unavailable }],
  'GET /payments/card_registration/': [
    { expect: unavailable, send: () => ({ path: `/payments/card_registration/?RessourceId=${randomUUID()}` }) },
  ],
  'PATCH /payments/card_registration/:id/': [
    { expect: unavailable, send: () => ({ params: { id: randomUUID() }, body: { registration_data: 'data=x' } }) },
  ],
  'GET /payments/methods/': [
    {
      expect: signedIn('admitted', { least: 'manage' }),
      check: ({ by, cards }) => JSON.stringify([by, cards]) === '[["transfer"],[]]',
    },
  ],
  'DELETE /payments/cards/:id/': [{ expect: unavailable, send: () => ({ params: { id: randomUUID() } }) }],
  'GET /payments/mandate_creation/': [
    { expect: signedIn('admitted', { least: 'manage' }), check: ({ mandate }) => mandate === null },
  ],
  'POST /payments/mandate_creation/': [{ expect: unavailable, send: () => ({ body: returning }) }],
  'POST /invoices/:id/pay/': [
    {
      expect: owners('admitted'),
      send: ({ billing }) => ({
        params: { id: billing.invoiceId },
        body: { by: 'transfer', referral_manager: 'none', ...returning },
      }),
    },
    {
      as: 'that is not there',
      expect: signedIn('missing', { least: 'manage' }),
      send: () => ({ params: { id: randomUUID() }, body: { by: 'transfer', referral_manager: 'none', ...returning } }),
    },
  ],
  'GET /invoices/:id/payment/': [{ expect: owners('admitted'), send: ({ billing }) => ({ params: { id: billing.invoiceId } }) }],
  // It is the provider’s, who signs nothing: whoever calls it learns nothing.
  'GET /payments/hooks/': [
    {
      expect: anybody('admitted', null),
      send: () => ({ path: '/payments/hooks/?EventType=PAYIN_NORMAL_SUCCEEDED&RessourceId=1' }),
    },
  ],
}

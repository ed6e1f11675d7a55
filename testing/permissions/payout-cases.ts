import type { Case } from './case.ts'
import { signedIn, staffAlone, staffAnswered } from './outcomes.ts'

type Answer = `${string}.${string}` | 'admitted'
/** Of the owner, and those who manage his account. */
const owners = (outcome: Answer) => signedIn('missing', { least: 'manage', named: { owner: outcome, delegate_manage: outcome } })
const isOwner = (role: string) => role === 'owner' || role === 'delegate_manage' || role.startsWith('key_')

/** C-54…C-57: what somebody earned is his own, and of those who manage his account. */
export const payoutCases: Record<string, Case[]> = {
  'GET /payouts/': [
    { expect: signedIn('admitted', { least: 'manage' }), check: ({ count }, _, role) => count === (isOwner(role) ? 1 : 0) },
  ],
  'GET /payouts/:id/': [{ expect: owners('admitted'), send: ({ payouts }) => ({ params: { id: payouts.payoutId } }) }],
  'GET /payouts/:id/pdf/': [
    { expect: owners('payout.no_document'), send: ({ payouts }) => ({ params: { id: payouts.payoutId } }) },
  ],
  // Nobody moves money here: what is tried is who is let in.
  'POST /payouts/payee/': [
    {
      expect: signedIn('payout.by_hand', { least: 'manage' }),
      send: () => ({ body: { return_to: '/en/account/payout/' } }),
    },
  ],
  'GET /admin/payouts/': [{ expect: staffAlone('administrator'), check: ({ count }) => count === 1 }],
  'GET /admin/payouts/:id/': [
    {
      expect: staffAlone('administrator'),
      send: ({ payouts }) => ({ params: { id: payouts.payoutId } }),
      check: ({ lines }) => Array.isArray(lines) && lines.length === 1,
    },
  ],
  'GET /admin/payouts/:id/pdf/': [
    {
      expect: staffAnswered('payout.no_document', 'administrator'),
      send: ({ payouts }) => ({ params: { id: payouts.payoutId } }),
    },
  ],
  'GET /admin/payouts/:id/pay_to/': [
    {
      expect: staffAnswered('payout.account_gone', 'administrator'),
      send: ({ payouts }) => ({ params: { id: payouts.payoutId } }),
    },
  ],
  'POST /admin/payouts/:id/settle/': [
    {
      expect: staffAlone('administrator'),
      send: ({ payouts }) => ({ params: { id: payouts.payoutId }, body: { outcome: 'success', reason: 'As the bank says' } }),
    },
  ],
  'GET /earnings/': [
    { expect: signedIn('admitted', { least: 'manage' }), check: ({ count }, _, role) => count === (isOwner(role) ? 1 : 0) },
  ],
  'GET /referees/': [
    { expect: signedIn('admitted', { least: 'manage' }), check: ({ count }, _, role) => count === (isOwner(role) ? 1 : 0) },
  ],
  'GET /referees/:id/': [{ expect: owners('admitted'), send: ({ payouts }) => ({ params: { id: payouts.refereeId } }) }],
}

import type { Case } from './case.ts'
import { anybody, signedIn, staffAlone, type Expected } from './outcomes.ts'
import type { World } from './people.ts'

const message = { name: 'Jeanne', email: 'jeanne@people.example', title: 'A question', description: 'How?' }
/** A box is a person's own: nobody looks into another's, whoever he acts for. */
const owners: Expected = signedIn('missing', { named: { owner: 'admitted' } })
const staff = staffAlone('support', 'administrator')
const ofOwner = (body?: unknown) => ({
  send: ({ support }: World) => ({
    params: { id: support.requestId, attachment: support.attachmentId },
    ...(body === undefined ? {} : { body }),
  }),
})
const workedFor = 'support.work_required'

/** C-65: who writes to support, reads what was answered, and answers. */
export const supportCases: Record<string, Case[]> = {
  'POST /contact/': [
    {
      expect: { ...anybody(), anonymous: workedFor, holder: workedFor, former_holder: workedFor },
      send: () => ({ body: message }),
    },
  ],
  'POST /contact/attachments/:id/': [
    {
      expect: anybody(),
      send: ({ support: { awaited } }) => ({
        path: `/contact/attachments/${awaited.id}/?key=${awaited.key}`,
        bytes: Buffer.from('b'),
      }),
    },
    {
      as: 'with a key that nobody was given',
      expect: anybody('support.attachment_not_awaited'),
      send: ({ support: { awaited } }) => ({
        path: `/contact/attachments/${awaited.id}/?key=${'k'.repeat(43)}`,
        bytes: Buffer.from('b'),
      }),
    },
  ],
  'POST /client_errors/': [
    {
      expect: anybody(),
      send: () => ({ body: { name: 'TypeError', message: 'x is not a function', page: '/capture/:id/', frames: [] } }),
    },
  ],
  // H-41: off unless the operator has one.
  'GET /newsletter/': [{ expect: anybody(), check: ({ mode }) => mode === 'off' }],
  'POST /newsletter/': [{ expect: anybody('support.newsletter_off'), send: () => ({ body: { email: message.email } }) }],
  'POST /newsletter/confirm/': [
    { as: 'with a key that nobody was sent', expect: anybody('support.newsletter_link'), send: () => ({ body: { key: 'k' } }) },
  ],
  'POST /newsletter/unsubscribe/': [
    { as: 'with a key that nobody was sent', expect: anybody('support.newsletter_link'), send: () => ({ body: { key: 'k' } }) },
  ],
  'GET /admin/newsletter/': [{ expect: staffAlone('administrator') }],
  'GET /support_requests/': [{ expect: signedIn(), check: ({ count }, _, role) => count === (role === 'owner' ? 1 : 0) }],
  'GET /support_requests/:id/': [{ expect: owners, ...ofOwner() }],
  'POST /support_requests/:id/messages/': [{ expect: owners, ...ofOwner({ description: 'And now?' }) }],
  'POST /support_requests/:id/close/': [{ expect: owners, ...ofOwner() }],
  'GET /support_requests/:id/attachments/:attachment/': [{ expect: owners, ...ofOwner() }],
  'GET /admin/support_requests/': [{ expect: staff }],
  'GET /admin/support_requests/:id/': [{ expect: staff, ...ofOwner() }],
  'POST /admin/support_requests/:id/messages/': [{ expect: staff, ...ofOwner({ description: 'So.' }) }],
  'PATCH /admin/support_requests/:id/': [{ expect: staff, ...ofOwner({ status: 'closed' }) }],
  'GET /admin/support_requests/:id/attachments/:attachment/': [{ expect: staff, ...ofOwner() }],
}

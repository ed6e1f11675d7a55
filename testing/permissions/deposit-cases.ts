import { randomUUID } from 'node:crypto'
import { signLink } from '../../platform/http/answer/signed-link.ts'
import type { Case } from './case.ts'
import { linkSecret } from './open-web-api.test-data.ts'
import { anybody, reaching, signedIn, whoever, type Expected, type Outcome } from './outcomes.ts'

/** No token of an evidence opens a deposit. */
const reached = (least: 'read' | 'create' | 'manage', outcome: Outcome = 'admitted'): Expected => ({
  ...reaching(least, outcome),
  holder: 'sign_in',
  former_holder: 'sign_in',
})
const reaches = (role: keyof Expected) => reached('read')[role] === 'admitted'

const draft = (body?: unknown): Pick<Case, 'send'> => ({
  send: ({ deposits }) => ({ params: { id: deposits.draft }, ...(body === undefined ? {} : { body }) }),
})
const final = (body?: unknown): Pick<Case, 'send'> => ({
  send: ({ deposits }) => ({ params: { id: deposits.final }, ...(body === undefined ? {} : { body }) }),
})
const fingerprint = 'ab'.repeat(32)
const hour = (count: number) => new Date(Date.now() + count * 3_600_000)

export const depositCases: Record<string, Case[]> = {
  'POST /documents/': [
    { expect: signedIn('admitted', { least: 'create' }), send: () => ({ body: { sha256: fingerprint } }) },
    // V-45: nobody here has said where he lives.
    {
      as: 'to be sealed at once',
      expect: signedIn('billing.profile_incomplete', { least: 'create' }),
      send: () => ({ body: { sha256: fingerprint, agree: true } }),
    },
    {
      as: 'that replaces the owner’s',
      expect: {
        ...signedIn('document.replaces_unknown', { least: 'create' }),
        ...Object.fromEntries(
          (['owner', 'manager', 'legal_owner', 'delegate_create', 'delegate_manage'] as const).map((role) => [role, 'admitted']),
        ),
      },
      send: ({ deposits }) => ({ body: { sha256: fingerprint, replaces: deposits.final } }),
    },
  ],
  'POST /documents/batches/': [
    {
      expect: signedIn('billing.profile_incomplete', { least: 'create' }),
      send: () => ({ body: { documents: [{ sha256: fingerprint }] } }),
    },
    {
      as: 'as drafts',
      expect: signedIn('admitted', { least: 'create' }),
      send: () => ({ body: { documents: [{ sha256: fingerprint }], agree: false } }),
    },
  ],
  'GET /documents/': [
    {
      expect: signedIn('admitted', { least: 'read' }),
      check: ({ count }, _, role) => count === (reaches(role) ? 2 : 0),
    },
  ],
  'GET /documents/makers/': [{ expect: signedIn('admitted', { least: 'read' }) }],
  'GET /documents/stats/': [{ expect: signedIn('admitted', { least: 'read' }) }],
  'GET /documents/:id/': [{ expect: reached('read'), ...final() }],
  'PATCH /documents/:id/': [
    { as: 'its label', expect: reached('manage'), ...final({ label: 'Another' }) },
    { as: 'to agree', expect: reached('manage', 'billing.profile_incomplete'), ...draft({ agree: true }) },
    { as: 'into the trash', expect: reached('manage'), ...final({ trashed: true }) },
    { as: 'a copy no longer', expect: reached('manage'), ...final({ store: false }) },
  ],
  'POST /documents/bulk/': [
    {
      expect: signedIn('admitted', { least: 'manage' }),
      send: ({ deposits }) => ({ body: { action: 'trash', ids: [deposits.final] } }),
      check: ({ results }, _, role) =>
        (results as { code: string | null }[])[0]?.code ===
        (reached('manage')[role] === 'admitted' ? null : 'document.not_found'),
    },
  ],
  'POST /documents/proofs/': [
    {
      expect: reached('read'),
      send: ({ deposits }) => ({ body: { ids: [deposits.final, deposits.draft], files: ['tsr'] } }),
    },
  ],
  'GET /documents/:id/pdf/': [
    {
      expect: reached('read', 'document.not_final'),
      send: ({ deposits }) => ({ path: `/documents/${deposits.draft}/pdf/?language=en` }),
    },
  ],
  'GET /documents/:id/proof_health/': [
    {
      expect: reached('read', 'document.not_final'),
      send: ({ deposits }) => ({ path: `/documents/${deposits.draft}/proof_health/` }),
    },
  ],
  'GET /documents/copies/': [{ expect: signedIn('admitted', { least: 'read' }) }],
  'GET /documents/:id/copy/': [{ expect: reached('read'), ...final() }],
  'POST /documents/:id/copy/': [{ expect: reached('create'), ...final({ bytes: 5 }) }],
  'POST /documents/:id/copy/parts/:part/': [
    {
      as: 'of no upload',
      expect: reached('create', 'document.copy_over'),
      send: ({ deposits }) => ({
        path: `/documents/${deposits.final}/copy/parts/0/?upload=${randomUUID()}`,
        bytes: Buffer.from('12345'),
      }),
    },
  ],
  'POST /documents/:id/copy/complete/': [
    {
      as: 'of no upload',
      expect: reached('create', 'document.copy_over'),
      ...final({ upload: '00000000-0000-4000-8000-000000000000' }),
    },
  ],
  'DELETE /documents/:id/copy/': [{ expect: reached('manage'), ...final() }],
  'GET /documents/:id/events/': [{ expect: reached('read'), ...final() }],
  'POST /documents/:id/share/': [{ expect: reached('manage'), ...final() }],
  'DELETE /documents/:id/share/': [{ expect: reached('manage'), ...final() }],
  'GET /shared_documents/:token/': [
    { expect: anybody(), send: ({ deposits }) => ({ params: { token: deposits.shareToken } }) },
    { as: 'that nobody shares', expect: anybody('document.not_found'), send: () => ({ params: { token: 't'.repeat(43) } }) },
  ],
  'GET /deposits/:id/:file/': [
    {
      as: 'by a link of the shared page',
      expect: whoever('admitted'),
      send: ({ deposits }) => ({ path: signLink(linkSecret, `/deposits/${deposits.final}/tsr/`, hour(1)) }),
    },
    {
      as: 'by a link of whoever does not reach it',
      expect: whoever('document.not_found'),
      send: ({ deposits, people }) => ({
        path: signLink(linkSecret, `/deposits/${deposits.final}/tsr/?for=${people.get('other')?.id ?? ''}`, hour(1)),
      }),
    },
    {
      as: 'that is the file itself, by a link of the shared page',
      expect: whoever('document.not_found'),
      send: ({ deposits }) => ({ path: signLink(linkSecret, `/deposits/${deposits.final}/copy/`, hour(1)) }),
    },
    {
      as: 'by a link that is over',
      expect: whoever('http.link_expired'),
      send: ({ deposits }) => ({ path: signLink(linkSecret, `/deposits/${deposits.final}/tsr/`, hour(-1)) }),
    },
    {
      as: 'by a link for another',
      expect: whoever('forbidden'),
      send: ({ deposits }) => ({
        path: signLink(linkSecret, `/deposits/${deposits.final}/tsr/`, hour(1)).replace(deposits.final, deposits.draft),
      }),
    },
    {
      as: 'without a link',
      expect: whoever('forbidden'),
      send: ({ deposits }) => ({ path: `/deposits/${deposits.final}/tsr/` }),
    },
  ],
}

import { randomUUID } from 'node:crypto'
import { notificationKey } from '../../modules/account/server/settings/notification-key.ts'
import { signLink } from '../../platform/http/answer/signed-link.ts'
import { billingCases } from './billing-cases.ts'
import type { Case, Sent } from './case.ts'
import { depositCases } from './deposit-cases.ts'
import { disputeCases } from './dispute-cases.ts'
import { licensingCases } from './licensing-cases.ts'
import { payoutCases } from './payout-cases.ts'
import { linkSecret } from './open-web-api.test-data.ts'
import { anybody, inGroup, reaching, signedIn, staffAlone, staffAnswered, tokenAlone, whoever, type Outcome } from './outcomes.ts'
import { supportCases } from './support-cases.ts'
import { evidenceOf, password, personOf, type Role, type World } from './people.ts'

const newAddress = () => `new.${randomUUID()}@people.example`
const newPassword = { password: 'Another-horse 8', password_confirmation: 'Another-horse 8' }
const registration = () => ({
  email: newAddress(),
  password,
  password_confirmation: password,
  first_name: 'Claire',
  last_name: 'Dupont',
  terms: true,
  locale: 'en',
})
const days = (count: number) => new Date(Date.now() + count * 86_400_000)

const evidence = (body?: unknown, more: Readonly<Record<string, string>> = {}) => ({
  send: (world: World, role: Role): Sent => ({
    params: { id: evidenceOf(world, role).id, ...more },
    ...(body === undefined ? {} : { body }),
  }),
})
/** V-45: nobody here has said where he lives, so whoever agrees is told what is missing; what is nobody's nobody is invoiced for. */
const agreeing = (least: 'create' | 'manage') => ({
  ...reaching(least, 'billing.profile_incomplete'),
  holder: 'evidence.account_needed' as const,
})
const body = (sent: unknown) => ({ send: (): Sent => ({ body: sent }) })
const member = (sent?: unknown) => ({
  send: (world: World): Sent => ({
    params: { id: personOf(world, 'member').id },
    ...(sent === undefined ? {} : { body: sent }),
  }),
})
/** What staff does to somebody. */
const onto = (role: Role, sent?: unknown) => ({
  send: (world: World): Sent => ({
    params: { id: personOf(world, role).id },
    ...(sent === undefined ? {} : { body: sent }),
  }),
})
const managersAlone = inGroup({ legal_owner: 'admitted', manager: 'admitted', owner: 'forbidden', member: 'forbidden' })
const legalOwnerAlone = inGroup({ legal_owner: 'admitted', manager: 'forbidden', owner: 'forbidden', member: 'forbidden' })
const othersThing = signedIn('missing')
const ofGroup: readonly Role[] = ['owner', 'member', 'manager', 'legal_owner']

/** A link that was made for it, and the same without its signature. */
const download = (query: string, outcome: Parameters<typeof whoever>[0], name: string): Case[] => {
  const address = (world: World, role: Role) => `/files/${evidenceOf(world, role).id}/${name}/${query}`
  return [
    {
      as: 'by a link',
      expect: whoever(outcome),
      send: (world, role) => ({ path: signLink(linkSecret, address(world, role), days(1)) }),
    },
    {
      as: 'by a link that is over',
      expect: whoever('http.link_expired'),
      send: (world, role) => ({ path: signLink(linkSecret, address(world, role), days(-1)) }),
    },
    {
      as: 'by a link for another',
      expect: whoever('forbidden'),
      send: (world, role) => ({
        path: signLink(linkSecret, address(world, role), days(1)).replace(evidenceOf(world, role).id, randomUUID()),
      }),
    },
    { as: 'without a link', expect: whoever('forbidden'), send: (world, role) => ({ path: address(world, role) }) },
  ]
}

const identity: Record<string, Case[]> = {
  'POST /rest-auth/login/': [
    { expect: anybody(), send: (world) => ({ body: { email: personOf(world, 'other').email, password } }) },
    {
      as: 'of a suspended account',
      expect: anybody('identity.suspended'),
      send: (world) => ({ body: { email: personOf(world, 'suspended').email, password } }),
    },
  ],
  'POST /rest-auth/logout/': [{ expect: signedIn() }],
  'GET /rest-auth/registration/': [{ expect: anybody() }],
  'POST /rest-auth/registration/': [{ expect: anybody(), send: () => ({ body: registration() }) }],
  'POST /rest-auth/registration/resend-email/': [{ expect: anybody(), ...body({ email: newAddress(), locale: 'en' }) }],
  'POST /rest-auth/registration/confirmation/': [
    { expect: anybody(), send: ({ confirmKey }) => ({ body: { key: confirmKey } }) },
  ],
  'POST /rest-auth/registration/verify-email/': [
    { expect: anybody(), send: ({ confirmKey }) => ({ body: { key: confirmKey } }) },
    {
      as: 'with a key that nobody was sent',
      expect: anybody('identity.confirmation_failed'),
      ...body({ key: 'k'.repeat(43) }),
    },
  ],
  'POST /rest-auth/registration/disown/': [{ expect: anybody(), send: ({ confirmKey }) => ({ body: { key: confirmKey } }) }],
  'POST /rest-auth/password/reset/': [{ expect: anybody(), ...body({ email: newAddress(), locale: 'en' }) }],
  'POST /rest-auth/password/reset/confirm/': [
    {
      expect: anybody(),
      send: (world) => ({ body: { uid: personOf(world, 'other').id, token: world.resetToken, ...newPassword } }),
    },
    {
      as: 'for another',
      expect: anybody('identity.reset_link_invalid'),
      send: (world) => ({ body: { uid: personOf(world, 'owner').id, token: world.resetToken, ...newPassword } }),
    },
  ],
  'POST /rest-auth/password/change/': [{ expect: signedIn(), ...body({ old_password: password, ...newPassword }) }],
  'GET /sessions/': [{ expect: signedIn() }],
  'DELETE /sessions/:id/': [
    { expect: signedIn(), send: (_, __, own) => ({ params: { id: own.sessionId } }) },
    {
      as: 'of another',
      expect: othersThing,
      send: (world) => ({ params: { id: personOf(world, 'suspended').sessionId } }),
    },
  ],
  'POST /sessions/end_others/': [{ expect: signedIn() }],
  'POST /sessions/end_all/': [{ expect: signedIn() }],
  'GET /emails/': [{ expect: signedIn() }],
  'POST /emails/': [{ expect: signedIn(), send: () => ({ body: { email: newAddress() } }) }],
  ...Object.fromEntries(
    (
      [
        ['GET /emails/:id/', 'admitted'],
        ['DELETE /emails/:id/', 'identity.primary_address'],
        ['POST /emails/:id/resend/', 'admitted'],
        ['GET /emails/:id/set_primary/', 'admitted'],
        ['POST /emails/:id/set_primary/', 'admitted'],
      ] as const
    ).map(([name, outcome]): [string, Case[]] => [
      name,
      [
        { expect: signedIn(outcome), send: (_, __, own) => ({ params: { id: own.emailId } }) },
        {
          as: 'of another',
          expect: othersThing,
          send: (world) => ({ params: { id: personOf(world, 'suspended').emailId } }),
        },
      ],
    ]),
  ),
  'GET /second_factor/': [{ expect: signedIn() }],
  'POST /second_factor/': [{ expect: signedIn(), ...body({ password }) }],
  'POST /second_factor/confirm/': [{ expect: signedIn('identity.second_factor_not_begun'), ...body({ code: '000000' }) }],
  'POST /second_factor/disable/': [
    {
      expect: signedIn('identity.second_factor_not_begun', {
        named: Object.fromEntries(
          (['support', 'verifier', 'administrator', 'administrator_one_factor'] as const).map((role) => [
            role,
            'identity.second_factor_needed',
          ]),
        ),
      }),
      ...body({ password, code: '000000' }),
    },
  ],
  'POST /second_factor/recovery_codes/': [
    { expect: signedIn('identity.second_factor_not_begun'), ...body({ password, code: '000000' }) },
  ],
  'GET /api_keys/': [{ expect: signedIn() }],
  'POST /api_keys/': [{ expect: signedIn(), ...body({ name: 'Backup', scopes: ['documents:create'] }) }],
  'DELETE /api_keys/:id/': [
    {
      as: 'of the owner',
      expect: signedIn('missing', { named: { owner: 'admitted' } }),
      send: ({ keys }) => ({ params: { id: keys.get('all')?.id ?? '' } }),
    },
  ],
  'GET /acts/': [{ expect: signedIn() }],
  'GET /acts/export/': [{ expect: signedIn() }],
  'GET /admin/acts/': [{ expect: staffAlone('administrator') }],
  'GET /admin/acts/export/': [{ expect: staffAlone('administrator') }],
  'POST /admin/acts/verify/': [{ expect: staffAlone('administrator'), ...body({}) }],
  'GET /admin/groups/': [
    { expect: staffAlone('administrator'), check: ({ results }, { groupId }) => JSON.stringify(results).includes(groupId) },
  ],
  'GET /admin/servers/': [{ expect: staffAlone('administrator'), check: ({ count }) => count === 2 }],
  'POST /admin/servers/:id/assign/': [
    {
      expect: staffAlone('administrator'),
      send: ({ groupId }) => ({ params: { id: 'free' }, body: { group_id: groupId, instead_of: null } }),
    },
    {
      as: 'of another group',
      expect: staffAnswered('capture.server_reassigned', 'administrator'),
      send: ({ groupId }) => ({ params: { id: 'assigned' }, body: { group_id: groupId, instead_of: null } }),
    },
  ],
  'POST /admin/servers/:id/unassign/': [
    {
      expect: staffAlone('administrator'),
      send: ({ groupId }) => ({ params: { id: 'assigned' }, body: { group_id: groupId } }),
    },
  ],
  'POST /admin/servers/:id/drain/': [
    {
      expect: staffAlone('administrator'),
      send: () => ({ params: { id: 'free' } }),
      check: ({ status }) => status === 'drained',
    },
  ],
  'POST /admin/servers/:id/resume/': [
    { expect: staffAlone('administrator'), send: () => ({ params: { id: 'free' } }), check: ({ status }) => status === 'ready' },
  ],
  'POST /admin/servers/:id/remove/': [
    { expect: staffAlone('administrator'), send: () => ({ params: { id: 'free' } }), check: ({ lost }) => lost === 0 },
  ],
  'POST /admin/servers/invite/': [{ expect: staffAlone('administrator'), check: ({ token }) => typeof token === 'string' }],
  'GET /admin/processes/': [{ expect: staffAlone('administrator'), check: ({ count }) => count === 0 }],
  'POST /rest-auth/prove/': [{ expect: signedIn(), ...body({ password }) }],
  'POST /admin/users/:id/suspend/': [
    { expect: staffAlone('support', 'administrator'), ...onto('other', { reason: 'because' }) },
    {
      as: 'of an administrator',
      expect: {
        ...staffAlone('administrator'),
        support: 'identity.staff_account',
      },
      ...onto('administrator_one_factor', { reason: 'because' }),
    },
  ],
  'POST /admin/users/:id/reinstate/': [{ expect: staffAlone('support', 'administrator'), ...onto('suspended') }],
  'POST /admin/users/:id/resend_confirmation/': [
    { expect: staffAnswered('identity.not_unconfirmed', 'support', 'administrator'), ...onto('other') },
  ],
  'POST /admin/users/:id/end_sessions/': [{ expect: staffAlone('support', 'administrator'), ...onto('other') }],
  'POST /admin/users/:id/roles/': [{ expect: staffAlone('administrator'), ...onto('other', { roles: ['verifier'] }) }],
}

const account: Record<string, Case[]> = {
  'GET /profiles/current/': [{ expect: signedIn('admitted', { least: 'read' }) }],
  'GET /profiles/': [
    {
      expect: signedIn(),
      // Whoever manages the group sees its four; anybody else himself.
      check: ({ count }, _, role) => count === (role === 'manager' || role === 'legal_owner' ? 4 : 1),
    },
  ],
  'PATCH /profiles/:id/': [
    {
      expect: signedIn('admitted', { least: 'manage' }),
      send: (_, __, own) => ({ params: { id: own.id }, body: { city: 'Lyon' } }),
    },
    {
      as: 'of another',
      expect: signedIn('missing', { least: 'manage' }),
      send: (world) => ({ params: { id: personOf(world, 'suspended').id }, body: { city: 'Lyon' } }),
    },
    {
      as: 'of a member of the group',
      expect: signedIn('missing', { least: 'manage', named: { member: 'admitted' } }),
      ...member({ city: 'Lyon' }),
    },
  ],
  'PATCH /profiles/:id/bank_account/': [
    {
      expect: signedIn(),
      send: (_, __, own) => ({
        params: { id: own.id },
        body: {
          type: 'IBAN',
          iban: 'FR7630006000011234567890189',
          bic: 'AGRIFRPP',
          owner_name: 'Claire Dupont',
          owner_address: '1 rue de la Paix, Paris',
        },
      }),
    },
    {
      as: 'of another',
      expect: othersThing,
      send: (world) => ({
        params: { id: personOf(world, 'suspended').id },
        body: { type: 'IBAN', iban: 'FR7630006000011234567890189', bic: 'AGRIFRPP', owner_name: 'A', owner_address: 'B' },
      }),
    },
  ],
  'DELETE /profiles/:id/bank_account/': [
    { expect: signedIn(), send: (_, __, own) => ({ params: { id: own.id } }) },
    { as: 'of another', expect: othersThing, send: (world) => ({ params: { id: personOf(world, 'suspended').id } }) },
  ],
  'GET /profiles/current/export/': [{ expect: signedIn() }],
  'POST /profiles/current/delete/': [
    {
      expect: signedIn('admitted', { named: { legal_owner: 'account.group_has_members' } }),
      ...body({ reason: 'No longer needed' }),
    },
  ],
  'POST /profiles/undo_delete/': [{ expect: anybody('account.undo_link_invalid'), ...body({ key: 'k'.repeat(43) }) }],
  'GET /settings/': [{ expect: signedIn('admitted', { least: 'read' }) }],
  'PATCH /settings/': [{ expect: signedIn('admitted', { least: 'manage' }), ...body({ close_cookies: true }) }],
  'POST /settings/by_mail/': [
    {
      expect: anybody(),
      send: (world) => ({ body: { key: notificationKey(linkSecret, personOf(world, 'other').id, 'report_ready') } }),
      check: (answer) => answer['kind'] === 'report_ready',
    },
    { as: 'with a key that nobody was sent', expect: anybody('account.notification_link_invalid'), ...body({ key: 'k' }) },
  ],
  'PATCH /settings/by_mail/': [
    {
      expect: anybody(),
      send: (world) => ({
        body: { key: notificationKey(linkSecret, personOf(world, 'other').id, 'draft_ending'), on: false },
      }),
      check: (answer) => answer['on'] === false,
    },
    {
      as: 'with the key of another kind',
      expect: anybody('account.notification_link_invalid'),
      send: (world) => ({
        body: {
          key: notificationKey(linkSecret, personOf(world, 'other').id, 'draft_ending').replace('draft_ending', 'anchored'),
          on: false,
        },
      }),
    },
  ],
  'POST /settings/by_mail/one_click/': [
    {
      expect: anybody(),
      send: (world) => ({
        path: `/settings/by_mail/one_click/?key=${notificationKey(linkSecret, personOf(world, 'other').id, 'anchored')}`,
      }),
    },
    {
      as: 'with a key that nobody was sent',
      expect: anybody('account.notification_link_invalid'),
      send: () => ({ path: '/settings/by_mail/one_click/?key=k' }),
    },
  ],
  'POST /profiles/create_access_delegation/': [
    {
      expect: signedIn(),
      send: () => ({ body: { email: newAddress(), scope: 'read', expires_at: days(30).toISOString() } }),
    },
  ],
  'GET /access_delegations/': [{ expect: signedIn() }],
  'DELETE /access_delegations/:id/': [
    {
      as: 'of the owner to a delegate',
      expect: signedIn('missing', { named: { owner: 'admitted' } }),
      send: ({ delegations }) => ({ params: { id: delegations.get('delegate_read') ?? '' } }),
    },
  ],
  'POST /groups/': [
    {
      expect: signedIn('admitted', {
        named: {
          owner: 'account.group_already',
          member: 'account.group_already',
          manager: 'account.group_already',
          legal_owner: 'account.group_already',
        },
      }),
      ...body({ name: 'Another company' }),
    },
  ],
  'GET /groups/current/': [
    { expect: inGroup({ owner: 'admitted', member: 'admitted', manager: 'admitted', legal_owner: 'admitted' }) },
  ],
  'PATCH /groups/current/': [{ expect: managersAlone, ...body({ name: 'Renamed' }) }],
  'GET /groups/current/members/': [{ expect: managersAlone }],
  'PATCH /groups/current/members/:id/': [
    { expect: legalOwnerAlone, ...member({ role: 'manager' }) },
    {
      as: 'of nobody’s group',
      expect: inGroup({ owner: 'forbidden', member: 'forbidden' }),
      send: (world) => ({ params: { id: personOf(world, 'other').id }, body: { role: 'manager' } }),
    },
  ],
  'DELETE /groups/current/members/:id/': [
    { expect: managersAlone, ...member() },
    {
      as: 'the manager',
      expect: legalOwnerAlone,
      send: (world) => ({ params: { id: personOf(world, 'manager').id } }),
    },
    {
      as: 'the owner of the group',
      expect: inGroup({ owner: 'forbidden', member: 'forbidden', manager: 'forbidden', legal_owner: 'forbidden' }),
      send: (world) => ({ params: { id: personOf(world, 'legal_owner').id } }),
    },
  ],
  'POST /groups/current/leave/': [
    {
      expect: inGroup({
        owner: 'admitted',
        member: 'admitted',
        manager: 'admitted',
        legal_owner: 'account.group_owner_stays',
      }),
    },
  ],
  'POST /groups/current/hand_over/': [
    { expect: legalOwnerAlone, send: (world) => ({ body: { member_id: personOf(world, 'member').id } }) },
  ],
  'GET /groups/current/invitations/': [{ expect: managersAlone }],
  'POST /groups/current/invitations/': [
    { expect: managersAlone, send: () => ({ body: { email: newAddress(), role: 'member' } }) },
    {
      as: 'as a manager',
      expect: legalOwnerAlone,
      send: () => ({ body: { email: newAddress(), role: 'manager' } }),
    },
  ],
  'DELETE /groups/current/invitations/:id/': [
    { expect: managersAlone, send: ({ invitation }) => ({ params: { id: invitation.id } }) },
  ],
  'POST /group_invitations/read/': [{ expect: anybody(), send: ({ invitation }) => ({ body: { token: invitation.token } }) }],
  'POST /group_invitations/accept/': [
    {
      as: 'that `other` was sent',
      expect: signedIn('account.invitation_other_address', { named: { other: 'admitted' } }),
      send: ({ invitation }) => ({ body: { token: invitation.token } }),
    },
  ],
}

const live: Record<string, Case[]> = {
  'POST /evidences/:id/live_ticket/': [{ expect: reaching('create', 'live.not_capturing'), ...evidence({ role: 'watcher' }) }],
  'POST /live/witness_ticket/': [{ expect: anybody('live.witness_unknown'), ...body({ token: 't'.repeat(43) }) }],
  'POST /evidences/:id/paste/': [{ expect: reaching('create', 'live.not_capturing'), ...evidence({ text: 'pasted' }) }],
  ...Object.fromEntries(
    ['viewport_screenshot', 'full_page_screenshot', 'quit_interactivity'].flatMap((call) =>
      ['GET', 'POST'].map((method): [string, Case[]] => [
        `${method} /evidences/:id/${call}/`,
        [{ expect: reaching('create', 'live.not_capturing'), ...evidence() }],
      ]),
    ),
  ),
  'POST /evidences/:id/hand_off/': [{ expect: tokenAlone(), ...evidence({ sealed_token: 'sealed' }) }],
  'POST /hand_off/:code/': [{ expect: anybody('live.hand_off_gone'), send: () => ({ params: { code: 'c'.repeat(43) } }) }],
  'GET /evidences/:id/witnesses/': [{ expect: reaching('read'), ...evidence() }],
  'POST /evidences/:id/witnesses/': [{ expect: reaching('create', 'live.not_capturing'), ...evidence({ label: 'Notary' }) }],
  'DELETE /evidences/:id/witnesses/:witness/': [
    { expect: reaching('create', 'live.witness_unknown'), ...evidence(undefined, { witness: randomUUID() }) },
  ],
}

const evidences: Record<string, Case[]> = {
  'POST /evidences/': [
    { expect: anybody('admitted', 'create'), ...body({ url: 'example.org', action: 'static', locale: 'en' }) },
    {
      as: 'of a server of the group',
      expect: {
        ...anybody('evidence.options', 'create'),
        ...Object.fromEntries([...ofGroup, 'delegate_create', 'delegate_manage'].map((role) => [role, 'admitted'])),
        key_with_scope: 'admitted',
      },
      ...body({ url: 'example.org', action: 'static', locale: 'en', server: 'assigned' }),
    },
    {
      as: 'of a dedicated server of no group',
      expect: anybody('evidence.options', 'create'),
      ...body({ url: 'example.org', action: 'static', locale: 'en', server: 'free' }),
    },
  ],
  'GET /evidences/': [
    {
      expect: { ...signedIn('admitted', { least: 'read' }), holder: 'admitted', former_holder: 'admitted' },
      check: ({ count }, _, role) => count === (role === 'holder' || reaching('read')[role] === 'admitted' ? 1 : 0),
    },
  ],
  'GET /evidences/:id/': [{ expect: reaching('read'), ...evidence() }],
  'PATCH /evidences/:id/': [
    { as: 'its label', expect: reaching('manage'), ...evidence({ label: 'Another' }) },
    { as: 'to agree', expect: agreeing('manage'), ...evidence({ status: 'finalizing' }) },
    { as: 'to reject', expect: reaching('manage'), ...evidence({ status: 'rejected' }) },
    { as: 'into the trash', expect: reaching('manage'), ...evidence({ trashed: true }) },
  ],
  'POST /evidences/bulk/': [
    {
      expect: { ...signedIn('admitted', { least: 'manage' }), holder: 'admitted', former_holder: 'admitted' },
      send: (world, role) => ({ body: { action: 'trash', ids: [evidenceOf(world, role).id] } }),
      check: ({ results }, _, role) =>
        (results as { code: string | null }[])[0]?.code ===
        (reaching('manage')[role] === 'admitted' ? null : 'evidence.not_found'),
    },
  ],
  'GET /evidences/stats/': [{ expect: signedIn('admitted', { least: 'read' }) }],
  'GET /evidences/makers/': [{ expect: signedIn('admitted', { least: 'read' }) }],
  'POST /evidences/:evidence_token/user_assignment/': [
    {
      expect: signedIn('admitted', { least: 'create' }),
      send: ({ free }) => ({ params: { evidence_token: free.token } }),
    },
    {
      as: 'of what is the owner’s',
      expect: signedIn('evidence.already_claimed', {
        least: 'create',
        named: { owner: 'admitted', delegate_create: 'admitted', delegate_manage: 'admitted' },
      }),
      send: ({ owned }) => ({ params: { evidence_token: owned.token } }),
    },
  ],
  'POST /evidences/:evidence_token/user_registration/': [
    {
      expect: anybody(),
      send: ({ free }) => ({ params: { evidence_token: free.token }, body: registration() }),
    },
  ],
  'GET /evidences/:id/status/': [{ expect: reaching('read'), ...evidence() }],
  'GET /evidences/:id/proof_health/': [{ expect: reaching('read', 'evidence.not_ready'), ...evidence() }],
  'GET /evidences/:id/events/': [{ expect: reaching('read'), ...evidence() }],
  'POST /evidences/:id/agree/': [{ expect: agreeing('create'), ...evidence() }],
  'POST /evidences/:id/withdraw/': [{ expect: reaching('create'), ...evidence() }],
  'POST /evidences/:id/reject/': [{ expect: reaching('manage'), ...evidence() }],
  'POST /evidences/:id/retry/': [{ expect: reaching('create'), ...evidence() }],
  'GET /evidences/:id/pdf_preview/': [{ expect: reaching('read'), ...evidence() }],
  'GET /evidences/:id/generate_zip_archive/': [{ expect: reaching('read', 'evidence.not_ready'), ...evidence() }],
  'GET /files/:id/piece/': download('?path=capture%2Fviewport.png', 'admitted', 'piece'),
  'GET /files/:id/report/': download('?language=en', 'evidence.not_ready', 'report'),
  'GET /files/:id/preview/': download('?language=en', 'evidence.not_found', 'preview'),
  'GET /files/:id/preview_document/': download('?language=en', 'evidence.not_found', 'preview_document'),
  'GET /files/:id/anchor/': download('', 'evidence.not_ready', 'anchor'),
  'GET /files/:id/package/': download('?full=true', 'evidence.not_ready', 'package'),
}

const document = () => ({ send: ({ documentId }: World): Sent => ({ params: { id: documentId, page: '1' } }) })
const ownersDocument = (theirs: Outcome, others: Outcome = 'missing') => signedIn(others, { named: { member: theirs } })
const reviewers = (outcome: Outcome = 'admitted') => ({
  ...staffAlone('verifier', 'administrator'),
  verifier: outcome,
  administrator: outcome,
})
const file = (sent?: (world: World) => unknown) => ({
  send: (world: World): Sent => ({
    params: { id: personOf(world, 'member').id, document: world.documentId, page: '1' },
    ...(sent === undefined ? {} : { body: sent(world) }),
  }),
})
const acceptance = ({ documentId }: World) => ({ round: 1, decisions: [{ document_id: documentId, outcome: 'accepted' }] })

const review: Record<string, Case[]> = {
  'GET /identity_documents/': [{ expect: signedIn() }],
  'POST /identity_documents/': [
    {
      expect: ownersDocument('review.kind_settled', 'review.document_type'),
      send: () => ({ path: '/identity_documents/?kind=passport', bytes: Buffer.from('neither a picture nor a PDF') }),
    },
  ],
  'DELETE /identity_documents/:id/': [{ expect: ownersDocument('review.kind_settled'), ...document() }],
  'GET /identity_documents/:id/pages/:page/': [{ expect: ownersDocument('admitted'), ...document() }],
  'POST /identity_documents/submit/': [{ expect: ownersDocument('admitted', 'review.incomplete') }],
  'GET /admin/users/': [{ expect: staffAlone('support', 'verifier', 'administrator') }],
  'GET /admin/users/:id/': [
    {
      expect: staffAlone('support', 'verifier', 'administrator'),
      ...file(),
      // Whoever supports people sees how an account stands, and neither their documents nor what they typed beside.
      check: (answer, _, role) => (answer['file'] === null) === (role === 'support'),
    },
  ],
  'POST /admin/users/:id/claim/': [
    { expect: reviewers(), ...file() },
    {
      as: 'of himself',
      expect: reviewers('review.own_file'),
      send: (_, __, own) => ({ params: { id: own.id } }),
    },
  ],
  'POST /admin/users/:id/release/': [{ expect: reviewers(), ...file() }],
  'GET /admin/users/:id/documents/:document/pages/:page/': [
    { expect: reviewers(), ...file() },
    {
      as: 'of another than whose it is',
      expect: reviewers('missing'),
      send: (world) => ({ params: { id: personOf(world, 'owner').id, document: world.documentId, page: '1' } }),
    },
  ],
  'POST /admin/users/:id/verify/': [
    { expect: reviewers('review.not_claimed'), ...file(acceptance) },
    {
      as: 'of himself',
      expect: reviewers('review.own_file'),
      send: (world, _, own) => ({ params: { id: own.id }, body: acceptance(world) }),
    },
  ],
}

const published: Record<string, Case[]> = {
  'GET /health/': [{ expect: anybody() }],
  // A delegate chooses among them for whom he acts.
  'GET /servers/': [
    {
      expect: anybody('admitted', 'read'),
      check: ({ count }, _, role) => count === (ofGroup.includes(role) || role.startsWith('delegate_') ? 1 : 0),
    },
  ],
  'GET /scenarios/': [{ expect: anybody('admitted', 'read') }],
  'GET /service_status/': [{ expect: anybody() }],
  'GET /log/state/': [{ expect: anybody() }],
  'GET /log/checkpoints/': [{ expect: anybody() }],
  'GET /verifier/trusted_lists/': [{ expect: anybody() }],
  'GET /verifier/trusted_lists/compact/': [{ expect: anybody() }],
  'POST /verifier/digest/': [{ expect: anybody(), ...body({ text: 'abc' }) }],
  'POST /verifier/bitcoin_signature/': [{ expect: anybody(), ...body({ message: 'abc', signature: 'none' }) }],
  'POST /verifier/nano_signature/': [{ expect: anybody(), ...body({ message: 'abc', signature: 'none' }) }],
  'POST /verifier/chainpoint_proof/': [{ expect: anybody(), ...body({ proof: 'none' }) }],
  'POST /verifier/eidas/': [{ expect: anybody(), ...body({ proof: 'none' }) }],
  'GET /verifier/bitcoin_headers/:height/': [
    { expect: anybody('verification.unknown_header'), send: () => ({ params: { height: '1' } }) },
  ],
  'GET /.well-known/probant-keys.json/': [{ expect: anybody('sealing.keys_not_published') }],
  'GET /.well-known/probant-keys.p7s/': [{ expect: anybody('sealing.keys_not_published') }],
}

/** Every call that is published, and what each role is answered with. One that has no row here fails the suite. */
export const expectations: Readonly<Record<string, readonly Case[]>> = {
  ...identity,
  ...account,
  ...live,
  ...evidences,
  ...depositCases,
  ...billingCases,
  ...disputeCases,
  ...licensingCases,
  ...payoutCases,
  ...supportCases,
  ...review,
  ...published,
}

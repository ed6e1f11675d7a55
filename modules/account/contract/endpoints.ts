import { z } from 'zod'
import { endpoint } from '../../../kernel/endpoint.ts'
import { pageOf, pageQuery } from '../../../kernel/page.ts'
import { grantedRoles } from '../domain/group.ts'
import { bankAccountBody, bankAccountSummary, currentUser, profile, profileChange, profileEntry, reasonField } from './profile.ts'
import { mailedKey, mailedNotification, mailedNotificationChange, settings, settingsChange } from './settings.ts'
import {
  accessDelegation,
  addressField,
  delegationBody,
  group,
  groupMember,
  groupNameField,
  invitation,
  invitationState,
  invitationToken,
} from './sharing.ts'

const byId = z.object({ id: z.uuid() })
const done = z.object({ status: z.literal('done') })

/** C-02, C-10. */
export const readCurrentProfile = endpoint({
  method: 'GET',
  path: '/profiles/current/',
  summary: 'Read the current user',
  access: ['user'],
  delegable: 'read',
  response: currentUser,
})

/** C-08: one's own, and for the owner and managers of a group those of its members. `search` looks in names and addresses. */
export const listProfiles = endpoint({
  method: 'GET',
  path: '/profiles/',
  summary: 'List the profiles that one may see',
  access: ['user'],
  query: pageQuery.extend({ ordering: z.enum(['last_name', '-last_name']).default('last_name') }),
  response: pageOf(profileEntry),
})

/** C-09. @throws `account.profile_invalid` with a code for each wrong field */
export const changeProfile = endpoint({
  method: 'PATCH',
  path: '/profiles/:id/',
  summary: 'Save fields of a profile',
  access: ['user'],
  delegable: 'manage',
  params: byId,
  body: profileChange,
  response: profile,
})

/** @throws `identity.proof_required`, `account.bank_account_invalid` with a code for each wrong field */
export const changeBankAccount = endpoint({
  method: 'PATCH',
  path: '/profiles/:id/bank_account/',
  summary: 'Save the bank account',
  access: ['user'],
  params: byId,
  body: bankAccountBody,
  response: bankAccountSummary,
})

/** @throws `identity.proof_required` */
export const deleteBankAccount = endpoint({
  method: 'DELETE',
  path: '/profiles/:id/bank_account/',
  summary: 'Delete the bank account',
  access: ['user'],
  params: byId,
  response: done,
})

/** Everything that is held on the person, as one JSON document (GDPR, articles 15 and 20). */
export const exportAccount = endpoint({
  method: 'GET',
  path: '/profiles/current/export/',
  summary: 'Export everything that is held on the current user',
  access: ['user'],
  response: 'stream',
})

/** C-11, D-08. @throws `identity.proof_required`, `identity.last_administrator`, `account.group_has_members` */
export const closeAccount = endpoint({
  method: 'POST',
  path: '/profiles/current/delete/',
  summary: 'Close the account; its data are erased after 24 hours',
  access: ['user'],
  body: z.object({ reason: reasonField }),
  response: z.object({ status: z.literal('closing'), erase_after: z.iso.datetime() }),
})

/** With the key of the mail that said that the account is closed. @throws `account.undo_link_invalid` */
export const undoClosing = endpoint({
  method: 'POST',
  path: '/profiles/undo_delete/',
  summary: 'Keep an account that was to be erased',
  access: ['open'],
  body: z.object({ key: z.string().min(1).max(200) }),
  response: done,
})

export const readSettings = endpoint({
  method: 'GET',
  path: '/settings/',
  summary: 'Read the settings',
  access: ['user'],
  delegable: 'read',
  response: settings,
})

/** @throws `account.settings_invalid` with a code for each wrong field */
export const changeSettings = endpoint({
  method: 'PATCH',
  path: '/settings/',
  summary: 'Change settings',
  access: ['user'],
  delegable: 'manage',
  body: settingsChange,
  response: settings,
})

/** With the key of a mail about a report: which kind of mail it ends, and whether that is still sent. @throws `account.notification_link_invalid` */
export const readMailedNotification = endpoint({
  method: 'POST',
  path: '/settings/by_mail/',
  summary: 'Read which mails the link of a mail ends',
  access: ['open'],
  body: mailedKey,
  response: mailedNotification,
})

/** Off, or on again. @throws `account.notification_link_invalid` */
export const changeMailedNotification = endpoint({
  method: 'PATCH',
  path: '/settings/by_mail/',
  summary: 'End one kind of mail by the link of a mail, or have it sent again',
  access: ['open'],
  body: mailedNotificationChange,
  response: mailedNotification,
})

/** For mail programs, whatever the body says and is (RFC 8058 §3.2): the key is the whole of it. @throws `account.notification_link_invalid` */
export const endNotificationByClick = endpoint({
  method: 'POST',
  path: '/settings/by_mail/one_click/',
  summary: 'End one kind of mail from within a mail program',
  access: ['open'],
  query: mailedKey,
  bytes: { largest: 16_384, form: true },
  response: mailedNotification,
})

/** C-12. The answer is the same whether the address has an account or not. @throws `identity.proof_required` for `manage`, `account.delegation_exists`, `account.delegation_to_self`, `account.too_many_delegations`, `account.too_many_mails` */
export const createDelegation = endpoint({
  method: 'POST',
  path: '/profiles/create_access_delegation/',
  summary: 'Let somebody else act in one’s account',
  access: ['user'],
  body: delegationBody,
  response: accessDelegation,
  status: 201,
})

/** Those in force, granted and received. */
export const listDelegations = endpoint({
  method: 'GET',
  path: '/access_delegations/',
  summary: 'List who may act in whose account',
  access: ['user'],
  query: pageQuery.extend({ direction: z.enum(['granted', 'received']).optional() }),
  response: pageOf(accessDelegation),
})

/** By whoever granted it, or gives it back. */
export const endDelegation = endpoint({
  method: 'DELETE',
  path: '/access_delegations/:id/',
  summary: 'End an access',
  access: ['user'],
  params: byId,
  response: done,
})

/** @throws `account.group_needs_legal`, `account.group_already` */
export const createGroup = endpoint({
  method: 'POST',
  path: '/groups/',
  summary: 'Make a group of one’s company',
  access: ['user'],
  body: z.object({ name: groupNameField }),
  response: group,
  status: 201,
})

/** @throws `account.group_none` */
export const readGroup = endpoint({
  method: 'GET',
  path: '/groups/current/',
  summary: 'Read one’s group',
  access: ['user'],
  response: group,
})

export const renameGroup = endpoint({
  method: 'PATCH',
  path: '/groups/current/',
  summary: 'Rename one’s group',
  access: ['user'],
  body: z.object({ name: groupNameField }),
  response: group,
})

/** By the owner and by managers. */
export const listMembers = endpoint({
  method: 'GET',
  path: '/groups/current/members/',
  summary: 'List the members of one’s group',
  access: ['user'],
  query: pageQuery,
  response: pageOf(groupMember),
})

export const changeMember = endpoint({
  method: 'PATCH',
  path: '/groups/current/members/:id/',
  summary: 'Give a member another role',
  access: ['user'],
  params: byId,
  body: z.object({ role: z.enum(grantedRoles, { error: 'role_required' }) }),
  response: groupMember,
})

/** Access ends at once; what the member made stays with the group. */
export const removeMember = endpoint({
  method: 'DELETE',
  path: '/groups/current/members/:id/',
  summary: 'Remove a member from one’s group',
  access: ['user'],
  params: byId,
  response: done,
})

/** @throws `account.group_owner_stays` */
export const leaveGroup = endpoint({
  method: 'POST',
  path: '/groups/current/leave/',
  summary: 'Leave one’s group',
  access: ['user'],
  response: done,
})

/** The former owner stays as a manager. @throws `account.group_needs_legal` when the other is no legal entity */
export const handOverGroup = endpoint({
  method: 'POST',
  path: '/groups/current/hand_over/',
  summary: 'Make another member the owner of one’s group',
  access: ['user'],
  body: z.object({ member_id: z.uuid({ error: 'member_required' }) }),
  response: group,
})

/** D-02 when the seats are taken. @throws `account.seats_full` with `seats`, `account.invitation_exists`, `account.too_many_mails` */
export const inviteMember = endpoint({
  method: 'POST',
  path: '/groups/current/invitations/',
  summary: 'Invite somebody into one’s group',
  access: ['user'],
  body: z.object({ email: addressField, role: z.enum(grantedRoles, { error: 'role_required' }) }),
  response: invitation,
  status: 201,
})

/** Those that wait. */
export const listInvitations = endpoint({
  method: 'GET',
  path: '/groups/current/invitations/',
  summary: 'List the invitations of one’s group',
  access: ['user'],
  query: pageQuery,
  response: pageOf(invitation),
})

export const withdrawInvitation = endpoint({
  method: 'DELETE',
  path: '/groups/current/invitations/:id/',
  summary: 'Withdraw an invitation',
  access: ['user'],
  params: byId,
  response: done,
})

/** Changes nothing. @throws `account.invitation_invalid` */
export const readInvitation = endpoint({
  method: 'POST',
  path: '/group_invitations/read/',
  summary: 'Read what an invitation’s link invites to',
  access: ['open'],
  body: invitationToken,
  response: invitationState,
})

/** By the owner of the address that was invited. @throws `account.invitation_invalid`, `account.invitation_other_address`, `account.group_already`, `account.seats_full` */
export const acceptInvitation = endpoint({
  method: 'POST',
  path: '/group_invitations/accept/',
  summary: 'Join the group that one was invited to',
  access: ['user'],
  body: invitationToken,
  response: group,
})

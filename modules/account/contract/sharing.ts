import { z } from 'zod'
import { delegationScopes } from '../../../kernel/actor.ts'
import { parseEmailAddress } from '../../../kernel/email-address.ts'
import { grantedRoles, groupRoles } from '../domain/group.ts'
import { textFault, tidy } from '../domain/plain-text.ts'

export const addressField = z
  .string({ error: 'email_required' })
  .trim()
  .min(1, { error: 'email_required' })
  .max(320, { error: 'email_invalid' })
  .refine((typed) => typed === '' || parseEmailAddress(typed) !== null, { error: 'email_invalid' })

export const groupNameField = z
  .string({ error: 'group_name_required' })
  .max(1000, { error: 'too_long' })
  .transform(tidy)
  .superRefine((name, context) => {
    const fault = name === '' ? 'group_name_required' : textFault(name, 200)
    if (fault !== null) context.addIssue({ code: 'custom', message: fault })
  })

/** E-64. */
export const group = z.object({
  id: z.uuid(),
  name: z.string(),
  created_at: z.iso.datetime(),
  /** Of the caller. */
  role: z.enum(groupRoles),
  owner: z.object({ id: z.uuid(), name: z.string() }),
  /** Taken: members, the owner among them, and invitations that wait. */
  seats: z.object({ total: z.int().positive(), taken: z.int().nonnegative() }),
})
export type Group = z.infer<typeof group>

export const groupMember = z.object({
  /** Of the user. */
  id: z.uuid(),
  first_name: z.string(),
  last_name: z.string(),
  email: z.string(),
  role: z.enum(groupRoles),
  joined_at: z.iso.datetime(),
})
export type GroupMember = z.infer<typeof groupMember>

export const invitation = z.object({
  id: z.uuid(),
  email: z.string(),
  role: z.enum(grantedRoles),
  created_at: z.iso.datetime(),
  expires_at: z.iso.datetime(),
})
export type Invitation = z.infer<typeof invitation>

/** What the page of an invitation's link shows before anything is accepted. */
export const invitationState = z.object({
  group: z.string(),
  invited_by: z.string(),
  email: z.string(),
  role: z.enum(grantedRoles),
  expires_at: z.iso.datetime(),
})

export const invitationToken = z.object({ token: z.string().min(1).max(200) })

/** H-22: who may act in whose account. */
export const accessDelegation = z.object({
  id: z.uuid(),
  direction: z.enum(['granted', 'received']),
  /** Whose account it opens. */
  grantor: z.object({ id: z.uuid(), name: z.string(), email: z.string() }),
  /** To whom, as the grantor wrote it: nothing tells whether that address has an account. */
  email: z.string(),
  scope: z.enum(delegationScopes),
  created_at: z.iso.datetime(),
  expires_at: z.iso.datetime(),
})
export type AccessDelegation = z.infer<typeof accessDelegation>

export const delegationBody = z.object({
  email: addressField,
  scope: z.enum(delegationScopes, { error: 'scope_required' }),
  /** At most two years from now. */
  expires_at: z.iso.datetime({ offset: true, error: 'expiry_required' }),
})

import { z } from 'zod'
import { accountStatuses, staffRoles } from '../../../kernel/actor.ts'
import { endpoint } from '../../../kernel/endpoint.ts'

/** What staff does to an account (decisions H-20, H-43). To anybody else none of these calls exists. */

const byId = z.object({ id: z.uuid() })

export const longestSuspensionReason = 1000

/** Why: read by staff alone, and by the person where a law gives him the right to. */
const reasonField = z
  .string({ error: 'reason_required' })
  .trim()
  .min(1, { error: 'reason_required' })
  .max(longestSuspensionReason, { error: 'too_long' })
  .refine((reason) => !reason.includes('\0'), { error: 'characters' })

/** How the account stands after the call. */
export const standing = z.object({
  id: z.uuid(),
  status: z.enum(accountStatuses),
  roles: z.array(z.enum(staffRoles)),
  /** Open sessions. */
  sessions: z.int().nonnegative(),
})
export type Standing = z.infer<typeof standing>

/** Ends every session. @throws `identity.staff_account` (over staff, administrators alone have power), `identity.own_account`, `identity.last_administrator`, `identity.not_active` */
export const suspendUser = endpoint({
  method: 'POST',
  path: '/admin/users/:id/suspend/',
  summary: 'Suspend an account',
  access: ['support', 'administrator'],
  params: byId,
  body: z.object({ reason: reasonField }),
  response: standing,
})

/** @throws `identity.staff_account`, `identity.not_suspended` */
export const reinstateUser = endpoint({
  method: 'POST',
  path: '/admin/users/:id/reinstate/',
  summary: 'Reinstate a suspended account',
  access: ['support', 'administrator'],
  params: byId,
  response: standing,
})

/** @throws `identity.not_unconfirmed`, `identity.throttled` */
export const resendConfirmationOf = endpoint({
  method: 'POST',
  path: '/admin/users/:id/resend_confirmation/',
  summary: 'Send the confirmation of an account again',
  access: ['support', 'administrator'],
  params: byId,
  response: standing,
})

export const endSessionsOf = endpoint({
  method: 'POST',
  path: '/admin/users/:id/end_sessions/',
  summary: 'End all sessions of an account',
  access: ['support', 'administrator'],
  params: byId,
  response: standing,
})

/** All of them, whole. @throws `identity.proof_required`, `identity.own_account`, `identity.last_administrator`, `identity.not_active` */
export const changeRolesOf = endpoint({
  method: 'POST',
  path: '/admin/users/:id/roles/',
  summary: 'Give and take roles of staff',
  access: ['administrator'],
  params: byId,
  body: z.object({ roles: z.array(z.enum(staffRoles)).max(staffRoles.length) }),
  response: standing,
})

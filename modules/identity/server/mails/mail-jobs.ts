import { z } from 'zod'
import { defineJob } from '../../../../platform/jobs/jobs.ts'

/** What a mail tells somebody of his own account. */
export const notices = [
  'password_changed',
  'second_factor_enabled',
  'second_factor_disabled',
  'recovery_code_used',
  'address_added',
  'primary_changed',
  'suspended',
  'reinstated',
  'roles_changed',
  'new_sign_in',
  'api_key_made',
  'api_key_ending',
] as const
export type Notice = (typeof notices)[number]

/** The link and the code to confirm an address. */
export const mailConfirmationJob = defineJob('identity.mail_confirmation', z.object({ token_id: z.uuid() }))
/** To the owner of a confirmed address that somebody registered, or added, again. */
export const mailAddressTakenJob = defineJob('identity.mail_address_taken', z.object({ email_id: z.uuid() }))
/** To the address that was typed, which may be another confirmed one than the primary. */
export const mailResetJob = defineJob('identity.mail_reset', z.object({ token_id: z.uuid(), email_id: z.uuid() }))
/** `at`: when it happened. `email_id`: to that address of theirs, else to the primary one. `session_id`, `api_key_id`: the one it is about. */
export const mailNoticeJob = defineJob(
  'identity.mail_notice',
  z.object({
    user_id: z.uuid(),
    notice: z.enum(notices),
    at: z.iso.datetime(),
    email_id: z.uuid().optional(),
    session_id: z.uuid().optional(),
    api_key_id: z.uuid().optional(),
  }),
)

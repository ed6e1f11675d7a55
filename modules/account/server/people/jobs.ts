import { z } from 'zod'
import { defineJob } from '../../../../platform/jobs/jobs.ts'

/** What is written to whom; `id` is of the row that the mail is about. */
export const mailKinds = [
  'invitation',
  'member_removed',
  'delegation_received',
  'delegation_granted',
  'delegation_lost',
  'delegation_over',
  'bank_account_changed',
  'closing',
  'closing_undone',
] as const
export type MailKind = (typeof mailKinds)[number]

export const sendMailJob = defineJob('account.send_mail', z.object({ kind: z.enum(mailKinds), id: z.uuid() }))
export const eraseAccountJob = defineJob('account.erase_account', z.object({ user_id: z.uuid() }))
/** Every five minutes: closed accounts whose time is over, and strangers' addresses that are kept no longer. */
export const sweepAccountsJob = defineJob('account.sweep_accounts', z.object({}).loose())

export const accountJobs = [sendMailJob, eraseAccountJob, sweepAccountsJob]

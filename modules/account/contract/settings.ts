import { z } from 'zod'
import { locales } from '../../../kernel/locale.ts'
import { notificationKinds, serverLocations } from '../domain/settings.ts'

/** E-53…E-55, the language of mails, and which mails are sent. */
export const settings = z.object({
  server_location: z.enum(serverLocations),
  server_id: z.string().nullable(),
  close_cookies: z.boolean(),
  eidas_timestamping: z.boolean(),
  /** Whether the setting above has an effect here (decision 0279), and why not. */
  eidas: z.object({
    offered: z.boolean(),
    /** null: it is offered. */
    reason: z.enum(['none_configured', 'not_checked', 'none_qualified']).nullable(),
    /** Those found to be qualified, each with the State whose list says so. */
    authorities: z.array(z.object({ provider: z.string(), territory: z.string(), checked_at: z.iso.datetime() })),
  }),
  language: z.enum(locales),
  notifications: z.object({
    report_ready: z.boolean(),
    draft_ending: z.boolean(),
    download_reminder: z.boolean(),
    anchored: z.boolean(),
    proof_weakening: z.boolean(),
  }),
})
export type Settings = z.infer<typeof settings>

/** Only what is sent changes. */
export const settingsChange = z.strictObject({
  server_location: z.enum(serverLocations, { error: 'choice_unknown' }).optional(),
  server_id: z.string().max(200, { error: 'server_unknown' }).nullable().optional(),
  close_cookies: z.boolean().optional(),
  eidas_timestamping: z.boolean().optional(),
  language: z.enum(locales, { error: 'choice_unknown' }).optional(),
  notifications: z
    .strictObject({
      report_ready: z.boolean().optional(),
      draft_ending: z.boolean().optional(),
      download_reminder: z.boolean().optional(),
      anchored: z.boolean().optional(),
      proof_weakening: z.boolean().optional(),
    })
    .optional(),
})

const key = z.string().min(1, { error: 'required' }).max(200)
export const mailedKey = z.object({ key })

/** One kind of mail, as its link shows it to whoever has the mail: nothing else of the account. */
export const mailedNotification = z.object({ kind: z.enum(notificationKinds), on: z.boolean() })
export const mailedNotificationChange = z.object({ key, on: z.boolean() })

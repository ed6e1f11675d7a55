import { z } from 'zod'
import { parseEmailAddress } from '../../../kernel/email-address.ts'
import { locales } from '../../../kernel/locale.ts'
import { workOrScore } from '../../../kernel/work-done.ts'
import {
  largestAttachmentBytes,
  lineFault,
  longestName,
  longestText,
  longestTitle,
  mostAttachments,
  requestStatuses,
  textFault,
} from '../domain/request.ts'

/** Every `error` below is the code of a field, as the server answers it; its words are `support.field.<code>` (V-40…V-43, V-46). */
const line = (required: string, longest: number) =>
  z
    .string({ error: required })
    .trim()
    .min(1, { error: required })
    .max(longest, { error: 'too_long' })
    .refine((text) => lineFault(text) === null, { error: 'characters' })

export const textField = z
  .string({ error: 'description_required' })
  .transform((text) => text.replaceAll(/\r\n?/g, '\n'))
  .pipe(
    z
      .string()
      .trim()
      .min(1, { error: 'description_required' })
      .max(longestText, { error: 'too_long' })
      .refine((text) => textFault(text) === null, { error: 'characters' }),
  )

export const emailField = z
  .string({ error: 'email_required' })
  .trim()
  .min(1, { error: 'email_required' })
  .refine((typed) => typed === '' || parseEmailAddress(typed) !== null, { error: 'email_invalid' })

/** A file that is sent after the message, by its own call. */
export const announcedAttachment = z.object({
  name: line('attachment_name', longestName),
  bytes: z.int().min(1, { error: 'attachment_empty' }).max(largestAttachmentBytes, { error: 'attachment_too_large' }),
})
const attachments = z.array(announcedAttachment).max(mostAttachments, { error: 'too_many_attachments' }).default([])

export const contactFields = {
  name: line('name_required', longestName),
  email: emailField,
  title: line('title_required', longestTitle),
  description: textField,
}

export const contactBody = z.object({
  ...contactFields,
  attachments,
  /** Of the mails about it; absent: what `Accept-Language` asks for. */
  locale: z.enum(locales).optional(),
  work: workOrScore.optional(),
})

export const messageBody = z.object({ description: textField, attachments })

/** Where to send what was announced. */
export const awaitedAttachment = z.object({
  id: z.uuid(),
  name: z.string(),
  key: z.string().describe('Opens the one call that takes this file, for two hours.'),
})
export type AwaitedAttachment = z.infer<typeof awaitedAttachment>

export const sentRequest = z.object({
  reference: z.string().describe('By which people name the request, as mails about it do.'),
  id: z.uuid().nullable().describe('Null where nobody is signed in: answers come by mail.'),
  attachments: z.array(awaitedAttachment),
})

export const supportAttachment = z.object({
  id: z.uuid(),
  name: z.string(),
  bytes: z.int(),
  received: z.boolean().describe('False: it was announced and has not come.'),
})

export const supportMessage = z.object({
  id: z.uuid(),
  author: z.enum(['sender', 'staff']),
  text: z.string(),
  created_at: z.string(),
  attachments: z.array(supportAttachment),
})
export type SupportMessage = z.infer<typeof supportMessage>

export const supportEntry = z.object({
  id: z.uuid(),
  reference: z.string(),
  title: z.string(),
  status: z.enum(requestStatuses),
  created_at: z.string(),
  changed_at: z.string(),
})
export type SupportEntry = z.infer<typeof supportEntry>

export const supportRequest = supportEntry.extend({ messages: z.array(supportMessage) })
export type SupportRequest = z.infer<typeof supportRequest>

const sender = {
  name: z.string(),
  email: z.string(),
  locale: z.enum(locales),
  user_id: z
    .uuid()
    .nullable()
    .describe('Whose account it was sent from; null: nobody was signed in, and the address is what was typed.'),
}
export const queuedRequest = supportEntry.extend(sender)
export type QueuedRequest = z.infer<typeof queuedRequest>

export const staffRequest = supportRequest.extend({
  ...sender,
  messages: z.array(supportMessage.extend({ by: z.string().nullable().describe('Who of the staff wrote it.') })),
})
export type StaffRequest = z.infer<typeof staffRequest>

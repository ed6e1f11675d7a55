import { z } from 'zod'
import { endpoint } from '../../../kernel/endpoint.ts'
import { locales } from '../../../kernel/locale.ts'
import { workOrScore } from '../../../kernel/work-done.ts'
import { emailField } from './support.ts'

const keyBody = z.object({ key: z.string().min(1, { error: 'key' }).max(200, { error: 'key' }) })
const done = z.object({ status: z.literal('done') })

/** C-71, C-72: whether there is one, and whose form signs up to it in that language. */
export const readNewsletter = endpoint({
  method: 'GET',
  path: '/newsletter/',
  summary: 'Read whether there is a newsletter, and how one signs up to it',
  access: ['open'],
  query: z.object({ language: z.enum(locales).optional() }),
  response: z.object({
    mode: z.enum(['off', 'local', 'provider']),
    form: z
      .object({ action: z.string(), field: z.string() })
      .nullable()
      .describe('Of a provider: where his form is posted to, and under which name the address is sent.'),
  }),
})

/**
 * P-05, H-41. The answer is the same for every address. A proof of work is asked for.
 * @throws `support.newsletter_off`, `support.work_required`, `support.throttled`
 */
export const signUpToNewsletter = endpoint({
  method: 'POST',
  path: '/newsletter/',
  summary: 'Sign up to the newsletter: a mail asks whether one did',
  access: ['open'],
  body: z.object({ email: emailField, locale: z.enum(locales).optional(), work: workOrScore.optional() }),
  response: z.object({ status: z.literal('sent') }),
})

/** The second of both consents: who follows the link of the mail presses. @throws `support.newsletter_link` */
export const confirmNewsletter = endpoint({
  method: 'POST',
  path: '/newsletter/confirm/',
  summary: 'Confirm, by the key of the mail, that one wants the newsletter',
  access: ['open'],
  body: keyBody,
  response: done,
})

/** Nothing of the address is kept. Whoever is not on the list any more is told the same. @throws `support.newsletter_link` */
export const leaveNewsletter = endpoint({
  method: 'POST',
  path: '/newsletter/unsubscribe/',
  summary: 'Leave the newsletter, by the key of any of its mails',
  access: ['open'],
  body: keyBody,
  response: done,
})

/** Addresses that confirmed, each with the proof of its consent and the link that ends it; the look is written to the record of acts. */
export const exportNewsletter = endpoint({
  method: 'GET',
  path: '/admin/newsletter/',
  summary: 'Export who confirmed that he wants the newsletter, as CSV',
  access: ['administrator'],
  response: 'stream',
})

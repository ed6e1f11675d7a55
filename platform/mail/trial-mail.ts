import type { Locale } from '../../kernel/locale.ts'
import { createMessages } from '../messages/messages.ts'
import { composeMail } from './compose-mail.ts'
import type { Mail } from './mailer.ts'

/** To whoever sets an installation up, and wants to see whether its mails arrive. */
export function writeTrialMail(to: string, locale: Locale, publicUrl: string): Mail {
  const messages = createMessages(locale)
  return composeMail({
    to,
    locale,
    subject: messages.format('setup.mail.subject', { address: publicUrl }),
    parts: [{ text: messages.format('setup.mail.text') }, { link: publicUrl, label: publicUrl }],
  })
}

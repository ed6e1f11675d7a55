import type { Locale } from '../../../../kernel/locale.ts'
import { composeMail } from '../../../../platform/mail/compose-mail.ts'
import type { Mail } from '../../../../platform/mail/mailer.ts'
import { createMessages } from '../../../../platform/messages/messages.ts'
import type { SupportJobDeps } from '../requests/deps.ts'
import { newsletterKey } from './newsletter-key.ts'
import { findSubscription } from './newsletter-store.ts'

/** Asks the address itself; whoever did not ask for it does nothing, and hears no more. */
export async function askNewsletter(
  deps: Pick<SupportJobDeps, 'db' | 'mailer' | 'publicUrl' | 'secret'>,
  id: string,
): Promise<void> {
  const subscription = await findSubscription(deps.db, id)
  if (subscription === null || subscription.confirmedAt !== null) return
  await deps.mailer.send(writeNewsletterQuestion(deps, { ...subscription, id }))
}

export function writeNewsletterQuestion(
  deps: Pick<SupportJobDeps, 'publicUrl' | 'secret'>,
  asked: { readonly id: string; readonly address: string; readonly locale: Locale; readonly askedAt: Date },
): Mail {
  const { id, address: to, locale, askedAt } = asked
  const messages = createMessages(locale)
  const page = `${deps.publicUrl}/${locale}/support/newsletter/`
  const link = (name: 'confirm' | 'leave') => `${page}?${name}=${newsletterKey(deps.secret, name, id)}`
  const mail = composeMail({
    to,
    locale,
    subject: messages.format('support.mail.newsletter_subject'),
    parts: [
      { text: messages.format('support.mail.newsletter', { at: askedAt }) },
      { link: link('confirm'), label: messages.format('support.mail.newsletter_confirm') },
      { text: messages.format('support.mail.newsletter_not_you') },
    ],
  })
  return { ...mail, once: { id, at: askedAt } }
}

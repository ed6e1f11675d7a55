import type { Locale } from '../../../kernel/locale.ts'
import type { MailSample } from '../../../platform/mail/mail-sample.ts'
import type { MessageValues } from '../../../platform/messages/messages.ts'
import { mailKinds, type MailKind } from './people/jobs.ts'
import { writeMail } from './send-mail.ts'

const until = new Date('2026-12-21T10:12:00Z')
const links: Readonly<Partial<Record<MailKind, string>>> = {
  invitation: `/by-mail/invitation/?key=${'k'.repeat(64)}`,
  closing: `/by-mail/keep-account/?key=${'k'.repeat(64)}`,
}

/** One of each kind, about nobody. */
export function sampleAccountMails(locale: Locale, publicUrl: string): MailSample[] {
  const values: MessageValues = {
    name: 'Zoë d’Artagnan',
    group: 'Mousquetaires SA',
    email: 'constance@example.org',
    scope: 'create',
    until,
  }
  return mailKinds.map((kind) => ({
    subject: `account.mail.${kind}.subject`,
    mail: writeMail({ publicUrl }, kind, {
      to: 'zoe@example.org',
      locale,
      brand: 'probant',
      values,
      link: links[kind] ?? '/authentication/',
    }),
  }))
}

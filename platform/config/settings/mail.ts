/** Mail. */
import { address } from './parsers.ts'
import { setting } from './setting.ts'

export const mail = {
  smtpUrl: setting({
    name: 'SMTP_URL',
    ...address(['smtp:', 'smtps:']),
    secret: true,
    fallback: undefined as string | undefined,
    fallbackText: 'mails are files in the data folder',
    meaning: 'SMTP server, with user and password when it wants them.',
  }),
  mailFrom: setting({
    name: 'MAIL_FROM',
    accepts: '`Name <address>` or an address',
    parse(this: void, value: string): string {
      if (!/^(?:[^<>\p{Cc}"]{1,100} <[^\s<>@]+@[^\s<>@]+>|[^\s<>@]+@[^\s<>@]+)$/u.test(value))
        throw new RangeError('must be an e-mail address or Name <address>')
      return value
    },
    fallback: 'Probant <probant@localhost>',
    fallbackText: '`Probant <probant@localhost>`',
    meaning: 'Sender of mails.',
  }),
} as const

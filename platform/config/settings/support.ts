/** Support: who hears of what people write, and how long it is kept. */
import { address, integer, oneOf, text } from './parsers.ts'
import { setting } from './setting.ts'

export const support = {
  supportAddress: setting({
    name: 'PROBANT_SUPPORT_MAIL',
    accepts: 'e-mail address',
    parse(this: void, value: string): string {
      if (value.length > 254 || !/^[^\s<>@,;"\p{Cc}]+@[^\s<>@,;"\p{Cc}]+$/u.test(value))
        throw new RangeError('must be an e-mail address')
      return value
    },
    fallback: undefined as string | undefined,
    fallbackText: 'none: the queue at `/admin/support/` alone says that somebody wrote',
    meaning:
      'Whom it is told, by mail in English, that somebody wrote to support. Answers are written in the queue, not by replying to that mail.',
  }),
  supportDays: setting({
    name: 'PROBANT_SUPPORT_DAYS',
    ...integer(1, 3650),
    fallback: 365,
    fallbackText: '`365`',
    meaning: 'Days after the last word until a request to support is deleted, with its answers and files.',
  }),
  newsletter: setting({
    name: 'PROBANT_NEWSLETTER',
    ...oneOf('off', 'local', 'provider'),
    fallback: 'off',
    fallbackText: '`off`',
    meaning:
      'Whether there is a newsletter. `local`: this installation keeps who confirmed, by a link that only his address was sent, that he wants it; administrators export the list at `/admin/newsletter/`. `provider`: the forms below are posted to a provider, who keeps the list.',
  }),
  newsletterFormEn: setting({
    name: 'PROBANT_NEWSLETTER_FORM_EN',
    ...address(['https:', 'http:']),
    fallback: undefined as string | undefined,
    fallbackText: 'required with `PROBANT_NEWSLETTER=provider`',
    meaning: 'Where the provider’s form is posted to, for every language but French.',
  }),
  newsletterFormFr: setting({
    name: 'PROBANT_NEWSLETTER_FORM_FR',
    ...address(['https:', 'http:']),
    fallback: undefined as string | undefined,
    fallbackText: 'required with `PROBANT_NEWSLETTER=provider`',
    meaning: 'Where the provider’s form is posted to, for French.',
  }),
  newsletterField: setting({
    name: 'PROBANT_NEWSLETTER_FIELD',
    ...text(60),
    fallback: 'EMAIL',
    fallbackText: '`EMAIL`',
    meaning: 'Name under which the provider’s form sends the address.',
  }),
} as const

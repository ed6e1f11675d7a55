/** Support: who hears of what people write, and how long it is kept. */
import { integer } from './parsers.ts'
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
} as const

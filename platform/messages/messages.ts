import { createIntl, createIntlCache } from '@formatjs/intl'
import { locales, type Locale } from '../../kernel/locale.ts'
import { catalogues, type MessageId } from './catalogue.ts'

export type { MessageId } from './catalogue.ts'

/** Instants are formatted in UTC unless a message's own argument was formatted before. */
export type MessageValues = Readonly<Record<string, string | number | boolean | Date | null | undefined>>

export type Messages = {
  readonly locale: Locale
  /** @throws Error when an argument of the message is missing: a half-filled sentence is never shown */
  format(id: MessageId, values?: MessageValues): string
  /** Whether a code met at run time has words. */
  has(id: string): id is MessageId
}

function build(locale: Locale): Messages {
  const messages = catalogues[locale]
  const intl = createIntl(
    {
      locale: locale === 'en' ? 'en-GB' : 'fr-FR',
      defaultLocale: 'en-GB',
      timeZone: 'UTC',
      messages: { ...messages },
      onError(error) {
        throw error
      },
      onWarn() {
        // Only says that messages are not precompiled, which on a server costs one parse each.
      },
    },
    createIntlCache(),
  )
  return {
    locale,
    format: (id, values) => intl.formatMessage({ id }, { ...values }),
    has: (id): id is MessageId => Object.hasOwn(messages, id),
  }
}

const built = new Map(locales.map((locale) => [locale, build(locale)]))

/** Parsed messages are kept for the life of the process: there is one immutable catalogue. */
export function createMessages(locale: Locale): Messages {
  return built.get(locale) ?? build(locale)
}

import { createFormatters, createIntl, createIntlCache } from '@formatjs/intl'
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

const nbsp = '\u00a0'

/** As pages, reports and certificates write them: `1er novembre 2026`, `10 h 12`, `10 h 12 min 05 s`; no line ends within. */
class FrenchDateTime extends Intl.DateTimeFormat {
  override format(date?: Date | number): string {
    return super
      .format(date)
      .replace(/^1 (?=\p{L})/u, '1er ')
      .replace(/^(\d+):(\d\d)(?::(\d\d))?$/, (_, hours: string, minutes: string, seconds?: string) =>
        [hours, 'h', minutes, ...(seconds === undefined ? [] : ['min', seconds, 's'])].join(nbsp),
      )
  }
}

function build(locale: Locale): Messages {
  const messages = catalogues[locale]
  const cache = createIntlCache()
  const dates = new Map<string, FrenchDateTime>()
  const french = {
    ...createFormatters(cache),
    getDateTimeFormat(language?: string | string[], options?: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
      const key = JSON.stringify([language, options])
      const format = dates.get(key) ?? new FrenchDateTime(language, options)
      dates.set(key, format)
      return format
    },
  }
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
    cache,
  )
  const options = locale === 'fr' ? { formatters: french } : undefined
  return {
    locale,
    format: (id, values) => intl.formatMessage({ id }, { ...values }, options),
    has: (id): id is MessageId => Object.hasOwn(messages, id),
  }
}

const built = new Map(locales.map((locale) => [locale, build(locale)]))

/** Parsed messages are kept for the life of the process: there is one immutable catalogue. */
export function createMessages(locale: Locale): Messages {
  return built.get(locale) ?? build(locale)
}

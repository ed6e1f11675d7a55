import { IntlMessageFormat } from 'intl-messageformat'
import type { Locale } from '../../kernel/locale.ts'
import type { Words } from '../../modules/verification/domain/describe-check.ts'
import en from '../../modules/verification/messages/en.json'
import fr from '../../modules/verification/messages/fr.json'

export type PageWords = Words & {
  readonly locale: Locale
  /** Message `verification.ui.<id>`. */
  ui(id: string, values?: Readonly<Record<string, string | number>>): string
  number(value: number): string
}

export function wordsOf(locale: Locale): PageWords {
  const messages: Readonly<Record<string, string>> = locale === 'fr' ? fr : en
  const tag = locale === 'fr' ? 'fr-FR' : 'en-GB'
  const parsed = new Map<string, IntlMessageFormat>()
  const format: Words['format'] = (id, values) => {
    const text = messages[id]
    // A state or a role of a later format has no words here: it shows as it is, never as an invented sentence.
    if (text === undefined) return id.replace(/^verification\.\w+\./, '')
    const message = parsed.get(id) ?? new IntlMessageFormat(text, tag)
    parsed.set(id, message)
    return String(message.format({ ...values }))
  }
  const style = { dateStyle: 'long', timeStyle: 'medium' } as const
  const utc = new Intl.DateTimeFormat(tag, { ...style, timeZone: 'UTC' })
  const local = new Intl.DateTimeFormat(tag, style)
  const zone = local.resolvedOptions().timeZone
  return {
    locale,
    format,
    has: (id) => Object.hasOwn(messages, id),
    ui: (id, values = {}) => format(`verification.ui.${id}`, values),
    instant: (iso) =>
      zone === 'UTC'
        ? `${utc.format(new Date(iso))} UTC`
        : format('verification.ui.both_times', { local: local.format(new Date(iso)), zone, utc: utc.format(new Date(iso)) }),
    number: (value) => new Intl.NumberFormat(tag).format(value),
  }
}

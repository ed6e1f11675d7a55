import type { Locale } from '../../kernel/locale.ts'
import { formatExact } from '../../ui/intl/format.ts'
import type { Words } from '../../modules/verification/domain/describe/describe-check.ts'
import { catalogue } from './catalogue.ts'
import { idsOf } from './names.ts'
import { formatMessage } from './format-message.ts'

export type PageWords = Words & {
  readonly locale: Locale
  /** Message `verification.ui.<id>`. */
  ui(id: string, values?: Readonly<Record<string, string | number>>): string
  number(value: number): string
}

function messagesOf(locale: Locale): ReadonlyMap<string, string> {
  const texts = catalogue[locale].split('\n')
  return new Map(idsOf(catalogue.names, 'verification').map((id, i) => [id, texts[i] ?? '']))
}

export function wordsOf(locale: Locale): PageWords {
  const messages = messagesOf(locale)
  const tag = locale === 'fr' ? 'fr-FR' : 'en-GB'
  const format: Words['format'] = (id, values) => {
    const text = messages.get(id)
    // A state or a role of a later format has no words here: it shows as it is, never as an invented sentence.
    if (text === undefined) return id.replace(/^verification\.\w+\./, '')
    return formatMessage(text, values, tag)
  }
  return {
    locale,
    format,
    has: (id) => messages.has(id),
    ui: (id, values = {}) => format(`verification.ui.${id}`, values),
    instant: (iso) => formatExact(iso, locale),
    number: (value) => new Intl.NumberFormat(tag).format(value),
  }
}

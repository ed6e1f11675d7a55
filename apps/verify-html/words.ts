import type { Locale } from '../../kernel/locale.ts'
import type { Words } from '../../modules/verification/domain/describe-check.ts'
import { catalogue, type Catalogue } from './catalogue.ts'
import { formatMessage } from './format-message.ts'

export type PageWords = Words & {
  readonly locale: Locale
  /** Message `verification.ui.<id>`. */
  ui(id: string, values?: Readonly<Record<string, string | number>>): string
  number(value: number): string
}

/** Ids with their words in one language, out of the tree of both. */
function messagesOf(tree: Catalogue, language: 0 | 1, under: string, found: Record<string, string>): Record<string, string> {
  for (const [name, below] of Object.entries(tree)) {
    const id = name === '' ? under : `${under}.${name}`
    if (Array.isArray(below)) found[id] = String(below[language])
    else messagesOf(below as Catalogue, language, id, found)
  }
  return found
}

export function wordsOf(locale: Locale): PageWords {
  const messages = messagesOf(catalogue, locale === 'fr' ? 1 : 0, 'verification', {})
  const tag = locale === 'fr' ? 'fr-FR' : 'en-GB'
  const format: Words['format'] = (id, values) => {
    const text = messages[id]
    // A state or a role of a later format has no words here: it shows as it is, never as an invented sentence.
    if (text === undefined) return id.replace(/^verification\.\w+\./, '')
    return formatMessage(text, values, tag)
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

import type { Locale } from '../../../../../kernel/locale.ts'
import { type PrintWords, printWords } from '../../../../../platform/print/print-words.ts'
import type { Day } from '../../../domain/document/invoice-document.ts'
import type { Cents } from '../../../domain/money/money.ts'
import english from '../../../messages/document.en.json' with { type: 'json' }
import french from '../../../messages/document.fr.json' with { type: 'json' }

export type DocumentMessageId = keyof typeof english
export type DocumentWords = PrintWords<DocumentMessageId> & {
  /** As on the screen: `1 197,60 €`, `€1,197.60`. */
  readonly money: (cents: Cents) => string
  /** `23 novembre 2026`, `23 November 2026`. */
  readonly day: (day: Day) => string
  /** Of basis points: `20 %`. */
  readonly rate: (basisPoints: number) => string
}

const catalogues: Readonly<Record<Locale, Readonly<Record<string, string>>>> = { en: english, fr: french }

/** Reading the messages takes as long as all else of a document: once for each language. */
const read = new Map<Locale, DocumentWords>()

/** Texts, amounts and dates of an invoice in one language. */
export function documentWords(locale: Locale): DocumentWords {
  const words = read.get(locale) ?? readWords(locale)
  read.set(locale, words)
  return words
}

function readWords(locale: Locale): DocumentWords {
  const words = printWords<DocumentMessageId>(locale, catalogues[locale], {
    time: 'billing.document.time',
    paris: 'billing.document.paris',
  })
  const euros = new Intl.NumberFormat(words.tag, { style: 'currency', currency: 'EUR' })
  const days = new Intl.DateTimeFormat(words.tag, { timeZone: 'UTC', dateStyle: 'long' })
  return {
    ...words,
    // Exact: a number as text is never rounded to a double first (ECMA-402).
    money: (cents) =>
      euros
        .format(`${cents}E-2` as `${number}`)
        .replaceAll('\u202f', '\u00a0')
        .replace('-', '\u2212'),
    // The first day of a month is an ordinal in French.
    day: (day) => days.format(new Date(`${day}T00:00:00Z`)).replace(locale === 'fr' ? /^1 / : /^$/, '1er '),
    rate: (basisPoints) => words.t('billing.document.rate', { rate: words.number(basisPoints / 100) }),
  }
}

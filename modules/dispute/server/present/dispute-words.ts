import type { Locale } from '../../../../kernel/locale.ts'
import { printWords, type PrintWords } from '../../../../platform/print/print-words.ts'
import english from '../../messages/document.en.json' with { type: 'json' }
import french from '../../messages/document.fr.json' with { type: 'json' }
import { placeholders, type PlaceholderNames } from '../../domain/letter.ts'

export type DisputeMessageId = keyof typeof english
export type DisputeWords = PrintWords<DisputeMessageId>

const catalogues: Readonly<Record<Locale, Readonly<Record<string, string>>>> = { en: english, fr: french }

/** Texts, numbers and dates of a notice in one language. */
export function disputeWords(locale: Locale): DisputeWords {
  return printWords<DisputeMessageId>(locale, catalogues[locale], {
    time: 'dispute.document.time',
    paris: 'dispute.document.instant_paris',
  })
}

export function placeholderNames({ t }: DisputeWords): PlaceholderNames {
  return Object.fromEntries(placeholders.map((each) => [each, t(`dispute.placeholder.${each}`)])) as PlaceholderNames
}

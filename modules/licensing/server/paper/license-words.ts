import type { Locale } from '../../../../kernel/locale.ts'
import { printWords, type PrintWords } from '../../../../platform/print/print-words.ts'
import english from '../../messages/document.en.json' with { type: 'json' }
import french from '../../messages/document.fr.json' with { type: 'json' }
import englishTerms from '../../messages/terms.en.json' with { type: 'json' }
import frenchTerms from '../../messages/terms.fr.json' with { type: 'json' }

export type LicenseMessageId = keyof typeof english | keyof typeof englishTerms
export type LicenseWords = PrintWords<LicenseMessageId>

const catalogues: Readonly<Record<Locale, Readonly<Record<string, string>>>> = {
  en: { ...english, ...englishTerms },
  fr: { ...french, ...frenchTerms },
}

/** Texts, numbers and dates of a licence in one language. */
export function licenseWords(locale: Locale): LicenseWords {
  return printWords<LicenseMessageId>(locale, catalogues[locale], {
    time: 'licensing.document.time',
    paris: 'licensing.document.instant_paris',
  })
}

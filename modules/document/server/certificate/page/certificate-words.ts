import type { Locale } from '../../../../../kernel/locale.ts'
import { type PrintWords, printWords } from '../../../../../platform/print/print-words.ts'
import english from '../../../messages/certificate.en.json' with { type: 'json' }
import french from '../../../messages/certificate.fr.json' with { type: 'json' }

export type CertificateMessageId = keyof typeof english
export type CertificateWords = PrintWords<CertificateMessageId>

const catalogues: Readonly<Record<Locale, Readonly<Record<string, string>>>> = { en: english, fr: french }

/** Texts, numbers and dates of a certificate in one language. */
export function certificateWords(locale: Locale): CertificateWords {
  return printWords<CertificateMessageId>(locale, catalogues[locale], {
    time: 'certificate.time',
    paris: 'certificate.instant_paris',
  })
}

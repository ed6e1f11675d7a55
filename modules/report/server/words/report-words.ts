import type { Locale } from '../../../../kernel/locale.ts'
import { type PrintWords, printWords } from '../../../../platform/print/print-words.ts'
import english from '../../messages/report.en.json' with { type: 'json' }
import french from '../../messages/report.fr.json' with { type: 'json' }
import sessionEnglish from '../../messages/session.en.json' with { type: 'json' }
import sessionFrench from '../../messages/session.fr.json' with { type: 'json' }

export type ReportMessageId = keyof typeof english | keyof typeof sessionEnglish
export type ReportWords = PrintWords<ReportMessageId>

const catalogues: Readonly<Record<Locale, Readonly<Record<string, string>>>> = {
  en: { ...english, ...sessionEnglish },
  fr: { ...french, ...sessionFrench },
}

/** Texts, numbers and dates of a report in one language. */
export function reportWords(locale: Locale): ReportWords {
  return printWords<ReportMessageId>(locale, catalogues[locale], {
    time: 'report.time',
    paris: 'report.instant_paris',
  })
}

import type { Inline, Inlines } from '../../../../../kernel/document/blocks.ts'
import { strong } from '../../../../../platform/print/document/inlines.ts'
import { outside } from '../../../../../platform/print/document/outside.ts'
import type { InvoiceDocument, Period } from '../../../domain/document/invoice-document.ts'
import type { DocumentWords } from '../words/document-words.ts'

/** What the sections of a page are made of. */
export type DocumentPage = DocumentWords & {
  readonly document: InvoiceDocument
  /** Text from outside, cut after `limit` characters: all of it stands in the XML. */
  readonly text: (value: string, limit?: number) => Inline
  readonly period: (period: Period) => string
  /** `Name: what is said`. */
  readonly named: (name: string, said: Inlines) => Inlines
}

/** Longest name printed whole, in characters. */
const textLimit = 300

export function documentPage(words: DocumentWords, document: InvoiceDocument): DocumentPage {
  const { t, day } = words
  const colon = words.locale === 'fr' ? '\u202f: ' : ': '
  return {
    ...words,
    document,
    text: (value, limit = textLimit) => outside(value, limit, (count) => t('billing.document.left_out', { count })),
    period: ({ from, to }) => (from === to ? day(from) : t('billing.document.from_to', { from: day(from), to: day(to) })),
    named: (name, said) => [strong([name, colon]), said],
  }
}

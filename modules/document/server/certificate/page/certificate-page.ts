import type { Inline, Inlines } from '../../../../../kernel/document/blocks.ts'
import { lineBreak, strong } from '../../../../../platform/print/document/inlines.ts'
import { outside } from '../../../../../platform/print/document/outside.ts'
import { sentence } from '../../../../../platform/print/document/sentence.ts'
import type { CertificateFacts } from './certificate-facts.ts'
import type { CertificateMessageId, CertificateWords } from './certificate-words.ts'

export type CertificatePage = CertificateWords & {
  readonly facts: CertificateFacts
  /** Text from outside, cut after `limit` characters. */
  readonly text: (value: string, limit?: number) => Inline
  /** A sentence with texts from outside in it: none of them turns the sentence round it. */
  readonly sentence: (id: CertificateMessageId, values: Readonly<Record<string, Inlines | number>>) => Inlines
  /** UTC. */
  readonly day: (iso: string) => string
  /** Both of its clocks, the first on a line of its own. */
  readonly instants: (iso: string) => Inlines
}

/** Longest name printed whole, in characters: as long as one may be. */
const textLimit = 255

export function certificatePage(words: CertificateWords, facts: CertificateFacts): CertificatePage {
  const leftOut = (count: number): string => words.t('certificate.left_out', { count })
  const text = (value: string, limit = textLimit) => outside(value, limit, leftOut)
  return {
    ...words,
    facts,
    text,
    sentence: (id, values) => sentence((plain) => words.t(id, plain), values),
    day: (iso) => {
      const day = new Intl.DateTimeFormat(words.tag, { timeZone: 'UTC', dateStyle: 'long' }).format(new Date(iso))
      // The first day of a month is an ordinal in French.
      return words.locale === 'fr' ? day.replace(/^1 /, '1er ') : day
    },
    instants: (iso) => {
      const { utc, paris } = words.instant(iso)
      return [strong(utc), lineBreak, paris]
    },
  }
}

import type { Block, Inline, Inlines } from '../../../../../platform/print/document/blocks.ts'
import { lineBreak, strong } from '../../../../../platform/print/document/inlines.ts'
import { outside } from '../../../../../platform/print/document/outside.ts'
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

/** Characters of private use hold the places of what is markup until the sentence is there: no text of ours has them. */
const firstPlace = 0xe000

export function certificatePage(words: CertificateWords, facts: CertificateFacts): CertificatePage {
  const leftOut = (count: number): string => words.t('certificate.left_out', { count })
  const text = (value: string, limit = textLimit) => outside(value, limit, leftOut)
  return {
    ...words,
    facts,
    text,
    sentence: (id, values) => {
      const held: Inlines[] = []
      const plain = Object.fromEntries(
        Object.entries(values).map(([name, value]) => {
          if (typeof value !== 'object') return [name, value]
          held.push(value)
          return [name, String.fromCodePoint(firstPlace + held.length - 1)]
        }),
      )
      return words
        .t(id, plain)
        .split(/([\ue000-\ue0ff])/)
        .map((part) => held[(part.codePointAt(0) ?? 0) - firstPlace] ?? part)
    },
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

/** Rows of a two-column table; a row of null is left out. */
export function factRows(...rows: readonly (Extract<Block, { kind: 'facts' }>['rows'][number] | null)[]): Block {
  return { kind: 'facts', rows: rows.filter((row) => row !== null) }
}

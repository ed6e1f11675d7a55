import { type Html, html } from '../../../../../platform/html/html.ts'
import { hostileText } from '../../../../../platform/print/hostile-text.ts'
import type { CertificateFacts } from './certificate-facts.ts'
import type { CertificateMessageId, CertificateWords } from './certificate-words.ts'

export type CertificatePage = CertificateWords & {
  readonly facts: CertificateFacts
  /** Text from outside, cut after `limit` characters. */
  readonly text: (value: string, limit?: number) => Html
  /** A sentence with texts from outside in it: none of them turns the sentence round it. */
  readonly sentence: (id: CertificateMessageId, values: Readonly<Record<string, Html | string | number>>) => Html
  /** UTC. */
  readonly day: (iso: string) => string
  /** Both of its clocks, the first on a line of its own. */
  readonly instants: (iso: string) => Html
}

/** Longest name printed whole, in characters: as long as one may be. */
const textLimit = 255

/** Characters of private use hold the places of what is markup until the sentence is there: no text of ours has them. */
const firstPlace = 0xe000

export function certificatePage(words: CertificateWords, facts: CertificateFacts): CertificatePage {
  const leftOut = (count: number): string => words.t('certificate.left_out', { count })
  const text = (value: string, limit = textLimit) => hostileText(value, limit, leftOut)
  return {
    ...words,
    facts,
    text,
    sentence: (id, values) => {
      const held: Html[] = []
      const plain = Object.fromEntries(
        Object.entries(values).map(([name, value]) => {
          if (typeof value !== 'object') return [name, value]
          held.push(value)
          return [name, String.fromCodePoint(firstPlace + held.length - 1)]
        }),
      )
      const parts = words
        .t(id, plain)
        .split(/([\ue000-\ue0ff])/)
        .map((part) => held[(part.codePointAt(0) ?? 0) - firstPlace] ?? part)
      return html`${parts}`
    },
    day: (iso) => {
      const day = new Intl.DateTimeFormat(words.tag, { timeZone: 'UTC', dateStyle: 'long' }).format(new Date(iso))
      // The first day of a month is an ordinal in French.
      return words.locale === 'fr' ? day.replace(/^1 /, '1er ') : day
    },
    instants: (iso) => {
      const { utc, paris } = words.instant(iso)
      return html`<b>${utc}</b><br />${paris}`
    },
  }
}

/** Rows of a two-column table; a row of null is left out. */
export function factRows(...rows: readonly (readonly [string, Html | string] | null)[]): Html {
  return html`<table class="facts">
    <tbody>
      ${rows.map(
        (row) =>
          row !== null &&
          html`<tr>
            <th scope="row">${row[0]}</th>
            <td>${row[1]}</td>
          </tr>`,
      )}
    </tbody>
  </table>`
}

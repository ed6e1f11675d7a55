import { type Html, html } from '../../../../platform/html/html.ts'
import { hostileText } from '../../../../platform/print/hostile-text.ts'
import { conditionsOf } from '../../../capture/server/index.ts'
import { type Exhibit, numberExhibits } from '../content/number-exhibits.ts'
import type { ReportContent } from '../content/report-content.ts'
import { type ReportMessageId, type ReportWords, reportWords } from '../words/report-words.ts'

export const sectionIds = [
  'summary',
  'warnings',
  'conditions',
  'machine',
  'server',
  'path',
  'session',
  'exhibits',
  'vantage',
  'network',
  'certificates',
  'timestamps',
  'pieces',
  'seal',
  'objections',
  'verify',
  'limits',
  'glossary',
] as const
export type SectionId = (typeof sectionIds)[number]

/** What a capture did without has no section of its own: one line names it all (`sections/unused.ts`). */
function sectionsOf({ session, facts }: Pick<ReportContent, 'session' | 'facts'>): readonly SectionId[] {
  const without: readonly SectionId[] = [
    ...(session === null ? (['session'] as const) : []),
    ...(session !== null || facts.vantage === null ? (['vantage'] as const) : []),
    ...(facts.server === null ? (['server'] as const) : []),
    ...(facts.timestamps.length === 0 ? (['timestamps'] as const) : []),
  ]
  return sectionIds.filter((id) => !without.includes(id))
}

/** Words of the capture module (`capture.warning.…`, `capture.checklist.…`), or null when it has none for an id. */
export type CaptureWords = (id: string, values: Readonly<Record<string, string | number | boolean>>) => string | null

export type ReportPage = ReportWords & {
  readonly content: ReportContent
  readonly captureWords: CaptureWords
  readonly sectionNumber: (id: SectionId) => number
  /** Text from outside. */
  readonly text: (value: string, limit?: number) => Html
  /** An address from outside, breakable anywhere. */
  readonly url: (value: string, limit?: number) => Html
  readonly code: (value: string) => Html
  /** ISO 3166-1 alpha-2 code as a name in the language of the report; anything else as it stands. */
  readonly country: (code: string) => Html
  readonly exhibits: readonly Exhibit[]
  readonly section: (id: SectionId, ...body: readonly Html[]) => Html
  /** Rows of a two-column table; a row of null is left out. */
  readonly facts: (...rows: readonly (readonly [string, Html | string] | null)[]) => Html
}

/** Longest title or name printed in full, in characters. */
const textLimit = 400
const urlLimit = 2000

function countryName(code: string, tag: string): string {
  if (!/^[a-z]{2}$/i.test(code)) return code
  return new Intl.DisplayNames(tag, { type: 'region', fallback: 'code' }).of(code.toUpperCase()) ?? code
}

export function reportPage(given: ReportContent, captureWords: CaptureWords): ReportPage {
  const content = { ...given, facts: { ...given.facts, checklist: conditionsOf(given.facts.checklist) } }
  const words = reportWords(content.locale)
  const leftOut = (count: number): string => words.t('report.left_out', { count })
  const sections = sectionsOf(content)
  const sectionNumber = (id: SectionId): number => sections.indexOf(id) + 1
  const titleOf = (id: SectionId): ReportMessageId => `report.${id}.title`
  return {
    ...words,
    content,
    captureWords,
    sectionNumber,
    text: (value, limit = textLimit) => hostileText(value, limit, leftOut),
    url: (value, limit = urlLimit) => html`<span class="url">${hostileText(value, limit, leftOut)}</span>`,
    code: (value) => html`<code>${hostileText(value, textLimit, leftOut)}</code>`,
    country: (code) => hostileText(countryName(code, words.tag), 80, leftOut),
    exhibits: numberExhibits(content),
    section: (id, ...body) =>
      html`<section class="${id}" id="${id}">
        <h2><span class="number">${sectionNumber(id)}</span> ${words.t(titleOf(id))}</h2>
        ${body}
      </section>`,
    facts: (...rows) =>
      html`<table class="facts">
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
      </table>`,
  }
}

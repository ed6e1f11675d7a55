import type { Block, Inline, Inlines } from '../../../../kernel/document/blocks.ts'
import { type Blocks, flatten, paragraph } from '../../../../platform/print/document/inlines.ts'
import { outside } from '../../../../platform/print/document/outside.ts'
import { sentence } from '../../../../platform/print/document/sentence.ts'
import { conditionsOf } from '../../../capture/server/index.ts'
import { type Exhibit, numberExhibits } from '../content/number-exhibits.ts'
import type { ReportContent } from '../content/report-content.ts'
import { type ReportMessageId, type ReportWords, reportWords } from '../words/report-words.ts'

/** What is read from the first page on, numbered. The path to a page is short and leads to its images; that of a session is long. */
const staticIds = ['summary', 'warnings', 'path', 'exhibits', 'objections', 'verify'] as const
const sessionIds = ['summary', 'warnings', 'exhibits', 'path', 'session', 'objections', 'verify'] as const
/** Technical lists, which have letters: they are looked up. */
const annexIds = [
  'conditions',
  'machine',
  'server',
  'vantage',
  'network',
  'certificates',
  'timestamps',
  'pieces',
  'seal',
  'limits',
  'glossary',
] as const
const firstLetter = 0x41
export type SectionId = (typeof sessionIds)[number] | (typeof annexIds)[number]

/** What each section is called by. What a capture did without has none: one line names it all (`sections/unused.ts`). */
function numbersOf({ session, facts }: Pick<ReportContent, 'session' | 'facts'>): ReadonlyMap<SectionId, string> {
  const without: readonly SectionId[] = [
    ...(session !== null || facts.vantage === null ? (['vantage'] as const) : []),
    ...(facts.server === null ? (['server'] as const) : []),
    ...(facts.timestamps.length === 0 ? (['timestamps'] as const) : []),
  ]
  const held = <T extends SectionId>(ids: readonly T[]): readonly T[] => ids.filter((id) => !without.includes(id))
  return new Map([
    ...held(session === null ? staticIds : sessionIds).map((id, index) => [id, String(index + 1)] as const),
    ...held(annexIds).map((id, index) => [id, String.fromCodePoint(firstLetter + index)] as const),
  ])
}

/** Words of the capture module (`capture.warning.…`, `capture.checklist.…`), or null when it has none for an id. */
export type CaptureWords = (id: string, values: Readonly<Record<string, string | number | boolean>>) => string | null

export type ReportPage = ReportWords & {
  readonly content: ReportContent
  readonly captureWords: CaptureWords
  /** A sentence with more than words in it: text from outside, references. */
  readonly say: (id: ReportMessageId, values: Readonly<Record<string, Inlines | number | boolean>>) => Inlines
  /** A number, of an annex a letter. */
  readonly sectionNumber: (id: SectionId) => string
  /** The same, which leads there. */
  readonly toSection: (id: SectionId) => Inline
  readonly toExhibit: (number: number) => Inline
  /** Text from outside. */
  readonly text: (value: string, limit?: number) => Inline
  /** An address from outside, breakable anywhere. */
  readonly url: (value: string, limit?: number) => Inline
  /** The same of what programs call each other. */
  readonly code: (value: string) => Inline
  /** ISO 3166-1 alpha-2 code as a name in the language of the report; anything else as it stands. */
  readonly country: (code: string) => Inline
  readonly exhibits: readonly Exhibit[]
  readonly section: (id: SectionId, ...body: readonly Blocks[]) => readonly Block[]
  /** How many of a list were left out; null: none. */
  readonly more: (count: number) => Block | null
}

/** Longest title or name printed in full, in characters. */
const textLimit = 400
const urlLimit = 2000

/** They begin a page; the others follow where there is room. */
const newPage: readonly SectionId[] = ['summary', 'exhibits', 'session', 'objections']

export const exhibitId = (number: number): string => `exhibit-${String(number)}`
const sectionLabel = (id: SectionId): string => `section-${id}`

function countryName(code: string, tag: string): string {
  if (!/^[a-z]{2}$/i.test(code)) return code
  return new Intl.DisplayNames(tag, { type: 'region', fallback: 'code' }).of(code.toUpperCase()) ?? code
}

export function reportPage(given: ReportContent, captureWords: CaptureWords): ReportPage {
  const content = { ...given, facts: { ...given.facts, checklist: conditionsOf(given.facts.checklist) } }
  const words = reportWords(content.locale)
  const leftOut = (count: number): string => words.t('report.left_out', { count })
  const numbers = numbersOf(content)
  const sectionNumber = (id: SectionId): string => numbers.get(id) ?? ''
  const titleOf = (id: SectionId): ReportMessageId => `report.${id}.title`
  return {
    ...words,
    content,
    captureWords,
    sectionNumber,
    say: (id, values) => sentence((plain) => words.t(id, plain), values),
    toSection: (id) => ({ kind: 'reference', to: sectionLabel(id), text: sectionNumber(id) }),
    toExhibit: (number) => ({ kind: 'reference', to: exhibitId(number), text: String(number) }),
    text: (value, limit = textLimit) => outside(value, limit, leftOut),
    url: (value, limit = urlLimit) => outside(value, limit, leftOut, true),
    code: (value) => outside(value, textLimit, leftOut, true),
    country: (code) => outside(countryName(code, words.tag), 80, leftOut),
    exhibits: numberExhibits(content),
    section: (id, ...body) => [
      ...(newPage.includes(id) ? [{ kind: 'page-break' } as const] : []),
      { kind: 'heading', level: 2, number: sectionNumber(id), id: sectionLabel(id), text: words.t(titleOf(id)) },
      ...flatten(body),
    ],
    more: (count) => (count > 0 ? paragraph(words.t('report.more_rows', { count }), 'annex') : null),
  }
}

import type { Block, Inlines } from '../../../../kernel/document/blocks.ts'
import { flatten, paragraph, strong } from '../../../../platform/print/document/inlines.ts'
import { presenceOf } from '../../../capture/server/index.ts'
import { checklistPath, conditionMark } from '../content/landmarks.ts'
import type { CaptureFacts } from '../content/report-content.ts'
import type { ReportPage } from '../page/report-page.ts'

export type Line = CaptureFacts['checklist'][number]

const instantPattern = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/

/** Measured values as they are read: numbers stay numbers for the plurals of the sentence. */
function readable(page: ReportPage, value: string | number | boolean | null): string | number {
  if (value === null) return page.t('report.not_measured')
  if (typeof value === 'boolean') return value ? page.t('report.yes') : page.t('report.no')
  // Counts stay numbers, for the plurals.
  if (typeof value === 'number' && !Number.isInteger(value)) return page.fraction(value)
  return typeof value === 'string' && instantPattern.test(value) ? page.instant(value).utc : value
}

export function titleOfLine(page: ReportPage, line: Pick<Line, 'id'>): string {
  return page.captureWords(`capture.checklist.${line.id}.title`, {}) ?? line.id
}

/** The sentence of the line with its measured values; without a sentence, the values themselves. */
export function detailOf(page: ReportPage, line: Line): Inlines | null {
  const values = Object.entries(line.data).map(([key, value]) => [key, readable(page, value)] as const)
  const sentence = page.captureWords(`capture.checklist.${line.id}.detail`, {
    ...Object.fromEntries(values),
    ...presenceOf(line.data),
  })
  if (sentence !== null) return page.text(sentence, 3000)
  if (values.length === 0) return null
  return values.map(([key, value], index) => [
    index > 0 ? `${page.t('report.separator')} ` : [],
    page.text(page.t('report.pair', { name: key, value: String(value) }), 300),
  ])
}

function annexLine(page: ReportPage, line: Line): string {
  const at = page.content.lines(checklistPath, conditionMark(line.id))
  return at === null
    ? ''
    : `${page.t('report.separator')} ${page.t('report.annex_line', { path: checklistPath, line: String(at) })}`
}

/** A line that is not measured as a whole still states the parts that were. */
export function isStated(line: Line): boolean {
  return line.result !== 'not_measured' || Object.values(line.data).some((value) => value !== null)
}

const tones = { pass: 'good', fail: 'bad', not_measured: 'quiet' } as const

export function conditions(page: ReportPage): readonly Block[] {
  const { t, content } = page
  const lines = content.facts.checklist
  if (lines.length === 0) return page.section('conditions', paragraph(t('report.conditions.empty')))
  return page.section('conditions', paragraph(t('report.conditions.intro')), {
    kind: 'table',
    columns: [{ head: t('report.conditions.line') }, { head: t('report.conditions.result'), share: 17, figures: true }],
    rows: lines.map((line, index) => {
      const why = page.captureWords(`capture.checklist.${line.id}.why`, {})
      const detail = isStated(line) ? detailOf(page, line) : null
      return [
        {
          blocks: flatten([
            paragraph(strong(`${String(index + 1)}. ${titleOfLine(page, line)}`)),
            why !== null && paragraph(why, 'annex'),
            detail !== null && paragraph(detail),
            line.evidence_path !== null &&
              paragraph([t('report.conditions.annex', { path: line.evidence_path }), annexLine(page, line)], 'annex'),
          ]),
        },
        { kind: 'toned', tone: tones[line.result], of: t(`report.result.${line.result}`) },
      ]
    }),
  })
}

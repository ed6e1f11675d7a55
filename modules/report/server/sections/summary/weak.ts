import type { Block, Inlines } from '../../../../../kernel/document/blocks.ts'
import { flatten, heading, paragraph, soft } from '../../../../../platform/print/document/inlines.ts'
import { type WeakPoint, warningsOfPoint, weakPoints } from '../../objections/weak-points.ts'
import type { ReportPage } from '../../page/report-page.ts'
import { titleOfLine } from '../conditions.ts'
import { warningSentences } from '../warnings.ts'

/** Of all that is weak, so many stand on the page; the others are counted, and said where the page says. */
const mostPoints = 6
/** Length at which a sentence of the page's own checks is cut, in characters. */
const sentenceLimit = 160
/** Conditions named on the page; the others are counted. */
const namedConditions = 3

function wordsOf(page: ReportPage, { words, values }: WeakPoint): Inlines {
  const id = `report.weak.${words}`
  const items = values['items']
  const shown =
    items === undefined
      ? values
      : {
          items: String(items)
            .split(',')
            .map((item) => page.t(`report.vantage.item.${item}` as 'report.vantage.item.image'))
            .join(', '),
        }
  return page.has(id) ? page.text(page.t(id, shown), sentenceLimit) : words
}

/** Those that were measured and not met, by name; those that were not measured, by their number. */
function conditionPoints(page: ReportPage): readonly Inlines[] {
  const { t, say, content, toSection } = page
  const lines = content.facts.checklist
  const missed = lines.filter((line) => line.result === 'fail')
  const unmeasured = lines.filter((line) => line.result === 'not_measured').length
  const section = toSection('conditions')
  const named = missed
    .slice(0, namedConditions)
    .map((line, index) => [index > 0 ? `${t('report.separator')} ` : [], page.text(titleOfLine(page, line), 45)])
  const left = missed.length - namedConditions
  return [
    ...(missed.length > 0
      ? [
          say('report.weak.conditions', {
            names: left > 0 ? [named, ` ${t('report.weak.others', { count: left })}`] : named,
            section,
          }),
        ]
      : []),
    ...(unmeasured > 0 ? [say('report.weak.unmeasured', { count: unmeasured, section })] : []),
  ]
}

/** What a reader should know before he relies on it, in plain words, from what was measured alone. */
export function weakBox(page: ReportPage): readonly Block[] {
  const { t, say, content, toSection } = page
  const points = weakPoints(content)
  const told = new Set(points.flatMap(({ words }) => warningsOfPoint[words] ?? []))
  const found = warningSentences(page, sentenceLimit).filter(({ code }) => code === null || !told.has(code))
  const conditions = conditionPoints(page)
  // The conditions have their place whatever else there is.
  const others = [...points.map((one) => wordsOf(page, one)), ...found.map(({ said }) => said)]
  const shown = others.slice(0, mostPoints - conditions.length)
  const left = others.length - shown.length
  const items = [...shown, ...conditions]
  return flatten([
    heading(3, t('report.weak.title')),
    items.length === 0
      ? paragraph(t('report.weak.none'))
      : { kind: 'list', ordered: false, items: items.map((item) => [paragraph(item)]) },
    left > 0 &&
      paragraph(
        soft(say('report.weak.more', { count: left, warnings: toSection('warnings'), objections: toSection('objections') })),
      ),
  ])
}

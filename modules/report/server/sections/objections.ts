import type { Block, Inlines } from '../../../../kernel/document/blocks.ts'
import { heading, paragraph, soft } from '../../../../platform/print/document/inlines.ts'
import { answerObjections } from '../objections/answer-objections.ts'
import type { Annex, Point } from '../objections/point.ts'
import type { ReportPage } from '../page/report-page.ts'
import { detailOf, isStated, titleOfLine } from './conditions.ts'

const instants = new Set(['at'])

function annexWords(page: ReportPage, annex: Annex): string {
  const line = annex.text === undefined ? null : page.content.lines(annex.path, annex.text)
  if (line !== null) return page.t('report.annex_line', { path: annex.path, line: String(line) })
  return annex.field === undefined ? annex.path : page.t('report.annex_field', { path: annex.path, field: annex.field })
}

function words(page: ReportPage, point: Point): Inlines {
  const { t } = page
  if (point.condition !== null) {
    const line = point.condition
    const number = page.content.facts.checklist.indexOf(line) + 1
    const detail = isStated(line) ? detailOf(page, line) : null
    return [t('report.point.condition', { number, title: titleOfLine(page, line) }), detail === null ? [] : [' ', detail]]
  }
  const values = Object.fromEntries(
    Object.entries(point.values).map(([key, value]) => {
      if (instants.has(key)) return [key, page.instant(String(value)).utc]
      if (key === 'item') return [key, page.t(`report.vantage.item.${String(value)}` as 'report.vantage.item.image')]
      return [key, value]
    }),
  )
  const id = `report.point.${point.words}`
  const sections = {
    section: page.sectionNumber('warnings'),
    path: page.sectionNumber('path'),
    session: page.sectionNumber('session'),
  }
  return page.text(page.has(id) ? t(id, { ...sections, ...values }) : point.words, 600)
}

const stateTones = { answered: 'good', partly: 'doubtful', open: 'quiet', against: 'bad' } as const
const pointTones = { pass: 'good', fail: 'bad', weak: 'doubtful', stated: 'quiet', not_measured: 'quiet' } as const

function pointItem(page: ReportPage, point: Point): readonly Block[] {
  const { t } = page
  const annexes = point.annexes.map((annex) => annexWords(page, annex)).join(`${t('report.separator')} `)
  return [
    paragraph([
      { kind: 'toned', tone: pointTones[point.result], of: t(`report.point_result.${point.result}`) },
      ' ',
      words(page, point),
      point.annexes.length === 0 ? [] : [' ', soft(`[${t('report.objections.annex', { annexes })}]`)],
    ]),
  ]
}

/** Each classic objection, what this capture measured about it, and where to read it. */
export function objections(page: ReportPage): readonly Block[] {
  const { t, content } = page
  return page.section(
    'objections',
    paragraph(t('report.objections.intro')),
    answerObjections(content).map(({ id, state, points }, index): Block => ({
      kind: 'together',
      blocks: [
        heading(3, `${String(index + 1)}. ${t(`report.objection.${id}`)}`),
        paragraph({ kind: 'toned', tone: stateTones[state], of: t(`report.objection_state.${state}`) }),
        { kind: 'list', ordered: false, size: 'small', items: points.map((point) => pointItem(page, point)) },
        paragraph(t(`report.objection_rest.${id}`), 'small'),
      ],
    })),
  )
}

import { type Html, html } from '../../../../platform/html/html.ts'
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

function words(page: ReportPage, point: Point): Html {
  const { t } = page
  if (point.condition !== null) {
    const line = point.condition
    const number = page.content.facts.checklist.indexOf(line) + 1
    return html`${t('report.point.condition', { number, title: titleOfLine(page, line) })}
    ${isStated(line) && detailOf(page, line)}`
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

/** Each classic objection, what this capture measured about it, and where to read it. */
export function objections(page: ReportPage): Html {
  const { t, content } = page
  return page.section(
    'objections',
    html`<p>${t('report.objections.intro')}</p>`,
    ...answerObjections(content).map(
      (objection, index) =>
        html`<div class="objection">
          <h3>${index + 1}. ${t(`report.objection.${objection.id}`)}</h3>
          <p class="state ${objection.state}">${t(`report.objection_state.${objection.state}`)}</p>
          <ul>
            ${objection.points.map(
              (point) =>
                html`<li>
                  <span class="mark ${point.result}">${t(`report.point_result.${point.result}`)}</span> ${words(page, point)}
                  ${
                    point.annexes.length > 0 &&
                    html`<span class="annex"
                      >[${t('report.objections.annex', {
                        annexes: point.annexes.map((annex) => annexWords(page, annex)).join(`${t('report.separator')} `),
                      })}]</span
                    >`
                  }
                </li>`,
            )}
          </ul>
          <p class="rest">${t(`report.objection_rest.${objection.id}`)}</p>
        </div>`,
    ),
  )
}

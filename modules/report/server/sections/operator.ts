import { type Html, html } from '../../../../platform/html/html.ts'
import type { ReportPage } from '../page/report-page.ts'

/** Who runs the machine: the installation's own word, always said to be that. */
export function operatorWords(page: ReportPage, limit: number): Html {
  const { operator } = page.content.facts
  if (operator === undefined || operator === null) return html`${page.t('report.not_stated')}`
  return html`${page.text(operator, limit)} (${page.t('report.operator.stated')})`
}

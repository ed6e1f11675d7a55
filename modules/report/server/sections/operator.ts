import type { Inlines } from '../../../../kernel/document/blocks.ts'
import type { ReportPage } from '../page/report-page.ts'

/** Who runs the machine: the installation's own word, always said to be that. */
export function operatorWords(page: ReportPage, limit: number): Inlines {
  const { operator } = page.content.facts
  if (operator === undefined || operator === null) return page.t('report.not_stated')
  return [page.text(operator, limit), ` (${page.t('report.operator.stated')})`]
}

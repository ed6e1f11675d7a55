import type { Inlines } from '../../../../kernel/document/blocks.ts'
import type { ReportPage } from '../page/report-page.ts'

/** Where a machine stands is stated by whoever runs it, never measured: without a statement it is not stated. */
export function placeOf(page: ReportPage, server: { readonly country: string | null; readonly city?: string | null }): Inlines {
  const { country, city = null } = server
  if (country === null && city === null) return page.t('report.not_stated')
  return [
    city === null ? [] : page.text(city, 60),
    city !== null && country !== null ? ', ' : [],
    country === null ? [] : page.country(country),
  ]
}

import type { Block, Inlines } from '../../../../kernel/document/blocks.ts'
import { heading, paragraph } from '../../../../platform/print/document/inlines.ts'
import type { CaptureFacts } from '../content/report-content.ts'
import type { ReportPage } from '../page/report-page.ts'

const lossRows = 100

/** Points that stand in facts beside the list of warnings and are said in words of the report itself. */
function saidByReport(facts: CaptureFacts): { readonly allowed: boolean; readonly override: boolean } {
  const codes = new Set(facts.warnings.map((warning) => warning.code))
  return {
    allowed: facts.allowed_addresses_used.length > 0 && !codes.has('allowed_private_address'),
    override: facts.isolation === 'override' && !codes.has('isolation_override'),
  }
}

export function countWarnings(facts: CaptureFacts): number {
  const { allowed, override } = saidByReport(facts)
  return facts.warnings.length + (allowed ? 1 : 0) + (override ? 1 : 0)
}

/** An id without words is printed with its data: a warning is never swallowed. */
function plain(id: string, data: Readonly<Record<string, string | number>>): string {
  const values = Object.entries(data).map(([key, value]) => `${key}: ${value}`)
  return [id, ...values].join(', ')
}

function lossWords(page: ReportPage, reason: string): string {
  const id = `report.loss.${reason}`
  return page.has(id) ? page.t(id) : reason
}

export function warnings(page: ReportPage): readonly Block[] {
  const { t, content } = page
  const { facts } = content
  const { allowed, override } = saidByReport(facts)
  const items: Inlines[] = facts.warnings.map(({ code, data }) =>
    page.text(page.captureWords(`capture.warning.${code}`, data) ?? plain(code, data), 1000),
  )
  if (allowed)
    items.push(
      t('report.warnings.allowed', {
        count: facts.allowed_addresses_used.length,
        addresses: facts.allowed_addresses_used.join(', '),
      }),
    )
  if (override) items.push(t('report.warnings.override'))
  const { losses } = facts.completeness
  return page.section(
    'warnings',
    paragraph(t(items.length === 0 ? 'report.warnings.none' : 'report.warnings.intro')),
    items.length > 0 && { kind: 'list', ordered: false, items: items.map((item) => [paragraph(item)]) },
    losses.length > 0 && [
      heading(3, t('report.warnings.losses')),
      {
        kind: 'list',
        ordered: false,
        size: 'small',
        items: losses
          .slice(0, lossRows)
          .map(({ url, reason }) => [paragraph([page.url(url, 300), ' – ', page.text(lossWords(page, reason), 200)])]),
      },
      page.more(losses.length - lossRows),
    ],
  )
}

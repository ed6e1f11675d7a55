import type { Block, Inlines } from '../../../../kernel/document/blocks.ts'
import { paragraph } from '../../../../platform/print/document/inlines.ts'
import type { CaptureFacts } from '../content/report-content.ts'
import type { ReportPage } from '../page/report-page.ts'

/** Points that stand in facts beside the list of warnings and are said in words of the report itself. */
function saidByReport(facts: CaptureFacts): { readonly allowed: boolean; readonly override: boolean } {
  const codes = new Set(facts.warnings.map((warning) => warning.code))
  return {
    allowed: facts.allowed_addresses_used.length > 0 && !codes.has('allowed_private_address'),
    override: facts.isolation === 'override' && !codes.has('isolation_override'),
  }
}

/** An id without words is printed with its data: a warning is never swallowed. */
function plain(id: string, data: Readonly<Record<string, string | number>>): string {
  const values = Object.entries(data).map(([key, value]) => `${key}: ${value}`)
  return [id, ...values].join(', ')
}

/** One sentence a point, in the order of the facts; those that the report words itself have no code. */
export function warningSentences(
  page: ReportPage,
  limit: number,
): readonly { readonly code: string | null; readonly said: Inlines }[] {
  const { t, content } = page
  const { facts } = content
  const { allowed, override } = saidByReport(facts)
  const count = facts.allowed_addresses_used.length
  return [
    ...facts.warnings.map(({ code, data }) => ({
      code,
      said: page.text(page.captureWords(`capture.warning.${code}`, data) ?? plain(code, data), limit),
    })),
    ...(allowed
      ? [
          {
            code: null,
            said: page.text(t('report.warnings.allowed', { count, addresses: facts.allowed_addresses_used.join(', ') }), limit),
          },
        ]
      : []),
    ...(override ? [{ code: null, said: t('report.warnings.override') }] : []),
  ]
}

/** Length at which a sentence is cut, in characters. */
const sentenceLimit = 1000

export function warnings(page: ReportPage): readonly Block[] {
  const { t } = page
  const items = warningSentences(page, sentenceLimit)
  return page.section(
    'warnings',
    paragraph(t(items.length === 0 ? 'report.warnings.none' : 'report.warnings.intro')),
    items.length > 0 && { kind: 'list', ordered: false, items: items.map(({ said }) => [paragraph(said)]) },
  )
}

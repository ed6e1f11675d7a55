import type { Block } from '../../../../kernel/document/blocks.ts'
import type { ReportPage } from '../page/report-page.ts'

/** All that this capture did without, in one line. */
export function unused({ t, content }: ReportPage): Block | null {
  const { facts, session } = content
  const list = [
    // A visitor steers by himself.
    ...(session === null && facts.cookie_banner === null ? [t('report.unused.banner')] : []),
    ...(session === null && facts.scenario === null ? [t('report.unused.scenario')] : []),
    ...(session === null && facts.vantage === null ? [t('report.unused.vantage')] : []),
    ...(facts.timestamps.length === 0 ? [t('report.unused.timestamps')] : []),
  ]
  return list.length === 0 ? null : { kind: 'callout', tone: 'note', text: t('report.unused', { list: list.join(', ') }) }
}

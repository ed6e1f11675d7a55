import type { Block } from '../../../../kernel/document/blocks.ts'
import { code, lineBreak, paragraph, soft } from '../../../../platform/print/document/inlines.ts'
import type { ReportPage } from '../page/report-page.ts'

export function pieces(page: ReportPage): readonly Block[] {
  const { t, content } = page
  const list = content.pieces
  return page.section(
    'pieces',
    paragraph(t('report.pieces.intro', { count: list.length })),
    list.some((piece) => piece.role === 'tls_keys') && { kind: 'callout', tone: 'alert', text: t('report.pieces.keys') },
    {
      kind: 'table',
      size: 'small',
      columns: [{ head: `${t('report.pieces.path')}, SHA-256` }, { head: t('report.pieces.bytes'), share: 16, figures: true }],
      rows: list.map(({ path, role, sha256, bytes }) => [
        [code(path), ' ', soft(t(`report.role.${role}`)), lineBreak, soft(code(sha256))],
        page.number(bytes),
      ]),
    },
  )
}

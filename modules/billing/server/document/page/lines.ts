import type { Block, Cell, Inlines } from '../../../../../kernel/document/blocks.ts'
import { lineBreak, soft, strong } from '../../../../../platform/print/document/inlines.ts'
import type { Line } from '../../../domain/document/invoice-document.ts'
import type { DocumentPage } from './document-page.ts'

/** BT-151 is said where it is not the rate that says it. */
export const rateOf = ({ t, rate }: DocumentPage, of: Pick<Line, 'rate'>): string =>
  of.rate === null ? t('billing.document.no_rate') : rate(of.rate)

function nameOf(page: DocumentPage, { name, description, period }: Line): Inlines {
  return [
    strong(page.text(name)),
    description === null ? [] : [lineBreak, page.text(description, 600)],
    period === null ? [] : [lineBreak, soft(page.period(period))],
  ]
}

/** What was sold, and what was taken off. */
export function lines(page: DocumentPage): Block {
  const { t, money, document } = page
  const rows = document.lines.map((line): readonly Cell[] => [
    nameOf(page, line),
    t(`billing.document.unit.${line.unit}`, { count: line.quantity }),
    money(line.unitPrice),
    rateOf(page, line),
    money(line.net),
  ])
  const allowances = document.allowances.map((each): readonly Cell[] => [
    page.named(t('billing.document.allowance'), page.text(each.reason)),
    '',
    '',
    rateOf(page, each),
    money(-each.amount),
  ])
  return {
    kind: 'table',
    columns: [
      { head: t('billing.document.description') },
      { head: t('billing.document.quantity'), share: 11, figures: true },
      { head: t('billing.document.unit_price'), share: 19, figures: true },
      { head: t('billing.document.vat_rate'), share: 12, figures: true },
      { head: t('billing.document.line_net'), share: 18, figures: true },
    ],
    rows: [...rows, ...allowances],
  }
}

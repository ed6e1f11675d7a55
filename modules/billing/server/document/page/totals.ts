import type { Block } from '../../../../../kernel/document/blocks.ts'
import { paragraph } from '../../../../../platform/print/document/inlines.ts'
import type { DocumentPage } from './document-page.ts'
import { rateOf } from './lines.ts'

/** VAT by rate, with why where there is none. */
function vat(page: DocumentPage): readonly Block[] {
  const { t, money, document } = page
  return [
    {
      kind: 'table',
      size: 'small',
      columns: [
        { head: t('billing.document.vat_rate') },
        { head: t('billing.document.vat_base'), share: 36, figures: true },
        { head: t('billing.document.vat_amount'), share: 38, figures: true },
      ],
      rows: document.vat.map((group) => [rateOf(page, group), money(group.taxable), money(group.tax)]),
    },
    ...document.vat.flatMap(({ exemption }) => (exemption === null ? [] : [paragraph(exemption.text, 'grave')])),
  ]
}

/** What it comes to. */
export function totals(page: DocumentPage): Block {
  const { t, money, document } = page
  const { totals: of, allowances } = document
  const rows = [
    allowances.length === 0 ? null : { name: t('billing.document.sum_lines'), amount: money(of.lines) },
    allowances.length === 0 ? null : { name: t('billing.document.sum_allowances'), amount: money(-of.allowances) },
    { name: t('billing.document.sum_net'), amount: money(of.net) },
    { name: t('billing.document.sum_vat'), amount: money(of.vat) },
    { name: t('billing.document.sum_gross'), amount: money(of.gross) },
    of.paid === 0 ? null : { name: t('billing.document.sum_paid'), amount: money(-of.paid) },
    { name: t(`billing.document.sum_due.${document.type}`), amount: money(of.due), result: true },
  ]
  return {
    kind: 'together',
    blocks: [
      {
        kind: 'columns',
        shares: [54, 46],
        columns: [vat(page), [{ kind: 'sums', rows: rows.filter((row) => row !== null) }]],
      },
    ],
  }
}

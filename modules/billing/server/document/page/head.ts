import type { Block, Inlines } from '../../../../../kernel/document/blocks.ts'
import { facts, heading, paragraph, strong } from '../../../../../platform/print/document/inlines.ts'
import type { DocumentPage } from './document-page.ts'
import { stacked } from './parties.ts'

/** What it is, of whom, and its days. */
export function head(page: DocumentPage): Block {
  const { t, text, day, document } = page
  const { type, number, issuedOn, dueOn, suppliedOn, period, order, preceding, mode } = document
  const row = (name: string, said: Inlines | null): readonly [string, Inlines] | null => (said === null ? null : [name, said])
  return {
    kind: 'columns',
    shares: [50, 50],
    columns: [
      [paragraph(strong(text(document.seller.name, 120)), 'lead'), heading(1, t(`billing.document.title.${type}`))],
      [
        {
          ...facts(
            [t('billing.document.number'), strong(text(number))],
            [t('billing.document.issued_on'), day(issuedOn)],
            row(t(mode === 'S2' ? 'billing.document.paid_on' : 'billing.document.due_on'), dueOn === null ? null : day(dueOn)),
            row(t('billing.document.supplied_on'), suppliedOn === null ? null : day(suppliedOn)),
            row(t('billing.document.period'), period === null ? null : page.period(period)),
            row(t('billing.document.order'), order === null ? null : text(order, 120)),
            preceding.length === 0
              ? null
              : [
                  t('billing.document.takes_back'),
                  stacked(
                    preceding.map((each) => t('billing.document.preceding', { number: each.number, date: day(each.issuedOn) })),
                  ),
                ],
          ),
          look: 'dense',
        },
      ],
    ],
  }
}

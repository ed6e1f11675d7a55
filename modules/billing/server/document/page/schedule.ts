import type { Block } from '../../../../../kernel/document/blocks.ts'
import { heading, paragraph, strong } from '../../../../../platform/print/document/inlines.ts'
import type { DocumentPage } from './document-page.ts'

/** The parts of a price, and which of them this is. */
export function schedule(page: DocumentPage): readonly Block[] {
  const { t, day, money, document } = page
  if (document.schedule === null) return []
  const { parts, current } = document.schedule
  const count = parts.length
  return [
    {
      kind: 'together',
      blocks: [
        heading(2, t('billing.document.schedule')),
        paragraph(t(current === null ? 'billing.document.schedule_lead_whole' : 'billing.document.schedule_lead', { count })),
        {
          kind: 'table',
          size: 'small',
          columns: [
            { head: t('billing.document.schedule_number') },
            { head: t('billing.document.schedule_due') },
            { head: t('billing.document.schedule_net'), share: 16, figures: true },
            { head: t('billing.document.schedule_vat'), share: 16, figures: true },
            { head: t('billing.document.schedule_gross'), share: 16, figures: true },
          ],
          rows: parts.map((part, at) => {
            const values = { number: at + 1, count }
            return [
              at === current ? strong(t('billing.document.schedule_this', values)) : t('billing.document.schedule_part', values),
              day(part.dueOn),
              money(part.net),
              money(part.vat),
              money(part.gross),
            ]
          }),
        },
      ],
    },
  ]
}

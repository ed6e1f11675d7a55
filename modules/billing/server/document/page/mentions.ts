import type { Block } from '../../../../../kernel/document/blocks.ts'
import { paragraph, strong } from '../../../../../platform/print/document/inlines.ts'
import type { DocumentPage } from './document-page.ts'
import { stacked } from './parties.ts'

/** What law wants to be said, at the foot of the last page. */
export function mentions({ t, text, document }: DocumentPage): readonly Block[] {
  const { notes, mode, vatDue, seller } = document
  const trade = notes.find(({ subject }) => subject === 'BAR')?.text ?? ''
  const said = notes.filter(({ subject }) => subject !== 'BAR').map((note) => text(note.text, 400))
  return [
    { kind: 'fill' },
    {
      kind: 'together',
      blocks: [
        paragraph(
          stacked([
            [
              t('billing.document.trade', { mode, trade }),
              '.',
              vatDue === null ? '' : ` ${t(`billing.document.vat_due.${vatDue}`)}`,
            ],
            ...said,
            [strong(text(seller.name)), ', ', text(seller.legalText, 400)],
          ]),
          'small',
        ),
      ],
    },
  ]
}

/** An invoice as a printed document, with itself as data inside. */
import type { PrintedDocument } from '../../../../../platform/print/document/printed-document.ts'
import { plainText } from '../../../../../platform/print/hostile-text.ts'
import { attachedName } from '../factur-x/extension-schema.ts'
import type { DocumentPage } from './document-page.ts'
import { head } from './head.ts'
import { lines } from './lines.ts'
import { mentions } from './mentions.ts'
import { parties } from './parties.ts'
import { payment } from './payment.ts'
import { runningOf } from './running.ts'
import { schedule } from './schedule.ts'
import { totals } from './totals.ts'

/** @param xml what is attached */
export function composeDocument(page: DocumentPage, xml: Uint8Array): PrintedDocument {
  const { t, document } = page
  const { type, issuedOn } = document
  const number = plainText(document.number, 60)
  const seller = plainText(document.seller.name, 120)
  const title = t(`billing.document.file_title.${type}`, { number })
  return {
    look: 'invoice',
    language: page.tag,
    title,
    subject: t('billing.document.subject', { title, seller, date: page.day(issuedOn) }),
    date: new Date(`${issuedOn}T00:00:00Z`),
    running: runningOf(page, seller, title),
    mark: document.test ? t('billing.document.test_mark') : null,
    blocks: [head(page), parties(page), lines(page), totals(page), ...schedule(page), ...payment(page), ...mentions(page)],
    attachments: [
      {
        name: attachedName,
        mediaType: 'text/xml',
        description: t('billing.document.attachment'),
        bytes: xml,
        relationship: 'alternative',
      },
    ],
    files: [],
  }
}

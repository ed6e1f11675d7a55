import type { Block, Inlines } from '../../../../../kernel/document/blocks.ts'
import { code, facts, heading, strong } from '../../../../../platform/print/document/inlines.ts'
import type { PaymentMeans } from '../../../domain/document/invoice-document.ts'
import type { DocumentPage } from './document-page.ts'

/** In fours, as banks print it. */
const spaced = (iban: string): string => iban.replaceAll(/(.{4})(?=.)/g, '$1 ')

function meansRows({ t, text }: DocumentPage, means: PaymentMeans): readonly (readonly [string, Inlines] | null)[] {
  if (means.kind === 'card') return [[t('billing.document.means.card'), t('billing.document.card', { digits: means.lastDigits })]]
  return means.kind === 'direct_debit'
    ? [
        [
          t('billing.document.means.direct_debit'),
          means.iban === null ? t('billing.document.by_mandate') : [t('billing.document.debited'), ' ', code(spaced(means.iban))],
        ],
        means.mandate === null ? null : [t('billing.document.mandate'), text(means.mandate, 60)],
        means.creditor === null ? null : [t('billing.document.creditor'), code(means.creditor)],
      ]
    : [
        [t('billing.document.means.transfer'), [t('billing.document.iban'), ' ', code(spaced(means.iban))]],
        means.bic === null ? null : [t('billing.document.bic'), code(means.bic)],
        [t('billing.document.holder'), text(means.holder, 120)],
        [t('billing.document.reference'), strong(text(means.reference, 60))],
      ]
}

/** When and how it is paid. */
export function payment(page: DocumentPage): readonly Block[] {
  const { t, document } = page
  const { means, terms } = document
  if (means === null && terms === null) return []
  return [
    heading(2, t('billing.document.payment')),
    {
      ...facts(terms === null ? null : [t('billing.document.terms'), terms], ...(means === null ? [] : meansRows(page, means))),
      look: 'dense',
    },
  ]
}

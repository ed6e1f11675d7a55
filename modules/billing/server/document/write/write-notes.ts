import { isSelfBilled, type Note, type Party } from '../../../domain/document/invoice-document.ts'
import { isInFrenchRegister } from '../../../domain/document/rules/identifiers.ts'
import type { DocumentWords } from '../words/document-words.ts'
import type { InvoiceFacts } from './invoice-facts.ts'

const isFrench = ({ registration, address }: Party): boolean =>
  registration?.scheme === '0002' || isInFrenchRegister(address.country)

/** Between whom, as the French platforms sort what they are given (XP Z12-012, BR-FR-20). */
const tradeOf = ({ seller, buyer }: InvoiceFacts): string =>
  `${buyer.kind === 'business' ? 'B2B' : 'B2C'}${isFrench(seller) && isFrench(buyer) ? '' : 'INT'}`

/** BG-1: what law wants to be said, each under its code (BR-FR-05). */
export function writeNotes(facts: InvoiceFacts, { t }: DocumentWords): readonly Note[] {
  const { kind } = facts.buyer
  const notes: (Note | null)[] = [
    { subject: 'BAR', text: tradeOf(facts) },
    { subject: 'PMD', text: t(`billing.document.note.PMD.${kind}`) },
    { subject: 'PMT', text: t(`billing.document.note.PMT.${kind}`) },
    { subject: 'AAB', text: t('billing.document.note.AAB') },
    isSelfBilled(facts.type) ? { subject: 'REG', text: t('billing.document.note.self_billed') } : null,
    facts.test ? { subject: 'AAI', text: t('billing.document.note.test') } : null,
  ]
  return notes.filter((note) => note !== null)
}

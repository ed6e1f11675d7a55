/** An invoice as it will stand in its XML and on its pages: facts with the words that law wants of them, in the customer's language. */
import type { Locale } from '../../../../../kernel/locale.ts'
import {
  isCreditNote,
  type InvoiceDocument,
  type VatCategory,
  type VatSubtotal,
} from '../../../domain/document/invoice-document.ts'
import { totalsOf } from '../../../domain/document/total.ts'
import { type DocumentWords, documentWords } from '../words/document-words.ts'
import type { InvoiceFacts } from './invoice-facts.ts'
import { writeNotes } from './write-notes.ts'
import { writeTerms } from './write-terms.ts'

/** VATEX: why no VAT is paid (BT-121). */
const exemptions: Readonly<Partial<Record<VatCategory, string>>> = { AE: 'VATEX-EU-AE', G: 'VATEX-EU-G', O: 'VATEX-EU-O' }

/** Where VAT is not in force though it is France (CGI 294). */
const withoutVat: ReadonlySet<string> = new Set(['GF', 'YT'])

function exemptionOf(category: VatCategory, buyer: InvoiceFacts['buyer'], { t, has }: DocumentWords): VatSubtotal['exemption'] {
  const code = exemptions[category]
  const law = category === 'O' && withoutVat.has(buyer.address.country) ? '294' : category
  const id = `billing.document.exempt.${law}`
  return code === undefined || !has(id) ? null : { code, text: t(id) }
}

/** A select of a message takes no null. */
const orNone = (text: string | null): string => text ?? 'none'

export function writeDocument(facts: InvoiceFacts, locale: Locale): InvoiceDocument {
  const words = documentWords(locale)
  const { legal, ...seller } = facts.seller
  const totals = totalsOf(facts, facts.paid)
  const paidInFull = !isCreditNote(facts.type) && totals.gross > 0 && totals.due === 0
  // Beside what is not subject to VAT its number may not stand (BR-O-02); law wants it on the invoice, so it is said in words.
  const outside = facts.vat.some(({ category }) => category === 'O')
  return {
    type: facts.type,
    number: facts.number,
    issuedOn: facts.issuedOn,
    dueOn: facts.dueOn,
    currency: 'EUR',
    mode: paidInFull ? 'S2' : 'S1',
    vatDue: facts.vat.some(({ tax }) => tax > 0) ? facts.vatDue : null,
    notes: writeNotes(facts, words),
    preceding: facts.preceding,
    seller: {
      ...seller,
      vatId: outside ? null : seller.vatId,
      legalText: words.t('billing.document.legal', {
        form: legal.form,
        capital: orNone(legal.capital),
        register: orNone(legal.register),
        vat: orNone(outside ? seller.vatId : null),
      }),
    },
    buyer: { ...facts.buyer, vatId: outside ? null : facts.buyer.vatId },
    order: facts.order,
    suppliedOn: facts.suppliedOn,
    period: facts.period,
    means: facts.means,
    terms: writeTerms(facts, paidInFull, words),
    schedule: facts.schedule,
    allowances: facts.allowances,
    lines: facts.lines,
    vat: facts.vat.map((group) => ({ ...group, exemption: exemptionOf(group.category, facts.buyer, words) })),
    totals,
    test: facts.test,
  }
}

/** Invoices from what they say to signed Factur-X files, several by one typesetter. */
import type { Locale } from '../../../../kernel/locale.ts'
import type { PrintedDocument } from '../../../../platform/print/document/printed-document.ts'
import { crossIndustryInvoice } from '../../domain/document/cii/cross-industry-invoice.ts'
import type { InvoiceDocument } from '../../domain/document/invoice-document.ts'
import { brokenRules } from '../../domain/document/rules/broken-rules.ts'
import { InvoiceBreaksRules } from '../issue/assert-issuable.ts'
import { addMetadata } from './factur-x/add-metadata.ts'
import { composeDocument } from './page/compose-document.ts'
import { documentPage } from './page/document-page.ts'
import { documentWords } from './words/document-words.ts'

export type MakeInvoicesDeps = {
  /** `platform/print/typeset`. */
  readonly typesetAll: (documents: readonly PrintedDocument[]) => Promise<readonly Uint8Array[]>
  /** `reason` in the language of the document. */
  readonly signPdf: (pdf: Uint8Array, reason: string) => Promise<Uint8Array>
}

export type InvoiceInput = { readonly document: InvoiceDocument; readonly locale: Locale }
export type MadeInvoice = { readonly xml: Uint8Array; readonly pdf: Uint8Array }

/** In the order of the input. @throws InvoiceBreaksRules, before anything is set; what typesetting and signing throw */
export async function makeInvoices(
  inputs: readonly InvoiceInput[],
  { typesetAll, signPdf }: MakeInvoicesDeps,
): Promise<readonly MadeInvoice[]> {
  for (const { document } of inputs) {
    const broken = brokenRules(document)
    if (broken.length > 0) throw new InvoiceBreaksRules(document.number, broken)
  }
  const drafts = inputs.map(({ document, locale }) => {
    const words = documentWords(locale)
    const xml = crossIndustryInvoice(document)
    const reason = words.t(`billing.document.sign_reason.${document.type}`)
    return { xml, reason, printed: composeDocument(documentPage(words, document), xml) }
  })
  const pdfs = await typesetAll(drafts.map(({ printed }) => printed))
  const made: MadeInvoice[] = []
  for (const [at, { xml, reason }] of drafts.entries())
    made.push({ xml, pdf: await signPdf(addMetadata(pdfs[at] ?? new Uint8Array()), reason) })
  return made
}

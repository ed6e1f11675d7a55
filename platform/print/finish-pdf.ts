import { createHash } from 'node:crypto'
import { PDFDocument, PDFHexString, PDFName } from '@cantoo/pdf-lib'
import { escapeHtml } from '../html/html.ts'
import { nameBookmarks } from './name-bookmarks.ts'
import { renumberTags } from './renumber-tags.ts'

export type PdfFacts = {
  readonly title: string
  readonly subject: string
  /** BCP 47. */
  readonly language: string
  /** `probant/<version>`. */
  readonly creator: string
  /** The document's date: the seal's, so that the same evidence gives the same document. */
  readonly date: Date
  /** What makes the document the one it is, for its file identifier. */
  readonly identity: string
  /** Texts of the headings, in order. */
  readonly headings: readonly string[]
}

/** ISO 16684-1. It claims no conformance: PDF/UA and PDF/A identifiers are for documents that were checked for them. */
function xmp(facts: PdfFacts, producer: string): string {
  const date = facts.date.toISOString().replace(/\.\d{3}Z$/, 'Z')
  return `<?xpacket begin="\ufeff" id="W5M0MpCehiHzreSzNTczkc9d"?>
<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
<rdf:Description rdf:about="" xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:xmp="http://ns.adobe.com/xap/1.0/" xmlns:pdf="http://ns.adobe.com/pdf/1.3/">
<dc:format>application/pdf</dc:format>
<dc:title><rdf:Alt><rdf:li xml:lang="x-default">${escapeHtml(facts.title)}</rdf:li><rdf:li xml:lang="${escapeHtml(facts.language)}">${escapeHtml(facts.title)}</rdf:li></rdf:Alt></dc:title>
<dc:description><rdf:Alt><rdf:li xml:lang="x-default">${escapeHtml(facts.subject)}</rdf:li></rdf:Alt></dc:description>
<dc:creator><rdf:Seq><rdf:li>Probant</rdf:li></rdf:Seq></dc:creator>
<dc:language><rdf:Bag><rdf:li>${escapeHtml(facts.language)}</rdf:li></rdf:Bag></dc:language>
<xmp:CreatorTool>${escapeHtml(facts.creator)}</xmp:CreatorTool>
<xmp:CreateDate>${date}</xmp:CreateDate><xmp:ModifyDate>${date}</xmp:ModifyDate><xmp:MetadataDate>${date}</xmp:MetadataDate>
<pdf:Producer>${escapeHtml(producer)}</pdf:Producer>
</rdf:Description></rdf:RDF></x:xmpmeta>
<?xpacket end="r"?>`
}

/**
 * Gives the printed document its metadata (title, language, dates, XMP) and a file identifier that follow from the evidence
 * alone, in place of the printer's clock and chance. Tags and bookmarks stay as printed.
 */
export async function finishPdf(printed: Uint8Array, facts: PdfFacts): Promise<Uint8Array> {
  const pdf = await PDFDocument.load(printed, { updateMetadata: false })
  const producer = pdf.getProducer() ?? ''
  renumberTags(pdf)
  nameBookmarks(pdf, facts.headings)
  pdf.setTitle(facts.title, { showInWindowTitleBar: true })
  pdf.setSubject(facts.subject)
  pdf.setAuthor('Probant')
  pdf.setCreator(facts.creator)
  pdf.setLanguage(facts.language)
  pdf.setCreationDate(facts.date)
  pdf.setModificationDate(facts.date)
  const { context } = pdf
  const metadata = context.stream(xmp(facts, producer), { Type: 'Metadata', Subtype: 'XML' })
  pdf.catalog.set(PDFName.of('Metadata'), context.register(metadata))
  const id = PDFHexString.of(createHash('sha256').update(facts.identity).digest('hex').slice(0, 32))
  context.trailerInfo.ID = context.obj([id, id])
  return await pdf.save({ rewrite: true, useObjectStreams: true, updateFieldAppearances: false })
}

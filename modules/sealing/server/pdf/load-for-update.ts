import { createHash } from 'node:crypto'
import { PDF, PdfArray, PdfString } from '@libpdf/core'

/**
 * Room for a signature or a document timestamp: our CMS takes 2 kB, the token of an outside authority with its chain up to 15 kB. No
 * string of PDF/A is longer (ISO 19005-3 §6.1.13).
 */
export const reservedBytes = 32_767

/**
 * A document to which an incremental update is added, with an identifier of its own for that (ISO 32000-1 §14.4): the library writes
 * the one that was there again.
 */
export async function loadForUpdate(pdf: Uint8Array): Promise<PDF> {
  const document = await PDF.load(pdf)
  const { trailer } = document.context.info
  const first = trailer.getArray('ID')?.at(0)
  const changed = new PdfString(createHash('sha256').update(pdf).digest().subarray(0, 16), 'hex')
  trailer.set('ID', PdfArray.of(first instanceof PdfString ? first : changed, changed))
  return document
}

/**
 * A field for a signature or a document timestamp, among the annotations of the first page: the library makes of it a widget without
 * a size that names that page, and a page lists all that are associated with it (ISO 32000-1 §7.7.3.3). @returns its name
 */
export function addField(document: PDF, prefix: 'Signature' | 'Timestamp'): string {
  const form = document.getOrCreateForm()
  const names = new Set(form.getFields().map(({ name }) => name))
  let number = 1
  while (names.has(`${prefix}_${number}`)) number += 1
  const field = form.createSignatureField(`${prefix}_${number}`)
  const widget = field.getRef()
  if (widget === null) throw new Error('the PDF library gave the field no object of its own')
  const page = document.getPage(0)?.dict
  const { registry } = document.context
  const annotations = page?.getArray('Annots', (ref) => registry.resolve(ref))
  if (annotations === undefined) page?.set('Annots', PdfArray.of(widget))
  else annotations.push(widget)
  return field.name
}

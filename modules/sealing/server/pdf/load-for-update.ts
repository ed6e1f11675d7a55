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

import { PDFDict, type PDFDocument, PDFHexString, PDFName } from '@cantoo/pdf-lib'

const entities: Readonly<Record<string, string>> = { '&amp;': '&', '&lt;': '<', '&gt;': '>', '&quot;': '"', '&#39;': "'" }

/** Texts of the headings of HTML that this module wrote, in order. */
export function headingsOf(html: string): string[] {
  return [...html.matchAll(/<h([1-6])\b[^>]*>(.*?)<\/h\1>/gs)].map((match) =>
    (match[2] ?? '')
      .replaceAll(/<[^>]*>/g, '')
      .replaceAll(/&(?:amp|lt|gt|quot|#39);/g, (entity) => entities[entity] ?? entity)
      .replaceAll(/[ \t\n]+/g, ' ')
      .trim(),
  )
}

/** Outline items depth first (ISO 32000-1 §12.3.3): the order of the headings. */
function itemsUnder(parent: PDFDict): PDFDict[] {
  const items: PDFDict[] = []
  let item = parent.lookupMaybe(PDFName.of('First'), PDFDict)
  while (item !== undefined) {
    items.push(item, ...itemsUnder(item))
    item = item.lookupMaybe(PDFName.of('Next'), PDFDict)
  }
  return items
}

/**
 * Gives the bookmarks the texts of their headings. The browser names a heading that stands first on a page twice
 * ("1 1 Summary Summary"); the places are right. When it left a heading out, as it may for a title without any visible
 * character, nothing is renamed: no captured title may keep a report from being made.
 * @returns whether they were renamed.
 */
export function nameBookmarks(pdf: PDFDocument, headings: readonly string[]): boolean {
  const outlines = pdf.catalog.lookupMaybe(PDFName.of('Outlines'), PDFDict)
  const items = outlines === undefined ? [] : itemsUnder(outlines)
  if (items.length !== headings.length) return false
  items.forEach((item, index) => item.set(PDFName.of('Title'), PDFHexString.fromText(headings[index] ?? '')))
  return true
}

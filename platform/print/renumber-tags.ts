import { PDFArray, type PDFDocument, PDFDict, PDFName, type PDFObject, PDFString } from '@cantoo/pdf-lib'

/** Where ISO 32000-1 §14.7 and §14.8.5.7 put identifiers of structure elements: themselves, table headers, the name tree. */
const keysOfIdentifiers = new Set(['ID', 'Headers', 'Names', 'Limits'])
const printed = /^node\d{8}$/

/** Calls `found` for every identifier, with a way to replace it. */
function visit(object: PDFObject, key: string, found: (id: string, replace: (id: string) => void) => void): void {
  const look = (value: PDFObject, at: string, replace: (value: PDFObject) => void): void => {
    if (value instanceof PDFString) {
      const id = value.asString()
      if (keysOfIdentifiers.has(at) && printed.test(id)) found(id, (next) => replace(PDFString.of(next)))
    } else visit(value, at, found)
  }
  if (object instanceof PDFDict)
    for (const [name, value] of object.entries()) {
      const at = name.decodeText()
      look(value, at, (next) => object.set(PDFName.of(at), next))
    }
  else if (object instanceof PDFArray)
    object.asArray().forEach((value, index) => {
      look(value, key, (next) => object.set(index, next))
    })
}

/**
 * The browser names structure elements after node numbers of its own, which differ from print to print. Numbering them anew in
 * the same order keeps the name tree sorted and makes the same document the same bytes.
 */
export function renumberTags(pdf: PDFDocument): void {
  const objects = pdf.context.enumerateIndirectObjects().map(([, object]) => object)
  const ids = new Set<string>()
  for (const object of objects) visit(object, '', (id) => void ids.add(id))
  const renamed = new Map([...ids].sort().map((id, index) => [id, `node${String(index + 1).padStart(8, '0')}`]))
  for (const object of objects)
    visit(object, '', (id, replace) => {
      replace(renamed.get(id) ?? id)
    })
}

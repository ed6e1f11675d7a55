import { nameOf } from '../../../modules/verification/domain/pdf/document/syntax.ts'
import type { PdfDictionary } from '../../../modules/verification/domain/pdf/document/syntax.ts'
import { dictionariesOf } from '../read/archive.ts'
import type { Archive, Finding } from '../read/archive.ts'

/** ISO 32000-1 §14.8.4. */
const standard = new Set(
  `Document Part Art Sect Div BlockQuote Caption TOC TOCI Index NonStruct Private P H H1 H2 H3 H4 H5 H6 L LI Lbl LBody Table TR TH TD THead TBody
  TFoot Span Quote Note Reference BibEntry Code Link Annot Ruby RB RT RP Warichu WT WP Figure Formula Form`.split(/\s+/),
)

/** §6.7.3.4: a type of structure is a standard one, or mapped to one without going round; a standard one stays what it is. */
export async function structureTypes(archive: Archive, root: PdfDictionary): Promise<Finding[]> {
  const map = (await archive.dictionary(root, 'RoleMap'))?.entries ?? new Map()
  const found = new Map<string, Finding>()
  for (const { object, dictionary } of dictionariesOf(archive)) {
    const type = nameOf(dictionary.entries.get('S'))
    const isElement =
      nameOf(dictionary.entries.get('Type')) === 'StructElem' || (dictionary.entries.has('P') && dictionary.entries.has('K'))
    if (type === undefined || !isElement) continue
    const words = flawOf(type, (name) => nameOf(map.get(name)))
    if (words !== undefined) found.set(type, { clause: '6.7.3.4', object, words })
  }
  return [...found.values()]
}

function flawOf(type: string, mapped: (name: string) => string | undefined): string | undefined {
  if (standard.has(type)) {
    const to = mapped(type)
    return to === undefined || standard.has(to) ? undefined : `the standard type ${type} is mapped to another`
  }
  const seen = new Set<string>()
  for (let at: string | undefined = type; at !== undefined; at = mapped(at)) {
    if (standard.has(at)) return undefined
    if (seen.has(at)) return `the mapping of the type ${type} goes round`
    seen.add(at)
  }
  return `the type ${type} is mapped to no standard one`
}

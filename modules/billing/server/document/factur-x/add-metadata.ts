/**
 * The metadata of Factur-X, which the typesetter has no place for, in the PDF that it made: their stream is written anew, what stands behind it
 * moves, and the table of objects follows (ISO 32000-1 §7.5.4). It stays one revision, and the same bytes for the same PDF.
 */
import { extensionSchema, facturXProperties } from './extension-schema.ts'

const schemasEnd = '</rdf:Bag></pdfaExtension:schemas>'
const descriptionsEnd = '</rdf:RDF>'

/** The one place of some words. @throws TypeError where there is none, or another */
function onlyPlace(text: string, words: string | RegExp): RegExpExecArray {
  const pattern = typeof words === 'string' ? new RegExp(words.replaceAll(/[.*+?^${}()|[\]\\/]/g, '\\$&'), 'g') : words
  const [found, other] = text.matchAll(pattern)
  if (found === undefined || other !== undefined) throw new TypeError(`the PDF has not one place of ${String(words)}`)
  return found
}

const insertBefore = (text: string, words: string, added: string): string => {
  const { index } = onlyPlace(text, words)
  return text.slice(0, index) + added + text.slice(index)
}

/** @throws TypeError for a PDF that is not as the typesetter makes them */
export function addMetadata(pdf: Uint8Array): Uint8Array {
  // Latin-1: a character is an octet. What is added is ASCII.
  const text = Buffer.from(pdf).toString('latin1')
  const table = onlyPlace(text, /\nxref\n0 (\d+)\n((?:\d{10} \d{5} [fn][ \r]?\n)+)trailer\n[^]*?\nstartxref\n(\d+)\n%%EOF\s*$/g)
  const metadata = onlyPlace(
    text,
    /\n\d+ 0 obj\n<<\n {2}\/Length (\d+)\n {2}\/Type \/Metadata\n {2}\/Subtype \/XML\n>>\nstream\n/g,
  )
  // Of one revision: another would have a table of its own.
  onlyPlace(text, /\nstartxref\n/g)
  const [head, length = ''] = metadata
  const start = metadata.index + head.length
  const end = start + Number(length)
  if (!text.startsWith('\nendstream', end)) throw new TypeError('the metadata do not end where they say')
  const packet = insertBefore(
    insertBefore(text.slice(start, end), schemasEnd, extensionSchema),
    descriptionsEnd,
    facturXProperties,
  )
  const written = head.replace(`/Length ${length}`, `/Length ${String(packet.length)}`) + packet
  const moved = metadata.index + written.length - end
  const at = (offset: number): number => (offset >= end ? offset + moved : offset)
  const [whole, , rows = '', xref = ''] = table
  const tail = whole
    .replace(
      rows,
      rows.replaceAll(
        /^(\d{10}) (\d{5} n)/gm,
        (_all, offset: string, rest: string) => `${String(at(Number(offset))).padStart(10, '0')} ${rest}`,
      ),
    )
    .replace(/(\nstartxref\n)\d+/, (_all, words: string) => words + String(at(Number(xref))))
  return Buffer.from(text.slice(0, metadata.index) + written + text.slice(end, table.index) + tail, 'latin1')
}

import { expect, test } from 'vitest'
import { addMetadata } from './add-metadata.ts'

const packet =
  '<x:xmpmeta><rdf:RDF><rdf:Description><pdfaExtension:schemas><rdf:Bag><rdf:li/></rdf:Bag></pdfaExtension:schemas></rdf:Description></rdf:RDF></x:xmpmeta>'

/** As the typesetter writes them, with what is after the metadata too. */
function pdfOf(metadata = packet, length = metadata.length): Uint8Array {
  const objects = [
    '1 0 obj\n<<\n  /Type /Pages\n>>\nendobj\n',
    `2 0 obj\n<<\n  /Length ${String(length)}\n  /Type /Metadata\n  /Subtype /XML\n>>\nstream\n${metadata}\nendstream\nendobj\n`,
    '3 0 obj\n<<\n  /Type /Catalog\n  /Metadata 2 0 R\n>>\nendobj\n',
  ]
  let text = '%PDF-1.7\n\u0080\u0080\n'
  const offsets = objects.map((object) => {
    text += '\n'
    const at = text.length
    text += object
    return at
  })
  const rows = offsets.map((at) => `${String(at).padStart(10, '0')} 00000 n \n`).join('')
  const start = text.length + 1
  text += `\nxref\n0 4\n0000000000 65535 f \n${rows}trailer\n<<\n  /Size 4\n>>\nstartxref\n${String(start)}\n%%EOF`
  return Buffer.from(text, 'latin1')
}
const textOf = (pdf: Uint8Array): string => Buffer.from(pdf).toString('latin1')

test('every object stands where the table says, and the metadata are as long as they say', () => {
  const text = textOf(addMetadata(pdfOf()))
  const rows = [...text.matchAll(/^(\d{10}) 00000 n/gm)].map(([, at]) => Number(at))
  expect(rows.map((at) => text.slice(at, at + 7))).toEqual(['1 0 obj', '2 0 obj', '3 0 obj'])
  expect(text.slice(Number(/startxref\n(\d+)/.exec(text)?.[1])).startsWith('xref\n')).toBe(true)
  const [head = '', length] = /Length (\d+)[^]*?stream\n/.exec(text) ?? []
  const at = text.indexOf(head) + head.length
  expect(text.slice(at + Number(length))).toMatch(/^\nendstream/)
  expect(text).toMatch(/<rdf:li\/><rdf:li rdf:parseType="Resource"><pdfaSchema:schema>Factur-X/)
  expect(text).toMatch(/<fx:ConformanceLevel>EN 16931<\/fx:ConformanceLevel><\/rdf:Description><\/rdf:RDF>/)
})

test('a PDF that is not as the typesetter makes them is refused', () => {
  const other = [
    Buffer.from('%PDF-1.7\n'),
    pdfOf(packet.replace('</rdf:Bag></pdfaExtension:schemas>', '')),
    pdfOf(packet.replace('</rdf:RDF>', '</rdf:RDF></rdf:RDF>')),
    pdfOf(packet, packet.length - 1),
    // A second revision: there would be two tables.
    Buffer.concat([pdfOf(), Buffer.from('\n'), pdfOf()]),
  ]
  for (const pdf of other) expect(() => addMetadata(pdf)).toThrow(TypeError)
})

import { isDictionary, nameOf } from '../../../modules/verification/domain/pdf/document/syntax.ts'
import type { PdfDictionary } from '../../../modules/verification/domain/pdf/document/syntax.ts'
import { filtersOf } from '../../../modules/verification/domain/pdf/document/decode-stream.ts'
import type { Archive, Finding } from '../read/archive.ts'

const permitted = new Set([
  'ASCIIHexDecode',
  'ASCII85Decode',
  'FlateDecode',
  'RunLengthDecode',
  'CCITTFaxDecode',
  'JBIG2Decode',
  'DCTDecode',
  'JPXDecode',
])

/** §6.1.7: streams are in the file, as long as they say, between line ends, and by filters that PDF/A has. */
export async function streams(archive: Archive): Promise<Finding[]> {
  const found: Finding[] = []
  for (const { name, value } of archive.objects) {
    if (!isDictionary(value) || value.stream === undefined) continue
    const words = [...(await form(archive, value, value.stream.start)), ...outside(value)]
    found.push(...words.map((each) => ({ clause: '6.1.7.1', object: name, words: each })))
    for (const { name: filter, parameters } of await filtersOf(value, archive.view.resolve)) {
      const isIdentity = filter === 'Crypt' && isDictionary(parameters) && nameOf(parameters.entries.get('Name')) === 'Identity'
      if (!permitted.has(filter ?? '') && !isIdentity)
        found.push({ clause: '6.1.7.2', object: name, words: `the filter ${String(filter)} is used` })
    }
  }
  return found
}

async function form(archive: Archive, dictionary: PdfDictionary, start: number): Promise<string[]> {
  const { text } = archive
  const words: string[] = []
  if (!/stream\r?\n$/.test(text.slice(start - 8, start))) words.push('stream is followed by neither CR LF nor LF')
  const length = await archive.get(dictionary, 'Length')
  const after = typeof length === 'number' ? text.slice(start + length, start + length + 11) : ''
  if (after.startsWith('endstream')) words.push('no line end stands before endstream')
  else if (!/^(?:\r\n|\n|\r)endstream/.test(after)) words.push('Length is not that of the stream')
  return words
}

const outside = (dictionary: PdfDictionary): string[] =>
  ['F', 'FFilter', 'FDecodeParms'].filter((key) => dictionary.entries.has(key)).map((key) => `a stream has the key ${key}`)

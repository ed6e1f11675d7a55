import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { runTool, temporaryFolder, temporaryKeyring } from '../keyring.ts'
import { archivalDocument } from './archival-document.ts'
import type { Levels } from './archival-document.ts'
import { checkArchival } from './check-archival.ts'
import { readText, streamOf, writeUpdate } from './write-update.ts'
import type { PdfText, Trailer } from './write-update.ts'

let folder: Awaited<ReturnType<typeof temporaryFolder>>
let made: Levels
let pdf: PdfText
beforeAll(async () => {
  folder = await temporaryFolder()
  made = await archivalDocument(folder.dir, await temporaryKeyring(folder.dir))
  pdf = readText(made.lta)
})
afterAll(async () => await folder.remove())

const bytes = (text: string): Uint8Array => Buffer.from(text, 'latin1')
/** A new object besides. */
const besides = (body: string, trailer?: Trailer) => writeUpdate(pdf, { 90: body }, trailer)
/** The object in which some words stand, with other words. */
function changed(where: string, from: string | RegExp, to: string, besidesIt: Readonly<Record<number, string>> = {}): Uint8Array {
  const number = pdf.numberOf(where)
  const body = pdf.bodies.get(number) ?? ''
  const other = body.replace(from, () => to)
  if (other === body) throw new Error(`${where} does not say ${String(from)}`)
  return writeUpdate(pdf, { [number]: other, ...besidesIt })
}
const catalog = (to: string, besidesIt?: Readonly<Record<number, string>>) =>
  changed('/Type /Catalog', '/Type /Catalog', `/Type /Catalog\n${to}`, besidesIt)
const widget = (from: string, to: string, besidesIt?: Readonly<Record<number, string>>) =>
  changed('/T (Timestamp_1)', from, to, besidesIt)
const page = (to: string, besidesIt?: Readonly<Record<number, string>>) =>
  changed('/Type /Page\n', '/Type /Page\n', `/Type /Page\n${to}\n`, besidesIt)
/** The first of these is an annotation on the page. */
const listed = (objects: Readonly<Record<number, string>>) =>
  changed('/Type /Page\n', '/Annots [', `/Annots [${Object.keys(objects)[0] ?? ''} 0 R `, objects)
/** A stamp on the page, drawn by these operators. */
const drawn = (operators: string, entries = '', more = '') =>
  listed({
    90: `<< /Type /Annot /Subtype /Stamp /F 4 /Rect [9 9 90 90] /AP << /N 91 0 R >> ${more} >>`,
    91: streamOf(operators, `/Type /XObject /Subtype /Form /BBox [0 0 9 9] /Resources << ${entries} >>`),
  })
const metadata = (from: string, to: string, entries = '/Type /Metadata /Subtype /XML') => {
  const body = pdf.bodies.get(pdf.numberOf('/Type /Metadata')) ?? ''
  const xmp = body.slice(body.indexOf('<?xpacket'), body.lastIndexOf('endstream') - 1)
  if (!xmp.includes(from)) throw new Error(`the metadata do not say ${from}`)
  return writeUpdate(pdf, {
    [pdf.numberOf('/Type /Metadata')]: streamOf(
      xmp.replace(from, () => to),
      entries,
    ),
  })
}
const annotations = () => /\/Annots \[(.*?)\]/.exec(pdf.bodies.get(pdf.numberOf('/Type /Page\n')) ?? '')?.[1] ?? ''
/** Contents of the document time stamp replaced, its zeros kept. */
function contents(der: Uint8Array): Uint8Array {
  const start = pdf.text.lastIndexOf('/Contents <') + '/Contents <'.length
  const end = pdf.text.indexOf('>', start)
  return bytes(
    pdf.text.slice(0, start) +
      Buffer.from(der)
        .toString('hex')
        .padEnd(end - start, '0') +
      pdf.text.slice(end),
  )
}
/** The document time stamp leaves out an octet more before its Contents. */
function withRange(more: number): string {
  const at = pdf.text.lastIndexOf('/ByteRange [0 ') + '/ByteRange [0 '.length
  const start = /^\d+/.exec(pdf.text.slice(at, at + 12))?.[0] ?? ''
  return pdf.text.slice(0, at) + String(Number(start) - more) + pdf.text.slice(at + start.length)
}
/** A signature by another tool, by so many signers. */
async function signedBy(count: number, ...more: string[]): Promise<Uint8Array> {
  const signers = []
  for (let i = 0; i < count; i += 1) {
    const [key, certificate] = [`k${String(i)}.pem`, `c${String(i)}.pem`]
    const request = [
      'req',
      '-x509',
      '-newkey',
      'ec',
      '-pkeyopt',
      'ec_paramgen_curve:P-256',
      '-nodes',
      '-subj',
      `/CN=${String(i)}`,
    ]
    await runTool(folder.dir, 'openssl', ...request, '-keyout', key, '-out', certificate)
    signers.push('-signer', certificate, '-inkey', key)
  }
  const sign = ['cms', '-sign', '-binary', '-in', 'c0.pem', '-outform', 'DER', '-out', 'cms.der']
  expect(await runTool(folder.dir, 'openssl', ...sign, ...signers, ...more)).toMatchObject({ code: 0 })
  return new Uint8Array(await readFile(join(folder.dir, 'cms.der')))
}

describe('nothing is broken', () => {
  test('of a document as it is set', async () => expect(await checkArchival(made.unsigned)).toEqual([]))
  test('at PAdES B-T', async () => expect(await checkArchival(made.t)).toEqual([]))
  test('at PAdES B-LTA, nor in any revision before', async () => {
    const ends = [...pdf.text.matchAll(/startxref\n\d+\n%%EOF\n/g)].map(({ index, 0: end }) => index + end.length)
    expect(ends).toHaveLength(4)
    for (const end of ends) expect(await checkArchival(made.lta.subarray(0, end))).toEqual([])
  })
  test('by an update that changes nothing that PDF/A asks for', async () => {
    // A name of 127 octets, each of which counts once however it is written.
    const longest = '#41'.repeat(127)
    expect(await checkArchival(besides(`<< /A#42 (text) /B <4142> /C 1.5 /D /${longest} >>`))).toEqual([])
  })
  test('by an appearance in the colours of the document, nor by an action that is allowed', async () => {
    expect(await checkArchival(drawn('q 1 0 0 rg 0 0 9 9 re f Q', '', '/A << /S /URI /URI (https://a.example) >>'))).toEqual([])
  })
})

const wide = '9'.repeat(128)
const font = '/Font << /F << /Type /Font /Subtype /Type1 /BaseFont /Helvetica >> >>'
const annotation = (entries: string) => listed({ 90: `<< /Type /Annot ${entries} >>` })
const optional = (configuration: string) =>
  catalog(`/OCProperties << /OCGs [90 0 R] /D << ${configuration} >> >>`, { 90: '<< /Type /OCG /Name (layer) >>' })

const cases: readonly (readonly [clause: string, words: string, broken: () => Uint8Array | Promise<Uint8Array>])[] = [
  ['6.1.2', 'the file does not start with %PDF-1.n and one line end', () => bytes(pdf.text.replace('%PDF-1.7', '%PDF-2.0'))],
  [
    '6.1.2',
    'no comment of four octets above 127 follows the first line',
    () => bytes(pdf.text.replace(/%[\x80-\xff]{4}/, '%abcd')),
  ],
  ['6.1.3', 'data follow the last end-of-file marker', () => bytes(`${pdf.text}\n`)],
  ['6.1.3', 'the last trailer has no ID of two strings', () => besides('1', { id: '' })],
  ['6.1.3', 'an update leaves out the ID', () => writeUpdate(readText(besides('1', { id: '' })), { 91: '1' })],
  ['6.1.3', 'an update changes the first part of the ID', () => besides('1', { id: '/ID [<AA> <BB>]' })],
  [
    '6.1.3',
    'an update leaves the second part of the ID as it was',
    () => besides('1', { id: /\/ID \[[^\]]*\]/.exec(pdf.text.slice(pdf.text.lastIndexOf('/ID')))?.[0] ?? '' }),
  ],
  ['6.1.3', 'Encrypt is used', () => besides('<< /Filter /Standard >>', { more: '/Encrypt 90 0 R' })],
  ['6.1.4', 'xref is not followed by one line end', () => besides('1', { xref: 'xref \n' })],
  ['6.1.6', 'a hexadecimal string has an odd number of digits', () => besides('[<ABC>]')],
  ['6.1.6', 'a hexadecimal string has an odd number of digits', () => drawn('/a << /b <ABC> >> DP')],
  ['6.1.6', 'hexadecimal string', () => besides('[<AG>]')],
  ['6.1.7.1', 'Length is not that of the stream', () => besides('<< /Length 3 >>\nstream\nabcdef\nendstream')],
  ['6.1.7.1', 'stream is followed by neither CR LF nor LF', () => besides('<< /Length 3 >>\nstream\rabc\nendstream')],
  ['6.1.7.1', 'no line end stands before endstream', () => besides('<< /Length 3 >>\nstream\nabcendstream')],
  ['6.1.7.1', 'a stream has the key F', () => besides(streamOf('', '/F (elsewhere)'))],
  ['6.1.7.2', 'the filter LZWDecode is used', () => besides(streamOf('abc', '/Filter /LZWDecode'))],
  ['6.1.7.2', 'the filter Crypt is used', () => besides(streamOf('abc', '/Filter /Crypt /DecodeParms << /Name /StdCF >>'))],
  ['6.1.8', 'the name of BaseFont is not UTF-8', () => besides('<< /Type /Font /Subtype /Type1 /BaseFont /a#FF >>')],
  ['6.1.8', 'the name of a colourant is not UTF-8', () => besides('[/Separation /a#FF /DeviceRGB 1 0 R]')],
  [
    '6.1.9',
    'its number, generation and obj are not apart by one white space, or no line end follows',
    () => besides('90  0 obj\n1\nendobj\n'),
  ],
  ['6.1.9', 'no line end stands before endobj', () => besides('90 0 obj\n<< >> endobj\n')],
  ['6.1.9', 'no line end follows endobj', () => besides('90 0 obj\n1\nendobj % so\n')],
  ['6.1.10', 'an inline image has the filter LZW', () => drawn('BI /W 1 /H 1 /BPC 8 /CS /G /F /LZW ID a EI')],
  ['6.1.12', 'the permissions dictionary has the key FieldMDP', () => catalog('/Perms << /FieldMDP 1 >>')],
  [
    '6.1.12',
    'a reference of a signature has DigestMethod',
    () => catalog('/Perms << /DocMDP 90 0 R >>', { 90: '<< /ByteRange [] /Reference [<< /DigestMethod /SHA256 >>] >>' }),
  ],
  ['6.1.13', 'the integer 2147483648 is too large', () => besides('[2147483648]')],
  ['6.1.13', 'a real number is too near to zero', () => besides(`[0.${'0'.repeat(38)}1]`)],
  ['6.1.13', 'a string of 32768 octets is longer than 32,767', () => besides(`(${'a'.repeat(32_768)})`)],
  ['6.1.13', 'a name is longer than 127 octets', () => besides(`[/${wide}]`)],
  ['6.1.13', 'a key is longer than 127 octets', () => besides(`<< /${wide} 1 >>`)],
  ['6.1.13', 'a side of CropBox is 2 units', () => page('/CropBox [0 0 2 9]')],
  ['6.1.13', 'q is nested deeper than 28', () => drawn('q '.repeat(29) + 'Q '.repeat(29))],
  ['6.2.2', 'the operator paint is not one of ISO 32000-1', () => drawn('paint')],
  ['6.2.2', 'the XObject X is not in its resources', () => drawn('/X Do')],
  [
    '6.2.3',
    'output intents have several profiles',
    () =>
      changed('/Type /Catalog', /\/OutputIntents \d+ 0 R/, `/OutputIntents [${pdf.numberOf('/GTS_PDFA1')} 0 R 90 0 R]`, {
        90: '<< /Type /OutputIntent /S /GTS_PDFX /DestOutputProfile 91 0 R >>',
        91: streamOf(''),
      }),
  ],
  ['6.2.4.3', 'DeviceCMYK is used, and no profile says what it is', () => drawn('0 0 0 1 k 0 0 9 9 re f')],
  ['6.2.5', 'a graphics state has TR', () => besides('<< /Type /ExtGState /TR /Identity >>')],
  ['6.2.5', 'a graphics state has TR2', () => besides('<< /Type /ExtGState /TR2 /Identity >>')],
  ['6.2.8', 'an inline image is interpolated', () => drawn('BI /W 1 /H 1 /BPC 8 /CS /G /I true ID a EI')],
  ['6.2.8', 'an image has Interpolate true', () => besides(streamOf('a', '/Subtype /Image /Interpolate true'))],
  ['6.2.9', 'a form has Ref', () => besides(streamOf('', '/Subtype /Form /Ref << >>'))],
  ['6.2.9', 'a PostScript XObject', () => besides(streamOf('', '/Type /XObject /Subtype /PS'))],
  ['6.2.10', 'the blend mode Sum', () => besides('<< /Type /ExtGState /BM /Sum >>')],
  [
    '6.2.10',
    'there is transparency on a page that names no colours to blend in',
    () =>
      changed('/Type /Catalog', /\/OutputIntents \d+ 0 R/, '', {
        [pdf.numberOf('/Type /Page\n')]: `<< /Type /Page /Parent ${pdf.numberOf('/Type /Pages')} 0 R /MediaBox [0 0 99 99]
          /Annots [${annotations()}] /Contents 90 0 R /Resources << /ExtGState << /E << /ca 0.5 >> >> >> >>`,
        90: streamOf('/E gs'),
      }),
  ],
  ['6.2.11.4.1', 'a font that is shown is not embedded', () => drawn('BT /F 9 Tf (x) Tj ET', font)],
  [
    '5.1',
    'the page that an annotation names does not list it',
    () => changed('/Type /Page\n', `[${annotations()}]`, `[${annotations().split(' 0 R')[0] ?? ''} 0 R]`),
  ],
  ['6.3.1', 'an annotation of the type Screen', () => annotation('/Subtype /Screen /F 4 /Rect [9 9 9 9]')],
  ['6.3.2', 'an annotation has no flags', () => widget('/F 132', '')],
  ['6.3.2', 'the flag Print is not set', () => widget('/F 132', '/F 128')],
  ['6.3.2', 'the flag Invisible is set', () => widget('/F 132', '/F 133')],
  ['6.3.2', 'the flag Hidden is set', () => widget('/F 132', '/F 134')],
  ['6.3.2', 'the flag NoView is set', () => widget('/F 132', '/F 164')],
  ['6.3.2', 'the flag ToggleNoView is set', () => widget('/F 132', '/F 388')],
  ['6.3.3', 'an annotation that has a size has no appearance', () => widget('/Rect [0 0 0 0]', '/Rect [0 0 9 9]')],
  [
    '6.3.3',
    'an appearance has other keys than N',
    () => widget('/F 132', '/F 132 /AP << /N 90 0 R /D 90 0 R >>', { 90: streamOf('', '/Subtype /Form') }),
  ],
  ['6.3.3', 'an appearance is no stream', () => widget('/F 132', '/F 132 /AP << /N << >> >>')],
  [
    '6.3.3',
    'the appearance of a button is no dictionary of its states',
    () =>
      listed({
        90: '<< /Type /Annot /Subtype /Widget /FT /Btn /F 4 /Rect [9 9 90 90] /AP << /N 91 0 R >> >>',
        91: streamOf('', '/Subtype /Form /BBox [0 0 9 9]'),
      }),
  ],
  ['6.4.1', 'NeedAppearances is not false', () => changed('/SigFlags', '/NeedAppearances false', '/NeedAppearances true')],
  ['6.4.1', 'a field or its widget has A', () => widget('/F 132', '/F 132 /A << /S /URI /URI (https://a.example) >>')],
  ['6.4.1', 'a field or its widget has AA', () => widget('/F 132', '/F 132 /AA << >>')],
  ['6.4.2', 'the form has XFA', () => changed('/SigFlags', '/SigFlags 3', '/SigFlags 3 /XFA []')],
  ['6.4.2', 'NeedsRendering is set', () => catalog('/NeedsRendering true')],
  ['6.4.3', 'ByteRange is not the whole file but Contents: gap_is_not_contents', () => bytes(withRange(1))],
  ['6.4.3', 'Contents are no DER: empty', () => contents(new Uint8Array())],
  ['6.4.3', 'Contents are no PKCS#7 of one signer: tag 4 where 48 belongs', () => contents(Uint8Array.of(4, 1, 7))],
  ['6.4.3', 'the signature has 2 signers', async () => contents(await signedBy(2))],
  ['6.4.3', 'the certificate of the signer is not there', async () => contents(await signedBy(1, '-nocerts'))],
  ['6.5.1', 'the action JavaScript', () => catalog('/OpenAction << /S /JavaScript /JS (app.alert\\(1\\)) >>')],
  ['6.5.1', 'the action Launch', () => besides('<< /A << /S /URI /URI (https://a.example) /Next [<< /S /Launch >>] >> >>')],
  ['6.5.1', 'the named action Print', () => catalog('/OpenAction << /S /Named /N /Print >>')],
  ['6.5.2', 'the catalog has AA', () => catalog('/AA << /WC << /S /URI /URI (https://a.example) >> >>')],
  ['6.5.2', 'a page has AA', () => page('/AA << >>')],
  ['6.6.2.1', 'the catalog has no metadata', () => changed('/Type /Catalog', /\/Metadata \d+ 0 R/, '')],
  ['6.6.2.1', 'the stream is not of the type Metadata and the subtype XML', () => metadata('Typst', 'Typst', '/Type /Metadata')],
  ['6.6.2.1', 'it is not in UTF-8', () => metadata('Typst', '\xff')],
  ['6.6.2.1', 'it is not well-formed', () => metadata('</rdf:RDF>', '')],
  ['6.6.2.1', 'the packet has the attribute bytes', () => metadata('<?xpacket begin', '<?xpacket bytes="9" begin')],
  ['6.6.2.1', 'the packet has the attribute encoding', () => metadata('<?xpacket begin', '<?xpacket encoding="UTF-8" begin')],
  [
    '6.6.2.3.1',
    'the schema urn:other is not described',
    () => metadata('<dc:title>', '<o:field xmlns:o="urn:other">1</o:field><dc:title>'),
  ],
  ['6.6.4', 'the part is 2', () => metadata('pdfaid:part>3<', 'pdfaid:part>2<')],
  [
    '6.6.4',
    'part has the prefix o',
    () => metadata('<pdfaid:part>3</pdfaid:part>', '<o:part xmlns:o="http://www.aiim.org/pdfa/ns/id/">3</o:part>'),
  ],
  ['6.6.4', 'the level is B', () => metadata('pdfaid:conformance>A<', 'pdfaid:conformance>B<')],
  [
    '6.7.2.2',
    'MarkInfo does not say that the document is marked',
    () => changed('/Type /Catalog', '/Marked true', '/Marked false'),
  ],
  ['6.7.3.3', 'there is no tree of its structure', () => changed('/Type /Catalog', /\/StructTreeRoot \d+ 0 R/, '')],
  ['6.7.3.3', 'its StructParent 999 leads to no element of the structure', () => widget('/F 132', '/F 132 /StructParent 999')],
  ['6.7.3.4', 'the type Field is mapped to no standard one', () => besides('<< /Type /StructElem /S /Field /P 6 0 R >>')],
  [
    '6.7.3.4',
    'the mapping of the type Field goes round',
    () =>
      changed('/Type /StructTreeRoot', '/RoleMap <<', '/RoleMap << /Field /Area /Area /Field', {
        90: '<< /Type /StructElem /S /Field /P 6 0 R >>',
      }),
  ],
  ['6.7.4', 'the language is no language tag', () => drawn('/Span << /Lang (a b) >> BDC EMC')],
  ['6.7.4', 'an update leaves out the language', () => changed('/Type /Catalog', '/Lang (fr-FR)', '')],
  ['6.7.4', 'the language is no language tag', () => changed('/Type /Catalog', '/Lang (fr-FR)', '/Lang (en français)')],
  ['6.8', 'an embedded file has no UF', () => changed('/Type /Filespec', /\/UF \([^)]*\)/, '')],
  ['6.8', 'an embedded file has no AFRelationship', () => changed('/Type /Filespec', /\/AFRelationship \/\w+/, '')],
  ['6.8', 'an embedded file is associated with nothing', () => changed('/Type /Catalog', /\/AF \[[^\]]*\]/, '')],
  ['6.8', 'the type of an embedded file is “json”', () => changed('/Type /EmbeddedFile', '/application#2Fjson', '/json')],
  ['6.9', 'a configuration has no name', () => optional('')],
  ['6.9', 'two configurations have the same name', () => optional('/Name (a) >> /Configs [<< /Name (a) >>] /D2 <<')],
  ['6.9', 'a configuration has AS', () => optional('/Name (a) /AS []')],
  ['6.9', 'Order leaves out a group', () => optional('/Name (a) /Order []')],
  [
    '6.10',
    'there are alternate presentations',
    () => changed('/Type /Catalog', '/Names <<', '/Names << /AlternatePresentations << >>'),
  ],
  ['6.10', 'a page has PresSteps', () => page('/PresSteps << >>')],
  ['6.11', 'the catalog has Requirements', () => catalog('/Requirements []')],
]

describe('each is found, and nothing else', () => {
  test.each(cases)('§%s: %s', async (clause, words, broken) => {
    expect(await checkArchival(await broken())).toEqual([{ clause, object: expect.any(String), words }])
  })
})

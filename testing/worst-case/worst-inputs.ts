import { deflateRawSync, deflateSync } from 'node:zlib'
import { concatBytes, utf8 } from '../../kernel/bytes.ts'
import { otsMagic } from '../../modules/verification/domain/opentimestamps/read-ots.ts'
import type { ProofKind } from '../../modules/verification/domain/report/proof-report.ts'
import { recordOf, stampOver, stampRoot, stampUnit } from '../proof-vectors/evidence-records.ts'
import { crowd, digestOf, signedData, stampInfo, tstInfo } from '../proof-vectors/issue.ts'
import { zipOf } from '../write-zip.ts'
import type { ZipPart } from '../write-zip.ts'

/** The inputs that cost a careless reader the most, for each kind of proof and for packages. */
export type WorstInput = { readonly kind: ProofKind | 'package'; readonly name: string; readonly make: () => Uint8Array }

const latin = (text: string): Uint8Array => new Uint8Array(Buffer.from(text, 'latin1'))
const repeated = (bytes: readonly number[], times: number): Uint8Array =>
  new Uint8Array(Buffer.alloc(bytes.length * times, Uint8Array.from(bytes)))

function element(tag: number, content: Uint8Array): Uint8Array {
  const length = content.length
  const head = length < 0x80 ? [length] : [0x84, length >>> 24, (length >>> 16) & 255, (length >>> 8) & 255, length & 255]
  return concatBytes(Uint8Array.of(tag, ...head), content)
}
/** SEQUENCE within SEQUENCE, with right lengths: six octets a level. */
function nested(depth: number): Uint8Array {
  const out = new Uint8Array(depth * 6)
  for (let i = 0; i < depth; i += 1) {
    const length = (depth - i - 1) * 6
    out.set([0x30, 0x84, length >>> 24, (length >>> 16) & 255, (length >>> 8) & 255, length & 255], i * 6)
  }
  return out
}
const oid = (...octets: readonly number[]): Uint8Array => element(6, Uint8Array.from(octets))
const signedDataOid = oid(0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 1, 7, 2)
const asSignedData = (content: Uint8Array): Uint8Array =>
  element(0x30, concatBytes(signedDataOid, element(0xa0, element(0x30, content))))
const algorithm = element(0x30, oid(0x60, 0x86, 0x48, 1, 0x65, 3, 4, 2, 1))
const manySigners = asSignedData(
  concatBytes(
    element(2, Uint8Array.of(1)),
    element(0x31, algorithm),
    element(0x30, oid(0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 1, 7, 1)),
    element(0x31, repeated([0x30, 0], 500_000)),
  ),
)
const derInputs: readonly (readonly [name: string, make: () => Uint8Array])[] = [
  ['indefinite lengths a million deep', () => repeated([0x30, 0x80], 1_000_000)],
  ['definite lengths a million deep', () => nested(1_000_000)],
  ['a million empty elements', () => element(0x30, repeated([5, 0], 1_000_000))],
  ['half a million signers', () => manySigners],
  ['a length of four gigabytes', () => Uint8Array.of(0x30, 0x84, 0xff, 0xff, 0xff, 0xff, 0)],
  ['an identifier of four megabytes', () => element(0x30, element(6, repeated([0x81], 4_000_000)))],
  ['four megabytes of armour', () => utf8(`-----BEGIN PKCS7-----\n${'MIAG'.repeat(1_000_000)}\n-----END PKCS7-----\n`)],
]

const ofNothing = digestOf(new Uint8Array())
/** Every time stamp encloses certificates that any other one may have issued, and is over the one before. */
function crowdedRecord(count: number): Uint8Array {
  const certificates = [stampUnit.der, stampRoot.der, ...crowd(6)]
  const stamps: { token: Uint8Array }[] = []
  for (let digest = ofNothing; stamps.length < count; digest = digestOf(stamps.at(-1)?.token ?? digest)) {
    const content = stampInfo({ digest })
    stamps.push({
      token: signedData({ contentType: tstInfo, content, signer: stampUnit, issuer: stampRoot.subject, certificates }),
    })
  }
  return recordOf({ chains: [stamps] })
}
/** A record whose first hash tree holds this. */
function recordHolding(lists: Uint8Array): Uint8Array {
  const stamp = element(0x30, concatBytes(element(0xa2, lists), stampOver(ofNothing)))
  const chains = element(0x30, element(0x30, stamp))
  return element(0x30, concatBytes(element(2, Uint8Array.of(1)), element(0x30, algorithm), chains))
}

/** 16 MiB of zeros, and what says that they are few or many. */
const zeros = new Uint8Array(1 << 24)
let packedZeros: Uint8Array | undefined
const bomb = (path: string): ZipPart => ({ path, bytes: zeros, method: 8, raw: (packedZeros ??= deflateRawSync(zeros)) })
const emptyEntries = (count: number, path: (i: number) => string): ZipPart[] =>
  Array.from({ length: count }, (_, i) => ({ path: path(i), bytes: new Uint8Array() }))
const asice: ZipPart = { path: 'mimetype', bytes: Buffer.from('application/vnd.etsi.asic-e+zip') }
const asicManifest = (references: number): ZipPart => ({
  path: 'META-INF/ASiCManifest001.xml',
  deflate: true,
  bytes: Buffer.from(
    `<a:ASiCManifest xmlns:a="http://uri.etsi.org/02918/v1.2.1#" xmlns:d="http://www.w3.org/2000/09/xmldsig#"><a:SigReference URI="META-INF/timestamp001.tst" MimeType="application/vnd.etsi.timestamp-token"/>${`<a:DataObjectReference URI="bomb"><d:DigestMethod Algorithm="http://www.w3.org/2001/04/xmlenc#sha256"/><d:DigestValue>${Buffer.alloc(32).toString('base64')}</d:DigestValue></a:DataObjectReference>`.repeat(references)}</a:ASiCManifest>`,
  ),
})
const zipInputs: readonly (readonly [name: string, make: () => Uint8Array])[] = [
  ['ten thousand entries', () => zipOf([asice, ...emptyEntries(10_000, (i) => `f/${i}`)])],
  ['ten thousand entries of one name', () => zipOf(emptyEntries(10_000, () => 'same'))],
  ['names that climb', () => zipOf(emptyEntries(2000, (i) => `${'../'.repeat(100)}${i}`))],
  [
    'ten thousand entries of one body',
    () => zipOf([asice, bomb('bomb'), ...emptyEntries(10_000, (i) => `b/${i}`).map((each) => ({ ...each, sameAs: 'bomb' }))]),
  ],
  [
    'a directory without end',
    () => concatBytes(repeated([0x50, 0x4b, 1, 2], 500_000), latin('PK\x05\x06'), new Uint8Array(18).fill(0xff)),
  ],
]

const pdfHead = '%PDF-1.7\n'
/** Revisions that each lead to the one before. */
function revisions(count: number): Uint8Array {
  const parts = [`${pdfHead}1 0 obj\n<< /Type /Catalog >>\nendobj\n`]
  let at = parts[0]?.length ?? 0
  let before = 0
  for (let i = 0; i < count; i += 1) {
    const text = `xref\n0 1\n0000000000 65535 f \ntrailer\n<< /Size 2 /Root 1 0 R ${i === 0 ? '' : `/Prev ${before} `}>>\nstartxref\n${at}\n%%EOF\n`
    before = at
    at += text.length
    parts.push(text)
  }
  return latin(parts.join(''))
}
function onePdf(bodies: readonly string[], rows = ''): Uint8Array {
  let text = pdfHead
  const places = bodies.map((body, i) => {
    const at = text.length
    text += `${i + 1} 0 obj\n${body}\nendobj\n`
    return `${i + 1} 1\n${String(at).padStart(10, '0')} 00000 n \n`
  })
  return latin(
    `${text}xref\n0 1\n0000000000 65535 f \n${places.join('')}${rows}trailer\n<< /Size ${bodies.length + 1} /Root 1 0 R >>\nstartxref\n${text.length}\n%%EOF\n`,
  )
}
function manyObjects(count: number): Uint8Array {
  const parts = [pdfHead, '1 0 obj\n<< /Type /Catalog /AcroForm << /Fields [2 0 R] >> >>\nendobj\n']
  let at = pdfHead.length + (parts[1]?.length ?? 0)
  const places = [pdfHead.length]
  for (let i = 2; i <= count; i += 1) {
    const text = `${i} 0 obj\n<< /Kids [${i + 1} 0 R ${i} 0 R 2 0 R] /V ${i} 0 R >>\nendobj\n`
    places.push(at)
    at += text.length
    parts.push(text)
  }
  const rows = places.map((place) => `${String(place).padStart(10, '0')} 00000 n \n`).join('')
  return latin(
    `${parts.join('')}xref\n0 ${count + 1}\n0000000000 65535 f \n${rows}trailer\n<< /Size ${count + 1} /Root 1 0 R >>\nstartxref\n${at}\n%%EOF\n`,
  )
}
function packedTable(): Uint8Array {
  const packed = deflateSync(zeros)
  const dictionary = `<< /Type /XRef /Size 9000000 /W [1 4 2] /Root 1 0 R /Filter /FlateDecode /Length ${packed.length} >>\nstream\n`
  const start = pdfHead.length
  return concatBytes(
    latin(`${pdfHead}2 0 obj\n${dictionary}`),
    packed,
    latin(`\nendstream\nendobj\nstartxref\n${start}\n%%EOF\n`),
  )
}

const context = (version: number): string =>
  `"@context":"https://w3id.org/chainpoint/v${version}","type":"Chainpoint","hash":"${'ab'.repeat(32)}"`
const note = (lines: number): Uint8Array =>
  utf8(
    `log.example\n5\n${Buffer.alloc(32).toString('base64')}\n\n${`— w.example ${Buffer.alloc(76).toString('base64')}\n`.repeat(lines)}`,
  )
const list = '<TrustServiceStatusList xmlns="http://uri.etsi.org/02231/v2#">'

/** A signature in XML with these references, and what else stands beside it in the document. */
const signedXml = (references: string, beside = ''): Uint8Array =>
  utf8(
    `<letter>${beside}<d:Signature xmlns:d="http://www.w3.org/2000/09/xmldsig#"><d:SignedInfo><d:CanonicalizationMethod Algorithm="http://www.w3.org/2001/10/xml-exc-c14n#"/><d:SignatureMethod Algorithm="http://www.w3.org/2001/04/xmldsig-more#rsa-sha256"/>${references}</d:SignedInfo><d:SignatureValue>AAAA</d:SignatureValue></d:Signature></letter>`,
  )
const xmlReference = (transforms: string, uri = ''): string =>
  `<d:Reference URI="${uri}"><d:Transforms>${transforms}</d:Transforms><d:DigestMethod Algorithm="http://www.w3.org/2001/04/xmlenc#sha256"/><d:DigestValue>${Buffer.alloc(32).toString('base64')}</d:DigestValue></d:Reference>`
const enveloped = '<d:Transform Algorithm="http://www.w3.org/2000/09/xmldsig#enveloped-signature"/>'
const exclusive = '<d:Transform Algorithm="http://www.w3.org/2001/10/xml-exc-c14n#"/>'

const of = (kind: WorstInput['kind'], inputs: readonly (readonly [string, () => Uint8Array])[]): WorstInput[] =>
  inputs.map(([name, make]) => ({ kind, name, make }))

export const worstInputs: readonly WorstInput[] = [
  ...of('timestamp', derInputs),
  ...of('cms', derInputs),
  ...of('pdf', [
    ['a hundred thousand revisions', () => revisions(100_000)],
    [
      'a revision that leads to itself',
      () => latin(`${pdfHead}xref\n0 0\ntrailer\n<< /Size 1 /Root 1 0 R /Prev 9 >>\nstartxref\n9\n%%EOF\n`),
    ],
    ['a hundred thousand objects that are fields of each other', () => manyObjects(100_000)],
    ['arrays a million deep', () => onePdf([`<< /Type /Catalog /AcroForm ${'['.repeat(1_000_000)} >>`])],
    ['dictionaries a million deep', () => onePdf([`<< /Type /Catalog /AcroForm ${'<< /A '.repeat(500_000)} >>`])],
    ['a table of sixteen megabytes in sixteen kilobytes', packedTable],
    [
      'a table that counts two thousand million',
      () => latin(`${pdfHead}xref\n0 2000000000\ntrailer\n<< /Size 2 /Root 1 0 R >>\nstartxref\n9\n%%EOF\n`),
    ],
    ['brackets without end', () => latin(`${pdfHead}${'('.repeat(2_000_000)}\nstartxref\n9\n%%EOF\n`)],
    [
      'a hundred signatures',
      () =>
        onePdf([
          `<< /Type /Catalog /AcroForm << /Fields [${Array.from({ length: 100 }, (_, i) => `${i + 2} 0 R`).join(' ')}] >> >>`,
          ...Array.from(
            { length: 100 },
            () =>
              '<< /FT /Sig /T (a) /V << /Type /Sig /SubFilter /ETSI.CAdES.detached /ByteRange [0 10 20 5] /Contents <00> >> >>',
          ),
        ]),
    ],
  ]),
  ...of('asic', [
    ...zipInputs,
    [
      'ten thousand references to a bomb',
      () => zipOf([asice, bomb('bomb'), asicManifest(10_000), { path: 'META-INF/timestamp001.tst', bytes: Buffer.from('x') }]),
    ],
    ['a list that is a bomb', () => zipOf([asice, bomb('META-INF/ASiCManifest001.xml')])],
    [
      'two thousand lists of one signature that is a bomb',
      () =>
        zipOf([
          asice,
          bomb('META-INF/timestamp001.tst'),
          ...Array.from({ length: 2000 }, (_, i) => ({ ...asicManifest(1), path: `META-INF/ASiCManifest${i}.xml` })),
        ]),
    ],
    ['a signature that is a bomb', () => zipOf([asice, asicManifest(1), bomb('META-INF/timestamp001.tst')])],
  ]),
  ...of('wacz', [
    ...zipInputs,
    ['a list that is a bomb', () => zipOf([bomb('datapackage.json')])],
    [
      'ten thousand resources that are one bomb',
      () =>
        zipOf([
          bomb('bomb'),
          {
            path: 'datapackage.json',
            deflate: true,
            bytes: Buffer.from(
              JSON.stringify({
                resources: Array.from({ length: 10_000 }, () => ({ path: 'bomb', hash: `sha256:${'0'.repeat(64)}` })),
              }),
            ),
          },
        ]),
    ],
    [
      'JSON half a million deep',
      () => zipOf([{ path: 'datapackage.json', deflate: true, bytes: Buffer.from('{"resources":'.repeat(500_000)) }]),
    ],
  ]),
  ...of('package', [
    ...zipInputs,
    ['a manifest of twenty megabytes of brackets', () => zipOf([{ path: 'manifest.json', bytes: Buffer.alloc(20 << 20, '[') }])],
  ]),
  ...of('bitcoin_message', [
    [
      'half a megabyte of text, armoured',
      () =>
        utf8(
          `-----BEGIN BITCOIN SIGNED MESSAGE-----\n${'- a\r\n'.repeat(100_000)}-----BEGIN SIGNATURE-----\n1BitcoinEaterAddressDontSendf59kuE\n${Buffer.alloc(65, 31).toString('base64')}\n-----END BITCOIN SIGNED MESSAGE-----\n`,
        ),
    ],
    [
      'a signature without end',
      () =>
        utf8(
          `-----BEGIN BITCOIN SIGNED MESSAGE-----\na\n-----BEGIN SIGNATURE-----\n1BitcoinEaterAddressDontSendf59kuE\n${'A'.repeat(900_000)}\n-----END BITCOIN SIGNED MESSAGE-----\n`,
        ),
    ],
    ['headers of armour without end', () => utf8('-----BEGIN BITCOIN SIGNED MESSAGE-----\n'.repeat(25_000))],
  ]),
  ...of('nano_message', [['line breaks without end', () => utf8('\r\n'.repeat(100_000))]]),
  ...of('opentimestamps', [
    ['forks without end', () => concatBytes(otsMagic, Uint8Array.of(1, 8), new Uint8Array(32), repeated([0xff], 1_000_000))],
    ['hashes without end', () => concatBytes(otsMagic, Uint8Array.of(1, 8), new Uint8Array(32), repeated([8], 1_000_000))],
    [
      'a fork at each of a hundred thousand hashes',
      () => concatBytes(otsMagic, Uint8Array.of(1, 8), new Uint8Array(32), repeated([0xff, 8], 400_000)),
    ],
    ['texts that double', () => concatBytes(otsMagic, Uint8Array.of(1, 8), new Uint8Array(32), repeated([0xf3], 1000))],
    [
      'ten thousand long messages hashed',
      () =>
        concatBytes(
          otsMagic,
          Uint8Array.of(1, 8),
          new Uint8Array(32),
          ...Array.from({ length: 240 }, () =>
            concatBytes(Uint8Array.of(0xf0, 0x80, 0x1f), new Uint8Array(3968), Uint8Array.of(0x08)),
          ),
        ),
    ],
  ]),
  ...of('chainpoint', [
    ['JSON a million deep', () => utf8('['.repeat(1_000_000))],
    [
      'branches ten thousand deep',
      () => utf8(`{${context(3)},"branches":${'[{"ops":[],"branches":'.repeat(10_000)}[]${'}]'.repeat(10_000)}}`),
    ],
    [
      'a way of twenty thousand operations',
      () =>
        utf8(
          `{${context(3)},"branches":[{"ops":[${'{"op":"sha-256"},'.repeat(20_000)}{"anchors":[{"type":"btc","anchor_id":"1"}]}]}]}`,
        ),
    ],
    [
      'a Merkle path of ten thousand',
      () =>
        utf8(
          `{${context(2).replace('"Chainpoint"', '"ChainpointSHA256v2"').replace('"hash"', '"targetHash"')},"merkleRoot":"${'ab'.repeat(32)}","proof":[${Array.from({ length: 10_000 }, () => `{"left":"${'cd'.repeat(32)}"}`).join(',')}],"anchors":[{"type":"BTCOpReturn","sourceId":"${'ab'.repeat(32)}"}]}`,
        ),
    ],
    [
      'operands that grow',
      () =>
        utf8(
          `{${context(3)},"branches":[{"ops":[${`{"l":"${'ab'.repeat(256)}"},`.repeat(1500)}{"anchors":[{"type":"btc","anchor_id":"1"}]}]}]}`,
        ),
    ],
    ['a deflated bomb', () => new Uint8Array(deflateSync(zeros))],
    ['MessagePack half a million deep', () => new Uint8Array(deflateSync(Buffer.alloc(500_000, 0x91)))],
    [
      'MessagePack that counts four thousand million',
      () => new Uint8Array(deflateSync(Buffer.from([0xdd, 0xff, 0xff, 0xff, 0xff]))),
    ],
  ]),
  ...of('log_proof', [
    [
      'a way without end',
      () => utf8(`c2sp.org/tlog-proof@v1\nindex 0\n${`${Buffer.alloc(32).toString('base64')}\n`.repeat(20_000)}\n`),
    ],
    ['line breaks without end', () => utf8(`c2sp.org/tlog-proof@v1\n${'\n'.repeat(1_000_000)}`)],
    ['an index of many digits', () => utf8(`c2sp.org/tlog-proof@v1\nindex ${'9'.repeat(100_000)}\n\n`)],
  ]),
  ...of('checkpoint', [
    ['sixty-four cosignatures', () => note(64)],
    ['ten thousand cosignatures', () => note(10_000)],
    ['blanks without end', () => utf8(`log.example\n5\n${' '.repeat(60_000)}\n\n— a ${' '.repeat(1000)}\n`)],
  ]),
  ...of('evidence_record', [
    ...derInputs,
    ['sixty-four time stamps among certificates of one name', () => crowdedRecord(64)],
    [
      'a thousand time stamps',
      () => recordOf({ chains: [Array.from({ length: 1000 }, () => ({ token: stampOver(ofNothing) }))] }),
    ],
    ['a thousand chains', () => recordOf({ chains: Array.from({ length: 1000 }, () => [{ token: stampOver(ofNothing) }]) })],
    [
      'sixteen thousand digests, sixty-four times',
      () => {
        const list = Array.from({ length: 4000 }, () => ofNothing)
        const stamp = { lists: [list, list, list, list], token: stampOver(ofNothing) }
        return recordOf({ chains: [Array.from({ length: 64 }, () => stamp)] })
      },
    ],
    [
      'nineteen thousand digests in one tree',
      () => {
        const lists = Array.from({ length: 60 }, () => Array.from({ length: 316 }, () => ofNothing))
        return recordOf({ chains: [[{ lists, token: stampOver(ofNothing) }]] })
      },
    ],
    ['a million lists', () => recordHolding(repeated([0x30, 0], 1_000_000))],
    ['half a million empty digests', () => recordHolding(element(0x30, repeated([4, 0], 500_000)))],
    ['spaces before a mark of XML', () => utf8(`${' '.repeat(1_000_000)}<EvidenceRecord xmlns="urn:ietf:params:xml:ns:ers">`)],
    ['marks of XML without end', () => utf8(`urn:ietf:params:xml:ns:ers${'<a:'.repeat(1_000_000)}`)],
  ]),
  ...of('xades', [
    ['ten thousand references to a megabyte', () => signedXml(xmlReference(enveloped).repeat(10_000), 'a'.repeat(1_000_000))],
    ['ten thousand transforms of one reference', () => signedXml(xmlReference(exclusive.repeat(10_000)), 'a'.repeat(100_000))],
    [
      'a thousand references among two hundred thousand elements',
      () => signedXml(xmlReference(exclusive, '#none').repeat(1000), '<b/>'.repeat(200_000)),
    ],
    [
      'prefixes that heap up',
      () =>
        signedXml(
          xmlReference(enveloped),
          `${Array.from({ length: 200 }, (_, i) => `<a xmlns:p${i}="u">`).join('')}${'<b/>'.repeat(50_000)}${'</a>'.repeat(200)}`,
        ),
    ],
    [
      'ten thousand signatures',
      () =>
        utf8(
          `<l>${Buffer.from(signedXml(xmlReference(enveloped)))
            .toString()
            .repeat(10_000)}</l>`,
        ),
    ],
    ['a signature a hundred thousand deep', () => signedXml('', '<a>'.repeat(100_000))],
    ['five megabytes of base64', () => signedXml(`<d:Object>${'A'.repeat(5_000_000)}</d:Object>`)],
  ]),
  ...of('trusted_list', [
    ['a million levels', () => utf8(`${list}${'<a>'.repeat(1_000_000)}`)],
    ['a hundred thousand attributes', () => utf8(`<a ${Array.from({ length: 100_000 }, (_, i) => `b${i}=""`).join(' ')}/>`)],
    ['prefixes side by side', () => utf8(`<a>${Array.from({ length: 100_000 }, (_, i) => `<b xmlns:p${i}="u"/>`).join('')}</a>`)],
    [
      'prefixes that heap up',
      () => utf8(`${Array.from({ length: 200 }, (_, i) => `<a xmlns:p${i}="u">`).join('')}${'<b/>'.repeat(50_000)}`),
    ],
    ['a million references to a character', () => utf8(`<a>${'&#65;'.repeat(1_000_000)}</a>`)],
    [
      'entities of entities',
      () =>
        utf8(
          `<!DOCTYPE a [<!ENTITY e0 "ha">${Array.from({ length: 30 }, (_, i) => `<!ENTITY e${i + 1} "${`&e${i};`.repeat(10)}">`).join('')}]><a>&e30;</a>`,
        ),
    ],
    ['half a million elements', () => utf8(`<a>${'<b>c</b>'.repeat(500_000)}</a>`)],
  ]),
]

import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { concatBytes, utf8 } from '../../../../kernel/bytes.ts'
import { octetString, sequence } from '../../../sealing/server/encoding/write-der.ts'
import {
  authority,
  certificate,
  day,
  digestOf,
  keyOf,
  ocspResponse,
  pem,
  rsaKey,
  sha256Id,
} from '../../../../testing/proof-vectors/issue.ts'
import { stampRoot } from '../../../../testing/proof-vectors/evidence-records.ts'
import {
  base64,
  canonicalTransform,
  certificateRefs,
  certificateValues,
  digestElements,
  enveloped,
  inContainer,
  revocationValues,
  withoutSignatures,
  writeXades,
  xadesRoot,
  xadesRsaSigner,
  xadesSigner,
} from '../../../../testing/proof-vectors/xades-signatures.ts'
import type { XadesOptions } from '../../../../testing/proof-vectors/xades-signatures.ts'
import { zipOf } from '../../../../testing/write-zip.ts'
import en from '../../messages/en.json' with { type: 'json' }
import fr from '../../messages/fr.json' with { type: 'json' }
import { proofWords as wordsEn } from '../../messages/proof-words.en.ts'
import { proofWords as wordsFr } from '../../messages/proof-words.fr.ts'
import { verifyDossier } from '../dossier/dossier.ts'
import type { Dossier } from '../dossier/dossier.ts'
import { fileOfBytes } from '../dossier/dropped/dossier-units.ts'
import { canonical } from '../xml/canonicalise.ts'
import { childrenOf, elementsOf, readXml, textOf } from '../xml/read-xml.ts'
import { ds } from '../xml/xml-signature.ts'
import { verifyXades, xadesCheckIds, xadesReasons } from './verify-xades.ts'
import { below } from '../../../../testing/sweep.ts'

const now = (): Date => new Date('2026-11-22T12:00:00Z')
const trust = concatBytes(pem('CERTIFICATE', xadesRoot.der), pem('CERTIFICATE', stampRoot.der))
const letter = utf8('You owe 100 euros\n')
const other = utf8('You owe 900 euros\n')
const whole: XadesOptions['references'][number] = {
  uri: '',
  transforms: enveloped + canonicalTransform,
  bytes: utf8('<letter xmlns="urn:l"><owes>100</owes></letter>'),
}
const inLetter = (signature: string): string => `<letter xmlns="urn:l"><owes>100</owes>${signature}</letter>`
const aside = { uri: 'letter.txt', bytes: letter }
const data = '<ds:Object Id="data"><owes xmlns="urn:l">100</owes></ds:Object>'
const inside = { uri: '#data', transforms: canonicalTransform }

const given = async (...files: (readonly [string, Uint8Array])[]): Promise<Dossier> =>
  await verifyDossier(
    files.map(([name, bytes]) => fileOfBytes(name, bytes)),
    { now, trust },
  )

/** `id=reason` fails, `id~reason` is open, of the first item that is a proof. */
function findsOf({ items }: Dossier): string[] {
  const report = items.flatMap(({ result }) => (result.form === 'proof' ? [result.report] : []))[0]
  return (report?.checks ?? []).flatMap(({ id, status, supplementary, data: { reason } }) =>
    status === 'passed' || supplementary === true ? [] : [`${id}${status === 'failed' ? '=' : '~'}${String(reason)}`],
  )
}
const levelOf = ({ items }: Dossier): unknown =>
  items.flatMap(({ result }) => (result.form === 'proof' ? result.report.facts : [])).find(({ id }) => id === 'level')?.value

const mimetype = { path: 'mimetype', bytes: utf8('application/vnd.etsi.asic-e+zip') }
const container = (signature: Uint8Array, ...files: { path: string; bytes: Uint8Array }[]): Uint8Array =>
  zipOf([mimetype, { path: 'letter.txt', bytes: letter }, ...files, { path: 'META-INF/signatures0.xml', bytes: signature }])

const stamped = { stamp: 'SignatureTimeStamp' } as const
const archived = { stamp: 'xades141:ArchiveTimeStamp', at: '2026-06-03T10:00:00Z' } as const
const lasting = [stamped, certificateValues(1), revocationValues(2)]

test.each<[string, XadesOptions, string]>([
  ['B', { references: [aside] }, 'XAdES B-B'],
  ['B with RSA and inclusive canonical form', { references: [aside], signer: xadesRsaSigner(), form: 'inclusive' }, 'XAdES B-B'],
  ['B with SHA-512', { references: [aside], digest: 'sha512' }, 'XAdES B-B'],
  ['T', { references: [aside], unsigned: [stamped] }, 'XAdES B-T'],
  [
    'T with stamps on references',
    {
      references: [aside],
      unsigned: [
        stamped,
        certificateRefs.replace('<xades:CompleteCertificateRefs Id="refs"', '<xades:CompleteCertificateRefs Id="refs"'),
        { stamp: 'SigAndRefsTimeStamp' },
        { stamp: 'RefsOnlyTimeStamp' },
      ],
    },
    'XAdES B-T',
  ],
  ['LT', { references: [aside], unsigned: lasting }, 'XAdES B-LT'],
  ['LTA', { references: [aside], unsigned: [...lasting, archived] }, 'XAdES B-LTA'],
  [
    'LTA, twice, with an object',
    { references: [aside, inside], objects: data, unsigned: [...lasting, archived, { ...archived, at: '2026-07-03T10:00:00Z' }] },
    'XAdES B-LTA',
  ],
  [
    'A of before, which leaves out objects',
    { references: [aside, inside], objects: data, unsigned: [...lasting, { ...archived, stamp: 'xades:ArchiveTimeStamp' }] },
    'XAdES B-LTA',
  ],
])('XAdES %s in ASiC-E holds, and tells a changed file, a file more, and nothing more', async (_, options, level) => {
  const signature = writeXades(options)
  const good = await given(['letter.asice', container(signature)])
  expect(findsOf(good)).toEqual([])
  expect([good.verdict, levelOf(good)]).toEqual(['TOTAL-PASSED', level])
  const changed = zipOf([mimetype, { path: 'letter.txt', bytes: other }, { path: 'META-INF/signatures0.xml', bytes: signature }])
  const forged = await given(['letter.asice', changed])
  expect(forged.verdict).toBe('TOTAL-FAILED')
  expect(findsOf(forged)).toContain('data_object=differs')
  const more = await given(['letter.asice', container(signature, { path: 'forged.txt', bytes: other })])
  expect([more.verdict, findsOf(more)]).toEqual(['INDETERMINATE', ['covered~uncovered']])
})

/** A signature by the rules of BDOC 2.1, with an answer about its certificate. */
const marked = (
  answer: (value: Uint8Array) => Uint8Array,
  rules = 'urn:oid:1.3.6.1.4.1.10015.1000.3.2.1',
  signer = xadesSigner,
  ...above: readonly Uint8Array[]
): Uint8Array =>
  writeXades({
    references: [aside],
    signer,
    moreProperties: `<xades:SignaturePolicyIdentifier><xades:SignaturePolicyId><xades:SigPolicyId><xades:Identifier Qualifier="OIDAsURN">${rules}</xades:Identifier></xades:SigPolicyId></xades:SignaturePolicyId></xades:SignaturePolicyIdentifier>`,
    unsigned: [
      `<xades:CertificateValues>${[xadesRoot.der, ...above].map((each) => `<xades:EncapsulatedX509Certificate>${base64(each)}</xades:EncapsulatedX509Certificate>`).join('')}</xades:CertificateValues>`,
      (value) =>
        `<xades:RevocationValues><xades:OCSPValues><xades:EncapsulatedOCSPValue>${base64(answer(value))}</xades:EncapsulatedOCSPValue></xades:OCSPValues></xades:RevocationValues>`,
    ],
  })
const answeredAt = new Date('2026-06-01T10:00:00Z')
const answer =
  (nonceOf?: (value: Uint8Array) => Uint8Array) =>
  (value: Uint8Array): Uint8Array =>
    ocspResponse(xadesRoot, xadesSigner.serial, answeredAt, { nonce: nonceOf?.(value) })
const digestInfo = (digest: Uint8Array): Uint8Array => sequence(sha256Id, octetString(digest))

test('BDOC: an answer about the certificate marks the time only when it was given for this very signature', async () => {
  const over = (value: Uint8Array): Uint8Array => digestInfo(digestOf(value))
  for (const nonceOf of [over, (value: Uint8Array) => octetString(over(value))]) {
    const good = await given(['letter.bdoc', container(marked(answer(nonceOf)))])
    expect([good.verdict, findsOf(good)]).toEqual(['TOTAL-PASSED', []])
  }
  const other = await given(['letter.bdoc', container(marked(answer(() => digestInfo(digestOf(letter)))))])
  expect([other.verdict, findsOf(other)]).toEqual(['TOTAL-FAILED', ['signature=other_mark']])
  for (const nonceOf of [undefined, () => new Uint8Array(16), () => octetString(new Uint8Array(20))]) {
    const open = await given(['letter.bdoc', container(marked(answer(nonceOf)))])
    expect([open.verdict, findsOf(open)]).toEqual(['INDETERMINATE', ['signature~mark_absent']])
  }
  // By other rules, the answer is about the certificate alone.
  const free = await given(['letter.asice', container(marked(answer(), 'urn:oid:1.2.3'))])
  expect([free.verdict, findsOf(free)]).toEqual(['TOTAL-PASSED', []])
})

test('BDOC: a responder may be appointed by anybody above the certificate, and by nobody else', async () => {
  const middle = authority('XAdES middle', keyOf(71), 5, {}, xadesRoot)
  const signer = certificate({ name: 'XAdES signer below', serial: 4720, key: keyOf(72), usage: [0, 1] }, middle)
  const responder = { name: 'XAdES responder', serial: 4721, key: keyOf(73), purposes: ['1.3.6.1.5.5.7.3.9'] }
  const other = authority('Another root', keyOf(74), 6)
  for (const [by, finds] of [
    [certificate(responder, xadesRoot), []],
    [certificate(responder, middle), []],
    [certificate(responder, other), ['signature~mark_absent']],
    [certificate({ ...responder, purposes: ['1.3.6.1.5.5.7.3.4'] }, xadesRoot), ['signature~mark_absent']],
  ] as const) {
    const answered = (value: Uint8Array): Uint8Array =>
      ocspResponse(middle, signer.serial, answeredAt, { nonce: digestInfo(digestOf(value)), responder: by })
    expect(findsOf(await given(['letter.bdoc', container(marked(answered, undefined, signer, middle.der))]))).toEqual(finds)
  }
})

test('BDOC: an answer that another gave marks nothing', async () => {
  const text = Buffer.from(marked(answer((value) => digestInfo(digestOf(value))))).toString()
  const forged = text.replace(/(?<=EncapsulatedOCSPValue>)[^<]+/, (encoded) => {
    const bytes = Buffer.from(encoded, 'base64')
    return base64(bytes.with(bytes.length - 3, (bytes.at(-3) ?? 0) ^ 1))
  })
  const open = await given(['letter.bdoc', container(Buffer.from(forged))])
  expect([open.verdict, findsOf(open)]).toEqual(['INDETERMINATE', ['signature~mark_absent']])
})

test.each<[string, XadesOptions]>([
  ['enveloped', { references: [whole], around: inLetter }],
  [
    'enveloped, by the expression that takes every signature away',
    { references: [{ ...whole, transforms: withoutSignatures + canonicalTransform }], around: inLetter },
  ],
  ['enveloping', { references: [inside], objects: data, around: (each) => each }],
  [
    'enveloping base64',
    {
      references: [
        { uri: '#data', transforms: '<ds:Transform Algorithm="http://www.w3.org/2000/09/xmldsig#base64"/>', bytes: letter },
      ],
      objects: `<ds:Object Id="data" Encoding="http://www.w3.org/2000/09/xmldsig#base64">${base64(letter)}</ds:Object>`,
      around: (each) => each,
    },
  ],
])('a signature alone, %s, holds', async (_, options) => {
  const dossier = await given(['letter.xml', writeXades(options)])
  expect(findsOf(dossier)).toEqual([])
  expect(dossier.verdict).toBe('TOTAL-PASSED')
})

test('a signature alone is over the file that is given beside it, and no other', async () => {
  const signature = writeXades({ references: [aside], around: (each) => each })
  const good = await given(['letter.xades', signature], ['letter.txt', letter])
  expect([good.verdict, findsOf(good)]).toEqual(['TOTAL-PASSED', []])
  const forged = await given(['letter.xades', signature], ['letter.txt', other])
  expect([forged.verdict, findsOf(forged)]).toEqual(['TOTAL-FAILED', ['reference=differs']])
  const alone = await given(['letter.xades', signature])
  expect([alone.verdict, findsOf(alone)]).toEqual(['INDETERMINATE', ['reference~content_absent']])
})

const twin = certificate({ name: 'XAdES twin', serial: 4713, key: keyOf(42), usage: [0, 1] }, xadesRoot)
const late = certificate({ name: 'Late', serial: 4714, key: keyOf(42), usage: [0, 1], until: day('2026-07-01') }, xadesRoot)
const cipher = certificate({ name: 'Cipher', serial: 4715, key: keyOf(42), usage: [2] }, xadesRoot)
const keyInfoOf = (der: Uint8Array): string =>
  `<ds:KeyInfo Id="S0-key"><ds:X509Data><ds:X509Certificate>${base64(der)}</ds:X509Certificate></ds:X509Data></ds:KeyInfo>`
const algorithm = (text: string, from: string, to: string): string => text.replace(`Algorithm="${from}"`, `Algorithm="${to}"`)

test.each<[string, XadesOptions, readonly string[]]>([
  [
    'of another certificate for the same key',
    { references: [whole], keyInfo: keyInfoOf(twin.der) },
    ['signing_certificate=other_certificate'],
  ],
  ['of a certificate that ended, undated', { references: [whole], signer: late }, ['validity~expired_undated']],
  ['of a certificate that ended, dated before', { references: [whole], signer: late, unsigned: [stamped] }, []],
  ['of a certificate for something else', { references: [whole], signer: cipher }, ['key_usage=other_key_usage']],
  [
    'of a certificate revoked before',
    {
      references: [whole],
      unsigned: [stamped, certificateValues(1), revocationValues(2, [{ serial: 4711, at: day('2026-05-01') }])],
    },
    ['revocation=revoked_before'],
  ],
  [
    'of a weak RSA key',
    { references: [whole], signer: certificate({ name: 'Weak', serial: 4716, key: rsaKey(1024), usage: [0] }, xadesRoot) },
    ['algorithms~weak_then'],
  ],
  ['over SHA-1', { references: [whole], digest: 'sha1' }, ['reference~weak_digest', 'signed_properties~weak_digest']],
  [
    'whose own properties are not signed',
    {
      references: [whole],
      alter: (text) => text.replace('Id="S0-props"', 'Id="S0-other"').replace('Target=', 'Id="S0-props" Target='),
    },
    ['signed_properties=properties_unsigned', 'signature~'],
  ],
  [
    'whose properties another set stands in for',
    { references: [whole], alter: (text) => text.replace('2026-06-01T09:59:00Z', '2020-06-01T09:59:00Z') },
    ['signed_properties=differs'],
  ],
  [
    'aimed at another signature',
    { references: [whole], alter: (text) => text.replace('Target="#S0"', 'Target="#S9"') },
    ['signed_properties~other_target'],
  ],
  [
    'stamped over something else',
    { references: [whole], unsigned: [{ ...stamped, over: createHash('sha256').update('x').digest() }] },
    ['signature_timestamp=timestamp_failed'],
  ],
  [
    'with an archive stamp over something else',
    { references: [whole], unsigned: [stamped, { ...archived, over: createHash('sha256').update('x').digest() }] },
    ['archive_timestamp=timestamp_failed'],
  ],
  [
    'with an archive stamp from before what it is over',
    { references: [whole], unsigned: [{ ...stamped, at: '2026-07-01T10:00:00Z' }, archived] },
    ['signature_timestamp=out_of_order'],
  ],
  [
    'with a part that is not known',
    { references: [whole], unsigned: ['<xades141:RenewedDigests/>'] },
    ['unevaluated~not_evaluated'],
  ],
  [
    'with a certificate that nobody vouches for',
    {
      references: [whole],
      keyInfo: keyInfoOf(xadesSigner.der).replace(
        '</ds:X509Data>',
        `<ds:X509Certificate>${base64(certificate({ name: 'Stray', serial: 5, key: keyOf(77) }, certificate({ name: 'Nobody', serial: 6, key: keyOf(78) })).der)}</ds:X509Certificate></ds:X509Data>`,
      ),
    },
    ['octets~certificate_unsigned'],
  ],
  [
    'by a shared secret',
    {
      references: [whole],
      alter: (text) =>
        algorithm(text, 'http://www.w3.org/2001/04/xmldsig-more#ecdsa-sha256', 'http://www.w3.org/2000/09/xmldsig#hmac-sha1'),
    },
    ['signature~unknown_algorithm'],
  ],
  [
    'by a transformation that makes anything of anything',
    {
      references: [whole],
      alter: (text) =>
        algorithm(text, 'http://www.w3.org/2000/09/xmldsig#enveloped-signature', 'http://www.w3.org/TR/1999/REC-xslt-19991116'),
    },
    ['reference~unknown_transform', 'signature=false_signature'],
  ],
])('a signature %s is not green', async (_, options, finds) => {
  const dossier = await given(['letter.xml', writeXades({ around: inLetter, ...options })])
  const found = findsOf(dossier)
  expect(dossier.verdict === 'TOTAL-PASSED').toBe(finds.length === 0)
  expect(found.filter((each) => finds.some((one) => each.startsWith(one)))).toHaveLength(
    finds.filter((one) => found.some((each) => each.startsWith(one))).length,
  )
  for (const one of finds.filter((each) => !each.endsWith('~'))) expect(found).toContain(one)
})

/** XML signature wrapping: what is read is not what was signed. */
const element = '<owes xmlns="urn:l" Id="signed">100</owes>'
const overElement: XadesOptions = { references: [{ uri: '#signed', transforms: canonicalTransform, bytes: utf8(element) }] }
test.each<[string, (signature: string) => string, string]>([
  [
    'with a copy of the same name',
    (each) => `<letter xmlns="urn:l"><owes Id="signed">900</owes>${element}${each}</letter>`,
    'reference=ambiguous_id',
  ],
  [
    'moved aside',
    (each) => `<letter xmlns="urn:l"><owes>900</owes><aside>${element}</aside>${each}</letter>`,
    'covered~part_uncovered',
  ],
  ['within a wrapper that nobody signed', (each) => `<letter xmlns="urn:l">${element}${each}</letter>`, 'covered~part_uncovered'],
  [
    'taken into the signature',
    (each) =>
      `<owes xmlns="urn:l" Id="signed2">900${each.replace('<ds:KeyInfo', `<ds:Object>${element}</ds:Object><ds:KeyInfo`)}</owes>`,
    'covered~part_uncovered',
  ],
  [
    'with a name as another kind of attribute',
    (each) => `<letter xmlns="urn:l"><owes xml:id="signed">900</owes>${element}${each}</letter>`,
    'reference=ambiguous_id',
  ],
])('what was signed, %s, is not green', async (_, around, expected) => {
  const text = Buffer.from(
    writeXades({ ...overElement, around: (each) => `<letter xmlns="urn:l">${element}${each}</letter>` }),
  ).toString()
  const signature = text.slice(text.indexOf('<ds:Signature'), text.lastIndexOf('</letter>'))
  const dossier = await given(['letter.xml', utf8(around(signature))])
  expect(dossier.verdict).not.toBe('TOTAL-PASSED')
  expect(findsOf(dossier)).toContain(expected)
})

test('instructions beside what is signed by name are said, and those that are signed hold', async () => {
  const dossier = await given([
    'letter.xml',
    utf8(`<?xml-stylesheet href="x"?>${Buffer.from(writeXades({ references: [whole], around: inLetter })).toString()}`),
  ])
  expect(findsOf(dossier)).toEqual(['reference=differs'])
})

test('a list of files within a signature is followed', async () => {
  const manifest = (bytes: Uint8Array): string =>
    `<ds:Object Id="data"><ds:Manifest><ds:Reference URI="letter.txt">${digestElements(bytes)}</ds:Reference></ds:Manifest></ds:Object>`
  const good = await given(['a.asice', container(writeXades({ references: [inside], objects: manifest(letter) }))])
  expect([good.verdict, findsOf(good)]).toEqual(['TOTAL-PASSED', []])
  const forged = await given(['a.asice', container(writeXades({ references: [inside], objects: manifest(other) }))])
  expect([forged.verdict, findsOf(forged)]).toEqual(['TOTAL-FAILED', ['data_object=differs']])
})

test('an altered octet is never green, but where the same XML is written otherwise or where nothing is signed', async () => {
  const seed = 20_261_122
  const next = below(seed)
  const bytes = writeXades({ references: [whole], around: inLetter, unsigned: [...lasting, archived] })
  /** What must be as it was: all that is hashed or signed, and what was stamped. */
  const signedParts = (of: Uint8Array): string => {
    const root = readXml(of)
    const signature = childrenOf(root, ds, 'Signature')[0]
    const wanted = [...elementsOf(root)].filter(({ local }) => ['SignedInfo', 'SignedProperties', 'KeyInfo'].includes(local))
    const value = [...elementsOf(root)]
      .filter(({ local }) => local === 'SignatureValue')
      .map((each) => textOf(each).replaceAll(/\s/g, ''))
    const hash = createHash('sha256').update(value.join())
    for (const each of [canonical(root, undefined, (one) => one === signature), ...wanted.map((one) => canonical(one))])
      hash.update(each)
    return hash.digest('hex')
  }
  const { dates } = await verifyXades({ bytes }, { now, trust })
  const before = signedParts(bytes)
  let green = 0
  for (let i = 0; i < 500; i += 1) {
    const altered = Uint8Array.from(bytes)
    const at = next(altered.length)
    altered[at] = (altered[at] ?? 0) ^ (1 << next(8))
    const report = await verifyXades({ bytes: altered }, { now, trust })
    if (report.verdict !== 'TOTAL-PASSED') continue
    green += 1
    expect(signedParts(altered), `seed ${seed}, alteration ${i} at ${at}`).toBe(before)
    expect(report.dates).toEqual(dates)
  }
  expect(green).toBeLessThan(50)
})

const bomb = (levels: number): string => `${'<a>'.repeat(levels)}${'</a>'.repeat(levels)}`
test.each<[string, string, string]>([
  ['a document type', '<!DOCTYPE a [<!ENTITY b "c">]>', 'form~document_type'],
  [
    'entities that hold each other',
    `<!DOCTYPE a [<!ENTITY b "${'x'.repeat(1000)}"><!ENTITY c "&b;&b;&b;">]>`,
    'form~document_type',
  ],
])('%s is refused by name', async (_, before, expected) => {
  const dossier = await given([
    'letter.xml',
    utf8(before + Buffer.from(writeXades({ references: [whole], around: inLetter })).toString()),
  ])
  expect([dossier.verdict, findsOf(dossier)]).toEqual(['INDETERMINATE', [expected]])
})

test('ten megabytes of text, deep nesting and long names cost what they are, and no more', async () => {
  const long = 'x'.repeat(10 << 20)
  const big = writeXades({
    references: [{ ...whole, bytes: utf8(`<letter xmlns="urn:l"><owes>${long}</owes></letter>`) }],
    around: (each) => `<letter xmlns="urn:l"><owes>${long}</owes>${each}</letter>`,
  })
  expect((await verifyXades({ bytes: big }, { now, trust })).verdict).toBe('TOTAL-PASSED')
  const deep = utf8(`<letter>${bomb(10_000)}<ds:Signature xmlns:ds="${ds}"/></letter>`)
  expect((await verifyXades({ bytes: deep }, { now, trust })).checks).toMatchObject([
    { id: 'form', status: 'failed', data: { reason: 'malformed' } },
  ])
  // Each sibling says the long namespace anew when it is canonicalised.
  const wide = `<letter xmlns:p="${'n'.repeat(60_000)}">${'<p:a/>'.repeat(20_000)}`
  const made = Buffer.from(writeXades({ references: [{ ...whole, bytes: letter }], around: inLetter })).toString()
  const siblings = utf8(`${wide}${made.slice(made.indexOf('<ds:Signature'), made.lastIndexOf('</letter>'))}</letter>`)
  expect((await verifyXades({ bytes: siblings }, { now, trust })).checks).toMatchObject([
    { id: 'form' },
    { id: 'signature', data: { reason: 'malformed' } },
    {},
  ])
})

test('a text about signatures is a document', async () => {
  const dossier = await given(['page.xml', utf8(`<p xmlns:ds="${ds}"><![CDATA[<ds:Signature >]]></p>`)])
  expect(dossier.items.map(({ result }) => result.form)).toEqual(['document'])
})

test('a countersignature is over the signature that it stands in, or is none', async () => {
  const signature = Buffer.from(writeXades({ references: [whole], around: (each) => each })).toString()
  const [head, tail] = signature.split('</xades:QualifyingProperties>') as [string, string]
  const place = (each: string): string =>
    `<xades:UnsignedProperties><xades:UnsignedSignatureProperties><xades:CounterSignature>${each}</xades:CounterSignature></xades:UnsignedSignatureProperties></xades:UnsignedProperties></xades:QualifyingProperties>`
  for (const [target, finds] of [
    ['#S0-value', []],
    ['#S0-key', ['reference=other_countersigned']],
  ] as const) {
    const counter = { references: [{ uri: target, transforms: canonicalTransform }], id: 'C0' }
    const bytes = writeXades({ ...counter, around: (each) => inLetter(`${head}${place(each)}${tail}`) })
    const dossier = await given(['letter.xml', bytes])
    expect([dossier.verdict, findsOf(dossier)]).toEqual([finds.length === 0 ? 'TOTAL-PASSED' : 'TOTAL-FAILED', finds])
  }
})

test('a container of two hands says whose signature is false', async () => {
  const two = inContainer('').replace(
    '</asic',
    `${Buffer.from(writeXades({ references: [aside], around: (each) => each })).toString()}${Buffer.from(writeXades({ references: [{ ...aside, bytes: other }], id: 'S1', around: (each) => each })).toString()}</asic`,
  )
  const dossier = await given(['letter.asice', container(utf8(two))])
  expect([dossier.verdict, findsOf(dossier)]).toEqual(['TOTAL-FAILED', ['data_object=differs']])
})

test('every check and reason has words in both languages', () => {
  for (const words of [
    { ...en, ...wordsEn },
    { ...fr, ...wordsFr },
  ] as Readonly<Record<string, string>>[]) {
    expect(words['verification.kind.xades']).toMatch(/\S/)
    for (const id of xadesCheckIds)
      expect(
        ['xades', 'cms', 'timestamp'].some((kind) => `verification.proof.${kind}.${id}.title` in words),
        id,
      ).toBe(true)
    for (const reason of xadesReasons) expect(words[`verification.proof.xades.reason.${reason}`], reason).toMatch(/\S/)
  }
})

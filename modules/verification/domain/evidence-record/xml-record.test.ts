import { expect, test } from 'vitest'
import { utf8 } from '../../../../kernel/bytes.ts'
import { stampRoot } from '../../../../testing/proof-vectors/evidence-records.ts'
import { pem } from '../../../../testing/proof-vectors/issue.ts'
import { hash, xmlRecordOf } from '../../../../testing/proof-vectors/xml-evidence-records.ts'
import type { WrittenXmlChain, XmlAlgorithm } from '../../../../testing/proof-vectors/xml-evidence-records.ts'
import { zipOf } from '../../../../testing/write-zip.ts'
import { verifyDossier } from '../dossier/dossier.ts'
import type { Dossier } from '../dossier/dossier.ts'
import { fileOfBytes } from '../dossier/dropped/dossier-units.ts'
import { verifyEvidenceRecord } from './verify-evidence-record.ts'
import { below } from '../../../../testing/sweep.ts'

const now = (): Date => new Date('2026-11-22T12:00:00Z')
const trust = pem('CERTIFICATE', stampRoot.der)
const letter = utf8('You owe 100 euros\n')
const forged = utf8('You owe 900 euros\n')
const of =
  (bytes: Uint8Array) =>
  (name: XmlAlgorithm): Uint8Array =>
    hash(bytes, name)
const other = hash('another document')

const given = async (...files: (readonly [string, Uint8Array])[]): Promise<Dossier> =>
  await verifyDossier(
    files.map(([name, bytes]) => fileOfBytes(name, bytes)),
    { now, trust },
  )
/** `2 id=reason` fails at the second time stamp, `id~reason` is open, of the first item that is a proof. */
function findsOf({ items }: Dossier): string[] {
  const report = items.flatMap(({ result }) => (result.form === 'proof' ? [result.report] : []))[0]
  return (report?.checks ?? []).flatMap(({ id, status, supplementary, subject, data: { reason } }) => {
    const number = /^time stamp (\d+)$/.exec(subject ?? '')?.[1]
    return status === 'passed' || supplementary === true
      ? []
      : [`${number === undefined ? '' : `${number} `}${id}${status === 'failed' ? '=' : '~'}${String(reason)}`]
  })
}

const first = { at: '2026-06-01T10:00:00Z' }
const second = { at: '2026-07-01T10:00:00Z' }
const third = { at: '2026-08-01T10:00:00Z' }
const chains: Readonly<Record<string, readonly WrittenXmlChain[]>> = {
  'alone, without a tree': [{ stamps: [{ ...first, bare: true }] }],
  'in a tree': [{ stamps: [{ ...first, lists: [[other], [other, hash('two')]] }] }],
  'in a tree of SHA-512': [{ algorithm: 'sha512', stamps: [{ ...first, lists: [[hash('two', 'sha512')]] }] }],
  'renewed by a time stamp': [
    {
      stamps: [
        { ...first, lists: [[other]] },
        { ...second, bare: true },
        { ...third, lists: [[other]] },
      ],
    },
  ],
  'renewed by a new tree': [
    { stamps: [{ ...first, lists: [[other]] }, second] },
    { algorithm: 'sha512', stamps: [{ ...third, lists: [[hash('two', 'sha512')]] }] },
  ],
}

test.each(Object.entries(chains))('a record in XML over a document %s holds, for it and no other', async (_, written) => {
  const record = xmlRecordOf(of(letter), written)
  const good = await given(['letter.txt.xml', record], ['letter.txt', letter])
  expect([good.verdict, findsOf(good)]).toEqual(['TOTAL-PASSED', []])
  const bad = await given(['letter.txt.xml', record], ['letter.txt', forged])
  expect(bad.verdict).toBe('TOTAL-FAILED')
  expect(findsOf(bad)).toContain('document=other_document')
})

test('a document in XML is the one that was canonicalised before it was hashed, and the one that was not', async () => {
  const written = utf8('<a  c="1"   b="2" ><!-- one --></a >\n')
  const canonical = utf8('<a b="2" c="1"></a>')
  for (const bytes of [written, canonical]) {
    const report = await verifyEvidenceRecord(
      { record: xmlRecordOf(of(bytes), chains['renewed by a new tree'] ?? []), data: [{ bytes: written }] },
      { now, trust },
    )
    expect(report.verdict).toBe('TOTAL-PASSED')
  }
})

const text = (written: readonly WrittenXmlChain[]): string => Buffer.from(xmlRecordOf(of(letter), written)).toString()
const whole = text(chains['renewed by a new tree'] ?? [])
test.each<[string, string, string]>([
  ['another time stamp renewed', text([{ stamps: [first, { ...second, over: other }] }]), '2 hash_tree=other_root'],
  [
    'chains before altered',
    whole.replace('Order="1"><e:DigestMethod', 'Order="1" x="1"><e:DigestMethod'),
    '3 new_chain=other_chains',
  ],
  ['a comment, which is not hashed', whole.replace('<e:HashTree>', '<e:HashTree><!-- a -->'), ''],
  ['a time stamp altered otherwise', whole.replace('<e:TimeStamp>', '<e:TimeStamp x="1">'), '2 renewal=other_timestamp'],
  ['an order with a gap', whole.replace('<e:ArchiveTimeStamp Order="2">', '<e:ArchiveTimeStamp Order="3">'), 'form=malformed'],
  ['an order twice', whole.replace('<e:Sequence Order="2">', '<e:Sequence Order="1">'), 'form=malformed'],
  ['a time stamp of another kind', whole.replace('RFC3161', 'XMLENTRUST'), 'form~token_type'],
  ['a form of its own', whole.replace('http://www.w3.org/2001/10/xml-exc-c14n#', 'urn:mine'), 'form~canonical_form'],
  [
    'a digest that is not known',
    whole.replace('http://www.w3.org/2001/04/xmlenc#sha256', 'urn:rot13'),
    '1 hash_tree~unknown_algorithm',
  ],
  ['another version', whole.replace('Version="1.0"', 'Version="2.0"'), 'version=other_version'],
  ['a document type', whole.replace('?>', '?><!DOCTYPE a [<!ENTITY b "c">]>'), 'form=malformed'],
])('a record in XML with %s says so', async (_, record, expected) => {
  const dossier = await given(['letter.txt.xml', utf8(record)], ['letter.txt', letter])
  if (expected === '') expect([dossier.verdict, findsOf(dossier)]).toEqual(['TOTAL-PASSED', []])
  else expect(dossier.verdict).not.toBe('TOTAL-PASSED')
  if (expected !== '') expect(findsOf(dossier)).toContain(expected)
})

const mimetype = { path: 'mimetype', bytes: utf8('application/vnd.etsi.asic-e+zip') }
const named = { path: 'letter.txt', bytes: letter }
const list = (path: string): { path: string; bytes: Uint8Array } => ({
  path: 'META-INF/ASiCEvidenceRecordManifest001.xml',
  bytes: utf8(
    `<a:ASiCManifest xmlns:a="http://uri.etsi.org/02918/v1.2.1#" xmlns:d="http://www.w3.org/2000/09/xmldsig#"><a:SigReference URI="${path}"/><a:DataObjectReference URI="letter.txt"><d:DigestMethod Algorithm="http://www.w3.org/2001/04/xmlenc#sha256"/><d:DigestValue>${Buffer.from(hash(letter)).toString('base64')}</d:DigestValue></a:DataObjectReference></a:ASiCManifest>`,
  ),
})

test.each(['META-INF/evidencerecord.xml', 'META-INF/evidencerecord001.xml'])('a container is judged by %s', async (path) => {
  const proofs = [
    ...(path.includes('001') ? [list(path)] : []),
    { path, bytes: xmlRecordOf(of(letter), chains['renewed by a new tree'] ?? []) },
  ]
  const good = await given(['case.zip', zipOf([named, ...proofs, mimetype])])
  expect([good.verdict, findsOf(good)]).toEqual(['TOTAL-PASSED', []])
  const bad = await given(['case.zip', zipOf([{ ...named, bytes: forged }, ...proofs, mimetype])])
  expect(bad.verdict).toBe('TOTAL-FAILED')
  const more = await given(['case.zip', zipOf([named, { path: 'forged.pdf', bytes: forged }, ...proofs, mimetype])])
  expect(more.verdict).not.toBe('TOTAL-PASSED')
})

test('an altered octet of a record in XML is never green, but where the same XML is written otherwise', async () => {
  const seed = 6283
  const next = below(seed)
  const record = utf8(whole)
  const data = [{ bytes: letter }]
  const { dates } = await verifyEvidenceRecord({ record, data }, { now, trust })
  expect(dates).toHaveLength(3)
  let green = 0
  for (let i = 0; i < 400; i += 1) {
    const altered = Uint8Array.from(record)
    const at = next(altered.length)
    altered[at] = (altered[at] ?? 0) ^ (1 << next(8))
    const report = await verifyEvidenceRecord({ record: altered, data }, { now, trust })
    if (report.verdict !== 'TOTAL-PASSED') continue
    green += 1
    expect(report.dates, `seed ${seed}, alteration ${i} at ${at}`).toEqual(dates)
  }
  expect(green).toBeLessThan(40)
})

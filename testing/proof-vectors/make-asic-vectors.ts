import { temporaryFolder } from '../keyring.ts'
import { zipOf } from '../write-zip.ts'
import { asicFlaws, asicMaterial, letter, mimetype } from './asic-containers.ts'
import { findsIn, writeGallery } from './gallery.ts'
import type { Case } from './gallery.ts'

/** Writes the vectors of containers: `node testing/proof-vectors/make-asic-vectors.ts`. The keys are in a folder that goes. */
const folder = await temporaryFolder()
try {
  const material = await asicMaterial(folder.dir)
  const { all, parts, recordList, recordOf, trust } = material
  const recordName = 'META-INF/evidencerecord.ers'
  const record = { path: recordName, bytes: await recordOf(letter.bytes) }
  const good = zipOf(all())
  const cases: Case[] = [
    { name: 'a signature and a time stamp', file: 'good.asice', bytes: good, finds: {} },
    {
      name: 'roots that name nobody',
      file: 'good.asice',
      known: { trust: 'none.pem' },
      finds: { trust: 'indeterminate no_roots' },
    },
    {
      name: 'an evidence record over what it lists',
      editOf: 'good.asice',
      bytes: zipOf([mimetype, letter, recordList(recordName, [letter]), record]),
      finds: {},
    },
    {
      name: 'an evidence record over the one object',
      editOf: 'good.asice',
      bytes: zipOf([mimetype, letter, record]),
      finds: {},
    },
    {
      name: 'an evidence record beside a signature',
      editOf: 'good.asice',
      bytes: zipOf([...all(), recordList(recordName, [letter]), record]),
      finds: {},
    },
    {
      name: 'an evidence record over something else',
      editOf: 'good.asice',
      bytes: zipOf([...all(), { path: recordName, bytes: await recordOf(Buffer.from('other')) }]),
      finds: { evidence_record: 'failed other_document' },
    },
    {
      name: 'an evidence record that is none',
      editOf: 'good.asice',
      bytes: zipOf([...all(), { path: recordName, bytes: Buffer.from('record') }]),
      finds: { evidence_record: 'failed not_asn1' },
    },
    {
      name: 'an evidence record left out of its list',
      editOf: 'good.asice',
      bytes: zipOf([...all(), recordList(recordName, [letter])]),
      finds: { evidence_record: 'failed signature_missing' },
    },
    {
      name: 'one evidence record of two lists',
      editOf: 'good.asice',
      bytes: zipOf([
        ...all(),
        recordList(recordName, [letter]),
        { ...recordList(recordName, [letter]), path: 'META-INF/ASiCEvidenceRecordManifest002.xml' },
        record,
      ]),
      finds: { evidence_record: 'failed signature_shared' },
    },
    {
      name: 'an evidence record over several objects without a list',
      editOf: 'good.asice',
      bytes: zipOf([mimetype, letter, parts.manifest, parts.signature, { path: 'more.txt', bytes: Buffer.from('more') }, record]),
      finds: { evidence_record: 'failed several_objects', covered: 'indeterminate uncovered' },
    },
    {
      name: 'an evidence record in XML that is none',
      editOf: 'good.asice',
      bytes: zipOf([...all(), { path: 'META-INF/evidencerecord.xml', bytes: Buffer.from('<EvidenceRecord/>') }]),
      finds: { evidence_record: 'failed not_asn1' },
    },
    {
      name: 'an entry that leads into another',
      editOf: 'good.asice',
      bytes: zipOf([...all(), { path: 'again', bytes: parts.stamp.bytes, sameAs: parts.stamp.path }]),
      finds: { container: 'failed headers_differ' },
    },
  ]
  for (const [name, { parts: given, finds, alter }] of Object.entries(asicFlaws(material))) {
    const made = zipOf(await given())
    cases.push({ name, editOf: 'good.asice', bytes: alter === undefined ? made : alter(made), finds: findsIn(finds) })
  }
  await writeGallery('asic', {
    known: { now: new Date().toISOString(), trust: 'roots.pem' },
    usual: { signature: 'noted timestamp_absent', timestamp: 'noted accuracy_absent' },
    unusable: ['not a container'],
    cases,
    files: { 'roots.pem': trust, 'none.pem': '' },
  })
} finally {
  await folder.remove()
}

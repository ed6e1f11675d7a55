import { temporaryFolder } from '../keyring.ts'
import { zipOf } from '../write-zip.ts'
import { asicFlaws, asicMaterial } from './asic-containers.ts'
import { findsIn, writeGallery } from './gallery.ts'
import type { Case } from './gallery.ts'

/** Writes the vectors of containers: `node testing/proof-vectors/make-asic-vectors.ts`. The keys are in a folder that goes. */
const folder = await temporaryFolder()
try {
  const material = await asicMaterial(folder.dir)
  const { all, parts, trust } = material
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
      name: 'an evidence record',
      editOf: 'good.asice',
      bytes: zipOf([...all(), { path: 'META-INF/evidencerecord.ers', bytes: Buffer.from('record') }]),
      finds: { evidence_record: 'noted not_checked_here' },
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
    cases,
    files: { 'roots.pem': trust, 'none.pem': '' },
  })
} finally {
  await folder.remove()
}

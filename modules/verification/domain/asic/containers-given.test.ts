import { beforeAll, describe, expect, test } from 'vitest'
import { temporaryFolder } from '../../../../testing/keyring.ts'
import { asicMaterial, letter, mimetype } from '../../../../testing/proof-vectors/asic-containers.ts'
import type { AsicMaterial } from '../../../../testing/proof-vectors/asic-containers.ts'
import { zipOf } from '../../../../testing/write-zip.ts'
import type { ZipPart } from '../../../../testing/write-zip.ts'
import { verifyDossier } from '../dossier/dossier.ts'
import type { Dossier } from '../dossier/dossier.ts'
import { fileOfBytes } from '../dossier/dropped/dossier-units.ts'

let material: AsicMaterial
const recordName = 'META-INF/evidencerecord001.ers'
const forged: ZipPart = { path: 'forged.pdf', bytes: Buffer.from('You owe 900 euros') }
/** What proves, in each form of EN 319 162-1, and over the letter alone. */
const forms: Record<string, readonly ZipPart[]> = {}

beforeAll(async () => {
  const folder = await temporaryFolder()
  material = await asicMaterial(folder.dir)
  const { parts, recordList, recordOf, sign, stampOf } = material
  const record = { path: recordName, bytes: await recordOf(letter.bytes) }
  const archived = { ...parts.stampManifest, path: 'META-INF/ASiCArchiveManifest001.xml' }
  forms['signature and list'] = [parts.manifest, parts.signature]
  forms['time stamp and list'] = [parts.stampManifest, parts.stamp]
  forms['archive list'] = [archived, parts.stamp]
  forms['record and list'] = [recordList(recordName, [letter]), record]
  forms['record alone'] = [{ ...record, path: 'META-INF/evidencerecord.ers' }]
  forms['signature alone'] = [{ path: 'META-INF/signature.p7s', bytes: await sign(letter.bytes) }]
  forms['time stamp alone'] = [{ path: 'META-INF/timestamp.tst', bytes: await stampOf(letter.bytes) }]
  return async () => await folder.remove()
})

const given = async (...files: (readonly [string, Uint8Array])[]): Promise<Dossier> =>
  await verifyDossier(
    files.map(([name, bytes]) => fileOfBytes(name, bytes)),
    { now: () => new Date(), trust: material.trust },
  )
const kinds = ({ items }: Dossier): string[] => items.map(({ kind }) => kind)

/** As writers of containers, or attackers, put the mark. */
const marks: Readonly<Record<string, (parts: readonly ZipPart[]) => Uint8Array>> = {
  first: (parts) => zipOf([mimetype, ...parts]),
  'in the middle': (parts) => zipOf([...parts.slice(0, 1), mimetype, ...parts.slice(1)]),
  last: (parts) => zipOf([...parts, mimetype]),
  'last, compressed': (parts) => zipOf([...parts, { ...mimetype, deflate: true }]),
  'in the comment': (parts) => zipOf(parts, 'mimetype=application/vnd.etsi.asic-e+zip'),
  nowhere: (parts) => zipOf(parts),
  'nowhere, in small letters': (parts) => zipOf(parts.map(inSmallLetters)),
  'nowhere, behind a long comment': (parts) => zipOf(parts, 'x'.repeat(65_000)),
}
function inSmallLetters(part: ZipPart): ZipPart {
  const path = part.path.replace('META-INF/', 'meta-inf/')
  return path.endsWith('.xml')
    ? { path, bytes: Buffer.from(Buffer.from(part.bytes).toString().replaceAll('META-INF/', 'meta-inf/')) }
    : { ...part, path }
}

describe.each(Object.entries(marks))('a container whose mark stands %s', (mark, write) => {
  test.each([
    'signature and list',
    'time stamp and list',
    'archive list',
    'record and list',
    'record alone',
    'signature alone',
    'time stamp alone',
  ])('is judged by its %s, and is not green with a file beside that it does not cover', async (form) => {
    const proofs = forms[form] ?? []
    const whole = await given(['case.zip', write([letter, ...proofs])])
    expect(kinds(whole)).toEqual(['asic'])
    // A list in small letters names what it signs: its signature is over other octets.
    const isSigned = mark !== 'nowhere, in small letters' || form.endsWith('alone') || form === 'record and list'
    expect(whole.verdict).toBe(isSigned ? 'TOTAL-PASSED' : 'TOTAL-FAILED')
    for (const path of [forged.path, 'META-INF/forged.pdf', 'META-INF/evidencerecord.pdf', 'MIMETYPE', 'a/mimetype', 'forged/']) {
      const dossier = await given(['case.zip', write([letter, { ...forged, path }, ...proofs])])
      expect([path, kinds(dossier)]).toEqual([path, ['asic']])
      expect([path, dossier.verdict]).not.toEqual([path, 'TOTAL-PASSED'])
    }
  })
})

test('names of proofs are found in a directory that is longer than both ends', async () => {
  const many = Array.from({ length: 3000 }, (_, i) => ({ path: `${'a'.repeat(40)}/${i}.txt`, bytes: Buffer.from(String(i)) }))
  const proofs = forms['record and list'] ?? []
  const dossier = await given(['case.zip', zipOf([...many.slice(0, 1500), letter, ...proofs, ...many.slice(1500)])])
  expect(kinds(dossier)).toEqual(['asic'])
  expect(dossier.verdict).toBe('INDETERMINATE')
})

test('what an archive holds and no reader agrees on is said, also beside a proof that holds', async () => {
  const record = { path: 'letter.ers', bytes: await material.recordOf(letter.bytes) }
  const good = [{ ...letter, path: 'letter.txt' }, record]
  for (const part of [
    { path: 'two', bytes: forged.bytes, localName: 'one' },
    { ...forged, flags: 1 },
    { ...forged, method: 99 },
  ]) {
    const dossier = await given(['case.zip', zipOf([...good, part])])
    expect(dossier.items.at(-1)?.result).toEqual({ form: 'unreadable', reason: 'read' })
    expect(dossier.verdict).toBe('INDETERMINATE')
    expect(dossier.conclusion.missing).toContainEqual({ what: 'unread', item: `case.zip/${part.path}` })
  }
})

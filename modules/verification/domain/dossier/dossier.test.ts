import { execFileSync } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as fc from '../../../../testing/fast-check.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createMessages } from '../../../../platform/messages/messages.ts'
import { file as hello, proof } from '../../../../testing/proof-vectors/anchored-file.ts'
import { sealedPackage } from '../../../../testing/sealed-package.ts'
import { zipOf } from '../../../../testing/write-zip.ts'
import type { Words } from '../describe/describe-check.ts'
import { verifyDossier } from './dossier.ts'
import type { Dossier } from './dossier.ts'
import { fileOfBytes } from './dropped/dossier-units.ts'
import type { DossierFile } from './dropped/dossier-units.ts'
import { hashFile } from '../file/hash-file.ts'
import { datesOfPackage, independence } from './concluded/independence.ts'
import { minutesHtml } from '../minutes/minutes-html.ts'
import { minutesOf } from '../minutes/minutes.ts'
import { buildOts } from '../opentimestamps/write-ots.ts'
import { VerificationStopped } from '../file/readable.ts'
import { verifyPackage } from '../package/verify-package.ts'

const deps = { now: () => new Date() }
const file = (path: string, bytes: Uint8Array | string): DossierFile =>
  fileOfBytes(path, typeof bytes === 'string' ? new TextEncoder().encode(bytes) : bytes)
const promised = buildOts({
  digest: new Uint8Array(32),
  operations: [],
  end: [{ kind: 'pending', uri: 'https://calendar.example' }],
})
const states = ({ items }: Dossier) =>
  Object.fromEntries(
    items.map(({ name, kind, result }) => [
      name,
      'report' in result ? `${kind} ${result.report.verdict}` : `${kind} ${result.form}`,
    ]),
  )

let dir: string
let made: Awaited<ReturnType<typeof sealedPackage>>
let unpacked: DossierFile[]
beforeAll(async () => {
  dir = mkdtempSync(join(tmpdir(), 'dossier-'))
  made = await sealedPackage({ keys: dir, pieces: [{ path: 'capture/page.html', role: 'dom', bytes: Buffer.from('<p>hello') }] })
  writeFileSync(join(dir, 'package.zip'), made.zip)
  unpacked = made.paths.map((path) => {
    return file(`case/${path}`, Uint8Array.from(execFileSync('unzip', ['-p', join(dir, 'package.zip'), path])))
  })
})
afterAll(() => rmSync(dir, { recursive: true, force: true }))

test('a proof and the file it is over are linked, whatever their names', async () => {
  const dossier = await verifyDossier([file('a', hello), file('b', proof)], deps)
  expect(states(dossier)).toEqual({ a: 'document document', b: 'opentimestamps INDETERMINATE' })
  expect(dossier.links.map(({ from, to, relation }) => [from, to, relation])).toEqual([[1, 0, 'over']])
})

test.each([
  ['named after it, among other files', ['coinbase.bin.ots', 'coinbase.bin'], true],
  ['the only file there is', ['proof', 'altered'], false],
])('an altered copy is told by the proof itself: %s', async (_, [proofName = '', name = ''], others) => {
  const altered = Uint8Array.from(hello)
  altered[0] = (altered[0] ?? 0) ^ 1
  const more = others ? [file('notes.txt', 'notes'), file('other.txt', 'other')] : []
  const dossier = await verifyDossier([file(proofName, proof), file(name, altered), ...more], deps)
  expect(dossier.verdict).toBe('TOTAL-FAILED')
  expect(states(dossier)[proofName]).toBe('opentimestamps TOTAL-FAILED')
  const [item] = dossier.items
  const failed = item?.result.form === 'proof' ? item.result.report.checks.filter(({ status }) => status === 'failed') : []
  expect(failed.map(({ id }) => id)).toEqual(['digest'])
  expect(dossier.links).toEqual([])
})

test('a file beside a proof of something else is not said to be false', async () => {
  const dossier = await verifyDossier([file('p.ots', proof), file('q.ots', promised), file('notes.txt', 'notes')], deps)
  expect(dossier.items.map(({ result }) => ('report' in result ? result.report.verdict : result.form))).toEqual([
    'INDETERMINATE',
    'INDETERMINATE',
    'document',
  ])
})

test('a damaged PDF beside others is a document, which a proof may be over; where it may have been signed it is a broken proof', async () => {
  const notes = file('notes.txt', 'notes')
  const damaged = new TextEncoder().encode('%PDF-1.7 cut off')
  expect(states(await verifyDossier([notes, file('plan.pdf', damaged)], deps))['plan.pdf']).toBe('pdf document')
  const far = `%PDF-1.7 ${' '.repeat(65_530)}/ByteRange [0 1 2 3]`
  expect(states(await verifyDossier([notes, file('plan.pdf', far)], deps))['plan.pdf']).toBe('pdf TOTAL-FAILED')
  expect(states(await verifyDossier([file('plan.pdf', damaged)], deps))).toEqual({ 'plan.pdf': 'pdf null' })
  const over = buildOts({
    digest: createHash('sha256').update(damaged).digest(),
    operations: [],
    end: [{ kind: 'pending', uri: 'https://calendar.example' }],
  })
  const both = await verifyDossier([file('plan.ots', over), file('plan.pdf', damaged)], deps)
  expect(states(both)).toEqual({ 'plan.ots': 'opentimestamps INDETERMINATE', 'plan.pdf': 'pdf document' })
  expect(both.links.map(({ from, to, relation }) => [from, to, relation])).toEqual([[0, 1, 'over']])
})

test('the folder of an unpacked package is one thing; a copy of a piece and a proof over the ZIP are linked to it', async () => {
  const dossier = await verifyDossier([...unpacked, file('case/.DS_Store', 'x'), file('copy.html', '<p>hello')], deps)
  expect(dossier.items.map(({ name, kind }) => [name, kind])).toEqual([
    ['case', 'package'],
    ['copy.html', 'document'],
  ])
  expect(dossier.links.map(({ relation }) => relation)).toEqual(['piece'])
  const zip = Uint8Array.from(made.zip)
  const root = Buffer.from(made.root, 'hex')
  // A detached proof over the sealed digest, and one over the ZIP: magic, version, SHA-256, digest, a pending attestation.
  const pending = Buffer.concat([
    Buffer.from('0083dfe30d2ef90c8e', 'hex'),
    Buffer.from([24, 23]),
    Buffer.from('https://calendar.test/x'),
  ])
  const over = (digest: Uint8Array) => Uint8Array.from(Buffer.concat([proof.subarray(0, 33), digest, pending]))
  const linked = await verifyDossier(
    [file('p.zip', zip), file('root.ots', over(root)), file('zip.ots', over(createHash('sha256').update(zip).digest()))],
    deps,
  )
  expect(states(linked)['p.zip']).toBe('package INDETERMINATE')
  expect(linked.links.map(({ from, to, relation }) => `${from} ${relation} ${to}`).toSorted()).toEqual(['1 seals 0', '2 over 0'])
})

test.each([0, 1, 3, 4, 5, 25, 40])(
  'P-02 a package that broke off after %i octets is an unusable or failed one, whoever is asked',
  async (octets) => {
    const cut = Uint8Array.from(made.zip).subarray(0, octets)
    const { items, conclusion } = await verifyDossier([file('Package.ZIP', cut)], deps)
    expect(items.map(({ kind, result }) => [kind, result.form])).toEqual([['package', 'package']])
    // Of so few octets nothing shows that they were a package; of more, their own end contradicts them.
    expect(['grey', 'red']).toContain(conclusion.colour)
    expect([conclusion.exit_code, conclusion.verdict]).toEqual(conclusion.colour === 'grey' ? [3, null] : [1, 'TOTAL-FAILED'])
    // By another name it is what it looks like, and nothing is concluded from it.
    expect((await verifyDossier([file('notes.txt', Uint8Array.of(1, 2, 3))], deps)).verdict).toBeNull()
  },
)

test('an archive of a file and its proof is opened; a bomb in it is not', async () => {
  const zip = join(dir, 'sent.zip')
  const script = `import sys,zipfile
z=zipfile.ZipFile(sys.argv[1],'w',zipfile.ZIP_DEFLATED)
z.write(sys.argv[2],'sent/coinbase.bin')
z.write(sys.argv[3],'sent/coinbase.bin.ots')
z.writestr('bomb.bin', bytes(40<<20))
z.close()`
  writeFileSync(join(dir, 'coinbase.bin'), hello)
  writeFileSync(join(dir, 'coinbase.bin.ots'), proof)
  execFileSync('python3', ['-c', script, zip, join(dir, 'coinbase.bin'), join(dir, 'coinbase.bin.ots')])
  const dossier = await verifyDossier([file('sent.zip', Uint8Array.from(readFileSync(zip)))], deps)
  expect(dossier.items.map(({ name, result }) => [name, result.form])).toEqual([
    ['sent.zip', 'document'],
    ['sent.zip/sent/coinbase.bin', 'document'],
    ['sent.zip/sent/coinbase.bin.ots', 'proof'],
    ['sent.zip/bomb.bin', 'unreadable'],
  ])
  expect(dossier.links.map(({ from, to, relation }) => [from, to, relation])).toEqual([[2, 1, 'over']])
})

test('a package whose list was removed is still the package, and fails', async () => {
  const dossier = await verifyDossier(
    unpacked.filter(({ path }) => path !== 'case/manifest.json'),
    deps,
  )
  expect(states(dossier)).toEqual({ case: 'package TOTAL-FAILED' })
})

test('what cannot be read is said to be unreadable, and the others are verified', async () => {
  const gone: DossierFile = { path: 'gone.bin', size: 9, read: () => Promise.reject(new Error('gone')) }
  const dossier = await verifyDossier([gone, file('a.ots', proof)], deps)
  expect(dossier.items.map(({ result }) => result.form)).toEqual(['unreadable', 'proof'])
  expect(dossier.verdict).toBe('INDETERMINATE')
  expect(dossier.conclusion.missing).toContainEqual({ what: 'unread', item: 'gone.bin' })
  const documents = await verifyDossier([file('a.txt', 'a')], deps)
  expect([documents.verdict, documents.items[0]?.bound[0]?.hex]).toEqual([null, createHash('sha256').update('a').digest('hex')])
})

test('it stops when it is told to', async () => {
  await expect(verifyDossier([file('a', randomBytes(5_000_000))], { ...deps, signal: { aborted: true } })).rejects.toThrow(
    VerificationStopped,
  )
})

test('what has the name of a ZIP file and is none is a broken package when it is given, and one file among others in an archive', async () => {
  const broken = new TextEncoder().encode('no container at all')
  const archive = zipOf([
    { path: 'notes.txt', bytes: broken },
    { path: 'inner.zip', bytes: broken },
  ])
  const given = await verifyDossier([file('inner.zip', broken)], deps)
  expect([given.verdict, ...given.items.map(({ kind }) => kind)]).toEqual([null, 'package'])
  const packed = await verifyDossier([file('outer.zip', archive)], deps)
  expect([packed.verdict, ...packed.items.map(({ kind }) => kind)]).toEqual([null, 'archive', 'document', 'document'])
})

test('one pass gives every digest, the same as openssl', async () => {
  const bytes = Uint8Array.from(randomBytes(9_000_001))
  const names = ['sha1', 'sha256', 'sha384', 'sha512', 'sha3-256', 'ripemd160'] as const
  const ours = await hashFile(file('a', bytes), names, {})
  for (const name of names) expect([name, ours[name]]).toEqual([name, createHash(name).update(bytes).digest('hex')])
})

test('hostile items of any bytes never pass and never throw', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(proof, Uint8Array.from(made.zip).subarray(0, 4000), promised),
      fc.nat(3999),
      fc.nat(255),
      async (bytes, at, octet) => {
        const altered = Uint8Array.from(bytes)
        altered[at % altered.length] = octet
        const dossier = await verifyDossier([file('x', altered), file('y', altered.subarray(0, at))], deps)
        expect(dossier.verdict).not.toBe('TOTAL-PASSED')
      },
    ),
    { numRuns: 300 },
  )
})

function wordsOf(locale: 'en' | 'fr'): Words {
  const messages = createMessages(locale)
  return {
    format: (id, values) => (messages.has(id) ? messages.format(id, values) : id),
    has: (id) => messages.has(id),
    instant: (iso) => iso,
  }
}

test.each(['en', 'fr'] as const)(
  'the minutes name every item in words of the language, and what strangers wrote is only text (%s)',
  async (locale) => {
    const evil = '<img src=x onerror=alert(1)>\u202e.txt'
    const dossier = await verifyDossier([file(evil, 'a'), file('p.zip', Uint8Array.from(made.zip)), file('a.ots', proof)], deps)
    const blocks = minutesOf(dossier, wordsOf(locale), '0.1.0')
    const html = minutesHtml(blocks, locale)
    expect(html).not.toContain('<img')
    expect(html).not.toContain('\u202e')
    expect(html).toContain('&lt;img src=x')
    expect(html).toContain(made.root)
    // Every sentence was found; the kinds' own words are tried with their kinds.
    expect(JSON.stringify(blocks).match(/verification\.(?!proof\.opentimestamps)[a-z_.]+/g) ?? []).toEqual([])
  },
)

test('the independence view says what falls with each of those relied upon', async () => {
  const report = await verifyPackage({ kind: 'zip', file: file('p', Uint8Array.from(made.zip)) }, deps)
  const dates = datesOfPackage(report)
  expect(dates.length).toBeGreaterThan(0)
  // Its own authority dates it: if the platform lied nothing stands.
  const own = independence(dates)
  expect(own.map(({ party, stands }) => [party, stands.length])).toEqual([['platform', 0]])
  const anchor = (status: 'passed' | 'indeterminate', subject: string) =>
    ({ id: 'anchor', status, subject, data: { at: '2026-11-22T00:00:00Z', height: 7, origin: 'given' } }) as const
  const anchored = (status: 'passed' | 'indeterminate') =>
    datesOfPackage({ ...report, checks: [anchor(status, 'a'), anchor(status, 'b')] })
  expect(anchored('passed').filter(({ kind }) => kind === 'bitcoin')).toEqual([
    { kind: 'bitcoin', at: '2026-11-22T00:00:00Z', by: 'Bitcoin #7', rests_on: ['bitcoin', 'given'] },
  ])
  expect(anchored('indeterminate').filter(({ kind }) => kind === 'bitcoin')).toEqual([])
  expect(independence(anchored('passed')).map(({ party, stands }) => [party, stands.length])).toEqual([
    ['platform', 1],
    ['bitcoin_source', 2],
  ])
  const outside = {
    kind: 'timestamp',
    at: '2026-11-21T07:00:00Z',
    by: 'Authority A',
    rests_on: ['time_authority', 'trusted_list'],
  } as const
  const other = { ...outside, by: 'Authority B' }
  const block = { kind: 'bitcoin', at: '2026-11-21T09:00:00Z', by: 'block 1', rests_on: ['bitcoin', 'header_source'] } as const
  const all = independence([...dates, outside, other, block])
  const standing = (party: string, name: string | null) =>
    all.find((each) => each.party === party && each.name === name)?.stands.map(({ by }) => by)
  expect(standing('platform', null)).toEqual(['Authority A', 'Authority B', 'block 1'])
  expect(standing('time_authority', 'Authority A')).toContain('Authority B')
  expect(standing('time_authority', 'Authority A')).not.toContain('Authority A')
  expect(standing('bitcoin_source', null)).not.toContain('block 1')
})

test('a token over a root is over the file that holds that root, and over no other of its length', async () => {
  const token = unpacked.find(({ path }) => path.endsWith('seal/timestamp-1.tsr'))
  const root = unpacked.find(({ path }) => path.endsWith('seal/root.bin'))
  if (token === undefined || root === undefined) throw new Error('the package lacks its seal')
  const bytes = async (one: DossierFile) => await one.read(0, one.size)
  const both = await verifyDossier([file('timestamp-1.tsr', await bytes(token)), file('root.bin', await bytes(root))], deps)
  expect(both.links).toMatchObject([{ from: 0, to: 1, relation: 'digest' }])
  // Nobody here vouches for the embedded authority: no conclusion, but nothing false.
  expect(states(both)).toEqual({ 'timestamp-1.tsr': 'timestamp INDETERMINATE', 'root.bin': 'document document' })
  const other = await verifyDossier([file('timestamp-1.tsr', await bytes(token)), file('root.bin', randomBytes(32))], deps)
  expect(other.links).toEqual([])
  expect(states(other)['timestamp-1.tsr']).toBe('timestamp TOTAL-FAILED')
})

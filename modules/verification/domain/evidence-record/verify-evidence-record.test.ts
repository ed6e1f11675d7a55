import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { array, assert as check, asyncProperty, nat, tuple } from '../../../../testing/fast-check.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { concatBytes, toHex, utf8 } from '../../../../kernel/bytes.ts'
import { systemClock } from '../../../../kernel/clock.ts'
import { silentLog } from '../../../../platform/log/log.ts'
import { temporaryKeyring } from '../../../../testing/keyring.ts'
import { laterRoot, laterStampOver, recordOf, stampOver } from '../../../../testing/proof-vectors/evidence-records.ts'
import { bytesOf, folderOf, readGallery } from '../../../../testing/proof-vectors/gallery.ts'
import type { Row } from '../../../../testing/proof-vectors/gallery.ts'
import { authority, certificate, day, digestOf, pem, rsaKey, timeStamping } from '../../../../testing/proof-vectors/issue.ts'
import { depsOf, verifyRow } from '../../../../testing/proof-vectors/verify-row.ts'
import { createTimestampers } from '../../../sealing/server/index.ts'
import type { Timestamper } from '../../../sealing/server/index.ts'
import { pemOf } from '../../../sealing/server/certificates/read-certificate.ts'
import { verifyDossier } from '../dossier/dossier.ts'
import { fileOfBytes } from '../dossier/dropped/dossier-units.ts'
import { independence } from '../dossier/concluded/independence.ts'
import type { VerifyDeps } from '../known/verify-deps.ts'
import type { ProofReport } from '../report/proof-report.ts'
import { glanceOf, recognise } from '../recognise/recognise.ts'
import {
  buildEvidenceRecord,
  leafOfTimestampRenewal,
  leafOfTreeRenewal,
  renewHashTree,
  renewTimestamp,
} from './build-evidence-record.ts'
import { buildHashTree } from './hash-tree.ts'
import { verifyEvidenceRecord } from './verify-evidence-record.ts'

const run = promisify(execFile)
const oracle = fileURLToPath(new URL('../../../../e2e/oracles/check_evidence_record.py', import.meta.url))
const gallery = await readGallery('evidence_record')
const path = (name: string): string => fileURLToPath(new URL(name, folderOf('evidence_record')))
const document = new Uint8Array(await readFile(path('document.txt')))
const deps = await depsOf('evidence_record', gallery.known)
const later: VerifyDeps = { ...deps, now: () => new Date('2045-01-01T00:00:00Z') }
const verify = async (record: Uint8Array, as: VerifyDeps = deps): Promise<ProofReport> =>
  await verifyEvidenceRecord({ record, data: [{ bytes: document }] }, as)
const read = async (name: string): Promise<Uint8Array> => new Uint8Array(await readFile(path(name)))
const rowNamed = (name: string): Row => gallery.rows.find((row) => row.name === name) as Row

let folder = ''
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'evidence-records-'))
})
afterAll(async () => {
  await rm(folder, { recursive: true, force: true })
})

type Seen = { readonly chains: readonly number[]; readonly dates: readonly string[]; readonly problems: readonly string[] }

/** What the reader of the standard that shares nothing with the product makes of a record. */
async function seenByOracle(record: Uint8Array): Promise<Seen> {
  const file = join(folder, `${toHex(digestOf(record)).slice(0, 16)}.ers`)
  await writeFile(file, record)
  const args = [oracle, file, '--document', path('document.txt'), '--roots', path('roots.pem')]
  const { stdout } = await run('python3', args).catch((error: { stdout: string }) => error)
  return JSON.parse(stdout) as Seen
}

test.each([
  'a document of a batch, in its record',
  'a group of three documents, and another one',
  'a renewal that covers every time stamp before it',
  'renewed, then hashed anew by SHA-512',
  'by SHA-224, and hashed anew before that ended',
])('an independent reader of RFC 4998 finds nothing wrong either: %s', async (name) => {
  const row = rowNamed(name)
  const report = await verifyRow('evidence_record', row, {
    ...deps,
    ...(await depsOf('evidence_record', { ...gallery.known, ...row.known })),
  })
  expect(report.verdict).toBe('TOTAL-PASSED')
  const seen = await seenByOracle(await bytesOf('evidence_record', row))
  expect(seen.problems).toEqual([])
  expect(seen.dates.map((date) => Date.parse(date))).toEqual(report.dates.map(({ at }) => Date.parse(at)))
})

test.each([
  ['version 2', 'not version 1'],
  ['an algorithm used that is not listed', 'the algorithms listed are not those used'],
  ['a sibling changed', 'time stamp 1.1: the lists do not lead to what was stamped'],
  ['a renewal over another time stamp', 'time stamp 1.2: does not cover the time stamp before it'],
  ['a new chain over other time stamps', 'time stamp 2.1: the document is not in its first list'],
  ['two algorithms in one chain', 'time stamp 1.2: another algorithm than its chain'],
  ['a renewal of before', 'time stamp 1.2: before the one that it renews'],
])('an independent reader finds the same wrong: %s', async (name, problem) => {
  const row = rowNamed(name)
  expect(row.verdict).not.toBe('TOTAL-PASSED')
  // Of a false tree OpenSSL says the same once more.
  const { problems } = await seenByOracle(await bytesOf('evidence_record', row))
  expect(problems.filter((each) => !each.includes('imprint mismatch'))).toEqual([problem])
})

test('what the product writes and renews, both find right; each date stands without the others', async () => {
  const batch = [document, utf8('b'), utf8('c'), utf8('d'), utf8('e'), utf8('f')].map((each) => digestOf(each))
  const tree = buildHashTree(batch, digestOf)
  const leaf = batch[0] as Uint8Array
  let record = buildEvidenceRecord({ leaf, path: tree.path(0), token: stampOver(tree.root) })
  expect((await verify(record)).verdict).toBe('TOTAL-PASSED')
  const others = buildHashTree([leafOfTimestampRenewal(record), ...batch], digestOf)
  record = renewTimestamp(record, {
    leaf: leafOfTimestampRenewal(record),
    path: others.path(0),
    token: laterStampOver(others.root, day('2031-01-01')),
  })
  const anew = leafOfTreeRenewal(record, digestOf(document, 'sha384'), 'sha384')
  record = renewHashTree(
    record,
    { leaf: anew, path: [], token: laterStampOver(anew, day('2035-01-01'), { algorithm: 'sha384' }) },
    'sha384',
  )
  const report = await verify(record, later)
  expect([report.verdict, report.checks.filter(({ status }) => status === 'failed')]).toEqual(['TOTAL-PASSED', []])
  expect((await seenByOracle(record)).problems).toEqual([])
  expect(report.dates.map(({ at, by }) => [at.slice(0, 10), by])).toEqual([
    ['2026-06-01', 'Record time-stamping unit'],
    ['2031-01-01', 'Later time-stamping unit'],
    ['2035-01-01', 'Later time-stamping unit'],
  ])
  const [first] = independence(report.dates)
  expect([first?.party, first?.name, first?.stands.length]).toEqual(['time_authority', 'Record time-stamping unit', 2])
})

test('by the platform’s own authority it is dated on the platform’s word, whoever is trusted', async () => {
  const keyring = await temporaryKeyring(folder)
  const [time] = createTimestampers({ urls: [], keyring, clock: systemClock, log: silentLog })
  const tree = buildHashTree([digestOf(document), digestOf(utf8('b'))], digestOf)
  const { token } = await (time as Timestamper).timestamp(Buffer.from(tree.root))
  const record = buildEvidenceRecord({ leaf: digestOf(document), path: tree.path(0), token })
  const roots = Buffer.from(pemOf((await keyring.signer('time')).chain))
  const report = await verify(record, { now: () => new Date(), trust: roots })
  expect(report.verdict).toBe('TOTAL-PASSED')
  expect(report.dates.map(({ rests_on }) => rests_on)).toEqual([['platform', 'given']])
  const unknown = await verify(record, { now: () => new Date() })
  expect([unknown.verdict, unknown.dates]).toEqual(['INDETERMINATE', []])
})

test('a time stamp is judged as of its renewal, when whoever renewed it is known; else as of now', async () => {
  // RSA of 2048 bits is held to be broken from 2029 on.
  const root = authority('RSA record root', rsaKey(2048), 1)
  const signer = certificate({ name: 'RSA unit', serial: 5, key: rsaKey(2048), purposes: [timeStamping] }, root)
  const token = stampOver(digestOf(document), { signer, root })
  const record = buildEvidenceRecord({ leaf: digestOf(document), path: [], token })
  const renew = (at: string): Uint8Array => {
    const leaf = leafOfTimestampRenewal(record)
    return renewTimestamp(record, { leaf, path: [], token: laterStampOver(leaf, day(at)) })
  }
  const trusting = (...roots: readonly Uint8Array[]): VerifyDeps => ({
    ...later,
    trust: concatBytes(...roots.map((each) => pem('CERTIFICATE', each))),
  })
  const of = async (bytes: Uint8Array, as: VerifyDeps): Promise<[string | null, unknown[]]> => {
    const { verdict, checks } = await verify(bytes, as)
    return [
      verdict,
      checks
        .filter(({ id, status }) => id === 'time_stamp' && status !== 'passed')
        .map(({ subject, data }) => [subject, data['reason']]),
    ]
  }
  const both = trusting(root.der, laterRoot.der)
  expect(await of(renew('2028-06-01'), both)).toEqual(['TOTAL-PASSED', []])
  expect(await of(record, both)).toEqual(['INDETERMINATE', [['time stamp 1', 'weak_since']]])
  expect(await of(renew('2029-06-01'), both)).toEqual(['INDETERMINATE', [['time stamp 1', 'weak_since']]])
  expect(await of(renew('2028-06-01'), trusting(root.der))).toEqual(['INDETERMINATE', [['time stamp 1', 'weak_since']]])
  // A renewal over something else renews nothing: the verdict is of that, and the first one is judged as of now.
  const astray = recordOf({ chains: [[{ token }, { token: laterStampOver(digestOf(utf8('other')), day('2028-06-01')) }]] })
  expect(await of(astray, both)).toEqual(['TOTAL-FAILED', [['time stamp 1', 'weak_since']]])
})

test('no octet of a record outside its time stamps can be another one', async () => {
  for (const [name, as] of [
    ['good.ers', deps],
    ['whole.ers', later],
  ] as const) {
    const record = await read(name)
    expect((await verify(record, as)).verdict).toBe('TOTAL-PASSED')
    // Of a digest its two ends: each of its octets is hashed alike.
    const ranges = await rangesIn(record)
    const passed: number[] = []
    for (const at of record.keys()) {
      if (ranges.some(([from, to]) => at >= from && at < to)) continue
      const altered = record.with(at, (record[at] as number) ^ (1 << (at % 8)))
      if ((await verify(altered, as)).verdict === 'TOTAL-PASSED') passed.push(at)
    }
    expect(passed).toEqual([])
  }
})

/** Octets of time stamps and inside of digests: from where to where, as OpenSSL tells. */
async function rangesIn(record: Uint8Array): Promise<[number, number][]> {
  const file = join(folder, 'ranges.ers')
  await writeFile(file, record)
  const { stdout } = await run('openssl', ['asn1parse', '-inform', 'DER', '-in', file])
  const lines = stdout.split('\n').map((line) => /^\s*(\d+):d=(\d+)\s+hl=\s*(\d+)\s+l=\s*(\d+) .*?: (\w+)/.exec(line) ?? [])
  const found = lines.flatMap(([, at, depth, head, length, kind], i): [number, number][] => {
    const start = Number(at) + Number(head)
    const isToken = depth === '4' && kind === 'SEQUENCE' && lines[i + 1]?.[5] === 'OBJECT' && lines[i + 1]?.[2] === '5'
    if (isToken) return [[Number(at), start + Number(length)]]
    return depth === '6' && kind === 'OCTET' ? [[start + 1, start + Number(length) - 1]] : []
  })
  expect(found.length).toBeGreaterThan(3)
  return found
}

test('any octets end in an answer, and none of them in a date', async () => {
  const record = await read('lone.ers')
  await check(
    asyncProperty(
      array(tuple(nat(record.length - 1), nat(255)), { minLength: 1, maxLength: 4 }),
      nat(record.length),
      async (edits, cut) => {
        let bytes = record
        for (const [at, octet] of edits) bytes = bytes.with(at, octet)
        const report = await verify(cut % 3 === 0 ? bytes.subarray(0, cut) : bytes)
        const isSame = bytes.every((octet, i) => octet === record[i])
        // The root that stands beside the signature is not needed where the reader gave it: another one there is noted.
        const isNoted = report.checks.some(({ id, status }) => id === 'octets' && status === 'indeterminate')
        if (!isSame && report.verdict === 'TOTAL-PASSED' && !isNoted) throw new Error(`passed: ${JSON.stringify(edits)}`)
        if (report.verdict === 'TOTAL-FAILED' && report.dates.length > 0) throw new Error('a date in what does not hold')
      },
    ),
    { numRuns: 250 },
  )
})

test('the command that repeats a time stamp is one that OpenSSL accepts', async () => {
  for (const name of ['good.ers', 'renewed.ers']) {
    const { checks } = await verify(await read(name), later)
    const commands = checks.flatMap(({ id, repeat_command }) => (id === 'time_stamp' ? [repeat_command ?? ''] : []))
    expect(commands.length).toBe(name === 'good.ers' ? 1 : 2)
    for (const command of commands) {
      const script = command
        .replace('RECORD.ers', path(name))
        .replace('roots.pem', path('roots.pem'))
        .replaceAll('stamp.tst', join(folder, 'cut.tst'))
      expect((await run('bash', ['-c', `${script} -attime 1900000000`])).stdout).toMatch(/Verification: OK/)
    }
  }
})

test('is recognised in every form it comes in, and a question to an authority is not taken for one', async () => {
  for (const row of gallery.rows) {
    const bytes = await bytesOf('evidence_record', row)
    const [said] = Object.values(row.finds)
    if (said !== 'failed malformed' && said !== 'failed not_asn1')
      expect([row.name, recognise(glanceOf(bytes))]).toEqual([row.name, 'evidence_record'])
  }
  const good = await read('good.ers')
  expect(recognise(glanceOf(utf8(Buffer.from(good).toString('base64'))))).toBe('evidence_record')
  expect(recognise(glanceOf(utf8(Buffer.from(good).toString('hex'))))).toBe('evidence_record')
  expect(recognise(glanceOf(good.subarray(0, 400)))).toBe('evidence_record')
  const query = join(folder, 'q.tsq')
  await run('openssl', ['ts', '-query', '-data', path('document.txt'), '-sha256', '-out', query])
  expect(recognise(glanceOf(new Uint8Array(await readFile(query))))).toBe('document')
})

test('beside what it is about it says so, and hashes that anew where a later chain asks for it', async () => {
  const file = (name: string, bytes: Uint8Array) => fileOfBytes(name, bytes)
  const whole = await verifyDossier([file('a.txt', document), file('record', await read('whole.ers'))], later)
  expect([whole.verdict, whole.links.map(({ from, to, relation }) => `${from} ${relation} ${to}`)]).toEqual([
    'TOTAL-PASSED',
    ['1 over 0'],
  ])

  const altered = await verifyDossier([file('a.txt', utf8('other')), file('record', await read('whole.ers'))], later)
  expect(altered.verdict).toBe('TOTAL-FAILED')

  // The time stamp of a batch is over the root of its tree, of which each record tells.
  const tree = buildHashTree([digestOf(document), digestOf(utf8('b'))], digestOf)
  const token = stampOver(tree.root)
  const record = buildEvidenceRecord({ leaf: digestOf(document), path: tree.path(0), token })
  const batch = await verifyDossier([file('a.txt', document), file('document.ers', record), file('document.tsr', token)], deps)
  expect(batch.verdict).toBe('TOTAL-PASSED')
  expect(batch.links.map(({ from, to, relation }) => `${from} ${relation} ${to}`).toSorted()).toEqual(['1 over 0', '2 tree 1'])

  const group = [document, utf8('signature'), utf8('annex')]
  const first = group.map((each) => digestOf(each)).toSorted((x, y) => Buffer.compare(x, y))
  const grouped = recordOf({ chains: [[{ lists: [first], token: stampOver(digestOf(concatBytes(...first))) }]] })
  const together = await verifyDossier([...group.map((each, i) => file(`${i}.txt`, each)), file('group.ers', grouped)], deps)
  expect(together.verdict).toBe('TOTAL-PASSED')
  expect(together.links.map(({ from, to, relation }) => `${from} ${relation} ${to}`).toSorted()).toEqual([
    '3 over 0',
    '3 over 1',
    '3 over 2',
  ])
})

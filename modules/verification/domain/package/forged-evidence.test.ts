import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { fromHex, toHex, utf8 } from '../../../../kernel/bytes.ts'
import { createMessages } from '../../../../platform/messages/messages.ts'
import { mineHeader } from '../../../../testing/bitcoin/mine-header.ts'
import { sealedPackage } from '../../../../testing/sealed-package.ts'
import { zipOf } from '../../../../testing/write-zip.ts'
import { anchorChecks, anchorFiles } from './check-anchor.ts'
import { signatureWeakness } from '../certificate/strength.ts'
import { describeCheck } from '../describe/describe-check.ts'
import type { Words } from '../describe/describe-check.ts'
import { verifyDossier } from '../dossier/dossier.ts'
import { fileOfBytes } from '../dossier/dropped/dossier-units.ts'
import { datesOfPackage, independence } from '../dossier/concluded/independence.ts'
import { linksOf } from '../dossier/linked/link-items.ts'
import { formatCheckpoint } from '../log/checkpoint.ts'
import { ed25519Type, formatNote, formatVerifierKey, noteKeyId, verifierKey } from '../log/note.ts'
import { formatTlogProof } from '../log/tlog-proof.ts'
import { verifyLogProof } from '../log/verify-log-proof.ts'
import { treeOf } from '../opentimestamps/tree.ts'
import { verifyOpenTimestamps } from '../opentimestamps/verify-opentimestamps.ts'
import { buildOts, writeOts } from '../opentimestamps/write-ots.ts'
import { writePublishedKeys } from '../known/published-keys.ts'
import type { PlatformKeys, VerifyDeps } from '../known/verify-deps.ts'
import type { VerificationReport } from '../report/package-report.ts'
import { verifyPackage } from './verify-package.ts'

/** What somebody makes who controls a whole package, or a whole envelope of files, and wants it taken for more than it is. */
let dir: string
let made: Awaited<ReturnType<typeof sealedPackage>>
beforeAll(async () => {
  dir = mkdtempSync(join(tmpdir(), 'forged-'))
  made = await sealedPackage({ keys: dir, pieces: [{ path: 'capture/a', role: 'dom', bytes: Buffer.from('a') }] })
})
afterAll(() => rmSync(dir, { recursive: true, force: true }))

const none: PlatformKeys = { bitcoin: [], nano: [], log: [], witnesses: [] }
const languages = (['en', 'fr'] as const).map((locale): Words => {
  const messages = createMessages(locale)
  return {
    has: (id) => messages.has(id),
    format: (id, values) => (messages.has(id) ? messages.format(id, values) : id),
    instant: (iso) => iso,
  }
})
const verified = async (over: Partial<VerifyDeps> = {}): Promise<VerificationReport> =>
  await verifyPackage({ kind: 'zip', file: fileOfBytes('p', made.zip) }, { now: () => new Date(), ...over })
const said = (report: VerificationReport, id: string) =>
  report.checks.filter((check) => check.id === id).map((check) => languages.map((words) => describeCheck(check, words).sentence))

test('a package is not said to be the platform’s when the platform does not publish its authority', async () => {
  const alone = await verified()
  expect(alone.trust).toBe('package')
  const sha256 = alone.seal?.platform_authority_sha256 ?? ''
  expect((await verified({ keys: { ...none, authorities: [sha256] } })).trust).toBe('published')
  const foreign = await verified({ keys: { ...none, authorities: ['00'.repeat(32)] } })
  expect(foreign.trust).toBe('unpublished')
  expect([alone.verdict, foreign.verdict]).toEqual(['INDETERMINATE', 'INDETERMINATE'])
  const [sentences] = said(foreign, 'signer_trust')
  expect(sentences?.[0]).toContain('did not seal this')
  expect(sentences?.[1]).toContain('n’a pas scellé ceci')
  expect(said(alone, 'signer_trust')[0]?.[0]).toContain('only the package says')
})

test('the keys that sign the text of a seal are the platform’s only by a list from elsewhere that has them', async () => {
  const messages = ({ checks }: VerificationReport) => checks.filter(({ id }) => id === 'message_signature')
  const known = (report: VerificationReport) => messages(report).map(({ status, data }) => [status, data['known']])
  const alone = await verified()
  const sha256 = alone.seal?.platform_authority_sha256 ?? ''
  expect(known(alone)).toEqual([
    ['passed', 'package'],
    ['passed', 'package'],
  ])
  const own = messages(alone).map(({ data }) => ({ id: String(data['signer']), since: '2026-01-01T00:00:00Z', until: null }))
  const at = { ...none, authorities: [sha256] }
  const listed = await verified({ keys: { ...at, bitcoin: own.slice(0, 1), nano: own.slice(1) } })
  expect(known(listed).map(([, by]) => by)).toEqual(['given', 'given'])
  const others = await verified({ keys: at })
  expect(known(others).map(([, by]) => by)).toEqual(['other', 'other'])
  expect(said(others, 'message_signature')[0]?.[0]).toContain('has no such key')
})

test('a time stamp dated in the future is no date that follows', async () => {
  const early = await verified({ now: () => new Date(Date.now() - 3_600_000) })
  expect(early.checks.find(({ id }) => id === 'time_order')).toMatchObject({
    status: 'indeterminate',
    data: { reason: 'stamp_in_future' },
  })
  expect(early.verdict).not.toBe('TOTAL-PASSED')
})

test('a file of the seal that is too long to be read does not pass unread', async () => {
  const zip = join(dir, 'p.zip')
  writeFileSync(zip, made.zip)
  const files = made.paths.map((path) => fileOfBytes(path, Uint8Array.from(execFileSync('unzip', ['-p', zip, path]))))
  const long = fileOfBytes('seal/anchor.ots', new Uint8Array((1 << 20) + 1))
  const { checks } = await verifyPackage({ kind: 'folder', files: [...files, long] }, { now: () => new Date() })
  expect(checks).toContainEqual({
    id: 'container',
    status: 'failed',
    subject: 'seal/anchor.ots',
    data: { reason: 'seal_too_long' },
  })
})

test('long RSA keys end with 2028 under the padding of PKCS #1 v1.5, and not under PSS', () => {
  const key = { type: 'rsa', modulus: 1n << 4095n, exponent: 65_537n, bytes: 512 } as const
  expect(signatureWeakness(key, { kind: 'pkcs1', digest: 'sha256', salt: 0 })?.until).toBe('2029-01-01')
  expect(signatureWeakness(key, { kind: 'pss', digest: 'sha256', salt: 32 })).toBeUndefined()
})

test('a time stamp under the platform’s own root rests on the platform, whatever policy it names', async () => {
  const report = await verified()
  const [stamp] = report.seal?.timestamps ?? []
  const seal = report.seal
  if (stamp === undefined || seal === null) throw new Error('no stamp')
  const disguised = {
    ...report,
    seal: { ...seal, timestamps: [{ ...stamp, embedded: false, root_sha256: seal.platform_authority_sha256 ?? '' }] },
  }
  expect(datesOfPackage(disguised)[0]?.rests_on).toEqual(['platform'])
  const outside = { ...report, seal: { ...seal, timestamps: [{ ...stamp, embedded: false, root_sha256: 'other' }] } }
  expect(datesOfPackage(outside)[0]?.rests_on).toEqual(['time_authority'])
  const doubted = { ...outside, checks: [{ id: 'time_trust', status: 'indeterminate', data: { sha256: 'other' } } as const] }
  expect(datesOfPackage(doubted).filter(({ kind }) => kind === 'timestamp')).toEqual([])
})

const root = new Uint8Array(32).fill(7)
const late = { now: () => new Date('2000-01-01T00:00:00Z'), network: 'regtest' as const }
const header = mineHeader(root)
const headers: NonNullable<VerifyDeps['headers']> = (height) => Promise.resolve([{ height, header, source: 'given' }])

test('a way into a block that is not established gives no date', async () => {
  const proof = buildOts({ digest: root, operations: [], end: [{ kind: 'bitcoin', height: 5 }] })
  const [anchor] = await anchorChecks(new Map([[anchorFiles.ots, proof]]), root, { ...late, headers })
  expect(anchor).toMatchObject({
    id: 'anchor',
    status: 'indeterminate',
    data: { reason: 'anchor_in_future' },
  })
})

test('two blocks that are not established do not establish one another', async () => {
  const tree = treeOf(
    root,
    [],
    [
      { kind: 'bitcoin', height: 5 },
      { kind: 'bitcoin', height: 6 },
    ],
  )
  const report = await verifyOpenTimestamps(
    { proof: writeOts({ hash: 'sha256', tree }), digest: toHex(root) },
    { ...late, headers },
  )
  expect(report.dates).toEqual([])
  expect(report.verdict).toBe('INDETERMINATE')
})

test('block 1 of the chain, which anybody makes today, proves nothing on the word of the package', async () => {
  const first = fromHex(
    '010000006fe28c0ab6f1b372c1a6a246ae63f74f931e8365e15a089c68d6190000000000982051fd1e4ba744bbbe680e1fee14677ba1a3c3540bf7b1cdb606e857233e0e61bc6649ffff001d01e36299',
  )
  const merkle = first.subarray(36, 68)
  const proof = buildOts({ digest: merkle, operations: [], end: [{ kind: 'bitcoin', height: 1 }] })
  const from = async (source: string) => {
    const known = { now: () => new Date(), headers: () => Promise.resolve([{ height: 1, header: first, source }]) }
    return (await anchorChecks(new Map([[anchorFiles.ots, proof]]), merkle, known))[0]
  }
  expect(await from('package')).toMatchObject({ status: 'indeterminate', data: { reason: 'anchor_cheap_work' } })
  expect(await from('a.example')).toMatchObject({ status: 'passed' })
  expect(await from('given')).toMatchObject({ status: 'passed', data: { cheap: 'yes' } })
})

test('a block that only the package or the platform’s node names falls with the platform', async () => {
  const report = await verified()
  const dated = (origin: string) => ({
    ...report,
    checks: [{ id: 'anchor', status: 'passed', data: { at: '2027-01-01T00:00:00Z', height: 9, origin } } as const],
  })
  for (const origin of ['package', 'node']) {
    const [platform] = independence(datesOfPackage(dated(origin)))
    expect([platform?.party, platform?.stands]).toEqual(['platform', []])
  }
  expect(independence(datesOfPackage(dated('explorers')))[0]?.stands).toHaveLength(1)
})

const secret = new Uint8Array(32).fill(1)
const unsigned = (): Uint8Array => {
  const text = formatCheckpoint({ origin: 'log.example', size: 1, rootHash: new Uint8Array(32), extensions: [] })
  const key = verifierKey('log.example', ed25519Type, secret)
  const line = { name: key.name, keyId: noteKeyId(key.name, ed25519Type, secret), signature: new Uint8Array(64) }
  return formatTlogProof({ extra: new Uint8Array(32), index: 0, path: [], checkpoint: formatNote(text, [line]) })
}

test('a proof of the log is not linked to a digest that was typed and to which it does not lead', async () => {
  const report = await verifyLogProof({ proof: unsigned(), root }, { now: () => new Date() })
  expect(report.checks.find(({ id }) => id === 'inclusion')?.status).toBe('failed')
  expect(report.bound.map(({ of }) => of)).toEqual(['message'])
})

test('keys that came in an envelope vouch for nothing in it; the same keys beside it do', async () => {
  const instant = '2026-01-01T00:00:00.000Z'
  const own = formatVerifierKey(verifierKey('log.example', ed25519Type, secret))
  const keys = utf8(
    writePublishedKeys({
      format: 'probant-keys/1',
      issued_at: instant,
      certificates: [],
      bitcoin: [],
      nano: [],
      log: [{ id: own, since: instant, until: null }],
      witnesses: [],
    }),
  )
  const proof = unsigned()
  const checkOf = async (...files: Parameters<typeof verifyDossier>[0]) => {
    const { items } = await verifyDossier(files, { now: () => new Date() })
    const item = items.find(({ kind }) => kind === 'log_proof')
    const report = item?.result.form === 'proof' ? item.result.report : undefined
    return report?.checks.find(({ id }) => id === 'checkpoint_signature')?.data['reason']
  }
  expect(await checkOf(fileOfBytes('keys.json', keys), fileOfBytes('p.txt', proof))).toBe('false_signature')
  const envelope = zipOf([
    { path: 'keys.json', bytes: keys },
    { path: 'p.txt', bytes: proof },
  ])
  expect(await checkOf(fileOfBytes('case.zip', envelope))).toBe('unknown_log')
})

test('many items with the same thousands of pieces are linked without being compared with all links', () => {
  const bound = Array.from({ length: 2_000 }, (_, i) => ({ algorithm: 'sha256', hex: String(i), of: 'entry' }) as const)
  const file = { algorithm: 'sha256', hex: '0', of: 'file' } as const
  const items = Array.from({ length: 64 }, (_, i) => ({
    name: String(i),
    size: 1,
    kind: 'document' as const,
    result: { form: 'document' as const },
    bound: i < 40 ? [file, ...bound] : bound,
  }))
  expect(linksOf(items).length).toBeLessThanOrEqual(2_000)
})

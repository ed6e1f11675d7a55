import { createHash } from 'node:crypto'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { systemClock } from '../../../../../kernel/clock.ts'
import { runVerifyCommand } from '../../../../../apps/cli/verify.ts'
import { silentLog } from '../../../../../platform/log/log.ts'
import { passed, pcapOf, recordedSession, rollingHashOf, type SessionPiece } from '../../../../../testing/recorded-session.ts'
import { sealedPackage } from '../../../../../testing/sealed-package.ts'
import { writeWacz } from '../../../../capture/server/record/index.ts'
import { createNotary, openKeyring, type Notary } from '../../../../sealing/server/index.ts'
import { canonicalJson } from '../../encoding/canonical-json.ts'
import type { Manifest } from '../../manifest/manifest.ts'
import type { Check } from '../../report/package-report.ts'
import { recomputeRollingHash } from './recompute-rolling-hash.ts'
import { sessionChecks } from './verify-session.ts'
import { archiveChecks } from '../pieces/verify-wacz.ts'
import { hostSha256 } from '../../../server/index.ts'
import { verifyCompared } from '../../../../../testing/verify-compared.ts'

const clock = systemClock
const log = silentLog
/** Of `sealedPackage`. */
const subject = { evidence_id: '0190a0b0-0000-7000-8000-000000000000', requested_url: 'https://example.org/é?q=<b>' }
let dir: string
let notary: Notary
const stamp = (digest: Uint8Array) => notary.timestampDigest(digest)
const session = (options: Partial<Parameters<typeof recordedSession>[1]> = {}) => recordedSession(stamp, { subject, ...options })

beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'session-'))
  const keyring = await openKeyring({ dir: join(dir, 'keys'), clock, log })
  notary = await createNotary({
    keyring,
    archiveKeyDir: join(dir, 'archive-keys'),
    domain: null,
    urls: [],
    software: 'probant/0.1.0',
    clock,
    log,
  })
})
afterAll(() => rm(dir, { recursive: true, force: true }))

const readable = (bytes: Uint8Array) => ({
  size: bytes.length,
  read: async (offset: number, length: number) => await Promise.resolve(bytes.subarray(offset, offset + length)),
})

/** As if the package had been sealed with what was altered: nothing but the session itself can tell. */
async function checksOf(pieces: readonly SessionPiece[]): Promise<Check[]> {
  const entries = new Map(
    pieces.map(({ path, bytes }) => [
      path,
      { path, ...readable(bytes), sha256: createHash('sha256').update(bytes).digest('hex') },
    ]),
  )
  const now = Date.now()
  const manifest: Manifest = {
    format: 'probant-evidence/1',
    root: '',
    subject: {
      ...subject,
      kind: 'static',
      final_url: subject.requested_url,
      started_at: new Date(now - 30 * 60_000).toISOString(),
      finished_at: new Date(now).toISOString(),
      software: 'probant/0.1.0',
    },
    pieces: pieces.map(({ path, role, bytes }) => ({ path, role, media_type: 'x', bytes: bytes.length, sha256: '' })),
  }
  const { checks } = await sessionChecks(entries, manifest, [], { now: () => new Date(), sha256: hostSha256 })
  return [...checks, ...(await archiveChecks(entries, manifest))]
}

const failures = (checks: readonly Check[]) =>
  checks.flatMap(({ id, status, subject: about, data, supplementary }) =>
    status === 'passed' || supplementary === true ? [] : [[id, status, about, data['reason']]],
  )

/** Exchanges the bytes of two pieces, or replaces those of one. */
const replaced = (pieces: readonly SessionPiece[], path: string, bytes: (old: Uint8Array) => Uint8Array) =>
  pieces.map((piece) => (piece.path === path ? { ...piece, bytes: bytes(piece.bytes) } : piece))
const bytesOf = (pieces: readonly SessionPiece[], path: string) =>
  pieces.find((piece) => piece.path === path)?.bytes ?? new Uint8Array()

test('what was dated during the session is checked token by token, and against the recording', async () => {
  const startedAt = new Date().toISOString()
  const { zip } = await sealedPackage({ keys: join(dir, 'keys'), pieces: await session(), startedAt })
  const source = { kind: 'zip', file: readable(zip) } as const
  const report = await verifyCompared(source, { now: () => new Date(), sha256: hostSha256 })
  expect(failures(report.checks)).toEqual([])
  expect(report.verdict).toBe('TOTAL-PASSED')
  const about = report.checks.filter(({ id }) => id.startsWith('session_'))
  expect(about.map(({ id }) => id)).toEqual([
    'session_record',
    'session_hash',
    'session_timestamp',
    'session_timestamp',
    'session_timestamp',
    'session_order',
  ])
  expect(about[1]?.data).toEqual({ bytes: 48, checkpoints: 3 })
  expect(about[3]?.repeat_command).toMatch(
    /^openssl ts -verify -digest [0-9a-f]{64} -in capture\/timestamps\/02-screenshot\.tsr -CAfile capture\/timestamps\/ca-1\.pem$/,
  )
})

test('the portable SHA-256 and the host’s recompute the same rolling hash, in the middle of a run too', async () => {
  const pcap = readable(pcapOf(passed))
  const counts = Array.from({ length: 49 }, (_, i) => i)
  for (const deps of [{}, { sha256: hostSha256 }]) {
    const { at, total } = await recomputeRollingHash(pcap, counts, deps)
    expect(total).toBe(48)
    expect([...at]).toEqual(counts.map((count) => [count, rollingHashOf(passed, count)]))
  }
})

test('K-33 altered and swapped tokens fail by name, though the package was sealed with them', async () => {
  const pieces = await session()
  const [first, second] = ['capture/timestamps/01-start.tsr', 'capture/timestamps/02-screenshot.tsr']
  const flipped = replaced(pieces, first, (old) => Uint8Array.from(old, (octet, i) => (i === old.length - 1 ? octet ^ 1 : octet)))
  expect(failures(await checksOf(flipped))).toEqual([['session_timestamp', 'failed', first, 'signature']])
  const swapped = replaced(
    replaced(pieces, first, () => bytesOf(pieces, second)),
    second,
    () => bytesOf(pieces, first),
  )
  expect(failures(await checksOf(swapped))).toEqual([
    ['session_timestamp', 'failed', first, 'imprint'],
    ['session_timestamp', 'failed', second, 'imprint'],
  ])
  const none = pieces.filter(({ path }) => path !== second)
  expect(failures(await checksOf(none))).toEqual([['session_timestamp', 'failed', second, 'missing']])
})

test('a recording, an image or a statement other than those dated fails, though the package was sealed with it', async () => {
  const otherTraffic = passed.map(([stream, direction, text], i) => [stream, direction, i === 3 ? 'body 0ne' : text] as const)
  const inOtherOrder = [...passed.slice(0, 2), passed[3], passed[2], ...passed.slice(4)].filter((one) => one !== undefined)
  const pcap = 'capture/network.pcap'
  expect(failures(await checksOf(await session({ recorded: otherTraffic })))).toEqual([
    ['session_hash', 'failed', pcap, 'rolling_hash'],
  ])
  expect(failures(await checksOf(await session({ recorded: inOtherOrder })))).toEqual([
    ['session_hash', 'failed', pcap, 'rolling_hash'],
  ])
  const longer = [...passed, [1, 2, ' and more'] as const]
  expect(failures(await checksOf(await session({ recorded: longer })))).toEqual([['session_hash', 'failed', pcap, 'after_end']])
  const shorter = passed.slice(0, -1)
  expect(failures(await checksOf(await session({ recorded: shorter })))).toEqual([
    ['session_hash', 'failed', pcap, 'rolling_hash'],
  ])
  const record = 'capture/rolling-hash.json'
  expect(failures(await checksOf(await session({ image: Buffer.from('another') })))).toEqual([
    ['session_record', 'failed', record, 'image_differs'],
  ])
  // Captured anew, the page had fewer images: what was given up is not in the package, and no flaw.
  expect(failures(await checksOf((await session()).filter(({ path }) => path !== 'capture/viewport.png')))).toEqual([])
  const text = new TextDecoder().decode(bytesOf(await session(), record))
  const edited = async (from: RegExp, to: string) =>
    failures(await checksOf(replaced(await session(), record, () => Buffer.from(text.replace(from, to)))))
  // The statement of the record is no more the one that was dated.
  expect(await edited(/"bytes":29/, '"bytes":28')).toEqual(
    expect.arrayContaining([['session_record', 'failed', record, 'statement']]),
  )
  expect(await edited(/^\{/, '{ ')).toEqual([['session_record', 'failed', record, 'malformed']])
})

test('statements that do not follow, or are of another evidence, fail even when each was dated as it is', async () => {
  const record = 'capture/rolling-hash.json'
  const reasonOf = async (alter: NonNullable<Parameters<typeof recordedSession>[1]['alter']>) =>
    failures(await checksOf(await session({ alter })))
  const chain = ['session_record', 'failed', record, 'statement_chain']
  expect(await reasonOf((one) => (one.index === 2 ? { ...one, previous: 'ab'.repeat(32) } : one))).toEqual([chain])
  expect(await reasonOf((one) => (one.index === 2 ? { ...one, session: 'ab'.repeat(32) } : one))).toEqual([chain])
  expect(await reasonOf((one) => (one.index === 3 ? { ...one, reason: 'screenshot' } : one))).toEqual([chain])
  const other = ['session_record', 'failed', record, 'other_session']
  expect(await reasonOf((one) => ({ ...one, evidence_id: '0190a0b0-0000-7000-8000-000000000001' }))).toEqual([other])
  expect(await reasonOf((one) => ({ ...one, requested_url: 'https://example.org/' }))).toEqual([other])
})

test('times that cannot be are no conclusion, and name what is in doubt', async () => {
  const shifted = (ms: number) => async () =>
    failures(await checksOf(await session({ alter: (one) => ({ ...one, at: new Date(Date.parse(one.at) + ms).toISOString() }) })))
  // Dated an hour after the session says that it was, or an hour before.
  expect(await shifted(-3_600_000)()).toEqual([['session_order', 'indeterminate', 'capture/rolling-hash.json', 'session_order']])
  expect(await shifted(3_600_000)()).toEqual([
    ['session_order', 'indeterminate', 'capture/timestamps/01-start.tsr', 'session_clocks'],
  ])
})

test('a session that no authority dated is said to be so, and nothing else of it is claimed', async () => {
  const pieces = await session()
  const record = JSON.parse(new TextDecoder().decode(bytesOf(pieces, 'capture/rolling-hash.json'))) as {
    checkpoints: { token: null; ca: null; error: string }[]
  }
  for (const checkpoint of record.checkpoints) Object.assign(checkpoint, { token: null, ca: null, error: 'sealing.tsa_timeout' })
  const undated = pieces
    .filter(({ path }) => !path.startsWith('capture/timestamps/'))
    .map((piece) =>
      piece.path === 'capture/rolling-hash.json' ? { ...piece, bytes: Buffer.from(canonicalJson(record)) } : piece,
    )
  const checks = await checksOf(undated)
  expect(failures(checks)).toEqual([])
  expect(checks.map(({ id, data }) => [id, data['dated']])).toEqual([
    ['session_record', 0],
    ['session_hash', undefined],
  ])
})

test('hostile recordings end in a named failure', async () => {
  const pcap = pcapOf(passed)
  const cases: Uint8Array[] = [
    new Uint8Array(),
    pcap.subarray(0, 10),
    pcap.subarray(0, pcap.length - 3),
    Buffer.concat([pcap, Buffer.alloc(16, 0xff)]),
    Buffer.concat([pcap.subarray(0, 24), pcap.subarray(24 + 56)]),
    Buffer.from(pcap.map((octet, i) => (i === 0 ? 0xd4 : octet))),
    // A header length that points outside the packet.
    Buffer.from(pcap.map((octet, i) => (i === 24 + 16 + 32 ? 0xf0 : octet))),
  ]
  for (const [i, bytes] of cases.entries()) {
    const checks = await checksOf(replaced(await session(), 'capture/network.pcap', () => bytes))
    expect(failures(checks), `case ${i}`).toEqual([['session_hash', 'failed', 'capture/network.pcap', 'malformed']])
  }
})

test('the signature that a web archive carries is checked; altered, it fails by name; without one, nothing is said', async () => {
  const archive = async (sign: (hash: string, created: string) => Promise<Readonly<Record<string, string>> | null>) => {
    const outFile = join(dir, 'archive.wacz')
    await writeWacz({
      exchanges: [], pages: [], created: new Date(), software: 'probant/0.1.0', outFile, workDir: join(dir, 'wacz'), sign,
    }) // prettier-ignore
    const checks = await checksOf([{ path: 'capture/archive.wacz', role: 'wacz', bytes: await readFile(outFile) }])
    return checks.map(({ status, data }) => [status, data['reason'] ?? data['form']])
  }
  const good = (hash: string, created: string) => notary.signArchive(hash, created)
  expect(await archive(good)).toEqual([['passed', 'anonymous']])
  expect(await archive(() => Promise.resolve(null))).toEqual([])
  const altered = async (change: (signed: Record<string, string>) => Record<string, string>) =>
    await archive(async (hash, created) => change({ ...(await good(hash, created)) }))
  const other = (await notary.signArchive(`sha256:${'ab'.repeat(32)}`, '2026-11-21T10:00:00Z'))['signature'] ?? ''
  expect(await altered((one) => ({ ...one, signature: other }))).toEqual([['failed', 'signature']])
  expect(await altered((one) => ({ ...one, hash: `sha256:${'ab'.repeat(32)}` }))).toEqual([['failed', 'message_digest']])
  expect(await altered((one) => ({ ...one, created: '2020-01-01T00:00:00Z' }))).toEqual([['failed', 'archive_created']])
  expect(await altered((one) => ({ ...one, comment: 'more' }))).toEqual([['failed', 'malformed']])
  expect(await altered((one) => ({ ...one, publicKey: 'AAAA' }))).toEqual([['failed', 'malformed']])
})

test('both languages say in sentences what was dated, and when', async () => {
  const startedAt = new Date().toISOString()
  const { zip } = await sealedPackage({ keys: join(dir, 'keys'), pieces: await session(), startedAt })
  const file = join(dir, 'package.zip')
  await writeFile(file, zip)
  for (const [lang, expected] of [
    ['en', /attests that what had been recorded when images were taken, on \d+ \w+ 2\d{3}, \d\d:/],
    ['fr', /atteste que ce qui était enregistré au moment des images, le \d+ \S+ 2\d{3} à/],
  ] as const) {
    let out = ''
    const write = (text: string) => (out += text)
    const io = { stdout: { write }, stderr: { write }, env: {}, signal: new AbortController().signal }
    expect(await runVerifyCommand([file, '--lang', lang], io)).toBe(2)
    expect(out).toMatch(expected)
    // A command of the shell has braces of its own.
    expect(out.replaceAll(/^.*openssl.*$/gm, '')).not.toMatch(/[{}]|verification\./)
  }
})

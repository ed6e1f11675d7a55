import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { toHex, utf8 } from '../../../../kernel/bytes.ts'
import { systemClock } from '../../../../kernel/clock.ts'
import { mineHeader } from '../../../../testing/bitcoin/mine-header.ts'
import { silentLog } from '../../../../platform/log/log.ts'
import { coverEveryProof, sealEveryProof, zipOfEntries } from '../../../../testing/package-of-every-proof.ts'
import type { EveryProof, EveryProofInput } from '../../../../testing/package-of-every-proof.ts'
import { recordedInteractive, timelineOf } from '../../../../testing/recorded-interactive.ts'
import { passed, recordedSession } from '../../../../testing/recorded-session.ts'
import type { SessionPiece } from '../../../../testing/recorded-session.ts'
import { writeWacz } from '../../../capture/server/record/index.ts'
import { createNotary, openKeyring } from '../../../sealing/server/index.ts'
import type { CoveredEntry, Notary } from '../../../sealing/server/index.ts'
import { displayed, readBlockHeader } from '../bitcoin/block-header.ts'
import { anchorFiles } from './check-anchor.ts'
import { canonicalJson } from '../encoding/canonical-json.ts'
import { applyOperation } from '../opentimestamps/operation.ts'
import type { Operation } from '../opentimestamps/operation.ts'
import { buildOts } from '../opentimestamps/write-ots.ts'
import type { VerifyDeps } from '../known/verify-deps.ts'
import { checkIds } from '../report/package-report.ts'
import type { CheckId, VerificationReport } from '../report/package-report.ts'
import { hostSha256, shippedLists, verifyPackage, type CheckpointStatement } from '../../server/index.ts'

type Entry = [path: string, bytes: Uint8Array]
type Case = {
  /** Sealed with this in place of what the whole package is: the seal itself is true of it. */
  readonly sealed?: () => Promise<Partial<EveryProofInput>>
  /** Files that the lists cover, in place of those of the whole package: only who reads them can notice. */
  readonly files?: (whole: EveryProof) => Promise<readonly Entry[]> | readonly Entry[]
  /** What a list says in place of what the entries are. */
  readonly listed?: (number: 1 | 2, entries: readonly CoveredEntry[]) => readonly CoveredEntry[]
  /** The container's own entries, once made. */
  readonly entries?: (made: readonly Entry[], whole: EveryProof) => Promise<readonly Entry[]> | readonly Entry[]
  /** The container's octets. */
  readonly zip?: (made: Uint8Array) => Uint8Array
  readonly deps?: (whole: EveryProof) => Promise<Partial<VerifyDeps>> | Partial<VerifyDeps>
  /** `supplementary`: no conclusion, which does not weigh. Failed unless told. */
  readonly ends?: 'indeterminate' | 'supplementary'
  /** What cannot but follow, and why. */
  readonly with?: Partial<Record<CheckId, string>>
}

const height = 700
const way: readonly Operation[] = [{ op: 'append', data: utf8('salt') }, { op: 'sha256' }]
const proofOf = (root: Uint8Array, operations = way): Uint8Array =>
  buildOts({ digest: root, operations, end: [{ kind: 'bitcoin', height }] })
const headerOver = (root: Uint8Array): Uint8Array =>
  mineHeader(
    way.reduce<Uint8Array>((message, operation) => applyOperation(operation, message), root),
    { at: Math.floor(begun.getTime() / 1000) },
  )
const headerFile = (header: Uint8Array, at = height): Uint8Array => {
  const { hash, time } = readBlockHeader(header)
  const said = { hash: displayed(hash), header: toHex(header), time: new Date(time * 1000).toISOString(), sources: ['node'] }
  return utf8(canonicalJson({ format: 'probant-anchor-header/1', height: at, ...said }))
}
const rootOf = ({ files }: EveryProof): Uint8Array => fileOf(files, 'seal/root.bin')
function fileOf(files: ReadonlyMap<string, Uint8Array>, path: string): Uint8Array {
  const bytes = files.get(path)
  if (bytes === undefined) throw new Error(`${path} is not in the package`)
  return bytes
}
const text = (bytes: Uint8Array): string => new TextDecoder().decode(bytes)
const flipped = (bytes: Uint8Array, at = bytes.length - 1): Uint8Array => bytes.with(at, (bytes[at] ?? 0) ^ 1)
const replaced = (made: readonly Entry[], path: string, bytes: Uint8Array): Entry[] =>
  made.map(([name, old]) => [name, name === path ? bytes : old])

const begun = new Date()
const [clock, log] = [systemClock, silentLog]
const subject = { evidence_id: '0190a0b0-0000-7000-8000-000000000000', requested_url: 'https://example.org/' }
const stamp = (digest: Uint8Array) => notary.timestampDigest(digest)
let dir: string
let notary: Notary
let whole: EveryProof
/** Of the same platform, about another page. */
let other: EveryProof

/** Token, signed by the embedded authority, of something else. */
async function tokenOfElse({ timestampers }: EveryProof) {
  const timestamp = await timestampers[0]?.timestamp(new Uint8Array(32).fill(5))
  if (timestamp === undefined) throw new Error('no authority')
  return timestamp
}

async function archive(alter: (signed: Readonly<Record<string, string>>) => Record<string, string>): Promise<Uint8Array> {
  const outFile = join(dir, 'archive.wacz')
  await writeWacz({
    exchanges: [], pages: [], created: begun, software: 'probant/0.1.0', outFile, workDir: join(dir, 'wacz'),
    sign: async (hash, created) => alter(await notary.signArchive(hash, created)),
  }) // prettier-ignore
  return await readFile(outFile)
}

type Alterations = {
  session?: Partial<Parameters<typeof recordedSession>[1]>
  wacz?: Parameters<typeof archive>[0]
  /** Of the pieces that only an interactive session has; what was dated is what the timeline was. */
  live?: (pieces: readonly SessionPiece[]) => SessionPiece[]
  /** Digest that the timeline names the download by. */
  download?: string
}
async function piecesOf({
  session = {},
  wacz = (signed) => ({ ...signed }),
  live = (pieces) => [...pieces],
  download,
}: Alterations): Promise<SessionPiece[]> {
  const { pieces, lines, headAfter } = await recordedInteractive(download)
  const alter = (one: CheckpointStatement): CheckpointStatement => {
    const entries = { start: 0, screenshot: 3, end: lines.length }[one.reason]
    return (session.alter ?? ((same) => same))({ ...one, timeline: headAfter(entries) })
  }
  return [
    ...(await recordedSession(stamp, { subject, ...session, alter })),
    ...live(pieces),
    { path: 'capture/archive.wacz', role: 'wacz', bytes: await archive(wacz) },
    { path: 'environment/clock.json', role: 'clock', bytes: utf8('{}') },
  ]
}
const sealedWith = (alterations: Alterations) => async () => ({ pieces: await piecesOf(alterations) })

async function seal(input: Partial<EveryProofInput>): Promise<EveryProof> {
  const pieces = input.pieces ?? (await piecesOf({}))
  return await sealEveryProof({
    keys: join(dir, 'keys'),
    renewed: ['seal/timestamp-1.tsr'],
    anchor: (root) =>
      new Map([
        [anchorFiles.ots, proofOf(root)],
        [anchorFiles.header, headerFile(headerOver(root))],
      ]),
    ...input,
    pieces,
    subject: { ...subject, started_at: begun.toISOString(), finished_at: clock.now().toISOString(), ...input.subject },
  })
}

/** Nothing but the check can tell: seal, anchor, log and lists are made for what is altered, wherever that can be. */
const cases: Readonly<Record<CheckId, Case>> = {
  container: {
    // A date in the header of the first entry that its directory does not have.
    zip: (made) => made.with(12, 0x22),
  },
  mimetype: {
    entries: (made) => replaced(made, 'mimetype', utf8('application/vnd.etsi.asic-s+zip')),
    with: { piece: 'an entry whose content is not the one that it must be', pieces: 'their sum' },
  },
  manifest: {
    files: ({ files }) => [['manifest.json', utf8(`${text(fileOf(files, 'manifest.json'))}\n`)]],
    with: { root: 'is recomputed from the manifest', time_order: 'begins with what the manifest says' },
  },
  root: {
    files: ({ files, root }) => [
      ['manifest.json', utf8(text(fileOf(files, 'manifest.json')).replace(`"root":"${root}"`, `"root":"${'0'.repeat(64)}"`))],
    ],
  },
  piece: {
    entries: (made) => replaced(made, 'environment/clock.json', utf8('[]')),
    with: { pieces: 'their sum' },
  },
  pieces: {
    // It is the sum: it fails exactly when a piece does.
    entries: (made) => [...made.slice(0, -6), ['capture/zz.html', utf8('x')], ...made.slice(-6)],
    with: { piece: 'names what the sum counts' },
  },
  cover: {
    listed: (_, entries) =>
      entries.map((entry) => (entry.path === 'environment/clock.json' ? { ...entry, sha256: '0'.repeat(64) } : entry)),
  },
  cover_timestamp: {
    entries: async (made, sealed) => replaced(made, 'META-INF/timestamp002.tst', (await tokenOfElse(sealed)).token),
    with: { piece: 'the list that nothing dates is no known piece any more', pieces: 'their sum' },
  },
  signature: {
    files: ({ files }) => [
      ['seal/signature.p7s', fileOf(other.files, 'seal/signature.p7s')],
      // Says what such a signature says: nothing.
      [
        'seal/seal.json',
        utf8(canonicalJson({ ...(JSON.parse(text(fileOf(files, 'seal/seal.json'))) as object), signed_at: null, signer: null })),
      ],
    ],
    with: { signer_trust: 'without a signature there is no signer' },
  },
  signer_trust: { deps: ({ files }) => ({ trust: fileOf(files, 'seal/timestamp-1-ca.pem') }) },
  // A date that nobody known vouches for is unproved, never shown to be false.
  time_trust: { deps: ({ files }) => ({ trust: fileOf(files, 'seal/platform-ca.pem') }), ends: 'indeterminate' },
  timestamp: {
    // A second one, beside one that holds: without any, the order of times and the record would fail for want of a time.
    files: async (sealed) => [
      ['seal/timestamp-2.tsr', (await tokenOfElse(sealed)).response],
      ['seal/timestamp-2-ca.pem', fileOf(sealed.files, 'seal/timestamp-1-ca.pem')],
    ],
  },
  seal_record: {
    files: ({ files }) => [
      ['seal/seal.json', utf8(text(fileOf(files, 'seal/seal.json')).replace('"embedded":true', '"embedded":false'))],
    ],
  },
  time_order: {
    // Without a session, whose own moments would be before the beginning that is stated.
    sealed: async () => ({
      pieces: (await piecesOf({})).filter(({ path }) => path.startsWith('environment/') || path.endsWith('.wacz')),
      subject: { started_at: new Date(begun.getTime() + 60_000).toISOString(), finished_at: begun.toISOString() },
    }),
  },
  pdf_signature: { files: ({ files }) => [['report.en.pdf', flipped(fileOf(files, 'report.en.pdf'), 12)]] },
  session_record: { sealed: sealedWith({ session: { image: utf8('another') } }) },
  session_hash: { sealed: sealedWith({ session: { recorded: passed.slice(0, -1) } }) },
  session_timestamp: {
    sealed: async () => ({
      pieces: (await piecesOf({})).map((piece) =>
        piece.path === 'capture/timestamps/01-start.tsr' ? { ...piece, bytes: flipped(piece.bytes) } : piece,
      ),
    }),
  },
  // Clocks that disagree show nothing to be false.
  session_order: {
    sealed: sealedWith({
      session: { alter: (one) => ({ ...one, at: new Date(Date.parse(one.at) - 3_600_000).toISOString() }) },
    }),
    ends: 'indeterminate',
  },
  session_timeline: {
    // Another timeline than the one that was dated, as sound in itself.
    sealed: async () => {
      const { lines } = await recordedInteractive()
      const bytes = timelineOf(lines.map((line) => (line.type === 'session' ? { ...line, ms: 1 } : line))).bytes
      return { pieces: (await piecesOf({})).map((piece) => (piece.role === 'timeline' ? { ...piece, bytes } : piece)) }
    },
  },
  session_pieces: { sealed: sealedWith({ download: '0'.repeat(64) }) },
  session_video: {
    sealed: sealedWith({
      live: (pieces) =>
        pieces.map((piece) => (piece.role === 'session_video' ? { ...piece, bytes: flipped(piece.bytes) } : piece)),
    }),
  },
  wacz_signature: { sealed: sealedWith({ wacz: (signed) => ({ ...signed, created: '2020-01-01T00:00:00Z' }) }) },
  log_inclusion: {
    files: async ({ publicLog }) => [['seal/log-proof.txt', (await publicLog.include(new Uint8Array(32).fill(5))).proof]],
  },
  renewal: { files: async (sealed) => [['seal/renewal-1.tsr', (await tokenOfElse(sealed)).response]] },
  platform_keys: {
    files: () => [['seal/keys.p7s', fileOf(other.files, 'seal/signature.p7s')]],
    with: {
      message_signature: 'no list says whose key it is',
      log_inclusion: 'no list says whose log it is: said, and of no weight',
    },
  },
  message_signature: {
    files: () => [['seal/message-signatures.json', fileOf(other.files, 'seal/message-signatures.json')]],
  },
  anchor: { files: (sealed) => [[anchorFiles.ots, proofOf(rootOf(sealed), [{ op: 'sha256' }])]] },
  anchor_header: { files: (sealed) => [[anchorFiles.header, headerFile(headerOver(rootOf(sealed)), height + 1)]] },
  // That a stamp is not qualified takes nothing from its date: it never fails, and is only said when lists are consulted.
  qualified: { deps: () => ({ trustedLists: shippedLists().lists }), ends: 'supplementary' },
}

async function verify(one: Case): Promise<VerificationReport> {
  const sealed = one.sealed === undefined ? whole : await seal(await one.sealed())
  const files = new Map([...sealed.files, ...((await one.files?.(sealed)) ?? [])])
  const made = await coverEveryProof(files, sealed.timestampers, one.listed)
  const packed = await zipOfEntries((await one.entries?.(made, sealed)) ?? made)
  const zip = one.zip?.(packed) ?? packed
  const header = headerOver(rootOf(sealed))
  const file = { size: zip.length, read: async (at: number, length: number) => zip.subarray(at, at + length) }
  return await verifyPackage(
    { kind: 'zip', file },
    {
      now: () => new Date(),
      sha256: hostSha256,
      network: 'regtest',
      fingerprints: compared,
      headers: async (at) => (at === height ? [{ height, header, source: 'given' }] : []),
      ...(await one.deps?.(sealed)),
    },
  )
}

let compared: readonly string[] = []
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'package-checks-'))
  const keyring = await openKeyring({ dir: join(dir, 'keys'), clock, log })
  notary = await createNotary({
    keyring, archiveKeyDir: join(dir, 'archive-keys'), domain: null, urls: [], software: 'probant/0.1.0', clock, log,
  }) // prettier-ignore
  whole = await seal({})
  other = await sealEveryProof({ keys: join(dir, 'keys') })
  compared = (await keyring.publishedKeys({})).certificates.flatMap(({ id, role }) => (role === 'authority' ? [id] : []))
}, 60_000)
afterAll(() => rm(dir, { recursive: true, force: true }))

const weighs = ['failed', 'indeterminate', 'supplementary'] as const

test('every check has its case, and all of them pass on the package that the cases alter', async () => {
  expect(Object.keys(cases)).toEqual([...checkIds])
  const { checks, verdict } = await verify({})
  expect(checks.filter(({ status }) => status !== 'passed')).toEqual([])
  expect(verdict).toBe('TOTAL-PASSED')
  // A piece is named when something is wrong with it; what is qualified, when lists are consulted.
  const said = new Set(checks.map(({ id }) => id))
  expect(checkIds.filter((id) => !said.has(id))).toEqual(['piece', 'qualified'])
})

test.each(checkIds)('%s: one thing altered, and no other check notices than those that cannot but follow', async (id) => {
  const one = cases[id]
  const ends = one.ends ?? 'failed'
  const { checks, verdict } = await verify(one)
  const found = checks.filter(({ status }) => status !== 'passed')
  const own = found
    .filter((check) => check.id === id)
    .map(({ status, supplementary }) => (supplementary === true ? 'supplementary' : status))
  expect(weighs.find((weight) => own.some((each) => each === weight))).toBe(ends)
  expect([...new Set(found.map((check) => check.id))].toSorted()).toEqual([id, ...Object.keys(one.with ?? {})].toSorted())
  const verdicts = { failed: 'TOTAL-FAILED', indeterminate: 'INDETERMINATE', supplementary: 'TOTAL-PASSED' }
  expect(verdict).toBe(verdicts[ends])
})

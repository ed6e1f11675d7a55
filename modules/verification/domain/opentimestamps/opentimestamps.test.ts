import { createHash } from 'node:crypto'
import {
  array,
  assert as always,
  constant,
  constantFrom,
  integer,
  nat,
  oneof,
  property,
  record,
  tuple,
  uint8Array,
} from '../../../../testing/fast-check.ts'
import type { Arbitrary } from '../../../../testing/fast-check.ts'
import { describe, expect, test } from 'vitest'
import { concatBytes, fromHex, toHex, utf8 } from '../../../../kernel/bytes.ts'
import { mineHeader } from '../../../../testing/bitcoin/mine-header.ts'
import * as anchored from '../../../../testing/proof-vectors/anchored-file.ts'
import { readUpstream } from '../../../../testing/read-ots-upstream.ts'
import { proofWords as english } from '../../messages/proof-words.en.ts'
import { proofWords as french } from '../../messages/proof-words.fr.ts'
import { blockPath } from './block-path.ts'
import { MalformedError } from '../encoding/der.ts'
import type { KnownHeader, VerifyDeps } from '../known/verify-deps.ts'
import type { ProofReport } from '../report/proof-report.ts'
import { weighs } from '../report/verdict.ts'
import { applyOperation } from './operation.ts'
import type { Operation } from './operation.ts'
import { otsBounds, otsMagic, readOts, readTimestamp } from './read-ots.ts'
import { attestationsOf, graft, mergeTrees, treeOf } from './tree.ts'
import type { Attestation, FileHash, TimestampTree } from './tree.ts'
import {
  openTimestampsChecks,
  openTimestampsFacts,
  openTimestampsReasons,
  verifyOpenTimestamps,
} from './verify-opentimestamps.ts'
import { buildOts, writeOts, writeTimestamp } from './write-ots.ts'
import { share } from '../../../../testing/sweep.ts'

const text = utf8('What was said before it was known.\n')
const textDigest = new Uint8Array(createHash('sha256').update(text).digest())
const salted: readonly Operation[] = [{ op: 'append', data: utf8('salt') }, { op: 'sha256' }]
const calendars = ['https://a.example', 'https://b.example/x'] as const
const unknown: Attestation = { kind: 'unknown', tag: utf8('whatever'), payload: utf8('said by somebody') }
const heights = { kind: 'bitcoin', height: anchored.height } as const
/** The proofs that there are, each of one form: made here, and read by upstream. */
const own = {
  anchored: anchored.proof,
  promised: writeOts({
    hash: 'sha256',
    tree: mergeTrees(
      treeOf(textDigest, salted, [{ kind: 'pending', uri: calendars[0] }]),
      treeOf(textDigest, [{ op: 'prepend', data: utf8('pepper') }, { op: 'sha256' }], [{ kind: 'pending', uri: calendars[1] }]),
    ),
  }),
  incomplete: buildOts({ digest: textDigest, operations: salted, end: [{ kind: 'pending', uri: calendars[0] }] }),
  unknown: buildOts({ digest: textDigest, operations: [], end: [unknown] }),
  known_and_unknown: buildOts({ digest: textDigest, operations: salted, end: [{ kind: 'pending', uri: calendars[0] }, unknown] }),
  two_chains: buildOts({ digest: textDigest, operations: salted, end: [heights, { kind: 'litecoin', height: 9 }] }),
  sha1: writeOts({
    hash: 'sha1',
    tree: treeOf(
      new Uint8Array(createHash('sha1').update(text).digest()),
      [{ op: 'ripemd160' }, { op: 'hexlify' }, { op: 'reverse' }, { op: 'sha256' }],
      [{ kind: 'pending', uri: calendars[0] }, heights],
    ),
  }),
  elsewhere: buildOts({ digest: textDigest, operations: salted, end: [heights] }),
} as const

const classes = {
  pending: 'PendingAttestation',
  bitcoin: 'BitcoinBlockHeaderAttestation',
  litecoin: 'LitecoinBlockHeaderAttestation',
}
const asUpstream = (tree: TimestampTree): string[][] =>
  attestationsOf(tree)
    .map(({ message, attestation }): string[] => {
      const { kind } = attestation
      const named = kind === 'unknown' ? 'UnknownAttestation' : classes[kind]
      return [
        toHex(message),
        named,
        'uri' in attestation ? attestation.uri : 'height' in attestation ? String(attestation.height) : '',
      ]
    })
    .toSorted((a, b) => (a.join('|') < b.join('|') ? -1 : 1))
const sorted = (rows: readonly string[][]) => rows.toSorted((a, b) => (a.join('|') < b.join('|') ? -1 : 1))
const upstream = (files: readonly Uint8Array[]) =>
  readUpstream(files).map((each) => ({ ...each, attestations: sorted(each.attestations) }))

const operations: Arbitrary<Operation> = oneof(
  record({ op: constantFrom('append' as const, 'prepend' as const), data: uint8Array({ minLength: 1, maxLength: 40 }) }),
  record({ op: constantFrom('sha1' as const, 'ripemd160' as const, 'sha256' as const, 'keccak256' as const) }),
  record({ op: constantFrom('reverse' as const, 'hexlify' as const) }),
)
const attestations: Arbitrary<Attestation> = oneof(
  record({ kind: constantFrom('bitcoin' as const, 'litecoin' as const), height: nat(2_000_000) }),
  record({ kind: constantFrom('pending' as const), uri: constantFrom('https://a.example', 'https://b.example/x', '') }),
  record({
    kind: constantFrom('unknown' as const),
    tag: uint8Array({ minLength: 8, maxLength: 8 }),
    payload: uint8Array({ maxLength: 9 }),
  }),
)
type Shape = { readonly ends: readonly Attestation[]; readonly forks: readonly (readonly [Operation, Shape])[] }
const leaf: Arbitrary<Shape> = record({
  ends: array(attestations, { maxLength: 3 }),
  forks: array(tuple(operations, constant<Shape>({ ends: [], forks: [] })), { maxLength: 0 }),
})
const above = (below: Arbitrary<Shape>): Arbitrary<Shape> =>
  record({ ends: array(attestations, { maxLength: 3 }), forks: array(tuple(operations, below), { maxLength: 3 }) })
const shapes = above(above(above(above(leaf))))
function grown(message: Uint8Array, { ends, forks }: Shape): TimestampTree {
  const branches = forks.flatMap(([operation, shape]) => {
    const result = applyOperation(operation, message)
    return result.length > 1000 ? [] : [{ operation, next: grown(result, shape) }]
  })
  const attested: readonly Attestation[] = branches.length + ends.length === 0 ? [{ kind: 'bitcoin', height: 1 }] : ends
  return { message, attestations: attested, branches }
}

/** A file of a digest of zeros: its head, then what is given in hexadecimal. */
const fileOf = (rest: string): Uint8Array => concatBytes(otsMagic, fromHex(`0108${'00'.repeat(32)}${rest}`))

describe('reading and writing', () => {
  test('each form of proof: octet for octet, and as upstream reads it', () => {
    const theirs = upstream(Object.values(own))
    for (const [i, [name, file]] of Object.entries(own).entries()) {
      const read = readOts(file)
      expect(toHex(writeOts(read)), name).toBe(toHex(file))
      expect(theirs[i], name).toEqual({
        digest: toHex(read.tree.message),
        same: true,
        attestations: sorted(asUpstream(read.tree)),
      })
    }
  })

  test.each<[string, string, Uint8Array]>([
    ['version', 'UnsupportedMajorVersion', concatBytes(otsMagic, fromHex(`0208${'00'.repeat(32)}000588960d73d719010101`))],
    // Upstream hexlifies no more than 4096 octets.
    ['message_length', 'DeserializationError', fileOf(`${'f3'.repeat(8)}000588960d73d719010101`)],
    ['file_hash', 'DeserializationError', concatBytes(otsMagic, fromHex(`0142${'00'.repeat(32)}000588960d73d719010101`))],
  ])('what upstream refuses is refused by name: %s', async (reason, theirs, proof) => {
    expect(upstream([proof])[0]?.attestations).toEqual([[theirs]])
    expect(() => readOts(proof)).toThrow(new MalformedError(reason))
    const report = await verifyOpenTimestamps({ proof }, { now: () => new Date(0) })
    expect([report.verdict, report.checks]).toEqual(['TOTAL-FAILED', [{ id: 'format', status: 'failed', data: { reason } }]])
  })

  test('trees of every operation and attestation: upstream reads what is written, and writes the same octets', () => {
    const made: Uint8Array[] = []
    const trees: TimestampTree[] = []
    const lengths: Readonly<Record<FileHash, number>> = { sha1: 20, ripemd160: 20, sha256: 32, keccak256: 32 }
    always(
      // Upstream reads no file whose digest is Keccak-256, though it has the operation.
      property(shapes, constantFrom<FileHash>('sha256', 'sha1', 'ripemd160'), (shape, hash) => {
        const tree = grown(new Uint8Array(lengths[hash]).fill(5), shape)
        const bytes = writeOts({ hash, tree })
        const again = readOts(bytes)
        expect(toHex(writeOts(again))).toBe(toHex(bytes))
        made.push(bytes)
        trees.push(again.tree)
      }),
      { numRuns: 300 },
    )
    const theirs = upstream(made)
    for (const [i, bytes] of made.entries())
      expect(theirs[i], toHex(bytes)).toMatchObject({ same: true, attestations: sorted(asUpstream(trees[i] as TimestampTree)) })
  })

  test('what calendars answer is grafted where it belongs, once, and merged without loss', () => {
    const digest = new Uint8Array(32).fill(1)
    const commitment = treeOf(
      digest,
      [{ op: 'append', data: utf8('x') }, { op: 'sha256' }],
      [{ kind: 'pending', uri: 'https://a.example' }],
    )
    const message = (attestationsOf(commitment)[0] as { message: Uint8Array }).message
    const answer = treeOf(message, [{ op: 'sha256' }], [{ kind: 'bitcoin', height: 5 }])
    const found = readTimestamp(writeTimestamp(answer), message)
    const upgraded = graft(commitment, found)
    expect(attestationsOf(upgraded).map(({ attestation }) => attestation.kind)).toEqual(['pending', 'bitcoin'])
    expect(graft(upgraded, found)).toEqual(upgraded)
    expect(mergeTrees(upgraded, commitment)).toEqual(upgraded)
    expect(() => mergeTrees(commitment, found)).toThrow(MalformedError)
    expect(graft(commitment, treeOf(new Uint8Array(3), [], [{ kind: 'bitcoin', height: 5 }]))).toEqual(commitment)
    const file = buildOts({ digest, operations: [], end: upgraded })
    expect(upstream([file])[0]?.same).toBe(true)
  })
})

const bitcoinAt1 = '000588960d73d719010101'

describe('bounds', () => {
  const reasonOf = (bytes: Uint8Array): string => {
    try {
      readOts(bytes)
      return 'read'
    } catch (error) {
      if (!(error instanceof MalformedError)) throw error
      return error.message
    }
  }
  test.each<[string, Uint8Array]>([
    ['read', fileOf(bitcoinAt1)],
    ['magic', utf8('not a proof at all, of any length')],
    ['truncated', fileOf(bitcoinAt1).subarray(0, -1)],
    ['truncated', otsMagic],
    ['trailing', concatBytes(fileOf(bitcoinAt1), Uint8Array.of(0))],
    ['trailing', fileOf('000588960d73d71901020101')],
    ['operation', fileOf('99')],
    ['operation', fileOf(`f000${bitcoinAt1}`)],
    ['length', fileOf('f0818040')],
    ['number', fileOf('f0ffffffffffffffffffff01')],
    ['message_length', fileOf(`${'f3'.repeat(8)}${bitcoinAt1}`)],
    ['read', fileOf(`${'08'.repeat(255)}${bitcoinAt1}`)],
    ['too_deep', fileOf(`${'08'.repeat(256)}${bitcoinAt1}`)],
    ['too_deep', fileOf('08'.repeat(500_000))],
    ['too_many', fileOf(`${'ff000588960d73d719010101'.repeat(otsBounds.operations)}${bitcoinAt1}`)],
    ['too_large', new Uint8Array(otsBounds.bytes + 1)],
    ['uri', fileOf('0083dfe30d2ef90c8e0504783a3f79')],
    ['length', fileOf(`0083dfe30d2ef90c8eeb07e907${'61'.repeat(1001)}`)],
  ])('%s', (reason, bytes) => {
    expect(reasonOf(bytes)).toBe(reason)
  })

  test('a fork of ten thousand twins is merged in one go', () => {
    const twins = `ff08${bitcoinAt1}`.repeat(4_999)
    expect(attestationsOf(readOts(fileOf(`${twins}08${bitcoinAt1}`)).tree)).toHaveLength(1)
  })
})

const now = () => new Date('2026-06-01T00:00:00Z')
const knowing = (...known: readonly KnownHeader[]): VerifyDeps => ({
  now,
  headers: (height) => Promise.resolve(known.filter((each) => each.height === height)),
})
const given = knowing({ height: anchored.height, header: anchored.header, source: 'given' })
const statuses = (report: ProofReport) =>
  report.checks.map(({ id, status, data }) => [id, status, data['reason'] ?? ''].join(' ').trim())

describe('verifying', () => {
  test('R-04: a file is in block 100,000 of the main chain, as its header shows', async () => {
    const report = await verifyOpenTimestamps({ proof: own.anchored, data: anchored.file }, given)
    expect(statuses(report)).toEqual(['format passed', 'digest passed', 'attestation passed', 'block_header passed'])
    expect(report.verdict).toBe('TOTAL-PASSED')
    expect(report.dates).toEqual([
      { kind: 'bitcoin', at: '2010-12-29T11:57:43.000Z', by: 'Bitcoin #100000', rests_on: ['bitcoin', 'given'] },
    ])
    const steps = report.checks[2]?.steps ?? []
    expect(steps).toHaveLength(anchored.operations.length)
    expect(steps[0]).toEqual({
      operation: 'sha256',
      input: toHex(anchored.digest),
      input_bytes: 32,
      output: toHex(applyOperation({ op: 'sha256' }, anchored.digest)),
    })
    expect(report.bound).toEqual([{ algorithm: 'sha256', hex: steps[0]?.input, of: 'imprint' }])
  })

  test('the transaction that carries the digest is named, as explorers name it', async () => {
    const commitment = salted.reduce<Uint8Array>((message, operation) => applyOperation(operation, message), textDigest)
    const transaction = fromHex(
      `0100000001${'11'.repeat(32)}0000000000ffffffff010000000000000000226a20${toHex(commitment)}00000000`,
    )
    const sibling = { side: 'left' as const, hash: new Uint8Array(32).fill(8) }
    const operations = [...salted, ...blockPath({ commitment, transaction, branch: [sibling] })]
    const proof = buildOts({ digest: textDigest, operations, end: [heights] })
    const twice = (bytes: Uint8Array) => createHash('sha256').update(createHash('sha256').update(bytes).digest()).digest()
    const report = await verifyOpenTimestamps({ proof, data: text }, { now })
    expect(report.facts).toContainEqual({ id: 'transaction', value: toHex(twice(transaction).toReversed()), form: 'hex' })
  })

  test('a promise of calendars is pending, and says whose; it never dates anything', async () => {
    const report = await verifyOpenTimestamps({ proof: own.promised, data: text }, given)
    expect(statuses(report)).toEqual([
      'format passed',
      'digest passed',
      'attestation indeterminate pending',
      'attestation indeterminate pending',
    ])
    expect(report.verdict).toBe('INDETERMINATE')
    expect(report.dates).toEqual([])
    expect(
      report.facts.flatMap(({ id, value }) => (id === 'calendar' ? [value] : [])).toSorted((a, b) => (a < b ? -1 : 1)),
    ).toEqual(calendars)
  })

  test.each([
    ['unknown', ['attestation indeterminate unknown']],
    ['known_and_unknown', ['attestation indeterminate pending', 'attestation indeterminate unknown']],
    ['incomplete', ['attestation indeterminate pending']],
    ['anchored', ['attestation indeterminate no_header', 'block_header indeterminate no_header']],
    [
      'sha1',
      ['attestation indeterminate pending', 'attestation indeterminate no_header', 'block_header indeterminate no_header'],
    ],
  ] as const)('%s without document or header concludes nothing', async (name, rest) => {
    const report = await verifyOpenTimestamps({ proof: own[name] }, { now })
    expect(statuses(report).toSorted()).toEqual(['format passed', 'digest indeterminate nothing_given', ...rest].toSorted())
    expect(report.verdict).toBe('INDETERMINATE')
  })

  const beside = async (...ends: Attestation[]) => {
    const more = treeOf(anchored.digest, [{ op: 'ripemd160' }], ends)
    const proof = writeOts({ hash: 'sha256', tree: mergeTrees(readOts(own.anchored).tree, more) })
    const report = await verifyOpenTimestamps({ proof, data: anchored.file }, given)
    const open = report.checks.filter((check) => check.status === 'indeterminate' && weighs(check))
    return [report.verdict, report.dates.length, ...open.map(({ id, data }) => `${id} ${data['reason']}`)]
  }
  test('what promises besides a block adds to it; what is no promise and was not evaluated leaves it open', async () => {
    expect(await beside({ kind: 'pending', uri: 'https://a.example' })).toEqual(['TOTAL-PASSED', 1])
    expect(await beside({ kind: 'litecoin', height: 9 })).toEqual(['INDETERMINATE', 1, 'attestation litecoin'])
    expect(await beside({ kind: 'bitcoin', height: 9 })).toEqual([
      'INDETERMINATE',
      1,
      'attestation no_header',
      'block_header no_header',
    ])
  })

  test('a block of a test network is said to be one', async () => {
    const digest = new Uint8Array(32).fill(2)
    const proof = buildOts({ digest, operations: salted, end: [{ kind: 'bitcoin', height: 5 }] })
    const root = (attestationsOf(readOts(proof).tree)[0] as { message: Uint8Array }).message
    const deps: VerifyDeps = { ...knowing({ height: 5, header: mineHeader(root), source: 'node' }), network: 'regtest' }
    const report = await verifyOpenTimestamps({ proof, digest: toHex(digest) }, deps)
    expect(report.verdict).toBe('TOTAL-PASSED')
    expect(report.dates[0]?.by).toBe('Bitcoin regtest #5')
    expect(report.checks[2]?.data['network']).toBe('regtest')
  })

  test('a proof that names more blocks than any real one asks nobody for them', async () => {
    let asked = 0
    const curious: VerifyDeps = { now, headers: () => Promise.resolve(((asked += 1), [])) }
    const end = (count: number): Attestation[] => Array.from({ length: count }, (_, height) => ({ kind: 'bitcoin', height }))
    const proof = (count: number) => buildOts({ digest: new Uint8Array(32), operations: [], end: end(count) })
    expect(statuses(await verifyOpenTimestamps({ proof: proof(17) }, curious))).toEqual(['format failed too_many'])
    expect(asked).toBe(0)
    await verifyOpenTimestamps({ proof: proof(16) }, curious)
    expect(asked).toBe(16)
  })

  test(`${share(10_000)} altered proofs: never an exception, never wholly passed unless nothing that counts was altered`, async () => {
    const seeds = [own.anchored, own.two_chains, own.sha1, own.promised]
    const seen = new Set<string | null>()
    const inputs: Uint8Array[] = []
    always(
      property(constantFrom(...seeds), nat(), integer({ min: 1, max: 255 }), nat(), (seed, at, flip, cut) => {
        const bytes = seed.slice(0, cut % 5 === 0 ? cut % seed.length : seed.length)
        // Past the magic and the version, where most would end.
        const place = bytes.length > 40 ? 32 + (at % (bytes.length - 32)) : at % Math.max(1, bytes.length)
        bytes[place] = (bytes[place] ?? 0) ^ flip
        inputs.push(bytes)
      }),
      { numRuns: share(10_000) },
    )
    const wrong: string[] = []
    for (const proof of inputs) {
      const report = await verifyOpenTimestamps({ proof, data: anchored.file }, given)
      seen.add(report.verdict)
      const named = report.checks.every(({ id, status, data }) => {
        const isKnown = openTimestampsChecks.some((known) => known === id)
        return isKnown && (status === 'passed' || openTimestampsReasons.some((reason) => reason === data['reason']))
      })
      if (!named || report.verdict === 'TOTAL-PASSED') wrong.push(toHex(proof))
    }
    expect(wrong).toEqual([])
    expect(seen).toEqual(new Set(['TOTAL-FAILED', 'INDETERMINATE', null]))
  })
})

test('every check, reason and fact has words in both languages, with the same values', () => {
  const base = 'verification.proof.opentimestamps'
  const ids = [
    ...openTimestampsChecks.flatMap((id) =>
      ['title', 'passed', 'failed', 'indeterminate'].map((part) => `${base}.${id}.${part}`),
    ),
    ...openTimestampsReasons.map((reason) => `${base}.reason.${reason}`),
    ...openTimestampsFacts.map((fact) => `${base}.fact.${fact}`),
  ]
  const own = (words: Readonly<Record<string, string>>) => Object.keys(words).filter((id) => id.startsWith(`${base}.`))
  expect(new Set(own(english))).toEqual(new Set(ids))
  expect(own(french)).toEqual(own(english))
  const holes = (text = '') =>
    [...text.matchAll(/\{(\w+)[,}]/g)].map(([, name]) => name ?? '').toSorted((a, b) => (a < b ? -1 : 1))
  for (const id of ids) expect(holes(french[id]), id).toEqual(holes(english[id]))
})

import { assert as always, constantFrom, integer, nat, property } from '../../../../testing/fast-check.ts'
import { expect, test } from 'vitest'
import { toHex, utf8 } from '../../../../kernel/bytes.ts'
import { mineHeader } from '../../../../testing/bitcoin/mine-header.ts'
import * as anchored from '../../../../testing/proof-vectors/anchored-file.ts'
import english from '../../messages/en.json' with { type: 'json' }
import french from '../../messages/fr.json' with { type: 'json' }
import { canonicalJson } from '../encoding/canonical-json.ts'
import { buildChainpoint } from '../chainpoint/write-chainpoint.ts'
import { applyOperation } from '../opentimestamps/operation.ts'
import type { Operation } from '../opentimestamps/operation.ts'
import type { Attestation } from '../opentimestamps/tree.ts'
import { buildOts } from '../opentimestamps/write-ots.ts'
import type { VerifyDeps } from '../known/verify-deps.ts'
import { verdictOf } from '../report/verdict.ts'
import { displayed, readBlockHeader } from '../bitcoin/block-header.ts'
import { anchorChecks, anchorFiles, anchorReasons } from './check-anchor.ts'
import { share } from '../../../../testing/sweep.ts'

const root = new Uint8Array(32).fill(6)
const height = 700
const operations: Operation[] = [{ op: 'append', data: utf8('salt') }, { op: 'sha256' }]
const blockRoot = operations.reduce<Uint8Array>((message, operation) => applyOperation(operation, message), root)
const header = mineHeader(blockRoot)
const received = new Date('2026-01-01T00:00:00Z')

const ots = (over: { digest?: Uint8Array; end?: readonly Attestation[]; way?: readonly Operation[] } = {}): Uint8Array =>
  buildOts({ digest: over.digest ?? root, operations: over.way ?? operations, end: over.end ?? [{ kind: 'bitcoin', height }] })
const chainpoint = (over: { hash?: Uint8Array; height?: number; way?: readonly Operation[] } = {}): Uint8Array =>
  utf8(
    buildChainpoint(3, {
      hash: over.hash ?? root,
      operations: over.way ?? operations,
      height: over.height ?? height,
      receivedAt: received,
    }),
  )
const headerFile = (bytes: Uint8Array = header, over: object = {}): Uint8Array => {
  const { hash, time } = readBlockHeader(bytes)
  const at = new Date(time * 1000).toISOString()
  const members = {
    format: 'probant-anchor-header/1',
    height,
    hash: displayed(hash),
    header: toHex(bytes),
    time: at,
    sources: ['node'],
  }
  return utf8(canonicalJson({ ...members, ...over }))
}
const filesOf = (given: { ots?: Uint8Array; chainpoint?: Uint8Array; header?: Uint8Array }): Map<string, Uint8Array> =>
  new Map(Object.entries(given).map(([name, bytes]) => [anchorFiles[name as keyof typeof anchorFiles], bytes]))
const whole = { ots: ots(), chainpoint: chainpoint(), header: headerFile() }
const deps: VerifyDeps = { now: () => new Date('2026-06-01T00:00:00Z'), network: 'regtest' }
const knowing = (bytes: Uint8Array, source = 'given'): VerifyDeps => ({
  ...deps,
  headers: (at) => Promise.resolve(at === height ? [{ height, header: bytes, source }] : []),
})
const outcome = async (files: Parameters<typeof filesOf>[0], given: VerifyDeps = deps) => {
  const checks = await anchorChecks(filesOf(files), root, given)
  const said = checks.map(({ id, subject, status, data }) =>
    [id, subject?.slice(5), status, data['reason'] ?? ''].join(' ').trim(),
  )
  return { said, verdict: verdictOf([{ status: 'passed' }, ...checks]), checks }
}

test('a package without anchor has no such check', async () => {
  expect(await outcome({})).toEqual({ said: [], verdict: 'TOTAL-PASSED', checks: [] })
})

test('a header that only the package brings is said to be that, and does not weigh', async () => {
  const { said, verdict, checks } = await outcome(whole)
  expect(said).toEqual([
    'anchor anchor.ots passed',
    'anchor anchor.chainpoint.json passed',
    'anchor_header anchor-header.json indeterminate anchor_only_package',
  ])
  expect(verdict).toBe('TOTAL-PASSED')
  expect(checks[0]?.data).toMatchObject({ height, origin: 'package', at: '2023-11-14T22:13:20.000Z', network: 'regtest' })
  expect(checks[2]?.data).toMatchObject({ said_by: 'node' })
})

test('given by the reader, or by explorers, the same header is established', async () => {
  for (const given of [knowing(header), knowing(header, 'a.example')]) {
    const { said, verdict } = await outcome(whole, given)
    expect(said.at(-1)).toBe('anchor_header anchor-header.json passed')
    expect(verdict).toBe('TOTAL-PASSED')
  }
  const { said } = await outcome({ ots: whole.ots }, knowing(header))
  expect(said).toEqual(['anchor anchor.ots passed'])
})

test('a promise of calendars is pending and never turns a sound package', async () => {
  const pending = ots({ end: [{ kind: 'pending', uri: 'https://a.example' }] })
  const { said, verdict, checks } = await outcome({ ots: pending })
  expect([said, verdict]).toEqual([['anchor anchor.ots indeterminate anchor_pending'], 'TOTAL-PASSED'])
  expect(checks[0]).toMatchObject({ supplementary: true, data: { calendars: 'https://a.example' } })
  const without = await outcome({ ots: whole.ots })
  expect([without.said, without.verdict]).toEqual([['anchor anchor.ots indeterminate anchor_no_header'], 'INDETERMINATE'])
})

test('on the main chain: a file of block 100,000 and the header of that block', async () => {
  const files = filesOf({ ots: anchored.proof, header: headerFile(anchored.header, { height: anchored.height }) })
  const checks = await anchorChecks(files, anchored.digest, { now: deps.now })
  expect(checks.map(({ id, status }) => [id, status])).toEqual([
    ['anchor', 'indeterminate'],
    ['anchor_header', 'indeterminate'],
  ])
  // Anybody makes a block of that age today: the package's word alone is none.
  expect(checks.map(({ data }) => data['reason'])).toEqual(['anchor_cheap_work', 'anchor_cheap_work'])
  const known = {
    now: deps.now,
    headers: () => Promise.resolve([{ height: anchored.height, header: anchored.header, source: 'given' }]),
  }
  expect((await anchorChecks(files, anchored.digest, known)).map(({ status }) => status)).toEqual(['passed', 'passed'])
  expect(checks[0]?.data['at']).toBe('2010-12-29T11:57:43.000Z')
  const easy = filesOf({ ots: ots(), header: headerFile() })
  const refused = await anchorChecks(easy, root, { now: deps.now })
  expect(refused.map(({ status, data }) => [status, data['reason']])).toEqual([
    ['indeterminate', 'anchor_bad_header'],
    ['failed', 'anchor_difficulty'],
  ])
})

const other = mineHeader(blockRoot, { at: 1_600_000_000 })
const elsewhere: Operation[] = [{ op: 'sha256' }]
const falsehoods: readonly [reason: string, failed: string, Parameters<typeof filesOf>[0], VerifyDeps?][] = [
  ['malformed', 'anchor.ots', { ...whole, ots: whole.ots.subarray(1) }],
  ['malformed', 'anchor.chainpoint.json', { ...whole, chainpoint: utf8('{}') }],
  ['malformed', 'anchor-header.json', { ...whole, header: utf8('{}') }],
  ['malformed', 'anchor-header.json', { ...whole, header: utf8(` ${new TextDecoder().decode(whole.header)}`) }],
  ['malformed', 'anchor-header.json', { ...whole, header: headerFile(header, { hash: '00'.repeat(32) }) }],
  ['malformed', 'anchor-header.json', { ...whole, header: headerFile(header, { time: '2023-11-14T22:13:21.000Z' }) }],
  ['malformed', 'anchor-header.json', { ...whole, header: headerFile(header, { more: 1 }) }],
  ['anchor_other_root', 'anchor.ots', { ...whole, ots: ots({ digest: new Uint8Array(32) }) }],
  ['anchor_other_root', 'anchor.chainpoint.json', { ...whole, chainpoint: chainpoint({ hash: new Uint8Array(32) }) }],
  ['anchor_differs', 'anchor.chainpoint.json', { ...whole, chainpoint: chainpoint({ height: 701 }) }],
  ['anchor_differs', 'anchor.chainpoint.json', { ...whole, chainpoint: chainpoint({ way: elsewhere }) }],
  ['anchor_nothing', 'anchor.ots', { ots: ots({ end: [{ kind: 'litecoin', height }] }) }],
  ['anchor_merkle_root', 'anchor.ots', { ots: ots({ way: elsewhere }), header: whole.header }],
  ['anchor_merkle_root', 'anchor.ots', { ots: ots() }, knowing(mineHeader(root))],
  ['anchor_other_height', 'anchor-header.json', { ...whole, header: headerFile(header, { height: 701 }) }],
  ['anchor_no_work', 'anchor-header.json', { ...whole, header: headerFile(mineHeader(blockRoot, { worthless: true })) }],
  ['anchor_contradicted', 'anchor-header.json', whole, knowing(other)],
]
test.each(falsehoods)('false: %s in %s', async (reason, file, files, given) => {
  const { verdict, checks } = await outcome(files, given)
  expect(verdict).toBe('TOTAL-FAILED')
  const failed = checks.filter(({ status }) => status === 'failed')
  expect(failed.map(({ subject, data }) => [subject, data['reason']])).toEqual([[`seal/${file}`, reason]])
})

test('sources of the reader that disagree conclude nothing', async () => {
  const two: VerifyDeps = {
    ...deps,
    headers: () => Promise.resolve([header, other].map((bytes, i) => ({ height, header: bytes, source: `${i}.example` }))),
  }
  const { said, verdict } = await outcome(whole, two)
  expect(said.at(-1)).toBe('anchor_header anchor-header.json indeterminate anchor_sources_disagree')
  expect(verdict).toBe('INDETERMINATE')
})

test('3,000 altered files: no exception, and no alteration of a proof that is not seen', async () => {
  const names = Object.keys(whole) as (keyof typeof whole)[]
  const inputs: { files: typeof whole; same: boolean }[] = []
  always(
    property(constantFrom(...names), nat(), integer({ min: 1, max: 255 }), (name, at, flip) => {
      const bytes = whole[name].slice()
      bytes[at % bytes.length] = (bytes[at % bytes.length] ?? 0) ^ flip
      inputs.push({ files: { ...whole, [name]: bytes }, same: name !== 'ots' })
    }),
    { numRuns: share(3000) },
  )
  const unaltered = (await outcome(whole, knowing(header))).said.join()
  const wrong: string[] = []
  for (const { files, same } of inputs) {
    const { said, checks } = await outcome(files, knowing(header))
    const named = checks.every(
      ({ status, data }) => status === 'passed' || anchorReasons.some((reason) => reason === data['reason']),
    )
    // JSON has octets that no other file contradicts, such as who gave the header: those the package's cover sees.
    if (!named || (!same && said.join() === unaltered)) wrong.push(JSON.stringify(said))
  }
  expect(wrong).toEqual([])
})

test('both checks and every reason have words in both languages', () => {
  const ids = [
    ...['anchor', 'anchor_header'].flatMap((id) =>
      ['title', 'passed', 'failed', 'indeterminate'].map((part) => `verification.check.${id}.${part}`),
    ),
    ...anchorReasons.map((reason) => `verification.reason.${reason}`),
  ]
  const [en, fr] = [english, french] as Readonly<Record<string, string>>[]
  for (const id of ids) {
    expect(en?.[id], id).toBeTruthy()
    expect(fr?.[id], id).toBeTruthy()
  }
})

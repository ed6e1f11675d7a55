import { expect, test } from 'vitest'
import { fromHex, toHex, utf8 } from '../../../../kernel/bytes.ts'
import { mineHeader } from '../../../../testing/bitcoin/mine-header.ts'
import { verifyChainpoint } from '../chainpoint/verify-chainpoint.ts'
import { buildChainpoint } from '../chainpoint/write-chainpoint.ts'
import { applyOperation } from '../opentimestamps/operation.ts'
import type { Operation } from '../opentimestamps/operation.ts'
import { buildOts } from '../opentimestamps/write-ots.ts'
import type { KnownHeader } from '../known/verify-deps.ts'
import { readBlockHeader } from './block-header.ts'
import { anchorChecks, anchorFiles } from '../package/check-anchor.ts'
import { blockData, examineBlock } from './examine-block.ts'

/** Blocks that somebody shows who wants them taken for more than they are, and those that only look so. */
const genesis = fromHex(
  `01000000${'00'.repeat(32)}3ba3edfd7a7b12b27ac72c3e67768f617fc81bc3888a51323a9fb8aa4b1e5e4a29ab5f49ffff001d1dac2b7c`,
)
const root = new Uint8Array(32).fill(6)
const operations: Operation[] = [{ op: 'append', data: utf8('salt') }, { op: 'sha256' }]
const header = mineHeader(operations.reduce<Uint8Array>((message, operation) => applyOperation(operation, message), root))
const { time } = readBlockHeader(header)
const known = (each: Omit<KnownHeader, 'source'>, ...sources: string[]) => ({
  now: () => new Date('2026-11-21T12:00:00Z'),
  headers: (height: number) => Promise.resolve(sources.map((source) => ({ ...each, height, source }))),
})

test('a block whose hash the verifier has costs nothing to make again, and is no other: it passes on the word of the package', async () => {
  const deps = known({ height: 0, header: genesis }, 'package')
  expect(await examineBlock(0, deps)).toMatchObject({ status: 'passed', rests_on: ['bitcoin'] })
  const merkle = genesis.subarray(36, 68)
  const proof = buildOts({ digest: merkle, operations: [], end: [{ kind: 'bitcoin', height: 0 }] })
  const [anchor] = await anchorChecks(new Map([[anchorFiles.ots, proof]]), merkle, deps)
  expect(anchor).toMatchObject({ status: 'passed', data: { origin: 'checkpoint' } })
})

test('the word of the package and that of the platform’s node are one word; with the reader’s, or an explorer’s, they are several', async () => {
  const originOf = async (...sources: string[]) =>
    blockData(await examineBlock(5, { ...known({ height: 5, header }, ...sources), network: 'regtest' }))['origin']
  expect(await originOf('package', 'node')).toBe('node')
  expect(await originOf('package', 'given')).toBe('several')
  expect(await originOf('package', 'a.example')).toBe('several_named')
})

test('two blocks of a Chainpoint proof that are not established do not establish one another', async () => {
  const source = { hash: root, operations, height: 5, receivedAt: new Date('2026-01-01T00:00:00Z') }
  const both = JSON.stringify(JSON.parse(buildChainpoint(3, source)), (key, value: unknown) =>
    key === 'anchors' && Array.isArray(value)
      ? value.flatMap((each: Record<string, unknown>) => [each, { ...each, anchor_id: '6' }])
      : value,
  )
  const judged = async (now: Date) => {
    const deps = { ...known({ height: 5, header }, 'given'), network: 'regtest' as const, now: () => now }
    const { verdict, dates, checks } = await verifyChainpoint({ proof: both, digest: toHex(root) }, deps)
    return [verdict, dates.length, checks.filter(({ id }) => id === 'block_header').length]
  }
  expect(await judged(new Date(time * 1000))).toEqual(['TOTAL-PASSED', 2, 2])
  // Both are of a time that has not come.
  expect(await judged(new Date('2000-01-01T00:00:00Z'))).toEqual(['INDETERMINATE', 0, 2])
})

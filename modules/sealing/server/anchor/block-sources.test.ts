import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { startEsplora, type EsploraBehaviour } from '../../../../testing/bitcoin/start-esplora.ts'
import { startRegtest, type Regtest } from '../../../../testing/bitcoin/start-regtest.ts'
import { withDatabase } from '../../../../testing/database.ts'
import { silentLog } from '../../../../platform/log/log.ts'
import { temporaryFolder } from '../../../../testing/keyring.ts'
import { createBitcoinRpc } from './bitcoin-rpc.ts'
import { esploraSource, nodeSource, vouchedBlock, type BlockSource, type BlockSources } from './block-sources.ts'
import { createBlockHeaders } from './create-anchoring.ts'

const database = withDatabase()
let regtest: Regtest
let explorers: readonly Awaited<ReturnType<typeof startEsplora>>[]
let folder: Awaited<ReturnType<typeof temporaryFolder>>
beforeAll(async () => {
  regtest = await startRegtest()
  explorers = [await startEsplora(regtest), await startEsplora(regtest), await startEsplora(regtest)]
  folder = await temporaryFolder()
  await writeFile(join(folder.dir, '.cookie'), regtest.credentials, { mode: 0o600 })
})
beforeEach(() => {
  for (const explorer of explorers) explorer.behave('honest')
  regtest.refuse('getblockhash', null)
})
afterAll(async () => {
  for (const explorer of explorers) await explorer.close()
  await regtest.close()
  await folder.remove()
})

const rules = () => ({ allowAddresses: explorers.map(({ address }) => address), timeoutMs: 60_000 })
const node = (): BlockSource =>
  nodeSource(
    createBitcoinRpc({
      url: regtest.url,
      walletUrl: regtest.url,
      credentialsFile: join(folder.dir, '.cookie'),
      timeoutMs: 60_000,
    }),
  )
const sources = (count: number, own: BlockSource | null = null): BlockSources => ({
  network: 'regtest',
  node: own,
  explorers: explorers.slice(0, count).map(({ url }) => esploraSource(url, rules())),
})

describe('the block at a height', () => {
  test('two explorers that agree are believed, with the least depth that either says; one alone is not', async () => {
    const height = regtest.height() - 4
    explorers[1]?.behave('behind')
    const block = await vouchedBlock(sources(2), height)
    expect(block).toMatchObject({
      height,
      sources: explorers.slice(0, 2).map(({ address }) => address),
      confirmations: 4,
      hash: await regtest.call('getblockhash', height),
    })
    expect(Buffer.from(block.header).equals(await regtest.header(height))).toBe(true)
    await expect(vouchedBlock(sources(1), height)).rejects.toMatchObject({ code: 'sealing.anchor_no_header' })
    await expect(vouchedBlock(sources(0), height)).rejects.toMatchObject({ code: 'sealing.anchor_no_header' })
    await expect(vouchedBlock(sources(2), regtest.height() + 1)).rejects.toMatchObject({ code: 'sealing.anchor_no_header' })
  })

  test('a node of another network is not believed: every verifier would find its blocks false', async () => {
    const own = { ...sources(0, node()), network: 'main' } as const
    await expect(vouchedBlock(own, regtest.height())).rejects.toMatchObject({
      code: 'sealing.anchor_not_main_chain',
      data: { source: 'node' },
    })
  })

  test('explorers that disagree are believed neither, and a third does not outvote them', async () => {
    explorers[0]?.behave('other_header')
    await expect(vouchedBlock(sources(3), regtest.height())).rejects.toMatchObject({ code: 'sealing.anchor_headers_differ' })
  })

  const cases: readonly (readonly [EsploraBehaviour, string])[] = [
    ['no_work', 'sealing.anchor_header_work'],
    ['garbage', 'sealing.anchor_explorer_answer'],
    ['huge', 'sealing.anchor_too_large'],
    ['error_500', 'sealing.anchor_status'],
  ]
  test.each(cases)('an explorer with %s is set aside by name, and a third stands in', async (behaviour, code) => {
    const height = regtest.height()
    explorers[0]?.behave(behaviour)
    await expect(vouchedBlock(sources(2), height)).rejects.toMatchObject({ code })
    expect((await vouchedBlock(sources(3), height)).sources).toEqual(explorers.slice(1).map(({ address }) => address))
  })

  test('the own node comes first, alone suffices, and is stood in for when it does not answer', async () => {
    const before = explorers.map((explorer) => explorer.requests())
    expect((await vouchedBlock(sources(2, node()), regtest.height())).sources).toEqual(['node'])
    expect(explorers.map((explorer) => explorer.requests())).toEqual(before)
    regtest.refuse('getblockhash', { code: -28, message: 'Loading block index' })
    const { sources: given } = await vouchedBlock(sources(2, node()), regtest.height())
    expect(given).toEqual(explorers.slice(0, 2).map(({ address }) => address))
  })
})

test('headers are told by who gives them, kept once they are deep, and asked for so often and no more', async () => {
  let now = new Date('2026-11-21T10:00:00Z')
  const headers = createBlockHeaders({
    config: {
      calendars: [],
      everyMinutes: 60,
      giveUpDays: 7,
      confirmations: 6,
      network: 'regtest',
      explorers: explorers.slice(0, 2).map(({ url }) => url),
      node: null,
    },
    allowAddresses: rules().allowAddresses,
    db: database.db,
    clock: { now: () => now },
    log: silentLog,
  })
  const [deep, shallow] = [regtest.height() - 200, regtest.height()]
  const told = await headers(deep)
  expect(told.map(({ source }) => source).toSorted()).toEqual(
    explorers
      .slice(0, 2)
      .map(({ address }) => address)
      .toSorted(),
  )
  const before = explorers[0]?.requests()
  expect((await headers(deep)).toSorted((a, b) => (a.source < b.source ? -1 : 1))).toEqual(
    told.toSorted((a, b) => (a.source < b.source ? -1 : 1)),
  )
  expect(explorers[0]?.requests()).toBe(before)
  explorers[1]?.behave('error_500')
  expect((await headers(shallow)).map(({ source }) => source)).toEqual([explorers[0]?.address])
  expect(await headers(-1)).toEqual([])
  expect(await headers(2 ** 40)).toEqual([])
  const refused: number[] = []
  for (let height = 1; height <= 70; height += 1) if ((await headers(height)).length === 0) refused.push(height)
  expect(refused).toEqual([59, 60, 61, 62, 63, 64, 65, 66, 67, 68, 69, 70])
  now = new Date(now.getTime() + 60_000)
  expect(await headers(60)).toHaveLength(1)
})

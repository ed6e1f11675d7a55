import { randomBytes } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { startRegtest } from '../../../../testing/bitcoin/start-regtest.ts'
import type { Regtest } from '../../../../testing/bitcoin/start-regtest.ts'
import { temporaryFolder } from '../../../../testing/keyring.ts'
import { attestationsOf, opReturns, readBlockHeader, readTransaction } from '../../../verification/server/index.ts'
import { createBitcoinRpc, type BitcoinRpc } from './bitcoin-rpc.ts'
import { nodeSource, vouchedBlock } from './block-sources.ts'
import { findInBlock, prepareTransaction, sendTransaction } from './pay-anchor.ts'

let regtest: Regtest
let folder: Awaited<ReturnType<typeof temporaryFolder>>
let rpc: BitcoinRpc
beforeAll(async () => {
  regtest = await startRegtest()
  folder = await temporaryFolder()
  await writeFile(join(folder.dir, '.cookie'), regtest.credentials, { mode: 0o600 })
  rpc = rpcWith('.cookie')
})
afterAll(async () => {
  await regtest.close()
  await folder.remove()
})

const rpcWith = (cookie: string): BitcoinRpc =>
  createBitcoinRpc({ url: regtest.url, walletUrl: regtest.url, credentialsFile: join(folder.dir, cookie), timeoutMs: 60_000 })
const now = new Date('2026-11-21T10:00:00.000Z')
const commitmentOf = () => new Uint8Array(randomBytes(32))

test('a commitment is paid for, sent twice as one payment, and led to the Merkle root of its block', async () => {
  const commitment = commitmentOf()
  const transaction = await prepareTransaction(rpc, commitment, { maxFee: 10_000, now })
  const carried = opReturns(readTransaction(Buffer.from(transaction.raw, 'hex'))).map(({ data }) =>
    Buffer.from(data).toString('hex'),
  )
  expect(carried).toEqual([Buffer.from(commitment).toString('hex')])
  expect(transaction.fee).toBeGreaterThan(0)
  expect(transaction.fee).toBeLessThanOrEqual(10_000)
  expect(await findInBlock(rpc, commitment, [transaction])).toBeNull()
  expect(await sendTransaction(rpc, transaction)).toBe(true)
  expect(await sendTransaction(rpc, transaction)).toBe(true)
  expect(await findInBlock(rpc, commitment, [transaction])).toBeNull()
  await regtest.mine()
  expect(await sendTransaction(rpc, transaction)).toBe(true)

  const found = await findInBlock(rpc, commitment, [transaction])
  expect(found).toMatchObject({ height: regtest.height(), txid: transaction.txid, fee: transaction.fee })
  const [attested] = found === null ? [] : attestationsOf(found.tree)
  const header = readBlockHeader(new Uint8Array(await regtest.header(regtest.height())))
  expect(attested?.message).toEqual(header.merkleRoot)
  const block = await vouchedBlock({ network: 'regtest', node: nodeSource(rpc), explorers: [] }, regtest.height())
  expect(block).toMatchObject({ sources: ['node'], confirmations: 1, time: new Date(header.time * 1000) })
})

test('one that takes too long is replaced by one that spends the same coins for more', async () => {
  const commitment = commitmentOf()
  const first = await prepareTransaction(rpc, commitment, { maxFee: 10_000, now })
  const second = await prepareTransaction(rpc, commitment, { maxFee: 10_000, now, replaces: first })
  expect(second.inputs).toEqual(first.inputs)
  expect(second.fee).toBeGreaterThan(first.fee)
  expect(await sendTransaction(rpc, second)).toBe(true)
  // The first can no longer be mined, and the node says so.
  expect(await sendTransaction(rpc, first)).toMatchObject({ code: 'sealing.anchor_node_refused' })
  await regtest.mine()
  expect(await findInBlock(rpc, commitment, [first, second])).toMatchObject({ txid: second.txid })
})

test('what the wallet cannot or may not pay is refused by name, and nothing is sent', async () => {
  const commitment = commitmentOf()
  await expect(prepareTransaction(rpc, commitment, { maxFee: 50, now })).rejects.toMatchObject({
    code: 'sealing.anchor_fee_limit',
    data: { limit: 50 },
  })
  const poor: BitcoinRpc = {
    call: async (method, params, answer) =>
      method === 'listunspent'
        ? answer.parse([{ txid: '00'.repeat(32), vout: 0, amount: 0.00000546 }])
        : await rpc.call(method, params, answer),
  }
  await expect(prepareTransaction(poor, commitment, { maxFee: 10_000, now })).rejects.toMatchObject({
    code: 'sealing.anchor_funds',
    data: { available: 546 },
  })
  const locked: BitcoinRpc = {
    call: async (method, params, answer) =>
      method === 'signrawtransactionwithwallet'
        ? answer.parse({ hex: params[0], complete: false })
        : await rpc.call(method, params, answer),
  }
  await expect(prepareTransaction(locked, commitment, { maxFee: 10_000, now })).rejects.toMatchObject({
    code: 'sealing.anchor_signing',
  })
  expect(regtest.waiting()).toBe(0)
})

test('a node that refuses, is not there, or does not know the credentials is said', async () => {
  const count = async (asked: BitcoinRpc) => await asked.call('getblockcount', [], z.int())
  await writeFile(join(folder.dir, 'wrong'), 'user:wrong')
  await expect(count(rpcWith('wrong'))).rejects.toMatchObject({ code: 'sealing.anchor_node_credentials' })
  await expect(count(rpcWith('absent'))).rejects.toMatchObject({ code: 'sealing.anchor_node_credentials' })
  regtest.refuse('getblockcount', { code: -28, message: 'Loading block index…\u0007' })
  await expect(count(rpc)).rejects.toMatchObject({
    code: 'sealing.anchor_node_refused',
    data: { method: 'getblockcount', code: -28, message: 'Loading block index??' },
  })
  regtest.refuse('getblockcount', null)
  await expect(rpc.call('getblockcount', [], z.string())).rejects.toMatchObject({ code: 'sealing.anchor_node_answer' })
  expect(await nodeSource(rpc).header(10_000_000)).toBeNull()
})

/**
 * A Bitcoin node in regtest, in this process and in memory (bcoin), with a wallet that has coins, behind an HTTP server that speaks
 * Bitcoin Core's JSON-RPC. Core's own calls are passed on to bcoin's where the two agree; `adapted` says where they do not.
 */
import { randomBytes } from 'node:crypto'
import { createServer } from 'node:http'
import type { IncomingMessage } from 'node:http'
import { loadBcoin } from './bcoin.ts'
import type { FullNode, Mtx, Rpc, Tx } from './bcoin.ts'

export type Regtest = {
  /** Address of the RPC server, without credentials. */
  readonly url: string
  /** `user:password`, as in Core's cookie file. */
  readonly credentials: string
  /** Blocks on top of the main chain, with what waits in the mempool. @returns hash of the last, as it is written */
  mine(blocks?: number): Promise<string>
  /** Empty blocks on top of the block at `height` of the main chain, so that another branch grows. */
  mineFrom(height: number, blocks: number): Promise<void>
  height(): number
  /** 80 octets, of the main chain. */
  header(height: number): Promise<Buffer>
  /** Transactions that wait. */
  waiting(): number
  call(method: string, ...params: readonly unknown[]): Promise<unknown>
  /** How often each call came in over HTTP. */
  readonly calls: ReadonlyMap<string, number>
  /** Answers `method` with an error from now on, or as usual again. */
  refuse(method: string, error: { code: number; message: string } | null): void
  /** Does the next call of `method` and never answers it. @returns when it was done */
  swallow(method: string): Promise<void>
  close(): Promise<void>
}

/** Segregated witness is in force from here, and coins are ripe. */
const firstBlocks = 435

class CallError extends Error {
  readonly code: number
  constructor(code: number, message: string) {
    super(message)
    this.code = code
  }
}

export async function startRegtest(): Promise<Regtest> {
  const bcoin = loadBcoin()
  const node = new bcoin.FullNode({
    network: 'regtest',
    memory: true,
    requireStandard: false,
    listen: false,
    // Neither is ever opened, but a number is asked for.
    httpPort: 1,
    port: 1,
    plugins: [bcoin.Plugin],
  })
  await node.handlePreopen()
  await node.chain.open()
  await node.mempool.open()
  await node.miner.open()
  const { wdb, rpc: walletRpc } = node.require('walletdb')
  await wdb.open()
  Object.assign(walletRpc, { wallet: wdb.primary })
  const { primary: wallet } = wdb
  const address = await wallet.receiveAddress()

  async function settled(): Promise<void> {
    while (wdb.state.height !== node.chain.height) await new Promise((resolve) => setImmediate(resolve))
  }
  async function mine(blocks = 1): Promise<string> {
    for (let i = 0; i < blocks; i += 1) {
      await node.chain.add(await node.miner.cpu.mineBlock(node.chain.tip, address))
      await settled()
    }
    return node.chain.tip.rhash()
  }
  await mine(firstBlocks)

  const adapted = adaptedCalls(node, { wallet, walletRpc, wdb, mtx: bcoin.Mtx, tx: bcoin.Tx })
  const swallowed = new Map<string, () => void>()
  const refused = new Map<string, { code: number; message: string }>()
  const call = async (method: string, params: readonly unknown[]): Promise<unknown> => {
    const own = adapted.get(method)
    if (own !== undefined) return await own(params)
    return await node.rpc.execute({ method, params }, false)
  }

  const credentials = `__cookie__:${randomBytes(16).toString('hex')}`
  const calls = new Map<string, number>()
  const server = createServer((request, response) => {
    const answer = async (): Promise<{ status: number; body: object }> => {
      const expected = `Basic ${Buffer.from(credentials).toString('base64')}`
      if (request.headers.authorization !== expected) return { status: 401, body: {} }
      const { id, method, params } = JSON.parse(await bodyOf(request)) as { id: unknown; method: string; params: unknown[] }
      calls.set(method, (calls.get(method) ?? 0) + 1)
      try {
        const refusal = refused.get(method)
        if (refusal !== undefined) throw new CallError(refusal.code, refusal.message)
        const result = await call(method, params)
        const done = swallowed.get(method)
        swallowed.delete(method)
        done?.()
        if (done !== undefined) await new Promise(() => undefined)
        return { status: 200, body: { result, error: null, id } }
      } catch (error) {
        const code = error instanceof Error && 'code' in error && typeof error.code === 'number' ? error.code : -1
        const message = error instanceof Error ? error.message : String(error)
        // Core answers errors with 500, and calls that it does not have with 404.
        return { status: code === -32601 ? 404 : 500, body: { result: null, error: { code, message }, id } }
      }
    }
    answer().then(
      ({ status, body }) => response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body)),
      (error: unknown) => response.destroy(error as Error),
    )
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const listening = server.address()
  if (listening === null || typeof listening === 'string') throw new Error('no port')

  return {
    url: `http://127.0.0.1:${listening.port}/`,
    credentials,
    mine,
    async mineFrom(height, blocks) {
      let tip = await node.chain.getEntry(height)
      for (let i = 0; i < blocks; i += 1) {
        if (tip === null) throw new RangeError(`no block ${height}`)
        tip = await node.chain.add(await emptyBlock(node, tip, address))
      }
      await settled()
    },
    height: () => node.chain.height,
    async header(height) {
      const entry = await node.chain.getEntry(height)
      if (entry === null) throw new RangeError(`no block ${height}`)
      return entry.toRaw().subarray(0, 80)
    },
    waiting: () => node.mempool.getSize(),
    call: async (method, ...params) => await call(method, params),
    calls,
    refuse(method, error) {
      if (error === null) refused.delete(method)
      else refused.set(method, error)
    },
    async swallow(method) {
      await new Promise<void>((resolve) => swallowed.set(method, resolve))
    },
    async close() {
      server.closeAllConnections()
      await new Promise<void>((resolve) => server.close(() => resolve()))
      await wdb.close()
      await node.miner.close()
      await node.mempool.close()
      await node.chain.close()
    },
  }
}

/** Where bcoin 1.0.2 lacks a call of Core's, or answers otherwise. */
function adaptedCalls(
  node: FullNode,
  own: {
    wallet: { sign(tx: Mtx): Promise<number> }
    walletRpc: Rpc
    wdb: { addTX(tx: Tx): Promise<unknown> }
    mtx: { fromRaw(raw: Buffer): Mtx }
    tx: { fromRaw(raw: Buffer): Tx }
  },
): Map<string, (params: readonly unknown[]) => Promise<unknown>> {
  const mempool = node.mempool as typeof node.mempool & { getSpentView(tx: Mtx): Promise<unknown> }
  const reversed = (hash: string) => Buffer.from(Buffer.from(hash, 'hex').toReversed()).toString('hex')
  const sent = new Map<string, string>()
  /** Where the main chain has it; the wallet of bcoin learns of blocks a moment later. */
  async function blockOf(txid: string): Promise<{ hash: string; height: number } | null> {
    for (let height = node.chain.height; height > firstBlocks; height -= 1) {
      const entry = await node.chain.getEntry(height)
      const block = entry === null ? null : await node.chain.getBlock(entry.hash)
      if (entry !== null && block?.txs.some((tx) => tx.txid() === txid)) return { hash: entry.rhash(), height }
    }
    return null
  }
  return new Map<string, (params: readonly unknown[]) => Promise<unknown>>([
    // Its own writes an address of the main network.
    [
      'getrawchangeaddress',
      async () => {
        const [coin] = (await own.walletRpc.execute({ method: 'listunspent', params: [0] }, false)) as { address: string }[]
        return coin?.address
      },
    ],
    // Core leaves out what miners may not spend yet.
    [
      'listunspent',
      async (params) => {
        const coins = (await own.walletRpc.execute({ method: 'listunspent', params }, false)) as {
          txid: string
          confirmations: number
        }[]
        return coins.filter(({ txid, confirmations }) => sent.has(txid) || confirmations > 100)
      },
    ],
    // Core signs with the wallet's keys; bcoin's signrawtransaction wants them handed over.
    [
      'signrawtransactionwithwallet',
      async ([hex]) => {
        const tx = own.mtx.fromRaw(Buffer.from(String(hex), 'hex'))
        Object.assign(tx, { view: await mempool.getSpentView(tx) })
        await own.wallet.sign(tx)
        return { hex: tx.toRaw().toString('hex'), complete: tx.isSigned() }
      },
    ],
    // bcoin's answers before it knows whether it takes the transaction.
    [
      'sendrawtransaction',
      async ([hex]) => {
        const tx = own.tx.fromRaw(Buffer.from(String(hex), 'hex'))
        sent.set(tx.txid(), String(hex))
        if ((await blockOf(tx.txid())) !== null) throw new CallError(-27, 'Transaction outputs already in utxo set')
        if (mempool.has(reversed(tx.txid()))) return tx.txid()
        try {
          const missing = await mempool.addTX(tx)
          if (missing !== null) throw new CallError(-25, 'bad-txns-inputs-missingorspent')
          // The wallet would hear of it a moment later.
          await own.wdb.addTX(tx)
        } catch (error) {
          if (error instanceof CallError) throw error
          throw new CallError(-26, error instanceof Error && 'reason' in error ? String(error.reason) : String(error))
        }
        return tx.txid()
      },
    ],
    // bcoin's fails on what the wallet sends.
    [
      'gettransaction',
      async ([txid]) => {
        const hex = sent.get(String(txid))
        if (hex === undefined) throw new CallError(-5, 'Invalid or non-wallet transaction id')
        const block = await blockOf(String(txid))
        if (block === null) return { txid, confirmations: 0, hex }
        return {
          txid,
          confirmations: node.chain.height - block.height + 1,
          blockhash: block.hash,
          blockheight: block.height,
          hex,
        }
      },
    ],
    // Core says -1 of a block that has left the main chain; bcoin goes on counting.
    [
      'getblockheader',
      async ([hash, verbose = true]) => {
        const answer = await node.rpc.execute({ method: 'getblockheader', params: [hash, verbose] }, false)
        if (verbose !== true) return answer
        const header = answer as { height: number }
        const main = await node.chain.getEntry(header.height)
        return main?.rhash() === hash ? header : { ...header, confirmations: -1 }
      },
    ],
  ])
}

/** Without what waits in the mempool: a branch that does not hold what the other one held. */
async function emptyBlock(node: FullNode, tip: Parameters<FullNode['miner']['cpu']['mineBlock']>[0], address: unknown) {
  const cpu = node.miner.cpu as unknown as {
    createJob(tip: unknown, address: unknown): Promise<{ attempt: { refresh(): void } }>
    mineAsync(job: unknown): Promise<Awaited<ReturnType<typeof node.miner.cpu.mineBlock>>>
  }
  const job = await cpu.createJob(tip, address)
  Object.assign(job.attempt, { items: [], fees: 0 })
  job.attempt.refresh()
  return await cpu.mineAsync(job)
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const pieces: Buffer[] = []
  for await (const piece of request) pieces.push(piece as Buffer)
  return Buffer.concat(pieces).toString('utf8')
}

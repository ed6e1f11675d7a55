/**
 * An OpenTimestamps calendar on loopback that speaks the protocol of opentimestamps-server: POST /digest answers with the way from
 * the digest to its promise; `stamp` commits all that came in to the Bitcoin chain in one transaction; GET /timestamp/<commitment>
 * answers 404 while that is not in a block, then with the way to the block's Merkle root.
 */
import { createHash, createHmac, randomBytes } from 'node:crypto'
import { createServer } from 'node:http'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { branchOf } from '../../modules/verification/domain/bitcoin/merkle-branch.ts'
import { opReturns, readTransaction } from '../../modules/verification/domain/bitcoin/transaction.ts'
import type { Operation } from '../../modules/verification/domain/opentimestamps/operation.ts'
import { applyOperation } from '../../modules/verification/domain/opentimestamps/operation.ts'
import { treeOf } from '../../modules/verification/domain/opentimestamps/tree.ts'
import type { Attestation } from '../../modules/verification/domain/opentimestamps/tree.ts'
import { writeTimestamp } from '../../modules/verification/domain/opentimestamps/write-ots.ts'
import { payData } from '../bitcoin/pay-data.ts'
import type { Regtest } from '../bitcoin/start-regtest.ts'

/** Each wrong answer is the right one altered in one way, or something else altogether. */
export type CalendarBehaviour =
  | 'honest'
  | 'slow'
  | 'stalling_body'
  | 'huge'
  | 'error_500'
  | 'redirect'
  | 'garbage'
  | 'truncated'
  | 'stranger'
  | 'no_promise'
  | 'wrong_root'
  | 'wrong_height'
  | 'roundabout'
  | 'endless_way'

export type Calendar = {
  /** Without trailing slash. */
  readonly url: string
  /** `ip:port`, for settings that allow private addresses. */
  readonly address: string
  behave(behaviour: CalendarBehaviour): void
  /** Sends one transaction for all that came in since the last. @returns its id, as it is written */
  stamp(): Promise<string>
  requests(): number
  close(): Promise<void>
}

type Entry = { readonly commitment: string; way: readonly Operation[]; txid: string | null; raw: Buffer | null }

export async function startCalendar(regtest: Regtest): Promise<Calendar> {
  const key = randomBytes(32)
  const entries = new Map<string, Entry>()
  let behaviour: CalendarBehaviour = 'honest'
  let requests = 0
  let url = ''

  function submit(digest: Uint8Array): Uint8Array {
    // As upstream's aggregator and calendar: a nonce, then the time and an authentication code that only the calendar can make.
    const nonce = new Uint8Array(randomBytes(16))
    const time = new Uint8Array(4)
    new DataView(time.buffer).setUint32(0, Math.floor(Date.now() / 1000))
    const inner = new Uint8Array(createHash('sha256').update(digest).update(nonce).digest())
    const code = new Uint8Array(createHmac('sha256', key).update(time).update(inner).digest().subarray(0, 8))
    const way: Operation[] = [
      { op: 'append', data: nonce },
      { op: 'sha256' },
      { op: 'prepend', data: time },
      { op: 'append', data: code },
    ]
    const commitment = Buffer.concat([time, inner, code]).toString('hex')
    entries.set(commitment, { commitment, way: [], txid: null, raw: null })
    const uri = behaviour === 'stranger' ? 'http://127.0.0.1:9/' : url
    const end: Attestation[] =
      behaviour === 'no_promise'
        ? [{ kind: 'unknown', tag: new Uint8Array(8).fill(7), payload: new Uint8Array(3) }]
        : [{ kind: 'pending', uri }]
    return writeTimestamp(treeOf(digest, way, end))
  }

  async function upgrade(commitment: string): Promise<Uint8Array | null> {
    const entry = entries.get(commitment)
    if (entry?.txid == null || entry.raw === null) return null
    const place = (await regtest.call('gettransaction', entry.txid)) as { blockhash?: string; blockheight?: number }
    if (place.blockhash === undefined || place.blockheight === undefined) return null
    const block = (await regtest.call('getblock', place.blockhash, 1)) as { tx: readonly string[] }
    const txids = block.tx.map((txid) => new Uint8Array(Buffer.from(txid, 'hex').toReversed()))
    const transaction = readTransaction(entry.raw)
    const at = opReturns(transaction)[0]?.at
    if (at === undefined) throw new Error('the transaction carries nothing')
    const branch = branchOf(txids, block.tx.indexOf(entry.txid))
    const way: Operation[] = [
      ...entry.way,
      { op: 'prepend', data: transaction.stripped.slice(0, at) },
      { op: 'append', data: transaction.stripped.slice(at + 32) },
      { op: 'sha256' },
      { op: 'sha256' },
      ...branch.flatMap(({ side, hash }): Operation[] => [
        { op: side === 'left' ? 'prepend' : 'append', data: hash },
        { op: 'sha256' },
        { op: 'sha256' },
      ]),
    ]
    if (behaviour === 'wrong_root') way.push({ op: 'sha256' })
    // Right, and longer than it has to be.
    if (behaviour === 'roundabout') way.push({ op: 'reverse' }, { op: 'reverse' })
    if (behaviour === 'endless_way') way.push(...Array.from({ length: 200 }, (): Operation => ({ op: 'reverse' })))
    const height = place.blockheight - (behaviour === 'wrong_height' ? 1 : 0)
    return writeTimestamp(treeOf(new Uint8Array(Buffer.from(commitment, 'hex')), way, [{ kind: 'bitcoin', height }]))
  }

  const server = createServer((request, response) => {
    requests += 1
    serve(request, response).catch((error: unknown) => response.destroy(error as Error))
  })

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await bodyOf(request)
    const type = { 'content-type': 'application/vnd.opentimestamps.v1' }
    switch (behaviour) {
      // Neither is ever ended: close() cuts the connection.
      case 'slow':
        return
      case 'stalling_body':
        response.writeHead(200, type).write(Uint8Array.of(0xf0))
        return
      case 'huge': {
        const block = Buffer.alloc(65_536)
        response.on('drain', () => response.write(block))
        response.writeHead(200, type).write(block)
        return
      }
      case 'error_500':
        response.writeHead(500).end()
        return
      case 'redirect':
        response.writeHead(301, { location: 'http://127.0.0.1:9/digest' }).end()
        return
      case 'garbage':
        response.writeHead(200, type).end('<html>Service unavailable</html>')
        return
      default:
    }
    if (request.method === 'POST' && request.url === '/digest') {
      if (body.length === 0 || body.length > 64) response.writeHead(400).end('digest too long')
      else {
        const answer = submit(new Uint8Array(body))
        response.writeHead(200, type).end(behaviour === 'truncated' ? answer.subarray(0, -1) : answer)
      }
      return
    }
    const commitment = /^\/timestamp\/((?:[0-9a-f]{2}){1,64})$/.exec(request.url ?? '')?.[1]
    const answer = request.method === 'GET' && commitment !== undefined ? await upgrade(commitment) : null
    if (answer !== null) response.writeHead(200, type).end(behaviour === 'truncated' ? answer.subarray(0, -1) : answer)
    else
      response
        .writeHead(404, { 'content-type': 'text/plain' })
        .end(commitment !== undefined && entries.has(commitment) ? 'Pending confirmation in Bitcoin blockchain' : 'Not found')
  }

  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const listening = server.address()
  if (listening === null || typeof listening === 'string') throw new Error('no port')
  url = `http://127.0.0.1:${listening.port}`

  return {
    url,
    address: `127.0.0.1:${listening.port}`,
    behave(next) {
      behaviour = next
    },
    async stamp() {
      const fresh = [...entries.values()].filter((entry) => entry.txid === null)
      if (fresh.length === 0) throw new Error('nothing came in')
      const tip = aggregate(fresh)
      const { txid, raw } = await payData(regtest, tip)
      for (const entry of fresh) Object.assign(entry, { txid, raw })
      return txid
    },
    requests: () => requests,
    async close() {
      server.closeAllConnections()
      await new Promise<void>((resolve) => server.close(() => resolve()))
    },
  }
}

/** Hashes the commitments two by two (upstream's `make_merkle_tree`) and notes on each its way to the tip. */
function aggregate(entries: readonly Entry[]): Uint8Array {
  type Node = { readonly message: Uint8Array; readonly leaves: readonly Entry[] }
  const extend = (leaves: readonly Entry[], ...more: Operation[]) => {
    for (const leaf of leaves) leaf.way = [...leaf.way, ...more]
  }
  let row: Node[] = entries.map((entry) => {
    entry.way = [{ op: 'sha256' }]
    const message = applyOperation({ op: 'sha256' }, new Uint8Array(Buffer.from(entry.commitment, 'hex')))
    return { message, leaves: [entry] }
  })
  while (row.length > 1) {
    const above: Node[] = []
    for (let i = 0; i < row.length; i += 2) {
      const [left, right] = [row[i], row[i + 1]]
      if (left === undefined) continue
      if (right === undefined) {
        above.push(left)
        continue
      }
      extend(left.leaves, { op: 'append', data: right.message }, { op: 'sha256' })
      extend(right.leaves, { op: 'prepend', data: left.message }, { op: 'sha256' })
      const message = new Uint8Array(createHash('sha256').update(left.message).update(right.message).digest())
      above.push({ message, leaves: [...left.leaves, ...right.leaves] })
    }
    row = above
  }
  const [top] = row
  if (top === undefined) throw new RangeError('nothing to commit to')
  return top.message
}

async function bodyOf(request: IncomingMessage): Promise<Buffer> {
  const pieces: Buffer[] = []
  for await (const piece of request) pieces.push(piece as Buffer)
  return Buffer.concat(pieces)
}

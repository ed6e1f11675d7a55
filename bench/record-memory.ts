/**
 * Peak memory and time of reading a 500 MB body out of recorded TLS, and of archiving it: `node --expose-gc bench/record-memory.ts [MB]`.
 * The bytes are recorded to a file first; only the reading is measured.
 */
import { createHash } from 'node:crypto'
import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, mkdtempSync, openSync, readFileSync, readSync, rmSync, writeSync } from 'node:fs'
import { createServer, request } from 'node:https'
import type { IncomingMessage } from 'node:http'
import { connect, createServer as createRelay } from 'node:net'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TLSSocket } from 'node:tls'
import { reconstructExchanges, writeWacz } from '../modules/capture/server/record/index.ts'

const megabytes = Number(process.argv[2] ?? 500)
const folder = mkdtempSync(join(tmpdir(), 'probant-bench-record-'))
execFileSync(
  'openssl',
  [
    'req',
    '-x509',
    '-newkey',
    'rsa:2048',
    '-nodes',
    '-keyout',
    join(folder, 'key'),
    '-out',
    join(folder, 'cert'),
    '-subj',
    '/CN=x',
  ],
  { stdio: 'ignore' },
)
const block = createHash('shake256', { outputLength: 1 << 20 })
  .update('seed')
  .digest()
const served = createHash('sha256')
const server = createServer(
  { key: readFileSync(join(folder, 'key')), cert: readFileSync(join(folder, 'cert')) },
  (_, response) => {
    const send = (left: number): void => {
      if (left === 0) return void response.end()
      served.update(block)
      if (response.write(block)) setImmediate(send, left - 1)
      else response.once('drain', () => send(left - 1))
    }
    response.setHeader('Content-Type', 'application/octet-stream')
    send(megabytes)
  },
)
server.listen(0, '127.0.0.1')
await once(server, 'listening')
const record = openSync(join(folder, 'record'), 'w+')
const index: { at: number; from: 'client' | 'server'; offset: number; length: number }[] = []
let size = 0
const keep = (from: 'client' | 'server', bytes: Buffer): void => {
  index.push({ at: Date.now(), from, offset: size, length: bytes.length })
  size += writeSync(record, bytes)
}
const relay = createRelay((client) => {
  const origin = connect((server.address() as AddressInfo).port, '127.0.0.1')
  client.on('data', (bytes: Buffer) => keep('client', bytes))
  origin.on('data', (bytes: Buffer) => keep('server', bytes))
  client.pipe(origin)
  origin.pipe(client)
  client.on('error', () => origin.destroy())
})
relay.listen(0, '127.0.0.1')
await once(relay, 'listening')
let keyLog = ''
const asked = request({ host: '127.0.0.1', port: (relay.address() as AddressInfo).port, rejectUnauthorized: false, agent: false })
asked.on('socket', (socket) => (socket as TLSSocket).on('keylog', (line: Buffer) => (keyLog += line.toString())))
asked.end()
const [answer] = (await once(asked, 'response')) as [IncomingMessage]
answer.resume()
await once(answer, 'end')
server.closeAllConnections()
server.close()
relay.close()
globalThis.gc?.()
const before = process.memoryUsage.rss()
let peak = before
const watch = (): void => void (peak = Math.max(peak, process.memoryUsage.rss()))
const timer = setInterval(watch, 20)
const started = performance.now()
const reading = await reconstructExchanges({
  keyLog,
  spoolDir: join(folder, 'spool'),
  connections: [
    {
      id: 'conn-1',
      host: 'localhost',
      port: 443,
      remote_address: '127.0.0.1',
      remote_port: 443,
      opened_at: Date.now(),
      cut: null,
      async *chunks() {
        for (const { at, from, offset, length } of index) {
          const bytes = Buffer.allocUnsafe(length)
          readSync(record, bytes, 0, length, offset)
          watch()
          yield { at, from, bytes }
        }
      },
    },
  ],
})
const read = performance.now()
await writeWacz({
  exchanges: reading.exchanges,
  pages: [],
  created: new Date(),
  software: 'bench',
  outFile: join(folder, 'x.wacz'),
  workDir: folder,
})
const archived = performance.now()
clearInterval(timer)
watch()
console.log(
  JSON.stringify({
    megabytes,
    identical: reading.exchanges[0]?.response?.body.entity_sha256 === served.digest('hex'),
    losses: reading.losses,
    read_seconds: (read - started) / 1000,
    archive_seconds: (archived - read) / 1000,
    rss_before_mb: Math.round(before / 2 ** 20),
    rss_growth_mb: Math.round((peak - before) / 2 ** 20),
  }),
)
closeSync(record)
rmSync(folder, { recursive: true, force: true })

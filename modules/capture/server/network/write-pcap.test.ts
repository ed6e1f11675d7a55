import { execFile } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import { mkdtemp, readdir, readFile, rm, truncate, writeFile } from 'node:fs/promises'
import { createServer as createHttpServer } from 'node:http'
import { createServer as createHttpsServer } from 'node:https'
import { connect, type AddressInfo, type Server, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { connect as connectTls } from 'node:tls'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { systemClock } from '../../../../kernel/clock.ts'
import { silentLog } from '../../../../platform/log/log.ts'
import { defaultTunnelLimits, startTunnel, writePcap, type Tunnel } from './index.ts'

const run = promisify(execFile)
const tshark = async (...args: string[]): Promise<string> =>
  (
    await run('tshark', ['-r', pcap, '-o', 'tcp.check_checksum:TRUE', '-o', 'ip.check_checksum:TRUE', '-n', ...args], {
      maxBuffer: 512 * 1024 * 1024,
    })
  ).stdout
const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')

let dir = ''
let pcap = ''
let keys = ''
let tunnel: Tunnel
const servers: Server[] = []
const plainBody = randomBytes(700_001)
const secretBody = randomBytes(2_000_003)
const upload = randomBytes(300_000)
const checkpoints: { sha256: string; bytes: number }[] = []

async function listen(server: Server, host: string): Promise<number> {
  servers.push(server)
  await new Promise<void>((resolve) => server.listen(0, host, resolve))
  return (server.address() as AddressInfo).port
}

async function through(socketPath: string, text: string): Promise<Socket> {
  const socket = connect(socketPath)
  await new Promise((resolve) => socket.once('connect', resolve))
  socket.write(text)
  return socket
}

async function readAll(socket: AsyncIterable<unknown>): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of socket) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks)
}

beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'pcap-'))
  pcap = join(dir, 'network.pcap')
  keys = join(dir, 'keys.log')
  await run('openssl', [
    'req',
    '-x509',
    '-newkey',
    'ec',
    '-pkeyopt',
    'ec_paramgen_curve:P-256',
    '-nodes',
    '-keyout',
    join(dir, 'k.pem'),
    '-out',
    join(dir, 'c.pem'),
    '-days',
    '2',
    '-subj',
    '/CN=tls.test',
    '-addext',
    'subjectAltName=DNS:tls.test',
  ])
  const cert = await readFile(join(dir, 'c.pem'))
  const plain = await listen(
    createHttpServer((_incoming, response) => response.setHeader('connection', 'close').end(plainBody)),
    '127.0.0.1',
  )
  const plain6 = await listen(
    createHttpServer((_incoming, response) => response.setHeader('connection', 'close').end(plainBody)),
    '::1',
  )
  const secret = await listen(
    createHttpsServer({ key: await readFile(join(dir, 'k.pem')), cert }, (incoming, response) => {
      incoming.resume().on('end', () => response.setHeader('connection', 'close').end(secretBody))
    }),
    '127.0.0.1',
  )
  const socketPath = join(dir, 'out.sock')
  tunnel = await startTunnel({
    socketPath,
    recordDir: join(dir, 'record'),
    resolver: { resolve: () => Promise.resolve({ addresses: [{ address: '127.0.0.1', ttl: 60 }], servers: ['192.0.2.53'] }) },
    allowAddresses: [`127.0.0.1:${plain}`, `127.0.0.1:${secret}`, `[::1]:${plain6}`],
    ownAddresses: [],
    limits: defaultTunnelLimits,
    clock: systemClock,
    log: silentLog,
    signal: new AbortController().signal,
  })
  await readAll(await through(socketPath, `GET http://127.0.0.1:${plain}/p HTTP/1.1\r\nHost: 127.0.0.1:${plain}\r\n\r\n`))
  checkpoints.push(tunnel.checkpoint())
  await readAll(await through(socketPath, `GET http://[::1]:${plain6}/six HTTP/1.1\r\nHost: [::1]:${plain6}\r\n\r\n`))
  // Two TLS exchanges at a time, so that the streams interleave; one under another name than was asked for.
  await Promise.all(
    ['tls.test', 'other.test'].map(async (name) => {
      const raw = await through(socketPath, `CONNECT ${name}:${secret} HTTP/1.1\r\nHost: ${name}:${secret}\r\n\r\n`)
      await new Promise((resolve) => raw.once('data', resolve))
      const socket = connectTls({ socket: raw, servername: 'tls.test', ca: cert })
      socket.on('keylog', (line: Buffer) => void writeFile(keys, line, { flag: 'a' }))
      socket.write(`POST /s HTTP/1.1\r\nHost: tls.test\r\nContent-Length: ${upload.length}\r\n\r\n`)
      socket.write(upload)
      await readAll(socket)
    }),
  )
  await tunnel.close()
  checkpoints.push(tunnel.checkpoint())
  await writePcap({ records: tunnel.connections(), outFile: pcap })
})

afterAll(async () => {
  for (const server of servers) server.close()
  await rm(dir, { recursive: true, force: true })
})

test('tshark finds nothing malformed, no wrong checksum and nothing odd in the TCP of the PCAP', async () => {
  expect(
    await tshark(
      '-Y',
      '_ws.malformed || tcp.analysis.flags || tcp.checksum.status != 1 || ip.checksum.status == 0 || _ws.expert.severity >= 0x600000',
    ),
  ).toBe('')
  const syns = await tshark(
    '-Y',
    'tcp.flags.syn == 1 && tcp.flags.ack == 0',
    '-T',
    'fields',
    ...['tcp.stream', 'ip.dst', 'ipv6.dst', 'ip.src', 'ipv6.src'].flatMap((field) => ['-e', field]),
  )
  expect(syns.split('\n').slice(0, -1)).toEqual([
    '0\t127.0.0.1\t\t192.0.2.1\t',
    '1\t\t::1\t\t2001:db8::1',
    '2\t127.0.0.1\t\t192.0.2.1\t',
    '3\t127.0.0.1\t\t192.0.2.1\t',
  ])
  // Two passes: handshake, data and FIN of every connection (31) are seen at their end only.
  expect(new Set((await tshark('-2', '-T', 'fields', '-e', 'tcp.completeness')).trim().split(/\n/))).toEqual(new Set(['31']))
})

test('tshark exports the plain-HTTP bodies, IPv4 and IPv6, identical by SHA-256', async () => {
  await tshark('--export-objects', `http,${join(dir, 'plain')}`, '-Q')
  const files = await readdir(join(dir, 'plain'))
  expect(files.toSorted()).toEqual(['p', 'six'])
  for (const file of files) expect(sha256(await readFile(join(dir, 'plain', file)))).toBe(sha256(plainBody))
})

test('tshark, given the TLS keys, exports the decrypted bodies identical by SHA-256', async () => {
  await tshark('-o', `tls.keylog_file:${keys}`, '--export-objects', `http,${join(dir, 'secret')}`, '-Q', '-Y', 'tls')
  const hashes = await Promise.all(
    (await readdir(join(dir, 'secret'))).map(async (file) => sha256(await readFile(join(dir, 'secret', file)))),
  )
  expect(hashes.filter((hash) => hash === sha256(secretBody))).toHaveLength(2)
})

test('the server name of the ClientHello is read, and tshark reads the same', async () => {
  expect(
    tunnel
      .connections()
      .slice(2)
      .map(({ host, sni, sni_mismatch }) => ({ host, sni, sni_mismatch }))
      .toSorted((a, b) => (a.host < b.host ? -1 : 1)),
  ).toEqual([
    { host: 'other.test', sni: 'tls.test', sni_mismatch: true },
    { host: 'tls.test', sni: 'tls.test', sni_mismatch: false },
  ])
  expect(
    await tshark('-Y', 'tls.handshake.extensions_server_name', '-T', 'fields', '-e', 'tls.handshake.extensions_server_name'),
  ).toBe('tls.test\ntls.test\n')
  expect(tunnel.dnsAnswers()).toMatchObject([
    {
      name: 'tls.test',
      addresses: [{ address: '127.0.0.1', family: 4, ttl: 60, global: false }],
      servers: ['192.0.2.53'],
      error: null,
    },
    { name: 'other.test' },
  ])
})

test('the rolling hash, at its end and in the middle, comes out of the PCAP alone', async () => {
  const rows = (await tshark('-Y', 'tcp.len > 0', '-T', 'fields', '-e', 'tcp.stream', '-e', 'tcp.dstport', '-e', 'tcp.payload'))
    .trim()
    .split('\n')
  const ports = new Map(tunnel.connections().map(({ stream, port }) => [stream, port]))
  const hashOf = (bytes: number): string => {
    const hash = createHash('sha256')
    let run = { key: '', count: 0 }
    let left = bytes
    const end = (): void => {
      const count = Buffer.alloc(8)
      count.writeBigUInt64BE(BigInt(run.count))
      if (run.count > 0) hash.update(count)
    }
    for (const row of rows) {
      const [stream = '', target = '', hex = ''] = row.split('\t')
      const direction = Number(target) === ports.get(Number(stream)) ? 1 : 2
      const payload = Buffer.from(hex, 'hex').subarray(0, left)
      if (payload.length === 0) break
      if (run.key !== `${stream}/${direction}`) {
        end()
        run = { key: `${stream}/${direction}`, count: 0 }
        hash.update(Buffer.from([0, 0, 0, Number(stream), direction]))
      }
      hash.update(payload)
      run.count += payload.length
      left -= payload.length
    }
    end()
    return hash.digest('hex')
  }
  expect(checkpoints).toHaveLength(2)
  for (const { sha256: said, bytes } of checkpoints) expect(hashOf(bytes)).toBe(said)
})

test('the same record gives the same file; a damaged record gives an error and no file', async () => {
  const again = join(dir, 'again.pcap')
  await writePcap({ records: tunnel.connections(), outFile: again })
  expect((await readFile(again)).equals(await readFile(pcap))).toBe(true)
  await rm(again)
  const damaged = join(dir, 'damaged.bin')
  await writeFile(damaged, 'PBTCONN1' + '\u0000'.repeat(12) + '\t' + '\u0000'.repeat(7))
  const [first] = tunnel.connections()
  if (first === undefined) throw new Error('no connection')
  await expect(writePcap({ records: [{ ...first, file: damaged }], outFile: again })).rejects.toThrow(RangeError)
  expect((await readdir(dir)).filter((name) => name.startsWith('again'))).toEqual([])
})

test('a record cut short by a crash gives the frames before the cut', async () => {
  const [first] = tunnel.connections()
  if (first === undefined || first.file === null) throw new Error('no connection')
  const cut = join(dir, 'cut.bin')
  await writeFile(cut, await readFile(first.file))
  await truncate(cut, 100_000)
  const out = join(dir, 'cut.pcap')
  expect((await writePcap({ records: [{ ...first, file: cut }], outFile: out })).packets).toBeGreaterThan(10)
  expect((await run('tshark', ['-r', out, '-Y', '_ws.malformed || tcp.analysis.flags'])).stdout).toBe('')
})

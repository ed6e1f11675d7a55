import { createHash, randomBytes } from 'node:crypto'
import { mkdtemp, readdir, rm, stat } from 'node:fs/promises'
import { createServer as createHttpServer, request, type IncomingMessage, type RequestListener } from 'node:http'
import { connect, createServer as createTcpServer, type AddressInfo, type Server, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { systemClock } from '../../../../kernel/clock.ts'
import { silentLog } from '../../../../platform/log/log.ts'
import { computeRollingHash } from './compute-rolling-hash.ts'
import { defaultTunnelLimits, readRecordFile, startTunnel, type NameResolver, type Tunnel, type TunnelLimits } from './index.ts'

const cleanups: (() => unknown)[] = []
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).toReversed()) await cleanup()
})

const noNames: NameResolver = {
  resolve: () => Promise.reject(Object.assign(new Error('no such name'), { code: 'ENOTFOUND' })),
}

async function listen(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  cleanups.push(() => new Promise((resolve) => server.close(resolve)))
  return (server.address() as AddressInfo).port
}

async function serve(listener: RequestListener): Promise<number> {
  const server = createHttpServer(listener)
  const port = await listen(server)
  cleanups.push(() => server.closeAllConnections())
  return port
}

async function tunnelTo(
  ports: readonly number[],
  options: { resolver?: NameResolver; limits?: Partial<TunnelLimits> } = {},
): Promise<{ tunnel: Tunnel; socketPath: string; recordDir: string }> {
  const dir = await mkdtemp(join(tmpdir(), 'tunnel-'))
  const socketPath = join(dir, 'out.sock')
  const recordDir = join(dir, 'record')
  const tunnel = await startTunnel({
    socketPath,
    recordDir,
    resolver: options.resolver ?? noNames,
    allowAddresses: ports.map((port) => `127.0.0.1:${port}`),
    ownAddresses: [],
    limits: { ...defaultTunnelLimits, ...options.limits },
    clock: systemClock,
    log: silentLog,
    signal: new AbortController().signal,
  })
  cleanups.push(
    () => rm(dir, { recursive: true, force: true }),
    () => tunnel.close(),
  )
  return { tunnel, socketPath, recordDir }
}

async function open(socketPath: string): Promise<Socket> {
  const socket = connect(socketPath)
  cleanups.push(() => socket.destroy())
  await new Promise((resolve) => socket.once('connect', resolve))
  return socket
}

/** Sends raw bytes and gives back everything until the tunnel ends the connection. */
async function exchange(socketPath: string, bytes: string): Promise<string> {
  const socket = await open(socketPath)
  const chunks: Buffer[] = []
  socket.on('data', (chunk: Buffer) => chunks.push(chunk))
  socket.on('error', () => undefined)
  const closed = new Promise((resolve) => socket.once('close', resolve))
  socket.write(bytes, 'latin1')
  await closed
  return Buffer.concat(chunks).toString('latin1')
}

async function connectThrough(socketPath: string, authority: string): Promise<Socket> {
  const socket = await open(socketPath)
  socket.write(`CONNECT ${authority} HTTP/1.1\r\nHost: ${authority}\r\n\r\n`)
  const head = await new Promise<string>((resolve) => socket.once('data', (chunk: Buffer) => resolve(chunk.toString('latin1'))))
  expect(head.slice(0, 39)).toBe('HTTP/1.1 200 Connection Established\r\n\r\n')
  return socket
}

async function recorded(tunnel: Tunnel, index = 0): Promise<{ client: Buffer; server: Buffer; kinds: string[] }> {
  const file = tunnel.connections()[index]?.file
  if (file === undefined || file === null) throw new Error('nothing was recorded')
  const sides = { client: [] as Uint8Array[], server: [] as Uint8Array[] }
  const kinds: string[] = []
  for await (const frame of readRecordFile(file)) {
    if (frame.kind === 'client' || frame.kind === 'server') sides[frame.kind].push(frame.bytes)
    if (kinds.at(-1) !== frame.kind) kinds.push(frame.kind)
  }
  return { client: Buffer.concat(sides.client), server: Buffer.concat(sides.server), kinds }
}

const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')
const closedEvent = (tunnel: Tunnel): Promise<unknown> => new Promise((resolve) => tunnel.events.once('closed', resolve))

test('CONNECT: bytes of both directions pass unaltered and are kept whole', async () => {
  const sent = randomBytes(3_000_000)
  const answer = randomBytes(5_000_000)
  let got = Buffer.alloc(0)
  const server = createTcpServer({ allowHalfOpen: true }, (socket) => {
    const chunks: Buffer[] = []
    socket.on('data', (chunk: Buffer) => chunks.push(chunk))
    socket.on('end', () => {
      got = Buffer.concat(chunks)
      socket.end(answer)
    })
  })
  const port = await listen(server)
  const { tunnel, socketPath, recordDir } = await tunnelTo([port])
  expect((await stat(socketPath)).mode & 0o777).toBe(0o600)
  const socket = await connectThrough(socketPath, `127.0.0.1:${port}`)
  const closed = closedEvent(tunnel)
  const chunks: Buffer[] = []
  socket.on('data', (chunk: Buffer) => chunks.push(chunk))
  socket.end(sent)
  await closed
  expect(sha256(got)).toBe(sha256(sent))
  expect(sha256(Buffer.concat(chunks))).toBe(sha256(answer))
  const record = await recorded(tunnel)
  expect(sha256(record.client)).toBe(sha256(sent))
  expect(sha256(record.server)).toBe(sha256(answer))
  expect(record.kinds).toEqual(['client', 'client_end', 'server', 'server_end'])
  expect(tunnel.connections()[0]).toMatchObject({
    id: 'conn-0001',
    stream: 0,
    kind: 'connect',
    state: 'closed',
    host: '127.0.0.1',
    port,
    remote_address: '127.0.0.1',
    remote_port: port,
    allowed_exception: true,
    bytes_sent: sent.length,
    bytes_received: answer.length,
    sni: null,
    refusal: null,
    cut: null,
    ended_by: 'client',
  })
  expect(tunnel.totals()).toEqual({
    requests: 1,
    opened: 1,
    refused: 0,
    open: 0,
    bytes_sent: sent.length,
    bytes_received: answer.length,
  })
  expect(tunnel.rollingHash()).toBe(await computeRollingHash(tunnel.connections()))
  await tunnel.close()
  expect(await readdir(join(recordDir, '..'))).toEqual(['record'])
})

test('plain HTTP: the origin gets the head in origin form, everything else untouched, and that is what is recorded', async () => {
  const heads: string[] = []
  const port = await listen(
    createTcpServer((socket) => {
      socket.on('error', () => undefined)
      socket.on('data', (chunk: Buffer) => {
        heads.push(chunk.toString('latin1'))
        socket.write('HTTP/1.1 200 Yes  Indeed\r\nX-ODD:  1\r\nContent-Length: 2\r\n\r\nok')
      })
    }),
  )
  const { tunnel, socketPath } = await tunnelTo([port])
  const socket = await open(socketPath)
  const answer = (): Promise<string> =>
    new Promise((resolve) => socket.once('data', (chunk: Buffer) => resolve(chunk.toString('latin1'))))
  const first = answer()
  socket.write(
    `POST http://127.0.0.1:${port}/a?b=%20 HTTP/1.1\r\nhOsT: 127.0.0.1:${port}\r\nProxy-Connection: keep-alive\r\nX-A:  two  spaces \r\nContent-Length: 5\r\n\r\nhello`,
  )
  expect(await first).toBe('HTTP/1.1 200 Yes  Indeed\r\nX-ODD:  1\r\nContent-Length: 2\r\n\r\nok')
  const second = answer()
  socket.write(`GET http://127.0.0.1:${port} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\n\r\n`)
  await second
  const closed = closedEvent(tunnel)
  socket.end()
  await closed
  const wire = `POST /a?b=%20 HTTP/1.1\r\nhOsT: 127.0.0.1:${port}\r\nX-A:  two  spaces \r\nContent-Length: 5\r\n\r\nhelloGET / HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\n\r\n`
  expect(heads.join('')).toBe(wire)
  expect((await recorded(tunnel)).client.toString('latin1')).toBe(wire)
  expect(tunnel.connections()).toHaveLength(1)
})

test('plain HTTP through the standard client: chunked upload, large answer, kept-alive connection', async () => {
  const body = randomBytes(2_000_000)
  const port = await serve((incoming, response) => {
    incoming.pipe(response)
  })
  const { tunnel, socketPath } = await tunnelTo([port])
  const outgoing = request({
    socketPath,
    path: `http://127.0.0.1:${port}/echo`,
    method: 'POST',
    headers: { host: `127.0.0.1:${port}` },
  })
  const answered = new Promise<IncomingMessage>((resolve, reject) => outgoing.once('response', resolve).once('error', reject))
  outgoing.end(body)
  const chunks: Buffer[] = []
  for await (const chunk of await answered) chunks.push(chunk as Buffer)
  expect(sha256(Buffer.concat(chunks))).toBe(sha256(body))
  expect(tunnel.connections()[0]?.kind).toBe('http')
})

test('refusals say why to the browser and in the record', async () => {
  const closedPort = await listen(createTcpServer())
  await cleanups.pop()?.()
  const { tunnel, socketPath } = await tunnelTo([closedPort], { limits: { requests: 6 } })
  const ask = async (target: string): Promise<string> => {
    const text = await exchange(socketPath, `CONNECT ${target} HTTP/1.1\r\nHost: ${target}\r\n\r\n`)
    expect(text).toMatch(/^HTTP\/1\.1 403 /)
    return /Probant-Refused: (\S+)/.exec(text)?.[1] ?? ''
  }
  expect(await ask('10.0.0.1:443')).toBe('private_address')
  expect(await ask('nowhere.example:443')).toBe('unknown_host')
  expect(await ask('nowhere.example:25')).toBe('port_refused')
  expect(await ask(`127.0.0.1:${closedPort}`)).toBe('connection_refused')
  expect(await ask(`localhost:${closedPort}`)).toBe('connection_refused')
  const plain = await exchange(socketPath, 'GET http://192.168.1.1/ HTTP/1.1\r\nHost: 192.168.1.1\r\n\r\n')
  expect(plain).toMatch(/^HTTP\/1\.1 403 .*Probant-Refused: private_address\r\n.*Content-Length: 0\r\n.*\r\n\r\n$/s)
  expect(await ask('8.8.8.8:443')).toBe('too_large')
  expect(tunnel.connections().map(({ refusal }) => refusal?.reason)).toEqual([
    'private_use',
    'ENOTFOUND',
    '25',
    'ECONNREFUSED',
    'ECONNREFUSED',
    'private_use',
    'requests',
  ])
  expect(tunnel.totals()).toMatchObject({ requests: 7, opened: 0, refused: 7 })
  expect(tunnel.rollingHash()).toBe(sha256(Buffer.alloc(0)))
})

test.each([
  ['two lengths', 'POST http://ORIGIN/ HTTP/1.1\r\nHost: ORIGIN\r\nContent-Length: 1\r\nContent-Length: 1\r\n\r\nx'],
  [
    'length and chunked',
    'POST http://ORIGIN/ HTTP/1.1\r\nHost: ORIGIN\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
  ],
  ['odd coding', 'POST http://ORIGIN/ HTTP/1.1\r\nHost: ORIGIN\r\nTransfer-Encoding: xchunked\r\n\r\n0\r\n\r\n'],
  ['space before the colon', 'GET http://ORIGIN/ HTTP/1.1\r\nHost : ORIGIN\r\n\r\n'],
  ['folded field', 'GET http://ORIGIN/ HTTP/1.1\r\nHost: ORIGIN\r\nX: a\r\n b\r\n\r\n'],
  ['bare LF', 'GET http://ORIGIN/ HTTP/1.1\r\nHost: ORIGIN\nX: a\r\n\r\n'],
  ['other Host', 'GET http://ORIGIN/ HTTP/1.1\r\nHost: other.example\r\n\r\n'],
  ['two Hosts', 'GET http://ORIGIN/ HTTP/1.1\r\nHost: ORIGIN\r\nHost: ORIGIN\r\n\r\n'],
  ['credentials', 'GET http://a:b@ORIGIN/ HTTP/1.1\r\nHost: ORIGIN\r\n\r\n'],
  ['origin form', 'GET / HTTP/1.1\r\nHost: ORIGIN\r\n\r\n'],
  ['https in absolute form', 'GET https://ORIGIN/ HTTP/1.1\r\nHost: ORIGIN\r\n\r\n'],
  ['CONNECT with a body', 'CONNECT ORIGIN HTTP/1.1\r\nHost: ORIGIN\r\nContent-Length: 1\r\n\r\nx'],
  ['endless head', `GET http://ORIGIN/ HTTP/1.1\r\nX: ${'a'.repeat(70_000)}`],
])('a request that could be read in two ways is refused: %s', async (_, text) => {
  let hits = 0
  const port = await serve((_incoming, response) => {
    hits += 1
    response.end()
  })
  const { tunnel, socketPath } = await tunnelTo([port], { limits: { headBytes: 65_536 } })
  const answer = await exchange(socketPath, text.replaceAll('ORIGIN', `127.0.0.1:${port}`))
  expect(answer).toMatch(/^HTTP\/1\.1 403 .*\r\nProbant-Refused: unparseable_address\r\n/)
  expect(hits).toBe(0)
  expect(tunnel.totals().opened).toBe(0)
})

test.each([
  ['bytes_per_connection', { bytesPerConnection: 400_000 }],
  ['bytes_total', { bytesTotal: 400_000 }],
] as const)('a connection past %s is ended, and the record says so and holds exactly what was passed', async (cut, limits) => {
  const port = await serve((_incoming, response) => response.end(Buffer.alloc(3_000_000)))
  const { tunnel, socketPath } = await tunnelTo([port], { limits })
  const closed = closedEvent(tunnel)
  await exchange(socketPath, `GET http://127.0.0.1:${port}/ HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\n\r\n`)
  await closed
  const [record] = tunnel.connections()
  expect(record).toMatchObject({ cut, ended_by: 'tunnel', state: 'closed' })
  const bytes = await recorded(tunnel)
  expect(bytes.client.length + bytes.server.length).toBeLessThanOrEqual(400_000)
  expect(bytes.server.length).toBe(record?.bytes_received)
})

test('a silent connection ends at the idle limit, a request that never comes as well', async () => {
  const port = await serve(() => undefined)
  const { tunnel, socketPath } = await tunnelTo([port], { limits: { idleTimeoutMs: 60 } })
  const closed = closedEvent(tunnel)
  expect(await exchange(socketPath, `GET http://127.0.0.1:${port}/ HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\n\r\n`)).toBe('')
  await closed
  expect(tunnel.connections()[0]?.cut).toBe('idle_timeout')
  expect(await exchange(socketPath, 'GET http')).toBe('')
  expect(tunnel.connections()).toHaveLength(1)
})

test('a browser that does not read holds its origin back, and gets everything once it reads', async () => {
  const total = 96 * 1024 * 1024
  const port = await serve((incoming, response) => {
    if (incoming.url !== '/endless') {
      incoming.pipe(response)
      return
    }
    const block = Buffer.alloc(65_536)
    let left = total
    const fill = (): void => {
      while (left > 0) {
        left -= block.length
        if (!response.write(block)) return
      }
      response.end()
    }
    response.on('drain', fill)
    fill()
  })
  const { tunnel, socketPath } = await tunnelTo([port])
  const idle = await open(socketPath)
  idle.write(`GET http://127.0.0.1:${port}/endless HTTP/1.0\r\n\r\n`)
  await new Promise((resolve) => idle.once('readable', resolve))
  // Meanwhile another connection moves 64 MiB: without back-pressure the first would have swallowed as much.
  const outgoing = request({
    socketPath,
    path: `http://127.0.0.1:${port}/`,
    method: 'POST',
    headers: { host: `127.0.0.1:${port}` },
  })
  const answered = new Promise<IncomingMessage>((resolve, reject) => outgoing.once('response', resolve).once('error', reject))
  outgoing.end(Buffer.alloc(64 * 1024 * 1024))
  let echoed = 0
  for await (const chunk of await answered) echoed += (chunk as Buffer).length
  expect(echoed).toBe(64 * 1024 * 1024)
  expect(tunnel.connections()[0]?.bytes_received).toBeLessThan(16 * 1024 * 1024)
  let got = 0
  for await (const chunk of idle) got += (chunk as Buffer).length
  expect(got).toBeGreaterThanOrEqual(total)
})

test('closing the tunnel ends what is open, keeps what passed, and can be done twice', async () => {
  const port = await serve((_incoming, response) => {
    response.write('begun')
  })
  const { tunnel, socketPath } = await tunnelTo([port])
  const socket = await open(socketPath)
  socket.write(`GET http://127.0.0.1:${port}/ HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\n\r\n`)
  await new Promise((resolve) => socket.once('data', resolve))
  await Promise.all([tunnel.close(), tunnel.close()])
  expect(tunnel.connections()[0]).toMatchObject({ state: 'closed', cut: 'session_closed', ended_by: 'tunnel' })
  expect((await recorded(tunnel)).server.toString('latin1')).toContain('begun')
  const late = connect(socketPath)
  expect(await new Promise<NodeJS.ErrnoException>((resolve) => late.once('error', resolve))).toMatchObject({ code: 'ENOENT' })
})

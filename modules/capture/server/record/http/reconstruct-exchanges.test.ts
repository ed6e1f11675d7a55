import { createHash, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer as createHttpServer, request as httpRequest } from 'node:http'
import type { IncomingMessage, RequestListener } from 'node:http'
import { connect as connectHttp2, createSecureServer } from 'node:http2'
import type { ServerHttp2Stream } from 'node:http2'
import { createServer as createHttpsServer, request as httpsRequest } from 'node:https'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { brotliCompressSync, gzipSync, zstdCompressSync } from 'node:zlib'
import type { Server } from 'node:net'
import type { TLSSocket } from 'node:tls'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { RecordReading } from '../exchange/exchange.ts'
import { readContent, readEntity } from '../exchange/read-body.ts'
import { reconstructExchanges } from './reconstruct-exchanges.ts'
import { startRecordingProxy } from '../recording-proxy.fixture.ts'
import { createTlsIdentity } from '../tls-identity.fixture.ts'
import type { TlsIdentity } from '../tls-identity.fixture.ts'

const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')
const body = randomBytes(300_000)

let spoolDir = ''
let rsa: TlsIdentity
let ec: TlsIdentity
beforeAll(() => {
  spoolDir = mkdtempSync(join(tmpdir(), 'probant-record-'))
  rsa = createTlsIdentity('rsa')
  ec = createTlsIdentity('ec')
})
afterAll(() => rmSync(spoolDir, { recursive: true, force: true }))

const listen = async (server: Server): Promise<number> => {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return (server.address() as AddressInfo).port
}

const drain = async (message: IncomingMessage): Promise<Buffer> => {
  const parts: Buffer[] = []
  for await (const part of message) parts.push(part as Buffer)
  return Buffer.concat(parts)
}

const answer: RequestListener = (request, response) => {
  response.setHeader('X-Mixed-CASE', ['one', 'two'])
  if (request.url === '/chunked') {
    response.setHeader('Trailer', 'X-End')
    response.write(body.subarray(0, 1000))
    response.write(body.subarray(1000))
    response.addTrailers({ 'X-End': 'yes' })
    response.end()
    return
  }
  if (request.url === '/empty') {
    response.writeHead(204).end()
    return
  }
  response.setHeader('Content-Length', body.length)
  response.end(request.method === 'HEAD' ? undefined : body)
}

type TlsCase = {
  readonly name: string
  readonly version: 'TLSv1.2' | 'TLSv1.3'
  readonly ciphers: string
  readonly identity: 'rsa' | 'ec'
  readonly iana: string
}

const tlsCases: readonly TlsCase[] = [
  ['TLSv1.3', 'TLS_AES_128_GCM_SHA256', 'rsa', 'TLS_AES_128_GCM_SHA256'] as const,
  ['TLSv1.3', 'TLS_AES_256_GCM_SHA384', 'ec', 'TLS_AES_256_GCM_SHA384'] as const,
  ['TLSv1.3', 'TLS_CHACHA20_POLY1305_SHA256', 'rsa', 'TLS_CHACHA20_POLY1305_SHA256'] as const,
  ['TLSv1.2', 'ECDHE-RSA-AES128-GCM-SHA256', 'rsa', 'TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256'] as const,
  ['TLSv1.2', 'ECDHE-ECDSA-AES256-GCM-SHA384', 'ec', 'TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384'] as const,
  ['TLSv1.2', 'ECDHE-RSA-CHACHA20-POLY1305', 'rsa', 'TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305_SHA256'] as const,
  ['TLSv1.2', 'AES128-GCM-SHA256', 'rsa', 'TLS_RSA_WITH_AES_128_GCM_SHA256'] as const,
  // OpenSSL offers and takes encrypt-then-MAC (RFC 7366) for these.
  ['TLSv1.2', 'ECDHE-RSA-AES128-SHA', 'rsa', 'TLS_ECDHE_RSA_WITH_AES_128_CBC_SHA'] as const,
  ['TLSv1.2', 'ECDHE-RSA-AES256-SHA384', 'rsa', 'TLS_ECDHE_RSA_WITH_AES_256_CBC_SHA384'] as const,
  ['TLSv1.2', 'AES256-SHA256', 'rsa', 'TLS_RSA_WITH_AES_256_CBC_SHA256'] as const,
].map(([version, ciphers, identity, iana]) => ({
  name: `${version} ${iana}`,
  version,
  ciphers: version === 'TLSv1.3' ? ciphers : `${ciphers}:@SECLEVEL=0`,
  identity,
  iana,
}))

/** One request over TLS through the recorder; gives what the client got and what the record says. */
async function overTls(
  options: TlsCase,
  path: string,
): Promise<{ got: Buffer; keyLog: string; reading: RecordReading; proxy: Awaited<ReturnType<typeof startRecordingProxy>> }> {
  const identity = options.identity === 'rsa' ? rsa : ec
  const versions = { minVersion: options.version, maxVersion: options.version } as const
  const server = createHttpsServer({ key: identity.key, cert: identity.cert, ciphers: options.ciphers, ...versions }, answer)
  const proxy = await startRecordingProxy(await listen(server))
  let keyLog = ''
  const request = httpsRequest({
    host: '127.0.0.1',
    port: proxy.port,
    path,
    servername: 'localhost',
    rejectUnauthorized: false,
    agent: false,
    ciphers: options.ciphers,
    ...versions,
  })
  request.on('socket', (socket) => (socket as TLSSocket).on('keylog', (line: Buffer) => (keyLog += line.toString())))
  request.end()
  const [response] = (await once(request, 'response')) as [IncomingMessage]
  const got = await drain(response)
  await proxy.close()
  server.close()
  server.closeAllConnections()
  return {
    got,
    keyLog,
    proxy,
    reading: await reconstructExchanges({ connections: proxy.connections, keyLog, spoolDir: mkdtempSync(join(spoolDir, 's-')) }),
  }
}

describe('record over TLS', () => {
  it.each(tlsCases)('$name: body, head, certificate and facts are those of the wire', async (options) => {
    const { got, reading } = await overTls(options, '/plain?q=1')
    expect(reading.losses).toEqual([])
    const [exchange] = reading.exchanges
    expect(exchange?.response?.body.entity_sha256).toBe(sha256(got))
    expect(sha256(got)).toBe(sha256(body))
    expect(exchange?.response?.head.toString()).toContain('X-Mixed-CASE: one\r\nX-Mixed-CASE: two\r\n')
    expect(exchange?.tls).toMatchObject({ version: options.version, cipher: options.iana, sni: 'localhost', resumed: false })
    const pem = (options.identity === 'rsa' ? rsa : ec).cert.replace(/-----[^-]+-----|\s/g, '')
    expect(Buffer.from(reading.certificates[0]?.chain[0] ?? []).toString('base64')).toBe(pem)
  })

  it('reports missing keys, damage and truncation by name', async () => {
    const { keyLog, proxy } = await overTls(tlsCases[0] as TlsCase, '/plain')
    const read = (keys: string, connections = proxy.connections): Promise<RecordReading> =>
      reconstructExchanges({ connections, keyLog: keys, spoolDir: mkdtempSync(join(spoolDir, 's-')) })
    expect((await read('')).losses.map(({ reason }) => reason)).toEqual(['tls_keys_missing'])

    const [original] = proxy.connections
    if (original === undefined) throw new Error('no connection')
    const chunks: { at: number; from: 'client' | 'server'; bytes: Buffer }[] = []
    for await (const chunk of original.chunks()) chunks.push({ ...chunk, bytes: Buffer.from(chunk.bytes) })
    const altered = (change: (parts: typeof chunks) => typeof chunks): typeof original => ({
      ...original,
      async *chunks() {
        yield* change(chunks.map((chunk) => ({ ...chunk, bytes: Buffer.from(chunk.bytes) })))
      },
    })
    const damaged = await read(keyLog, [
      altered((parts) => {
        const last = parts.findLast(({ from, bytes }) => from === 'server' && bytes.length > 10_000)
        if (last !== undefined) last.bytes[9000] = (last.bytes[9000] ?? 0) ^ 1
        return parts
      }),
    ])
    expect(damaged.losses.map(({ reason }) => reason)).toContain('tls_record_damaged')
    expect(damaged.exchanges[0]?.response?.body.truncated).toBe('tls_record_damaged')

    const cut = await read(keyLog, [
      altered((parts) => parts.slice(0, parts.findIndex(({ from, bytes }) => from === 'server' && bytes.length > 10_000) + 1)),
    ])
    expect(cut.losses.length).toBeGreaterThan(0)
    expect(cut.exchanges[0]?.response?.body.truncated).not.toBeNull()
  })

  it('never throws or hangs on flipped bits', async () => {
    const { keyLog, proxy } = await overTls(tlsCases[0] as TlsCase, '/plain')
    const [original] = proxy.connections
    if (original === undefined) throw new Error('no connection')
    const chunks = await Array.fromAsync(original.chunks())
    const head = chunks.slice(0, 8)
    for (let round = 0; round < 300; round += 1) {
      const target = (round * 7919) % head.reduce((sum, { bytes }) => sum + Math.min(bytes.length, 2000), 0)
      let seen = 0
      const parts = head.map((chunk) => {
        const bytes = Buffer.from(chunk.bytes.subarray(0, 2000))
        if (target >= seen && target < seen + bytes.length)
          bytes[target - seen] = (bytes[target - seen] ?? 0) ^ (1 << (round % 8))
        seen += bytes.length
        return { ...chunk, bytes }
      })
      const connection = {
        ...original,
        async *chunks() {
          yield* parts
        },
      }
      const reading = await reconstructExchanges({ connections: [connection], keyLog, spoolDir })
      expect(reading.losses.length + reading.exchanges.length).toBeGreaterThan(0)
    }
  })
})

describe('record of plain HTTP/1', () => {
  it('keeps chunked framing, trailers, HEAD, 204 and keep-alive', async () => {
    const server = createHttpServer(answer)
    const proxy = await startRecordingProxy(await listen(server))
    const { Agent } = await import('node:http')
    const agent = new Agent({ keepAlive: true, maxSockets: 1 })
    for (const [method, path] of [
      ['GET', '/chunked'],
      ['HEAD', '/plain'],
      ['GET', '/empty'],
      ['POST', '/plain'],
    ] as const) {
      const request = httpRequest({ host: '127.0.0.1', port: proxy.port, path, method, agent })
      request.end(method === 'POST' ? 'a=1' : undefined)
      const [response] = (await once(request, 'response')) as [IncomingMessage]
      await drain(response)
    }
    agent.destroy()
    await proxy.close()
    server.close()
    const reading = await reconstructExchanges({
      connections: proxy.connections,
      keyLog: '',
      spoolDir: mkdtempSync(join(spoolDir, 's-')),
    })
    expect(reading.losses).toEqual([])
    expect(reading.exchanges.map(({ request, response }) => [request.method, request.target, response?.status])).toEqual([
      ['GET', '/chunked', 200],
      ['HEAD', '/plain', 200],
      ['GET', '/empty', 204],
      ['POST', '/plain', 200],
    ])
    const [chunked, head, , post] = reading.exchanges
    expect(chunked?.response?.body).toMatchObject({
      transfer: 'chunked',
      entity_sha256: sha256(body),
      entity_bytes: body.length,
      truncated: null,
    })
    expect(chunked?.response?.body.wire_bytes).toBeGreaterThan(body.length)
    expect(chunked?.response?.trailers).toEqual([{ name: 'X-End', value: 'yes' }])
    if (chunked?.response)
      expect(sha256(Buffer.concat(await Array.fromAsync(readEntity(chunked.response.body))))).toBe(sha256(body))
    expect(head?.response?.body.entity_bytes).toBe(0)
    expect(post?.request.body.entity_sha256).toBe(sha256(Buffer.from('a=1')))
  })
})

describe('record of HTTP/2', () => {
  it('reads 300 concurrent streams, codings, uploads and trailers', async () => {
    const text = Buffer.from('déjà vu '.repeat(5000))
    const coded = { gzip: gzipSync(text), br: brotliCompressSync(text), zstd: zstdCompressSync(text) }
    const server = createSecureServer({ key: ec.key, cert: ec.cert })
    server.on('stream', (stream: ServerHttp2Stream, { ':path': path = '' }) => {
      const coding = /^\/coded\/(gzip|br|zstd)$/.exec(path)?.[1] as keyof typeof coded | undefined
      if (path === '/upload') {
        stream.respond({ ':status': 200 })
        stream.pipe(stream)
      } else if (coding !== undefined) {
        stream.respond({ ':status': 200, 'content-encoding': coding })
        stream.end(coded[coding])
      } else {
        stream.respond({ ':status': 200, 'x-repeat': ['a', 'b'] })
        stream.end(body.subarray(0, 100 * Number(path.slice(3))))
      }
    })
    const proxy = await startRecordingProxy(await listen(server))
    let keyLog = ''
    const client = connectHttp2(`https://localhost:${proxy.port}`, {
      rejectUnauthorized: false,
      settings: { headerTableSize: 65_536 },
    })
    client.socket.on('keylog', (line: Buffer) => (keyLog += line.toString()))
    const ask = async (path: string, upload: Buffer | null): Promise<Buffer> => {
      const stream = client.request({ ':path': path, ':method': upload === null ? 'GET' : 'POST', 'x-number': path })
      stream.end(upload ?? undefined)
      const parts: Buffer[] = []
      for await (const part of stream) parts.push(part as Buffer)
      return Buffer.concat(parts)
    }
    const numbered = Array.from({ length: 300 }, (_, i) => `/n/${i}`)
    await Promise.all(numbered.map((path) => ask(path, null)))
    for (const coding of Object.keys(coded)) await ask(`/coded/${coding}`, null)
    await ask('/upload', body)
    const closed = once(client, 'close')
    client.close()
    await closed
    await proxy.close()
    server.close()
    const reading = await reconstructExchanges({
      connections: proxy.connections,
      keyLog,
      spoolDir: mkdtempSync(join(spoolDir, 's-')),
    })
    expect(reading.losses).toEqual([])
    expect(reading.exchanges).toHaveLength(304)
    for (const [i, path] of numbered.entries()) {
      const exchange = reading.exchanges.find(({ request }) => request.target === path)
      expect(exchange?.response?.body.entity_sha256).toBe(sha256(body.subarray(0, 100 * i)))
      expect(exchange?.response?.fields.filter(({ name }) => name === 'x-repeat').map(({ value }) => value)).toEqual(['a', 'b'])
    }
    const upload = reading.exchanges.find(({ request }) => request.target === '/upload')
    expect([upload?.request.body.entity_sha256, upload?.response?.body.entity_sha256]).toEqual([sha256(body), sha256(body)])
    for (const coding of Object.keys(coded) as (keyof typeof coded)[]) {
      const exchange = reading.exchanges.find(({ request }) => request.target === `/coded/${coding}`)
      expect(exchange?.response?.body).toMatchObject({
        entity_sha256: sha256(coded[coding]),
        content: { bytes: text.length, sha256: sha256(text) },
      })
      if (exchange?.response)
        expect(Buffer.concat(await Array.fromAsync(readContent(exchange.response, 1e6))).equals(text)).toBe(true)
    }
    expect(reading.exchanges[0]?.url.startsWith(`https://localhost:${proxy.port}/`)).toBe(true)
  })
})

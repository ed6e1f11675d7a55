/** Exchanges as they are on the wire, with a secret under every coding: what is left reads as before, and holds none. */
import { createHash } from 'node:crypto'
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { brotliCompressSync, deflateRawSync, deflateSync, gunzipSync, gzipSync, zstdCompressSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Exchange, ExchangeBody, HeaderField, RecordReading } from '../record/exchange/exchange.ts'
import { readContent, readWireBody } from '../record/exchange/read-body.ts'
import { readWebSocket } from '../record/http/read-websocket.ts'
import { maskExchanges } from './mask-exchanges.ts'
import { createSecretMasker } from './mask-secrets.ts'

const secret = 'Tr0ub4dor&3-çœ漢/é=ß+"x'
const sha256 = (bytes: Uint8Array | string): string => createHash('sha256').update(bytes).digest('hex')
const text = `{"password":${JSON.stringify(secret)},"rest":"${'of it '.repeat(30_000)}"}`
let folder: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'probant-mask-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

function bodyOf(entity: Buffer, transfer: 'identity' | 'chunked' = 'identity', chunk = 7): ExchangeBody {
  const parts = Array.from({ length: Math.ceil(entity.length / chunk) }, (_, i) => entity.subarray(i * chunk, (i + 1) * chunk))
  const framed = parts.map((part) => Buffer.concat([Buffer.from(`${part.length.toString(16)}\r\n`), part, Buffer.from('\r\n')]))
  const raw = transfer === 'identity' ? entity : Buffer.concat([...framed, Buffer.from(`0\r\nx-said: ${secret}\r\n\r\n`)])
  return {
    raw: { kind: 'bytes', bytes: raw },
    transfer,
    wire_bytes: raw.length,
    entity_bytes: entity.length,
    entity_sha256: sha256(entity),
    wire_sha256: sha256(raw),
    content: { bytes: entity.length, sha256: sha256(entity) },
    truncated: null,
  }
}

function exchangeOf(body: ExchangeBody, more: readonly HeaderField[] = [], change: Partial<Exchange> = {}): Exchange {
  const fields = [...more, { name: 'content-length', value: String(body.entity_bytes) }, { name: 'x-say', value: 'nothing' }]
  const target = `/a?p=${encodeURIComponent(secret)}`
  const head = (first: string) =>
    Buffer.from(`${first}\r\n${fields.map(({ name, value }) => `${name}: ${value}\r\n`).join('')}\r\n`, 'latin1')
  return {
    connection_id: 'conn-1',
    index: 0,
    protocol: 'http/1.1',
    url: `https://example.org${target}`,
    request: {
      method: 'POST',
      target,
      head: head(`POST ${target} HTTP/1.1`),
      fields,
      body: bodyOf(Buffer.alloc(0)),
      trailers: [],
    },
    response: { status: 200, reason: '', head: head('HTTP/1.1 200 OK'), fields, body, trailers: [], interim: [] },
    upgraded: null,
    started_at: 1,
    request_finished_at: 1,
    response_started_at: 2,
    finished_at: 3,
    remote_address: '192.0.2.1',
    remote_port: 443,
    tls: { version: 'TLSv1.3', cipher: 'x', alpn: null, sni: null, resumed: false, early_data: false, certificate_sha256: null },
    ...change,
  }
}

let run = 0
async function mask(exchange: Exchange, masker = createSecretMasker([secret])) {
  run += 1
  const own = join(folder, String(run))
  await mkdir(own)
  const places: number[] = []
  const reading: RecordReading = { exchanges: [exchange], connections: [], certificates: [], losses: [] }
  const signal = new AbortController().signal
  const tally = (one: number) => void places.push(one)
  const masked = await maskExchanges(reading, { masker, tally, folder: own, contentBytes: 1 << 26, signal })
  return { ...masked, places, exchange: masked.reading.exchanges[0] as Exchange }
}
const joined = async (parts: AsyncIterable<Uint8Array>): Promise<Buffer> => {
  const all: Uint8Array[] = []
  for await (const part of parts) all.push(part)
  return Buffer.concat(all)
}

const codings = [
  ['gzip', gzipSync],
  ['deflate', deflateSync],
  ['deflate', deflateRawSync],
  ['br', brotliCompressSync],
  ['zstd', zstdCompressSync],
] as const

describe('H-45 the masking of exchanges', () => {
  test.each(codings.flatMap(([coding, pack]) => (['identity', 'chunked'] as const).map((way) => [coding, way, pack] as const)))(
    'inside %s, %s: decoded as long as before, every digest of what is there',
    async (coding, transfer, pack) => {
      const { exchange, places, inClear } = await mask(
        exchangeOf(bodyOf(pack(Buffer.from(text)), transfer, 1_000), [{ name: 'content-encoding', value: coding }]),
      )
      const response = exchange.response as NonNullable<Exchange['response']>
      const content = await joined(readContent(response, 1 << 26))
      const raw = await joined(readWireBody(response.body))
      expect(content.length).toBe(Buffer.byteLength(text))
      expect(content.toString()).toMatch(/^\{"password":"X+","rest":"of it /)
      expect(response.body.content).toEqual({ bytes: content.length, sha256: sha256(content) })
      expect(response.body).toMatchObject({ wire_bytes: raw.length, wire_sha256: sha256(raw), truncated: null })
      if (transfer === 'identity')
        expect(response.fields.find(({ name }) => name === 'content-length')?.value).toBe(String(raw.length))
      if (transfer === 'identity') expect(Buffer.from(response.head).toString()).toContain(`content-length: ${raw.length}\r\n`)
      expect(raw.includes(secret)).toBe(false)
      expect(`${exchange.url}${exchange.request.target}${Buffer.from(exchange.request.head).toString()}`).not.toContain(
        'Tr0ub4dor',
      )
      expect(places.length).toBeGreaterThan(1)
      expect(inClear).toBe(false)
    },
  )

  test('over chunks of seven octets the framing stays; what a script packed by hand is looked through; clear is said', async () => {
    const plain = await mask(exchangeOf(bodyOf(Buffer.from(text.slice(0, 400)), 'chunked'), [], { tls: null }))
    const body = plain.exchange.response?.body as ExchangeBody
    expect(body.wire_bytes).toBe(bodyOf(Buffer.from(text.slice(0, 400)), 'chunked').wire_bytes)
    expect((await joined(readWireBody(body))).toString()).toMatch(/x-said: X+\r\n\r\n$/)
    expect(plain.inClear).toBe(true)
    const twice = await mask(exchangeOf(bodyOf(gzipSync(gzipSync(text)))))
    const packed = twice.exchange.response as NonNullable<Exchange['response']>
    expect(gunzipSync(gunzipSync(await joined(readContent(packed, 1 << 26)))).toString()).toMatch(/^\{"password":"X+"/)
  })

  test('what has no secret stays the very same, and cut bodies lose what cannot be read', async () => {
    const clean = exchangeOf(bodyOf(gzipSync('nothing')), [{ name: 'content-encoding', value: 'gzip' }])
    const target = '/a'
    const same = { ...clean, url: 'https://example.org/a', request: { ...clean.request, target, head: Buffer.from('GET /a') } }
    expect((await mask(same)).exchange).toBe(same)
    const half = gzipSync(Buffer.from(text)).subarray(0, 200)
    const { exchange } = await mask(exchangeOf({ ...bodyOf(half), content: null }, [{ name: 'content-encoding', value: 'gzip' }]))
    expect(exchange.response?.body).toMatchObject({ truncated: 'content_undecodable', content: null })
  })

  test('messages of a WebSocket, compressed with a window that they share, one by one', async () => {
    const frame = (payload: Buffer, first: number) => Buffer.concat([Buffer.from([first, payload.length]), payload])
    const squeeze = (one: string) => deflateRawSync(one, { finishFlush: 2 }).subarray(0, -4)
    const said = ['hello', secret, `again ${secret}`]
    const bytes = Buffer.concat(said.map((one) => frame(squeeze(one), 0xc1)))
    const stream = { ...bodyOf(bytes) }
    const fields = [{ name: 'sec-websocket-extensions', value: 'permessage-deflate; server_no_context_takeover' }]
    const empty = bodyOf(Buffer.alloc(0))
    const upgraded = { protocol: 'websocket', sent: empty, received: stream, sent_at: [], received_at: [{ offset: 0, at: 5 }] }
    const { exchange, messages } = await mask(exchangeOf(empty, fields, { upgraded }))
    const read = await readWebSocket(exchange, 'received', 1 << 20)
    expect(read.damage).toBe(null)
    expect(read.messages.map(({ payload, at }) => [payload?.toString().replace(/X+/, 'X'), at])).toEqual([
      ['hello', 5],
      ['X', 5],
      ['again X', 5],
    ])
    expect(messages.get(sha256(secret))).toBe(read.messages[1]?.sha256)
    expect(messages.size).toBe(2)
  })
})

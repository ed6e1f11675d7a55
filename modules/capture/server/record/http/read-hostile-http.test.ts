import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as fc from '../../../../../testing/fast-check.ts'
import { afterAll, describe, expect, it } from 'vitest'
import type { RecordReading } from '../exchange/exchange.ts'
import { reconstructExchanges } from './reconstruct-exchanges.ts'
import { http2Preface } from './read-http2-frames.ts'

const spoolDir = mkdtempSync(join(tmpdir(), 'probant-hostile-'))
afterAll(() => rmSync(spoolDir, { recursive: true, force: true }))

const read = (parts: readonly (readonly ['client' | 'server', Uint8Array | string])[]): Promise<RecordReading> =>
  reconstructExchanges({
    keyLog: '',
    spoolDir,
    connections: [
      {
        id: 'conn-1',
        host: 'example.org',
        port: 80,
        remote_address: '192.0.2.1',
        remote_port: 80,
        opened_at: 0,
        cut: null,
        async *chunks() {
          for (const [from, bytes] of parts) yield { at: 1, from, bytes: Buffer.from(bytes as string, 'latin1') }
        },
      },
    ],
  })
const get = 'GET / HTTP/1.1\r\nHost: example.org\r\n\r\n'

describe('hostile HTTP', () => {
  it('reports ambiguous lengths and reads nothing after them', async () => {
    const reading = await read([
      ['client', get + get],
      [
        'server',
        'HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nabHTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n',
      ],
    ])
    expect(reading.losses.map(({ reason }) => reason)).toContain('http1_ambiguous_length')
    expect(
      reading.exchanges.every(
        ({ response }) => response === null || response.body.truncated !== null || response.body.entity_bytes === 0,
      ),
    ).toBe(true)
  })

  it('names a body that is shorter than announced', async () => {
    const reading = await read([
      ['client', get],
      ['server', 'HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nabc'],
    ])
    expect(reading.losses).toMatchObject([{ reason: 'body_incomplete', url: 'http://example.org/' }])
    expect(reading.exchanges[0]?.response?.body).toMatchObject({ truncated: 'body_incomplete', entity_bytes: 3 })
  })

  it('keeps WebSocket bytes of both directions after 101', async () => {
    const reading = await read([
      ['client', 'GET /ws HTTP/1.1\r\nHost: example.org\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n'],
      ['server', 'HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n\x81\x02hi'],
      ['client', '\x81\x80abcd'],
    ])
    expect(reading.losses).toEqual([])
    expect(reading.exchanges[0]).toMatchObject({
      url: 'ws://example.org/ws',
      upgraded: { protocol: 'websocket', sent: { entity_bytes: 6 }, received: { entity_bytes: 4 } },
    })
  })

  it('never throws on any bytes, HTTP/1 or HTTP/2', async () => {
    const sides = fc.constantFrom('client' as const, 'server' as const)
    const starts = fc.constantFrom(
      [['client', get] as const],
      [['client', get] as const, ['server', 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n'] as const],
      [['client', http2Preface] as const],
      [],
    )
    await fc.assert(
      fc.asyncProperty(
        starts,
        fc.array(fc.tuple(sides, fc.uint8Array({ maxLength: 80 })), { maxLength: 6 }),
        async (start, rest) => {
          const reading = await read([...start, ...rest])
          expect(reading.connections).toHaveLength(1)
        },
      ),
      { numRuns: 500 },
    )
  })
})

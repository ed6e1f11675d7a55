import * as fc from '../../../../testing/fast-check.ts'
import { expect, test } from 'vitest'
import { readClientHello } from './read-client-hello.ts'
import { createRequestSplitter, type RequestEvent } from './split-requests.ts'
import { share } from '../../../../testing/sweep.ts'

const wire = [
  'POST http://a.example/1 HTTP/1.1\r\nHost: a.example\r\nContent-Length: 11\r\n\r\nGET / HTTP/',
  'POST http://a.example/2 HTTP/1.1\r\nHost: a.example\r\nTransfer-Encoding: chunked\r\n\r\n5;x=y\r\nhello\r\n00a\r\n0123456789\r\n0\r\nX-T: 1\r\n\r\n',
  'GET http://a.example/3?q HTTP/1.1\r\nHost: A.example:80\r\nProxy-Authorization: x\r\n\r\n',
].join('')

/** What the origin would get, and where the heads stood. */
function passed(pieces: readonly Buffer[]): { bytes: string; heads: number; malformed: string | null } {
  const splitter = createRequestSplitter(1_000)
  const events: RequestEvent[] = pieces.flatMap((piece) => splitter.push(piece))
  return {
    bytes: events
      .map((event) =>
        (event.kind === 'head' ? event.head.forward : event.kind === 'body' ? event.bytes : Buffer.alloc(0)).toString('latin1'),
      )
      .join(''),
    heads: events.filter(({ kind }) => kind === 'head').length,
    malformed: events.flatMap((event) => (event.kind === 'malformed' ? [event.reason] : []))[0] ?? null,
  }
}

function cutAt(text: string, places: readonly number[]): Buffer[] {
  const edges = [0, ...new Set(places.map((place) => place % text.length)), text.length].toSorted((a, b) => a - b)
  return edges.slice(1).map((end, i) => Buffer.from(text.slice(edges[i], end), 'latin1'))
}

test('requests are told apart in the same way wherever the bytes are cut', () => {
  const whole = passed([Buffer.from(wire, 'latin1')])
  expect(whole).toEqual({
    heads: 3,
    malformed: null,
    bytes: wire.replaceAll('http://a.example/', '/').replace('Proxy-Authorization: x\r\n', ''),
  })
  fc.assert(
    fc.property(fc.array(fc.nat(2_000), { maxLength: 30 }), (places) => {
      expect(passed(cutAt(wire, places))).toEqual(whole)
    }),
    { numRuns: 500 },
  )
  expect(passed(Array.from(wire, (char) => Buffer.from(char, 'latin1')))).toEqual(whole)
})

test.each([
  ['5\nhello\r\n0\r\n\r\n', 'chunk'],
  ['5\r\nhelloX\r\n0\r\n\r\n', 'chunk'],
  ['0x5\r\nhello\r\n0\r\n\r\n', 'chunk'],
  ['-5\r\nhello\r\n0\r\n\r\n', 'chunk'],
  ['fffffffffffff\r\n', 'chunk'],
  ['0'.repeat(9_000), 'chunk'],
  ['0\r\nX : 1\r\n\r\n', 'trailer'],
  [`0\r\n${'X: 1\r\n'.repeat(6_000)}\r\n`, 'trailer'],
])('a chunked body of which the end could be disputed is malformed', (body, reason) => {
  const head = 'POST http://a.example/ HTTP/1.1\r\nHost: a.example\r\nTransfer-Encoding: chunked\r\n\r\n'
  expect(passed([Buffer.from(head + body, 'latin1')]).malformed).toBe(reason)
})

test('any bytes at all end in events, never in an exception', () => {
  const piece = fc.oneof(
    fc.constantFrom(
      'GET ',
      'http://a.example',
      '/',
      ' HTTP/1.1',
      '\r\n',
      '\r\n\r\n',
      'Host: a.example',
      'CONNECT a.example:443',
      'Content-Length: 3',
      'Transfer-Encoding: chunked',
      '3',
      '\n',
      ':',
      '\0',
    ),
    fc.string({ unit: 'binary', maxLength: 5 }),
  )
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 15 }), (pieces) => {
      const { heads, malformed } = passed(pieces.map((text) => Buffer.from(text, 'latin1')))
      expect(heads).toBeGreaterThanOrEqual(0)
      expect(malformed === null || /^[a-z_]+$/.test(malformed)).toBe(true)
    }),
    { numRuns: share(3_000) },
  )
})

/** A ClientHello with the given server_name, its message cut into records at `cut`. */
function clientHello(name: string, cut: number): Buffer {
  const sni = Buffer.from(name, 'latin1')
  const u16 = (value: number): Buffer => Buffer.from([value >> 8, value & 255])
  const extension = Buffer.concat([u16(0), u16(sni.length + 5), u16(sni.length + 3), Buffer.from([0]), u16(sni.length), sni])
  const grease = Buffer.concat([u16(0x1a1a), u16(1), Buffer.from([0])])
  const extensions = Buffer.concat([grease, extension])
  const body = Buffer.concat([
    u16(0x0303),
    Buffer.alloc(32, 7),
    Buffer.from([0]),
    u16(2),
    u16(0x1301),
    Buffer.from([1, 0]),
    u16(extensions.length),
    extensions,
  ])
  const message = Buffer.concat([Buffer.from([1, 0]), u16(body.length), body])
  const record = (bytes: Buffer): Buffer => Buffer.concat([Buffer.from([22, 3, 1]), u16(bytes.length), bytes])
  return cut > 0 && cut < message.length
    ? Buffer.concat([record(message.subarray(0, cut)), record(message.subarray(cut))])
    : record(message)
}

test('the server name is read from a ClientHello in one record or two, as soon as it is whole and not before', () => {
  for (const cut of [0, 1, 3, 4, 5, 40, 80]) {
    const bytes = clientHello('Www.Example.com', cut)
    expect(readClientHello(bytes)).toEqual({ state: 'done', sni: 'www.example.com' })
    for (let length = 0; length < bytes.length; length += 1)
      expect(readClientHello(bytes.subarray(0, length))).toEqual({ state: 'more' })
  }
  expect(readClientHello(Buffer.from('GET / HTTP/1.1\r\n'))).toEqual({ state: 'done', sni: null })
  expect(readClientHello(clientHello('a b', 0))).toEqual({ state: 'done', sni: null })
})

test('damaged ClientHellos name nobody or someone, and never throw', () => {
  const bytes = clientHello('www.example.com', 30)
  fc.assert(
    fc.property(fc.nat(bytes.length - 1), fc.nat(255), fc.nat(bytes.length), (at, value, length) => {
      const damaged = Buffer.from(bytes.subarray(0, length))
      if (at < length) damaged[at] = value
      expect(['more', 'done']).toContain(readClientHello(damaged).state)
    }),
    { numRuns: share(5_000) },
  )
})

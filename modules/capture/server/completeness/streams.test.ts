/** What has no end or takes other ways than one question and one answer: sockets, event streams, service workers. */
import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { makeCertificates } from '../../../../testing/site/certificates.ts'
import { acceptSocket, acceptStream, socketTexts, streamPages } from '../../../../testing/site/stream-pages.ts'
import { startWireSite, type WireSite } from '../../../../testing/site/wire-site.ts'
import { captureForReading, sha256, type ReadCapture } from './read-capture.fixture.ts'

const run = promisify(execFile)
let plain: WireSite
let secure: WireSite
let multiplexed: WireSite
let capture: ReadCapture | undefined

beforeAll(async () => {
  const { valid } = await makeCertificates()
  plain = await startWireSite('http', { more: streamPages, upgrade: acceptSocket })
  secure = await startWireSite('https1', { identity: valid, more: streamPages, upgrade: acceptSocket })
  multiplexed = await startWireSite('h2', { identity: valid, more: streamPages, stream: acceptStream })
}, 120_000)
afterAll(() => Promise.all([plain.close(), secure.close(), multiplexed.close()]))
afterEach(async () => capture?.remove())

const read = async (site: WireSite, path: string): Promise<ReadCapture> => {
  capture = await captureForReading(site.origin + path, { allow: [site.address], limits: { settleMs: 20_000 } })
  return capture
}
const byText = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0)
const rowsOf = (one: ReadCapture, path: string) =>
  one.reconciliation.exchanges.filter(({ url }) => new URL(url).pathname === path)

type SocketLine = {
  event: 'open' | 'message' | 'end'
  connection_id: string
  stream: number
  url?: string
  direction?: 'sent' | 'received'
  type?: string
  text?: string
  base64?: string
  bytes?: number
  frames?: number
  compressed?: boolean
  sha256?: string
  at: string | null
  extensions?: string | null
  unread?: string | null
}

describe.each(['http', 'https1', 'h2'] as const)('WebSockets over %s', (kind) => {
  test('every message of both directions is written down, and is what the page and the server say', async () => {
    const site = kind === 'http' ? plain : kind === 'https1' ? secure : multiplexed
    const one = await read(site, '/sockets/')
    const { result, reconciliation, dom } = one
    const fileOf = (path: string) => one.fileOf(path)
    expect(dom).toContain('<p id="state">all done</p>')
    expect(result.facts.completeness).toEqual({ state: 'complete', losses: [] })
    const lines = (await readFile(fileOf('capture/websockets.jsonl'), 'utf8'))
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as SocketLine)
    const opened = lines.filter(({ event }) => event === 'open')
    expect(opened.map(({ url }) => new URL(url ?? '').pathname).toSorted(byText)).toEqual(['/socket-deflate', '/socket-plain'])
    const bytes = Buffer.alloc(socketTexts.sentBytes, 7)
    for (const { connection_id, stream, extensions } of opened) {
      const own = lines.filter(
        (line) => line.connection_id === connection_id && line.stream === stream && line.event === 'message',
      )
      const of = (direction: string) =>
        own.filter((line) => line.direction === direction && !/^(ping|pong|close)$/.test(line.type ?? ''))
      expect(of('sent').map(({ type, sha256: hash }) => [type, hash])).toEqual([
        ...socketTexts.sent.map((one) => ['text', sha256(one)]),
        ['binary', sha256(bytes)],
      ])
      expect(of('received').map(({ type, sha256: hash }) => [type, hash])).toEqual([
        ...socketTexts.received.map((one) => ['text', sha256(one)]),
        ['binary', sha256(Buffer.from([0, 1, 2, 255]))],
      ])
      expect(of('sent')[0]?.text).toBe(socketTexts.sent[0])
      expect(of('received')[1]).toMatchObject({ text: socketTexts.received[1], frames: 3 })
      expect(own.find(({ type }) => type === 'ping')).toMatchObject({
        direction: 'received',
        base64: Buffer.from('ping').toString('base64'),
      })
      expect(own.find(({ type }) => type === 'pong')).toMatchObject({ direction: 'sent' })
      expect(of('sent').every(({ compressed }) => compressed === (extensions !== null))).toBe(true)
      expect(own.every(({ at }) => at !== null && at >= result.facts.navigated_at.slice(0, 10))).toBe(true)
    }
    if (kind === 'http') {
      const pcap = fileOf('capture/network.pcap')
      const { stdout } = await run('tshark', ['-r', pcap, '-Y', 'websocket', '-T', 'fields', '-e', 'websocket.opcode'])
      const count = (opcode: string) => stdout.split(/[\s,]+/).filter((one) => one === opcode).length
      const written = (type: string) => lines.filter((line) => line.type === type)
      // A message in frames has one opcode of its kind; the frames that follow have that of continuation.
      expect([count('1'), count('2'), count('9')]).toEqual([
        written('text').length,
        written('binary').length,
        written('ping').length,
      ])
    }
    const rows = reconciliation.exchanges.filter(({ wire }) => wire.socket !== null)
    // Over HTTP/2 the stream of a socket is still open when the capture ends; over HTTP/1 its connection has ended.
    expect(rows.map(({ reasons, browser }) => [reasons, browser?.type])).toEqual(
      Array.from({ length: 2 }, () => [kind === 'h2' ? ['endless'] : [], 'WebSocket']),
    )
  }, 120_000)
})

test('a WebSocket that is refused is a failed request whose answer is in the record', async () => {
  const { result, reconciliation } = await read(plain, '/socket-refused/')
  expect(result.facts.completeness).toEqual({ state: 'complete', losses: [] })
  const [row] = reconciliation.exchanges.filter(({ url }) => url.endsWith('/no-socket'))
  expect(row).toMatchObject({ status: 403, wire: { body: { bytes: 2, sha256: sha256('no') }, socket: null } })
  expect(result.files.some(({ path }) => path === 'capture/websockets.jsonl')).toBe(false)
}, 120_000)

test('event streams: what came until the capture ended is kept, a reconnection too, and the end is said to be open', async () => {
  const one = await read(plain, '/event-streams/')
  expect(one.dom).toContain('<p id="state">all done</p>')
  expect(one.result.facts.completeness).toEqual({ state: 'complete', losses: [] })
  const forever = 'data: one\n\n: a comment\n\nid: 7\ndata: deux é\n\ndata: three\ndata: lines\n\n'
  const rows = rowsOf(one, '/events-forever')
  expect(rows.map(({ verdict, reasons, wire }) => [verdict, reasons, wire.body?.sha256, wire.body?.truncated])).toEqual([
    ['explained', ['endless'], sha256(forever), 'body_incomplete'],
    ['explained', ['endless'], sha256(forever), 'body_incomplete'],
  ])
  const again = rowsOf(one, '/events-again')
  expect(again.map(({ verdict, wire }) => [verdict, wire.body?.sha256])).toEqual([
    ['agrees', sha256('retry: 20\nid: 1\ndata: first\n\n')],
    ['explained', sha256('data: after a break\n\n')],
  ])
  const truncated = one.records.filter(({ fields }) => fields.get('WARC-Truncated') !== undefined)
  expect(truncated.map(({ fields }) => fields.get('WARC-Target-URI') ?? '').toSorted(byText)).toEqual(
    [...rows, ...again.slice(1)].map(({ url }) => url).toSorted(byText),
  )
}, 120_000)

test('a service worker: its own fetches are on the wire, and what it answered from them or made up is said', async () => {
  const one = await read(plain, '/workers/')
  expect(one.dom).toContain('<p id="state">all done</p>')
  for (const shown of [
    '/made-by-worker made up',
    '/passed-by-worker from the network',
    '/kept-by-worker kept at install',
    '/changed-by-worker TO BE CHANGED',
  ])
    expect(one.dom).toContain(`<li>${shown}</li>`)
  expect(one.result.facts.completeness).toEqual({ state: 'complete', losses: [] })
  for (const [path, body] of [
    ['/passed-by-worker', 'from the network'],
    ['/kept-by-worker', 'kept at install'],
    ['/changed-by-worker', 'to be changed'],
  ] as const)
    expect(rowsOf(one, path).map(({ verdict, wire, archive }) => [verdict, wire.body?.sha256, archive !== null])).toEqual([
      ['agrees', sha256(body), true],
    ])
  expect(rowsOf(one, '/made-by-worker')).toEqual([])
  expect(rowsOf(one, '/service-worker.js').map(({ wire }) => wire.body?.truncated)).toEqual([null])
  const answered = one.reconciliation.requests.filter(({ verdict }) => verdict === 'from_service_worker')
  expect(answered.map(({ url }) => new URL(url).pathname).toSorted(byText)).toEqual([
    '/changed-by-worker',
    '/kept-by-worker',
    '/made-by-worker',
    '/passed-by-worker',
  ])
}, 120_000)

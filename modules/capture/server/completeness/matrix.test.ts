/** Every shape of HTTP exchange, over three protocols: the package against what the server wrote down that it sent. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { makeCertificates } from '../../../../testing/site/certificates.ts'
import { sha256, type Sent } from '../../../../testing/site/sent-log.ts'
import type { WireKind } from '../../../../testing/site/wire-cases.ts'
import { startWireSite, type WireSite } from '../../../../testing/site/wire-site.ts'
import { bodiesByTshark, captureForReading, messageOf, recordAt, type ReadCapture } from './read-capture.fixture.ts'

const nothing = sha256('')

describe.each(['http', 'https1', 'h2'] as const satisfies WireKind[])('every exchange over %s', (kind) => {
  let site: WireSite
  let capture: ReadCapture
  /** What the server sent, and the exchange of the package that says so. */
  let pairs: readonly { readonly sent: Sent; readonly row: ReadCapture['reconciliation']['exchanges'][number] }[]

  beforeAll(async () => {
    const { valid } = await makeCertificates()
    site = await startWireSite(kind, kind === 'http' ? {} : { identity: valid })
    capture = await captureForReading(`${site.origin}/`, { allow: [site.address] })
    const left = [...capture.reconciliation.exchanges]
    pairs = site.sent().map((sent) => {
      const at = left.findIndex(
        (row) =>
          row.url === sent.url &&
          row.method === sent.method &&
          row.status === sent.status &&
          row.wire.request_body.sha256 === sent.request.sha256,
      )
      const [row] = left.splice(at, at === -1 ? 0 : 1)
      if (row === undefined) throw new Error(`not in the package: ${sent.method} ${sent.url} ${sent.status}`)
      return { sent, row }
    })
  }, 120_000)
  afterAll(async () => {
    await site.close()
    await capture.remove()
  })

  /** Records of the archive that say themselves to belong to that of an answer. */
  const recordsBeside = (type: string, id: string | undefined) =>
    capture.records.filter(({ fields }) => fields.get('WARC-Type') === type && fields.get('WARC-Concurrent-To') === id)

  test('the capture is complete: nothing the server sent is missing, nothing else is there', () => {
    expect(capture.result.facts.completeness).toEqual({ state: 'complete', losses: [] })
    expect(pairs).toHaveLength(capture.reconciliation.exchanges.length)
    expect(capture.reconciliation.connections.filter(({ verdict }) => verdict === 'lost')).toEqual([])
    expect(capture.reconciliation.requests).toEqual([])
    expect(capture.dom).toContain('<p id="state">all asked</p>')
  })

  test('each body is the one that was sent, on the wire, decoded, and in the archive at the place that is given', async () => {
    for (const { sent, row } of pairs) {
      expect({ url: row.url, ...row.wire.body }).toEqual({
        url: sent.url,
        bytes: sent.bytes,
        sha256: sent.sha256,
        truncated: leftUnread(row) ? 'http2_stream_reset' : null,
      })
      expect([row.url, row.wire.content?.sha256]).toEqual([sent.url, sent.contentSha256])
      if (row.archive === null) throw new Error(`${row.url} is not archived`)
      const record = await recordAt(capture, row.archive)
      expect(record.fields.get('WARC-Record-ID')).toBe(row.archive.record_id)
      expect(record.fields.get('WARC-Target-URI')).toBe(sent.url)
      const message = messageOf(record.block)
      expect([row.url, sha256(message.entity)]).toEqual([sent.url, sent.sha256])
      expect(record.fields.get('WARC-Payload-Digest')).toBe(`sha256:${sha256(message.wire)}`)
      expect(message.head.split(' ')[1]).toBe(String(sent.status))
      for (const [name, value] of Object.entries(sent.headers))
        for (const one of [value].flat())
          expect(message.head.toLowerCase()).toContain(`\r\n${name.toLowerCase()}: ${one.toLowerCase()}\r\n`)
    }
  })

  test('the browser says the same of each, and took the bytes that were sent', () => {
    for (const { sent, row } of pairs) {
      expect([row.url, row.verdict, row.browser?.status]).toEqual([
        sent.url,
        leftUnread(row) ? 'explained' : 'agrees',
        sent.status,
      ])
      // Of what it fetches for a later page the browser tells the end, but no bytes.
      if ((sent.status < 300 || sent.status >= 400) && !sent.url.endsWith('/prefetched.js'))
        expect([row.url, row.browser?.bytes]).toEqual([row.url, row.wire.content?.bytes])
    }
    const shown = new Map([...capture.dom.matchAll(/<li data-name="([^"]+)">([^<]*)/g)].map(([, name, value]) => [name, value]))
    expect([shown.get('worker'), shown.get('shared-worker'), shown.get('xhr')]).toEqual([
      'asked by a worker',
      'asked by a shared worker',
      'asked by XMLHttpRequest',
    ])
    const fetched = pairs.filter(({ sent }) => /^\d{3} [0-9a-f]{64}$/.test(shown.get(nameOf(sent)) ?? ''))
    expect(fetched.length).toBeGreaterThan(40)
    for (const { sent } of fetched.filter(({ sent: { status } }) => status < 300 || status > 308))
      expect([nameOf(sent), shown.get(nameOf(sent))]).toEqual([nameOf(sent), `${sent.status} ${sent.contentSha256}`])
    for (const status of [301, 302, 303, 307, 308])
      expect([status, shown.get(`redirect-${status}`)]).toEqual([status, `200 ${sha256(`landed landed-${status}`)}`])
    expect([...shown].filter(([, value]) => value?.startsWith('error'))).toEqual([])
  })

  test('the HAR holds each of them once, with the hashes and fields of the wire', () => {
    const entries = [...capture.har]
    for (const { sent } of pairs) {
      const at = entries.findIndex(
        ({ request, response }) => request.url === sent.url && request.method === sent.method && response.status === sent.status,
      )
      const [entry] = entries.splice(at, at === -1 ? 0 : 1)
      expect([sent.url, entry?.response.content._wireSha256, entry?.response.content._sha256]).toEqual([
        sent.url,
        sent.sha256,
        sent.contentSha256,
      ])
      for (const [name, value] of Object.entries(sent.headers)) {
        const held = entry?.response.headers.filter((field) => field.name.toLowerCase() === name.toLowerCase())
        expect([sent.url, held?.map((field) => field.value)]).toEqual([sent.url, [value].flat()])
      }
      const trailers = (entry?.response._trailers ?? []).map((field) => [field.name, field.value] as const)
      expect([sent.url, Object.fromEntries(trailers)]).toEqual([sent.url, sent.trailers])
    }
    expect(entries).toEqual([])
    const cookies = capture.har.find(({ request }) => request.url.endsWith('/two-cookies'))?.response.cookies
    expect(cookies).toEqual([
      { name: 'first', value: '1' },
      { name: 'second', value: '2' },
    ])
  })

  test('interim answers and trailers are in the archive', () => {
    for (const { sent, row } of pairs) {
      expect([row.url, row.wire.interim, row.wire.trailers]).toEqual([row.url, sent.interim, Object.keys(sent.trailers).length])
      const beside = recordsBeside('metadata', row.archive?.record_id)
      expect(beside.flatMap(({ block }) => /^HTTP\/1\.1 (1\d\d)/.exec(block.toString('latin1'))?.[1] ?? [])).toEqual(
        sent.interim.map(String),
      )
      if (kind === 'h2' && sent.url.endsWith('/trailers'))
        expect(beside.map(({ block }) => block.toString())).toEqual(['x-checksum: abc\r\nserver-timing: end\r\n'])
    }
    expect(pairs.filter(({ sent }) => sent.interim.length > 0).length).toBeGreaterThan(0)
  })

  // HTTP/2 interleaves its frames: there, an archive of whole exchanges cannot be the connection's bytes in order.
  if (kind !== 'h2')
    test('the archive holds, byte for byte and in order, what passed on each connection', () => {
      const blocks = new Map(capture.records.map(({ fields, block }) => [fields.get('WARC-Record-ID'), block]))
      const connections = [...Map.groupBy(capture.reconciliation.exchanges, ({ connection_id }) => connection_id).values()]
      const joined = (part: (id: string | undefined) => readonly Buffer[]) =>
        connections
          .map((rows) => rows.toSorted((a, b) => a.stream - b.stream).flatMap(({ archive }) => part(archive?.record_id)))
          .map((parts) => sha256(Buffer.concat(parts)))
          .toSorted()
      const passed = site.connections().filter(({ sent }) => sent.length > 0)
      expect(
        joined((id) => [...recordsBeside('metadata', id).map(({ block }) => block), blocks.get(id) ?? Buffer.alloc(0)]),
      ).toEqual(passed.map(({ sent }) => sha256(sent)).toSorted())
      expect(joined((id) => recordsBeside('request', id).map(({ block }) => block))).toEqual(
        passed.map(({ received }) => sha256(received)).toSorted(),
      )
    })

  test('tshark reads the same bodies from the packets and the keys', async () => {
    const bodies = pairs
      .flatMap(({ sent }) => [sent.request.sha256, sent.sha256])
      .filter((hash) => hash !== nothing)
      .toSorted()
    const port = kind === 'http' ? 0 : Number(new URL(site.origin).port)
    const read = await bodiesByTshark(capture, kind === 'h2' ? 'h2' : 'http/1.1', port, ['/until-closed', '/http-1.0'])
    expect(read).toEqual(bodies)
  })
})

/** A redirect over HTTP/2 whose stream the browser reset before its end, which is its own affair. */
const leftUnread = ({ protocol, status, reasons }: ReadCapture['reconciliation']['exchanges'][number]): boolean =>
  protocol === 'h2' && status !== null && status >= 301 && status <= 308 && reasons.join() === 'redirect_followed'

const nameOf = (sent: Sent): string => new URL(sent.url).pathname.split('/')[1] ?? ''

/** The whole way with a real browser: recorded ciphertext and key log → exchanges → WACZ and HAR, judged by tools that are not ours. */
import { execFileSync } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createReadStream, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createSecureServer } from 'node:http2'
import type { ServerHttp2Stream } from 'node:http2'
import { createServer as createHttpServer } from 'node:http'
import { createServer as createHttpsServer } from 'node:https'
import type { AddressInfo, Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import { chromium } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { WARCParser } from 'warcio'
import { getSurt } from 'warcio/utils'
import { chromiumPath } from '../../../../platform/browser/browser-flags.ts'
import type { BrowserRequest } from './exchange/match-browser-requests.ts'
import { reconcile } from './reconcile/reconcile.ts'
import type { Reconciliation } from './reconcile/reconcile.ts'
import type { RecordReading } from './exchange/exchange.ts'
import { reconstructExchanges } from './http/reconstruct-exchanges.ts'
import { startRecordingProxy } from './recording-proxy.fixture.ts'
import { createTlsIdentity } from './tls-identity.fixture.ts'
import { surtOf } from './archive/write-cdxj.ts'
import { buildHar } from './archive/write-har.ts'
import { writeWacz } from './archive/write-wacz.ts'
import type { WaczSummary } from './archive/write-wacz.ts'

const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')

type Answer = { readonly headers: Record<string, string>; readonly body: Buffer }
const script = Buffer.from(`console.log('${'x'.repeat(20_000)}')`)
const big = randomBytes(60 * 1024 * 1024)
const picture = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)

const answers: Record<string, Answer> = {
  '/script.js': { headers: { 'content-type': 'text/javascript', 'content-encoding': 'br' }, body: brotliCompressSync(script) },
  '/style.css': {
    headers: { 'content-type': 'text/css', 'content-encoding': 'gzip' },
    body: gzipSync(Buffer.from('body { color: #123 }')),
  },
  '/picture.png': { headers: { 'content-type': 'image/png' }, body: picture },
  '/big.bin': { headers: { 'content-type': 'application/octet-stream' }, body: big },
  '/data.json': { headers: { 'content-type': 'application/json', 'set-cookie': 'a=1' }, body: Buffer.from('{"é":1}') },
}

let folder = ''
let reading: RecordReading
let summary: WaczSummary
let browser: BrowserRequest[]
let outcome: Reconciliation
let pageUrl = ''
let ports = { h2: 0, https: 0, http: 0 }
const closers: (() => Promise<void> | void)[] = []

const listen = async (server: Server): Promise<number> => {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  closers.push(() => void server.close())
  return (server.address() as AddressInfo).port
}

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'probant-browser-record-'))
  const identity = createTlsIdentity('ec')
  const answerHttp1 = (url: string, write: (status: number, headers: Record<string, string>, body: Buffer) => void): void => {
    const found = answers[url.replace(/\?.*$/, '')]
    if (found === undefined) write(404, { 'content-type': 'text/plain' }, Buffer.from('none'))
    else write(200, { ...found.headers, 'access-control-allow-origin': '*' }, found.body)
  }
  const https = createHttpsServer({ key: identity.key, cert: identity.cert, maxVersion: 'TLSv1.2' }, (request, response) => {
    answerHttp1(request.url ?? '', (status, headers, body) =>
      response.writeHead(status, headers).write(body, () => response.end()),
    )
  })
  const http = createHttpServer((request, response) => {
    answerHttp1(request.url ?? '', (status, headers, body) => response.writeHead(status, headers).end(body))
  })
  ports = { h2: 0, https: await listen(https), http: await listen(http) }
  const html =
    Buffer.from(`<!doctype html><title>Éprouvé</title><link rel=icon href=data:,><link rel=stylesheet href=/style.css><script src=/script.js></script>
    <img src=/picture.png?h2><img src=https://localhost:${ports.https}/picture.png?chunked><img src=/missing.png>
    <script>Promise.all([fetch('https://localhost:${ports.https}/data.json').then(r => r.json()),
      ...Array.from({ length: 40 }, (_, i) => fetch('/data.json?' + i).then(r => r.text())),
      fetch('/data.json', { method: 'POST', body: 'field=value' }).then(r => r.text())])
      .then(() => fetch('/big.bin')).then(r => r.arrayBuffer()).then(() => { document.title += ' done' })</script>`)
  const h2 = createSecureServer({ key: identity.key, cert: identity.cert })
  h2.on('stream', (stream: ServerHttp2Stream, { ':path': path = '' }) => {
    const write = (status: number, headers: Record<string, string>, body: Buffer): void => {
      stream.respond({ ':status': status, ...headers })
      stream.end(body)
    }
    // Only when the request is there whole: a browser that is answered early may leave its body unsent (RFC 9113 §8.1).
    stream.resume().once('end', () => {
      if (path === '/') write(302, { location: '/page' }, Buffer.alloc(0))
      else if (path === '/page') write(200, { 'content-type': 'text/html; charset=utf-8' }, html)
      else answerHttp1(path, write)
    })
  })
  ports.h2 = await listen(h2)
  pageUrl = `https://localhost:${ports.h2}/page`
  const proxy = await startRecordingProxy(null)
  const keyLogFile = join(folder, 'keys.log')
  const instance = await chromium.launch({
    executablePath: chromiumPath,
    args: [
      '--no-sandbox',
      `--ssl-key-log-file=${keyLogFile}`,
      '--proxy-bypass-list=<-loopback>',
      '--ignore-certificate-errors',
      '--disable-background-networking',
    ],
    proxy: { server: `http://127.0.0.1:${proxy.port}` },
  })
  const page = await instance.newPage()
  const session = await page.context().newCDPSession(page)
  browser = []
  const open = new Map<string, { -readonly [K in keyof BrowserRequest]: BrowserRequest[K] }>()
  session.on('Network.requestWillBeSent', (event) => {
    const before = open.get(event.requestId)
    if (before !== undefined && event.redirectResponse !== undefined)
      Object.assign(before, {
        status: event.redirectResponse.status,
        finishedAt: event.wallTime * 1000,
        redirectedTo: event.request.url,
      })
    const request = {
      requestId: event.requestId,
      url: event.request.url,
      method: event.request.method,
      type: event.type ?? 'Other',
      initiator: event.initiator.type,
      startedAt: event.wallTime * 1000,
      status: null,
      protocol: null,
      mediaType: '',
      fromCache: false,
      fromServiceWorker: false,
      finishedAt: null,
      dataBytes: 0,
      failure: null,
      blocked: null,
      redirectedTo: null,
    }
    browser.push(request)
    open.set(event.requestId, request)
  })
  session.on('Network.responseReceived', ({ requestId, response }) => {
    Object.assign(open.get(requestId) ?? {}, {
      status: response.status,
      mediaType: response.mimeType,
      fromCache: response.fromDiskCache === true,
      protocol: response.protocol ?? null,
    })
  })
  session.on('Network.requestServedFromCache', ({ requestId }) => Object.assign(open.get(requestId) ?? {}, { fromCache: true }))
  session.on('Network.dataReceived', ({ requestId, dataLength }) => {
    const request = open.get(requestId)
    if (request !== undefined) request.dataBytes += dataLength
  })
  session.on('Network.loadingFinished', ({ requestId }) => Object.assign(open.get(requestId) ?? {}, { finishedAt: Date.now() }))
  session.on('Network.loadingFailed', ({ requestId, errorText }) =>
    Object.assign(open.get(requestId) ?? {}, { failure: errorText, finishedAt: Date.now() }),
  )
  await session.send('Network.enable')
  await page.goto(`https://localhost:${ports.h2}/`)
  await page.waitForFunction(`document.title.endsWith('done')`, undefined, { timeout: 20_000 })
  await instance.close()
  await proxy.close()
  h2.close()
  reading = await reconstructExchanges({
    connections: proxy.connections,
    keyLog: readFileSync(keyLogFile, 'utf8'),
    spoolDir: join(folder, 'spool'),
  })
  summary = await writeWacz({
    exchanges: reading.exchanges,
    pages: [{ url: pageUrl, title: 'Éprouvé', at: reading.exchanges[0]?.started_at ?? 0 }],
    created: new Date('2026-11-21T10:00:00.123Z'),
    software: 'probant/0.1.0',
    outFile: join(folder, 'archive.wacz'),
    workDir: join(folder, 'work'),
  })
  outcome = reconcile({ reading, browser, archived: summary.records })
}, 120_000)

afterAll(async () => {
  for (const close of closers) await close()
  rmSync(folder, { recursive: true, force: true })
})

describe('record of a real browser', () => {
  it('gives every body as served, over HTTP/2 and HTTP/1.1, TLS 1.3 and 1.2', () => {
    expect(reading.losses).toEqual([])
    for (const { url, response } of reading.exchanges) {
      const served = answers[new URL(url).pathname]
      if (served !== undefined) expect([url, response?.body.entity_sha256]).toEqual([url, sha256(served.body)])
    }
    const bySuffix = (suffix: string) => reading.exchanges.find(({ url }) => url.endsWith(suffix))
    expect(bySuffix('/script.js')?.response?.body.content?.sha256).toBe(sha256(script))
    expect(bySuffix('/big.bin')?.response?.body).toMatchObject({ entity_bytes: big.length, truncated: null })
    expect(bySuffix('?chunked')).toMatchObject({
      protocol: 'http/1.1',
      tls: { version: 'TLSv1.2' },
      response: { body: { transfer: 'chunked' } },
    })
    expect(bySuffix('/page')).toMatchObject({ protocol: 'h2', tls: { version: 'TLSv1.3', alpn: 'h2' } })
    expect(
      reading.exchanges.filter(({ request }) => request.method === 'POST').map(({ request }) => request.body.entity_sha256),
    ).toEqual([sha256(Buffer.from('field=value'))])
  })

  it('reconciles wire, browser and archive without a difference', () => {
    expect(outcome.completeness).toEqual({ state: 'complete', losses: [] })
    expect(outcome.counts.matched).toBe(outcome.counts.browser_requests)
    expect(outcome.counts.bodies_compared).toBeGreaterThan(40)
  })

  it('names what is missing or different', () => {
    const page = reading.exchanges.find(({ url }) => url === pageUrl)
    const without = { ...reading, exchanges: reading.exchanges.filter((exchange) => exchange !== page) }
    expect(reconcile({ reading: without, browser, archived: summary.records }).completeness.losses).toEqual([
      { url: pageUrl, reason: 'not_on_the_wire' },
    ])
    const altered = browser.map((request) =>
      request.url === pageUrl ? { ...request, dataBytes: request.dataBytes + 1 } : request,
    )
    expect(reconcile({ reading, browser: altered, archived: summary.records }).completeness.losses).toEqual([
      { url: pageUrl, reason: 'content_length_differs' },
    ])
    const unarchived = summary.records.filter(({ url }) => url !== pageUrl)
    expect(reconcile({ reading, browser, archived: unarchived }).completeness).toEqual({
      state: 'incomplete',
      losses: [{ url: pageUrl, reason: 'not_archived' }],
    })
  })

  it('writes a WACZ that holds by the rules of py-wacz', () => {
    const file = join(folder, 'archive.wacz')
    const report = JSON.parse(
      execFileSync('python3', [join(import.meta.dirname, 'validate-wacz.fixture.py'), file], {
        encoding: 'utf8',
        maxBuffer: 1 << 24,
      }),
    ) as {
      errors: string[]
      records: number
      responses: Record<string, [number, string]>
    }
    expect(report.errors).toEqual([])
    expect(report.records).toBe(1 + 2 * reading.exchanges.length)
    expect(report.responses[pageUrl.replace('/page', '/big.bin')]).toEqual([200, sha256(big)])
    execFileSync('unzip', ['-tq', file])
  })

  it('writes a WARC whose every record warcio reads, with the wire heads', async () => {
    execFileSync('unzip', ['-q', '-o', join(folder, 'archive.wacz'), '-d', join(folder, 'unzipped')])
    const warc = join(folder, 'unzipped/archive/data.warc.gz')
    const seen = new Map<string, string>()
    const parser = new WARCParser(createReadStream(warc))
    for await (const record of parser) {
      const payload = createHash('sha256')
      let bytes = 0
      for await (const part of record) {
        payload.update(part)
        bytes += part.length
      }
      if (record.warcType === 'response')
        seen.set(record.warcTargetURI ?? '', `${record.httpHeaders?.statusCode ?? ''} ${bytes} ${payload.digest('hex')}`)
    }
    expect(seen.get(pageUrl.replace('/page', '/big.bin'))).toBe(`200 ${big.length} ${sha256(big)}`)
    // warcio removes the chunked framing by itself: what it finds must be the picture.
    expect(seen.get(`https://localhost:${ports.https}/picture.png?chunked`)).toBe(`200 ${picture.length} ${sha256(picture)}`)
    expect(seen.size).toBe(new Set(reading.exchanges.map(({ url }) => url)).size)
  })

  it('sorts addresses as warcio does', () => {
    for (const url of [
      'https://www.Example.org/A?b=2&a=1',
      'http://www2.example.org:8080/',
      'https://é.example/%C3%A9?é',
      'https://[2001:db8::1]/x',
      'ftp://x/',
      pageUrl,
    ]) {
      expect(surtOf(url)).toBe(getSurt(url))
    }
  })

  it('writes the same bytes for the same exchanges', async () => {
    const again = join(folder, 'again.wacz')
    const pages = [{ url: pageUrl, title: 'Éprouvé', at: reading.exchanges[0]?.started_at ?? 0 }]
    await writeWacz({
      exchanges: reading.exchanges,
      pages,
      created: new Date('2026-11-21T10:00:00.123Z'),
      software: 'probant/0.1.0',
      outFile: again,
      workDir: join(folder, 'work'),
    })
    expect(sha256(readFileSync(again))).toBe(sha256(readFileSync(join(folder, 'archive.wacz'))))
    expect(existsSync(join(folder, 'work/data.warc.gz'))).toBe(false)
  })

  it('writes a HAR with exact sizes and texts', async () => {
    const har = await buildHar({
      exchanges: reading.exchanges,
      requests: browser,
      page: { url: pageUrl, title: 'Éprouvé', startedAt: reading.exchanges[0]?.started_at ?? 0, domContentLoaded: 10, load: 20 },
      creator: { name: 'probant', version: '0.1.0' },
      browser: { name: 'Chromium', version: '1' },
      archive: 'capture/archive.wacz',
    })
    const parsed = JSON.parse(JSON.stringify(har)) as {
      log: {
        version: string
        entries: {
          request: { url: string; method: string }
          response: { status: number; bodySize: number; content: { size: number; text?: string; comment?: string } }
        }[]
      }
    }
    expect(parsed.log.version).toBe('1.2')
    const entryOf = (suffix: string) =>
      parsed.log.entries.find(({ request }) => request.url.endsWith(suffix) && request.method === 'GET')
    expect(entryOf('/script.js')?.response).toMatchObject({
      status: 200,
      bodySize: answers['/script.js']?.body.length,
      content: { size: script.length, text: script.toString() },
    })
    expect(entryOf('/big.bin')?.response.content).toMatchObject({ size: big.length, comment: 'body in capture/archive.wacz' })
    expect(parsed.log.entries.filter(({ request }) => request.method !== 'CONNECT').length).toBeGreaterThanOrEqual(
      reading.exchanges.length,
    )
  })
})

/** Frames of every kind, other origins, redirects of every kind: each exchange beside what the servers wrote down, each frame seen. */
import { readFile } from 'node:fs/promises'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { framePages } from '../../../../testing/site/frame-pages.ts'
import { startWireSite, type WireSite } from '../../../../testing/site/wire-site.ts'
import { captureForReading, type ReadCapture } from './read-capture.fixture.ts'

let first: WireSite
let second: WireSite
let capture: ReadCapture | undefined
const at = (site: () => WireSite, name: string) => () => `http://${name}:${site().address.split(':')[1] ?? ''}`
const one = at(() => first, 'one.test')
const two = at(() => second, 'two.test')

beforeAll(async () => {
  first = await startWireSite('http', { more: framePages(two, one) })
  second = await startWireSite('http', { more: framePages(two, one) })
}, 120_000)
afterAll(() => Promise.all([first.close(), second.close()]))
afterEach(async () => capture?.remove())

const read = async (url: string): Promise<ReadCapture> => {
  capture = await captureForReading(url, { allow: [first.address, second.address], names: ['one.test', 'two.test'] })
  return capture
}

/** Every answer of both servers is an exchange of the package with the same bodies, and there is no other. */
function expectAllSent(read: ReadCapture, from: { readonly first: number; readonly second: number }): void {
  const sent = [...first.sent().slice(from.first), ...second.sent().slice(from.second)]
  const line = (...parts: readonly (string | number | null | undefined)[]) => parts.join(' ')
  expect(
    read.reconciliation.exchanges
      .map(({ method, url, status, wire }) => line(method, url, status, wire.body?.sha256, wire.request_body.sha256))
      .toSorted((a, b) => (a < b ? -1 : 1)),
  ).toEqual(
    sent
      .map(({ method, url, status, sha256, request }) => line(method, url, status, sha256, request.sha256))
      .toSorted((a, b) => (a < b ? -1 : 1)),
  )
}

test('frames: same site, other site, sandboxed, written in the page, posted to, nested, lazy; pictures and fetches across origins', async () => {
  const before = { first: first.sent().length, second: second.sent().length }
  const captured = await read(`${one()}/frames/`)
  expect(captured.result.facts.completeness).toEqual({ state: 'complete', losses: [] })
  expectAllSent(captured, before)
  expect(
    captured.reconciliation.exchanges.filter(({ verdict }) => verdict !== 'agrees').map(({ url, reasons }) => [url, reasons]),
  ).toEqual([])
  const preflight = captured.reconciliation.exchanges.find(({ method }) => method === 'OPTIONS')
  expect(preflight).toMatchObject({ url: `${two()}/cors`, status: 204, verdict: 'agrees' })
  expect(captured.reconciliation.exchanges.find(({ method }) => method === 'PUT')).toMatchObject({
    url: `${two()}/cors`,
    status: 200,
  })

  const page = await captured.page()
  const seen = [
    page.pixel(250, 80),
    page.pixel(250, 180),
    page.pixel(150, 180),
    page.pixel(250, 280),
    page.pixel(250, 380),
    page.pixel(250, 480),
    page.pixel(250, 6080),
    page.pixel(20, 320),
    page.pixel(420, 20),
    page.pixel(420, 5020),
  ]
  expect(seen).toEqual([
    '200,0,0',
    '0,200,0',
    '0,200,200',
    '0,0,200',
    '200,0,200',
    '200,200,0',
    '90,90,90',
    '10,20,30',
    '40,50,60',
    '70,80,90',
  ])
  const mhtml = await readFile(captured.fileOf('capture/page.mhtml'), 'utf8')
  for (const path of ['/frame-same', '/frame-other', '/frame-nested', '/frame-lazy']) expect(mhtml).toContain(path)
}, 120_000)

test('redirects: 301, 302, 303, 307, 308 to another origin, a refresh, a script; what is sent on leaving is in the record', async () => {
  const before = { first: first.sent().length, second: second.sent().length }
  const captured = await read(`${one()}/way-301/`)
  const { facts } = captured.result
  expect(facts.completeness).toEqual({ state: 'complete', losses: [] })
  expect(facts.final_url).toBe(`${two()}/way-end/?q=1#part`)
  expect(facts.redirects).toEqual([301, 302, 303, 307, 308].map((status) => ({ url: `${one()}/way-${status}/`, status })))
  expectAllSent(captured, before)
  const paths = captured.reconciliation.exchanges.map(({ url }) => new URL(url).pathname)
  expect(paths).toEqual(expect.arrayContaining(['/way-meta/', '/way-script/', '/left', '/left-too', '/way-end/']))
  expect(captured.har.filter(({ response }) => response.status >= 301 && response.status <= 308)).toHaveLength(5)
}, 120_000)

import { expect, test } from 'vitest'
import { attributeConnections, placeOf } from './attribute-connections.ts'

/** Asked at 1,000 ms; the first byte of the answer came 200 ms later. */
const page = {
  url: 'https://a.example/',
  startedAt: 1_000,
  monotonicStart: 50,
  timing: { requestTime: 50.05, receiveHeadersStart: 150 },
}
const picture = { ...page, url: 'https://cdn.example:8443/x.png', startedAt: 1_300 }
const socket = { ...page, url: 'wss://live.example/', startedAt: 1_400, timing: null }
const search = { ...page, url: 'https://www.google.com/fonts', startedAt: 1_500 }
const connection = (host: string, port: number, at: number) => ({
  id: `${host}:${String(port)}@${String(at)}`,
  host,
  port,
  requested_at: at,
})
const whose = (
  requests: readonly (typeof page | typeof socket)[],
  first: typeof page | null,
  ...list: ReturnType<typeof connection>[]
) => [...attributeConnections(list, requests, first).values()]

test('what a page, a frame or a worker asked for is the page’s, at any port and by WebSocket', () => {
  const all = [
    connection('a.example', 443, 1_001),
    connection('cdn.example', 8443, 1_301),
    connection('live.example', 443, 1_402),
  ]
  expect(whose([page, picture, socket], page, ...all)).toEqual(['page', 'page', 'page'])
  // The browser may reach for the page's own server a moment before it says that it asks.
  expect(whose([page], page, connection('a.example', 443, 998))).toEqual(['page'])
})

test('what was asked before the page’s first byte came, and is not the page, is the browser’s own', () => {
  expect(whose([page], page, connection('www.google.com', 443, 948), connection('www.google.com', 443, 1_199))).toEqual([
    'browser',
    'browser',
  ])
  // Also when the page asks for the same host later on: before it was there, it asked for nothing.
  expect(whose([page, search], page, connection('www.google.com', 443, 948), connection('www.google.com', 443, 1_501))).toEqual([
    'browser',
    'page',
  ])
})

test('what nobody reported, once the page could have asked for it, is nobody’s', () => {
  expect(whose([page], page, connection('preconnect.example', 443, 1_200))).toEqual(['unattributed'])
  // The same host at another port is another place.
  expect(whose([page, picture], page, connection('cdn.example', 443, 1_300))).toEqual(['unattributed'])
  // Without the time of an answer only what came before the question is certain.
  const silent = { ...page, timing: null as never }
  expect(whose([silent], silent, connection('x.example', 443, 999), connection('x.example', 443, 1_000))).toEqual([
    'browser',
    'unattributed',
  ])
  expect(whose([], null, connection('x.example', 443, 1))).toEqual(['unattributed'])
})

test.each([
  ['https://a.example/', 'a.example:443'],
  ['http://A.example./x', 'a.example:80'],
  ['wss://[2001:db8::1]:8443/', '2001:db8::1:8443'],
  ['ws://127.0.0.1/', '127.0.0.1:80'],
  ['data:text/plain,x', ''],
  ['blob:https://a.example/1', ''],
  ['nope', ''],
])('the place of %s', (url, place) => {
  expect(placeOf(url)).toBe(place)
})

import { describe, expect, test } from 'vitest'
import { countUnknownOrigin, originDates, pathOf } from './describe-environment.ts'
import type { ObservedRequest } from '../page/observe-browser.ts'

const answered = (url: string, change: Partial<ObservedRequest> = {}): ObservedRequest => ({
  ...({} as ObservedRequest),
  url,
  status: 200,
  headers: {},
  fromCache: false,
  fromDiskCache: false,
  fromServiceWorker: false,
  redirectedTo: null,
  startedAt: Date.parse('2026-11-21T10:00:00.500Z'),
  finishedAt: Date.parse('2026-11-21T10:00:00.900Z'),
  ...change,
})

describe('K-33 answers from the cache that this session did not fetch', () => {
  const fromDisk = { fromCache: true, fromDiskCache: true }
  test.each<[string, readonly ObservedRequest[], number]>([
    ['none', [answered('/a'), answered('/b')], 0],
    ['what the session had fetched before', [answered('/a'), answered('/a', fromDisk)], 0],
    ['what it fetched afterwards, while it was on its way', [answered('/a', fromDisk), answered('/a')], 0],
    ['what it never fetched', [answered('/a'), answered('/b', fromDisk)], 1],
    ['each of them', [answered('/b', fromDisk), answered('/b', fromDisk)], 2],
    ['a fetch that brought no answer explains nothing', [answered('/b', { status: null }), answered('/b', fromDisk)], 1],
    ['the memory of the page is no disk cache', [answered('/a', { fromCache: true })], 0],
  ])('%s', (_case, requests, count) => {
    expect(countUnknownOrigin(requests)).toBe(count)
  })
})

describe('K-33 dates of origins', () => {
  const dated = (date: string, change: Partial<ObservedRequest> = {}) =>
    answered('https://a.example/x', { headers: { date }, ...change })
  const offsetOf = (...requests: readonly ObservedRequest[]) => originDates(requests)[0]?.offset
  test('whole seconds and the time of the answer are no difference; what remains is', () => {
    expect(offsetOf(dated('Sat, 21 Nov 2026 10:00:00 GMT'))).toBe(0)
    expect(offsetOf(dated('Sat, 21 Nov 2026 09:59:00 GMT'))).toBe(59.5)
    expect(offsetOf(dated('Sat, 21 Nov 2026 10:01:00 GMT'))).toBe(-59.1)
    // Slow to answer: dated when it did.
    const slow = { finishedAt: Date.parse('2026-11-21T10:00:40.000Z') }
    expect(offsetOf(dated('Sat, 21 Nov 2026 10:00:39 GMT', slow))).toBe(0)
  })

  test('an answer from a cache on the way is as old as it says (RFC 9111 §5.1)', () => {
    const headers = { date: 'Sat, 21 Nov 2026 09:00:00 GMT', age: '3600' }
    expect(offsetOf(answered('https://a.example/x', { headers }))).toBe(0)
    expect(offsetOf(answered('https://a.example/x', { headers: { ...headers, age: '-1' } }))).toBe(3599.5)
  })

  test('one figure for each origin, of the middle answer; nothing from what the wire did not bring', () => {
    const requests = [
      dated('Sat, 21 Nov 2026 10:00:00 GMT'),
      dated('Sat, 21 Nov 2026 10:00:00 GMT'),
      dated('Fri, 20 Nov 2026 10:00:00 GMT'),
      answered('https://b.example/', { headers: { date: 'nonsense' } }),
      answered('https://c.example/', { headers: { date: 'Fri, 20 Nov 2026 10:00:00 GMT' }, fromCache: true }),
      answered('https://d.example/', { headers: { date: 'Fri, 20 Nov 2026 10:00:00 GMT' }, fromServiceWorker: true }),
    ]
    expect(originDates(requests)).toEqual([{ origin: 'https://a.example', offset: 0 }])
  })

  test('a page cannot make the list endless', () => {
    const many = Array.from({ length: 500 }, (_, i) =>
      answered(`https://${String(i)}.example/`, { headers: { date: 'Sat, 21 Nov 2026 10:00:00 GMT' } }),
    )
    expect(originDates(many)).toHaveLength(200)
  })
})

test('K-33 the path: typed, redirected by the server, sent on by the page', () => {
  const documents = [
    answered('http://a.example/', { status: 301, redirectedTo: 'https://a.example/' }),
    answered('https://a.example/'),
    answered('https://a.example/home'),
  ]
  expect(pathOf(documents).map(({ how }) => how)).toEqual(['address', 'redirect', 'page'])
  expect(pathOf([])).toEqual([])
})

import { beforeEach, expect, test, vi } from 'vitest'
import { heldEvidences, hold, holdFound, letGo, parseHeld } from './held-evidences.ts'

const held = { id: 'a', token: 't', page_url: 'https://example.com/', created_at: '2026-11-20T11:10:00.000Z' }

test('what another version or a person left in storage never breaks the page', () => {
  expect(parseHeld(null)).toEqual([])
  expect(parseHeld('not JSON')).toEqual([])
  expect(parseHeld('{"id":"a"}')).toEqual([])
  expect(parseHeld(JSON.stringify([held, null, 3, { ...held, token: 5 }, 'x']))).toEqual([held])
})

const stored = new Map<string, string>()
vi.stubGlobal('localStorage', {
  getItem: (name: string) => stored.get(name) ?? null,
  setItem(name: string, value: string) {
    if (isFull) throw new DOMException('The quota has been exceeded.', 'QuotaExceededError')
    stored.set(name, value)
  },
})
let isFull = false
const ids = () => parseHeld(stored.get('probant.held') ?? null).map(({ id, removed }) => (removed === true ? `-${id}` : id))

beforeEach(() => {
  isFull = false
  stored.clear()
})

test('what the server lists under a held key is held too, once', () => {
  hold(held)
  holdFound([held, { ...held, id: 'b' }])
  holdFound([held, { ...held, id: 'b' }])
  expect(ids()).toEqual(['a', 'b'])
})

test('what was removed does not come back while its key opens another; the key goes with the last', () => {
  hold(held)
  hold({ ...held, id: 'b' })
  letGo('a')
  holdFound([held])
  expect(ids()).toEqual(['b', '-a'])
  letGo('b')
  expect(ids()).toEqual([])
})

test('where no room is left the page knows the new one, and all that were kept; what has room again is kept again', () => {
  const known = () => heldEvidences().map(({ id }) => id)
  hold(held)
  isFull = true
  hold({ ...held, id: 'b' })
  expect([known(), ids()]).toEqual([['b', 'a'], ['a']])
  isFull = false
  hold({ ...held, id: 'c' })
  expect([known(), ids()]).toEqual([
    ['c', 'b', 'a'],
    ['c', 'b', 'a'],
  ])
})

import { expect, test } from 'vitest'
import { listUsers } from '../contract/endpoints.ts'
import { formatAgo } from './format-ago.ts'
import { askedOf, readQueueSearch, writeQueueSearch } from './queue-search.ts'

test('P-14: filters stand in the address, and what is as usual does not', () => {
  expect(writeQueueSearch(readQueueSearch({}))).toEqual({})
  const given = {
    state: 'failure',
    user_type: 'legal',
    claimed: 'own',
    status: 'active',
    ordering: '-last_name',
    search: 'Zoë',
    page: 3,
  }
  expect(writeQueueSearch(readQueueSearch(given))).toEqual(given)
  expect(listUsers.query.safeParse(askedOf(readQueueSearch(given))).success).toBe(true)
})

test('what makes no sense in the address is left out', () => {
  const hostile = {
    state: 'erased',
    user_type: 7,
    claimed: '__proto__',
    status: [],
    ordering: 'password',
    search: { a: 1 },
    page: 'NaN',
  }
  expect(writeQueueSearch(readQueueSearch(hostile))).toEqual({})
  expect(readQueueSearch({ page: -5, search: 42 })).toMatchObject({ page: 1, search: '42' })
  expect(readQueueSearch({ page: 1e12, search: 'x'.repeat(500) })).toMatchObject({ page: 100_000, search: 'x'.repeat(200) })
  expect(listUsers.query.safeParse(askedOf(readQueueSearch(hostile))).success).toBe(true)
})

test('how long somebody waits is said in the largest whole unit', () => {
  const now = Date.parse('2026-11-21T12:00:00Z')
  expect(formatAgo(now - 3 * 86_400_000, now, 'en')).toBe('3 days ago')
  expect(formatAgo(now - 7_200_000, now, 'fr')).toBe('il y a 2 heures')
  expect(formatAgo(now + 5_000, now, 'en')).toBeNull()
})

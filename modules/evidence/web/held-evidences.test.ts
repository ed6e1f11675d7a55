import { expect, test } from 'vitest'
import { parseHeld } from './held-evidences.ts'

const held = { id: 'a', token: 't', page_url: 'https://example.com/', created_at: '2026-11-20T11:10:00.000Z' }

test('what another version or a person left in storage never breaks the page', () => {
  expect(parseHeld(null)).toEqual([])
  expect(parseHeld('not JSON')).toEqual([])
  expect(parseHeld('{"id":"a"}')).toEqual([])
  expect(parseHeld(JSON.stringify([held, null, 3, { ...held, token: 5 }, 'x']))).toEqual([held])
})

import { expect, test } from 'vitest'
import { fingerprintIn, list, queryOfView } from './list-view.ts'

const { addressOfView, isNarrowed, plainView, readView } = list

test('C-13: what stands in the address is what is listed, and what makes no sense is as if it did not', () => {
  const view = readView({ search: 'case 7', order: 'document_name', status: 'draft', from: '2026-11-01', page: '3', size: '50' })
  expect(view).toMatchObject({
    search: 'case 7',
    ordering: 'document_name',
    status: 'draft',
    from: '2026-11-01',
    page: 3,
    size: 50,
  })
  expect(readView(addressOfView(view))).toEqual(view)
  expect(readView({ search: {}, order: 'x', status: 'gone', from: '2026-99-01', page: '-4', size: '7' })).toEqual(plainView)
  expect(addressOfView(plainView)).toEqual({})
  expect(isNarrowed(plainView)).toBe(false)
})

test.each([
  ['AB12cd34', 'ab12cd34'],
  ['ab:12:cd:34', 'ab12cd34'],
  ['ab12cd34 ef567890', 'ab12cd34ef567890'],
  ['ab12cd3', null],
  ['contract', null],
  ['a'.repeat(129), null],
])('%j is searched as a fingerprint, or as words', (typed, found) => {
  expect(fingerprintIn(typed)).toBe(found)
  const query = queryOfView('completed', { ...plainView, search: typed })
  expect(query).toMatchObject(found === null ? { search: typed } : { fingerprint: found })
})

test('days are whole where the visitor is', () => {
  const { created_after: after, created_before: before } =
    queryOfView('pending', { ...plainView, from: '2026-11-21', to: '2026-11-21' }) ?? {}
  expect(new Date(before ?? '').getTime() - new Date(after ?? '').getTime()).toBe(86_400_000)
})

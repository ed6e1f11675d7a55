import { expect, test } from 'vitest'
import { addressOfActs, filtersOfActs, plainActs, readActsView } from './acts-view.ts'

test('what stands in the address is read back, and what makes no sense there is as if it did not', () => {
  const person = '0190b8a4-0000-7000-8000-000000000001'
  const view = { ...plainActs, action: 'identity.signed_in', person, from: '2026-11-21', page: 3 }
  expect(readActsView(addressOfActs(view))).toEqual(view)
  expect(addressOfActs(plainActs)).toEqual({})
  const hostile = { action: "a'b", person: 'me', subject: 'a b', from: '2026-13-45', to: 7, page: '-2' }
  expect(readActsView(hostile)).toEqual(plainActs)
  expect(readActsView({ page: 'x', action: ['identity'] })).toEqual(plainActs)
})

test('days are those of the visitor, both included', () => {
  const { from, to } = filtersOfActs({ ...plainActs, from: '2026-03-01', to: '2026-03-01' })
  expect(new Date(from ?? '').getTime()).toBe(new Date(2026, 2, 1).getTime())
  expect(new Date(to ?? '').getTime()).toBe(new Date(2026, 2, 2).getTime())
})

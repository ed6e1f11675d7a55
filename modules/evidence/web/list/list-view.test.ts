import { expect, test } from 'vitest'
import { evidenceListQuery } from '../../contract/endpoints.ts'
import { statusesOfCategory } from '../../domain/status.ts'
import { setAmong } from '../../../../ui/list/list-view.ts'
import { list, noFilters, queryOfView, statusesIn, type Filters } from './list-view.ts'

const { addressOfView, isNarrowed, plainView, readView } = list

test('C-24 what a list shows stands in its address, and only what differs from the plain list', () => {
  expect(readView({})).toEqual(plainView)
  expect(addressOfView(plainView)).toEqual({})
  const view = {
    ...plainView,
    search: '2026',
    ordering: 'label',
    status: 'failed',
    by: '01932f6e-7c3a-7d1e-8f00-6b1f5d3c2a10',
    from: '2026-11-01',
    page: 3,
    size: 50,
  } as const
  // The router reads a number where a number was typed.
  expect(readView({ ...addressOfView(view), search: 2026 })).toEqual(view)
  expect(addressOfView(view)).not.toHaveProperty('to')
  expect(setAmong<Filters>(view, noFilters)).toEqual(['status', 'by', 'from'])
  expect([isNarrowed(view), isNarrowed(plainView), isNarrowed({ ...plainView, search: ' ' })]).toEqual([true, false, false])
})

test('what makes no sense in an address is as if it were not there', () => {
  const nonsense = {
    search: ['x'],
    order: 'password',
    status: 'none',
    action: 1,
    by: 'me',
    from: '2026-13-40',
    to: 'x',
    page: -4,
    size: 7,
  }
  expect(readView(nonsense)).toEqual(plainView)
  expect(readView({ page: 'Infinity', size: 100 })).toEqual({ ...plainView, page: 100, size: 100 })
  expect(readView({ search: 'x'.repeat(900) }).search).toHaveLength(200)
})

test('whatever the address, the call is one that the server takes; days are whole days of the visitor', () => {
  for (const asked of [{}, { page: 1e9, size: 100 }, { search: 'a', order: '-label', from: '2026-03-28', to: '2026-03-29' }]) {
    const query = queryOfView('draft', readView(asked))
    expect(evidenceListQuery.parse(query)).toMatchObject({ category: 'draft' })
  }
  const { created_after: after, created_before: before } = evidenceListQuery.parse(
    queryOfView('trash', readView({ from: '2026-03-29', to: '2026-03-29' })),
  )
  const midnights = [new Date(2026, 2, 29), new Date(2026, 2, 30)].map((at) => at.toISOString())
  expect([after, before]).toEqual(midnights)
})

test('E-28 the statuses to choose from are those that a category can hold', () => {
  expect(statusesIn.draft).toEqual(statusesOfCategory.draft)
  expect(statusesIn.completed).toEqual([])
  expect(statusesIn.trash.toSorted()).toEqual([...statusesOfCategory.trash, ...statusesOfCategory.completed].toSorted())
})

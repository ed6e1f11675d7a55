import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import en from '../messages/pages.en.json' with { type: 'json' }
import fr from '../messages/pages.fr.json' with { type: 'json' }
import { document } from '../contract/document.ts'
import { assertTransition, mayBecome, statuses, statusesOfCategory, transitions, type Status } from './status.ts'

test('S-48 the contract, the domain and the words know the same statuses', () => {
  expect(document.shape.status.options).toEqual([...statuses])
  expect(Object.keys(transitions).sort()).toEqual([...statuses].sort())
  for (const words of [en, fr]) {
    const named = Object.keys(words).filter((key) => /^document\.status\.[a-z_]+$/.test(key))
    expect(named.sort()).toEqual(statuses.map((status) => `document.status.${status}`).sort())
  }
})

test('every status is reached from draft or stamping, and only what is dated or deleted is an end', () => {
  const reached = new Set<Status>(['draft', 'stamping'])
  for (const status of reached) for (const next of transitions[status]) reached.add(next)
  expect([...reached].sort()).toEqual([...statuses].sort())
  expect(statuses.filter((status) => transitions[status].length === 0)).toEqual(['final', 'expired'])
})

test('S-41 a draft is agreed to or expires; what is dated never changes again', () => {
  expect(statuses.filter((to) => mayBecome('draft', to)).sort()).toEqual(['awaiting_payment', 'expired', 'stamping'])
  expect(statuses.filter((to) => mayBecome('awaiting_payment', to)).sort()).toEqual(['draft', 'expired', 'stamping'])
  for (const to of statuses) expect(() => assertTransition('final', to)).toThrow('document.illegal_transition')
})

test('the database holds the same table', () => {
  const inserted = ['0030_documents', '0060_paid_reports_and_deposits']
    .map((name) => readFileSync(`db/migrations/${name}.sql`, 'utf8'))
    .map((sql) => sql.slice(sql.indexOf('insert into document_transition')))
    .map((sql) => sql.slice(0, sql.indexOf(';')))
    .join()
  const pairs = [...inserted.matchAll(/\('([a-z_]+)', '([a-z_]+)'\)/g)].map((match) => `${match[1] ?? ''}>${match[2] ?? ''}`)
  expect(pairs.sort()).toEqual(statuses.flatMap((from) => transitions[from].map((to) => `${from}>${to}`)).sort())
})

test('every status is shown under exactly one category', () => {
  expect(Object.values(statusesOfCategory).flat().sort()).toEqual([...statuses].sort())
})

import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { evidenceStatuses } from '../contract/evidence.ts'
import { assertTransition, mayBecome, statusesOfCategory, transitions, type Status } from './status.ts'

const statuses = Object.keys(transitions) as Status[]

test('S-47 the contract and the domain know the same statuses', () => {
  expect([...evidenceStatuses].sort()).toEqual([...statuses].sort())
})

test('every status is reached from queued, and every one that is not an end leads on', () => {
  const reached = new Set<Status>(['queued'])
  for (const status of reached) for (const next of transitions[status]) reached.add(next)
  expect([...reached].sort()).toEqual([...statuses].sort())
  expect(statuses.filter((status) => transitions[status].length === 0)).toEqual(['final', 'expired'])
})

test('S-38 S-39 a preview is agreed to, rejected, or expires; nothing else', () => {
  expect(statuses.filter((to) => mayBecome('to_validate', to)).sort()).toEqual([
    'awaiting_payment',
    'expired',
    'finalizing',
    'rejected',
  ])
  expect(statuses.filter((to) => mayBecome('awaiting_payment', to)).sort()).toEqual(['expired', 'finalizing', 'to_validate'])
})

test('a final evidence never changes again', () => {
  for (const to of statuses) expect(() => assertTransition('final', to)).toThrow('evidence.illegal_transition')
})

test('the migration holds the same table', () => {
  const inserted = ['0001_evidence', '0060_paid_reports_and_deposits']
    .map((name) => readFileSync(`db/migrations/${name}.sql`, 'utf8'))
    .map((sql) => sql.slice(sql.indexOf('insert into evidence_transition')))
    .map((sql) => sql.slice(0, sql.indexOf(';')))
    .join()
  const pairs = [...inserted.matchAll(/\('([a-z_]+)', '([a-z_]+)'\)/g)].map((match) => `${match[1] ?? ''}>${match[2] ?? ''}`)
  expect(pairs.sort()).toEqual(statuses.flatMap((from) => transitions[from].map((to) => `${from}>${to}`)).sort())
})

test('E-28 every status is shown under exactly one category', () => {
  expect(Object.values(statusesOfCategory).flat().sort()).toEqual([...statuses].sort())
})

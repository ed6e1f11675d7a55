import { expect, test } from 'vitest'
import { dueKinds, hasEnded, validUntil, type Accepted } from './renewal.ts'

const passport = (expiresOn: string | null): Accepted => ({ kind: 'passport', expiresOn })
const card = (expiresOn: string | null): Accepted[] => [
  { kind: 'id_front', expiresOn },
  { kind: 'id_back', expiresOn: null },
]
const papers: Accepted[] = [
  { kind: 'registration_proof', expiresOn: null },
  { kind: 'articles_of_association', expiresOn: null },
]
const due = (accepted: readonly Accepted[], today: string, changed: readonly string[] = [], stands = true) => [
  ...dueKinds(
    accepted.map((each) => ({ ...each, changed })),
    { stands, today },
  ),
]

test('a document is good on its last day; of two proofs the one that lasts longer counts', () => {
  expect(hasEnded('2026-05-31', '2026-05-31')).toBe(false)
  expect(hasEnded('2026-05-31', '2026-06-01')).toBe(true)
  expect(hasEnded(null, '2999-01-01')).toBe(false)
  expect(validUntil([passport('2026-05-31'), ...papers])).toBe('2026-05-31')
  expect(validUntil([passport('2026-05-31'), ...card('2031-01-01')])).toBe('2031-01-01')
  expect(validUntil([passport('2026-05-31'), ...card(null)])).toBeNull()
  // A side alone proves nothing, and a company's paper that ends sooner ends all of it.
  expect(validUntil([passport('2026-05-31'), { kind: 'id_front', expiresOn: '2031-01-01' }])).toBe('2026-05-31')
  expect(validUntil([passport('2031-01-01'), { kind: 'registration_proof', expiresOn: '2026-05-31' }])).toBe('2026-05-31')
  expect(validUntil([])).toBeNull()
})

test('a new version is wanted from 90 days before the last day on, and of what bears another name than is typed', () => {
  expect(due([passport('2026-05-31'), ...papers], '2026-03-01')).toEqual([])
  expect(due([passport('2026-05-31'), ...papers], '2026-03-02')).toEqual(['passport'])
  expect(due([passport('2026-05-31'), ...papers], '2027-01-01')).toEqual(['passport'])
  // Another proof is good for longer: nothing is wanted.
  expect(due([passport('2026-05-31'), ...card('2031-01-01')], '2027-01-01')).toEqual([])
  expect(due([...card('2031-01-01'), ...papers], '2026-03-01', ['last_name', 'zip'])).toEqual(['id_front', 'id_back'])
  expect(due([...card('2031-01-01'), ...papers], '2026-03-01', ['company_name'])).toEqual([
    'registration_proof',
    'articles_of_association',
  ])
  expect(due([passport(null)], '2026-03-01', ['user_type'])).toEqual(['passport'])
  // While nothing counts yet, only what has ended or bears another name.
  expect(due([passport('2026-05-31')], '2026-05-31', ['zip'], false)).toEqual([])
  expect(due([passport('2026-05-31')], '2026-05-31', ['last_name'], false)).toEqual(['passport'])
  expect(due([passport('2026-05-31')], '2026-06-01', [], false)).toEqual(['passport'])
})

import { describe, expect, test } from 'vitest'
import type { AdminUser, AdminUserEntry, IdentityDocument } from '../contract/review.ts'
import { verifyUser } from '../contract/endpoints.ts'
import { documentKinds } from '../domain/identity-document.ts'
import {
  askableKinds,
  blankDraft,
  checksOf,
  claimable,
  decidedOnceBy,
  isDecided,
  nextUndecided,
  obstacle,
  pendingDocuments,
  refusesWhole,
  toVerdict,
  typedFor,
  type Draft,
} from './decision.ts'

const today = '2026-11-21'
const ids = (n: number) => `01932f6e-7c3a-7d1e-8f00-00000000000${n}`
const at = '2026-11-18T08:10:00.000Z'
const document = (n: number, change: Partial<IdentityDocument>): IdentityDocument => ({
  id: ids(n),
  kind: 'passport',
  state: 'pending',
  version: 1,
  pages: 1,
  bytes: 1,
  media_type: 'image/jpeg',
  uploaded_at: at,
  reason: null,
  note: null,
  decided_at: null,
  expires_on: null,
  erased_at: null,
  ...change,
})
const file = {
  typed: [
    { field: 'first_name', value: 'Aramis' },
    { field: 'last_name', value: 'd’Herblay' },
    { field: 'birth_date', value: null },
    { field: 'representative_first_name', value: 'Anne' },
    { field: 'representative_last_name', value: 'd’Autriche' },
  ],
  beneficial_owners: [],
  changed_since: [],
  documents: [
    document(1, { kind: 'id_front' }),
    document(2, { kind: 'id_back' }),
    document(3, { kind: 'passport', state: 'failure' }),
  ],
  pending: [ids(1), ids(2)],
  history: [],
  age: null,
} satisfies AdminUser['file']
const user = {
  id: ids(9),
  round: 2,
  user_type: 'natural',
  file,
} as unknown as AdminUser
const ticked = (kind: (typeof documentKinds)[number], change: Partial<Draft> = {}): Draft => ({
  ...blankDraft,
  ticked: checksOf[kind],
  expiry: '31/12/2039',
  ...change,
})

describe('H-20: what keeps a document from being accepted', () => {
  test.each([
    ['nothing ticked', blankDraft, 'checks'],
    ['one tick short', ticked('passport', { ticked: checksOf.passport.slice(1) }), 'checks'],
    ['no date', ticked('passport', { expiry: '' }), 'expiry'],
    ['a date that is none', ticked('passport', { expiry: '31/02/2039' }), 'expiry'],
    ['a date that has passed', ticked('passport', { expiry: '20/11/2026' }), 'expired'],
    ['a date that has passed, before anything is ticked', { ...blankDraft, expiry: '01/01/2020' }, 'expired'],
    ['its last day', ticked('passport', { expiry: '21/11/2026' }), null],
    ['that it bears no date', ticked('passport', { expiry: '', noExpiry: true }), null],
  ] as const)('%s', (_, draft, expected) => {
    expect(obstacle('passport', draft, today)).toBe(expected)
    const accepted = { ...draft, outcome: 'accepted' } as const
    expect(isDecided('passport', accepted, today)).toBe(expected === null)
  })
  test('each kind is compared with something, and documents of companies bear no expiry', () => {
    for (const kind of documentKinds) expect(checksOf[kind].length).toBeGreaterThan(1)
    expect(obstacle('articles_of_association', ticked('articles_of_association', { expiry: '' }), today)).toBeNull()
  })
})

test('what is typed stands beside its check; of a legal entity it is the representative who proves himself', () => {
  expect(typedFor('names', user)).toBe('Aramis d’Herblay')
  expect(typedFor('names', { ...user, user_type: 'legal' })).toBe('Anne d’Autriche')
  expect(typedFor('birth_date', user)).toBeNull()
  expect(typedFor('untampered', user)).toBeNull()
})

test('one goes on to the next that is undecided, round the end, and to none when all are', () => {
  const documents = pendingDocuments(user)
  expect(documents.map(({ id }) => id)).toEqual([ids(1), ids(2)])
  const second = { [ids(2)]: { ...blankDraft, outcome: 'refused', reason: 'unreadable' } } as const
  expect(nextUndecided(documents, {}, today, ids(1))).toBe(ids(2))
  expect(nextUndecided(documents, second, today, ids(2))).toBe(ids(1))
  const both = { ...second, [ids(1)]: ticked('id_front', { outcome: 'accepted' }) }
  expect(nextUndecided(documents, both, today, ids(2))).toBeNull()
})

test('S-25…S-31: the verdict names every pending document, as the contract wants it', () => {
  const drafts = {
    [ids(1)]: ticked('id_front', { outcome: 'accepted' }),
    [ids(2)]: { ...blankDraft, outcome: 'refused', reason: 'expired', note: '  ' },
  } as const
  expect(toVerdict(user, { drafts: { [ids(1)]: drafts[ids(1)] ?? blankDraft }, missing: [], note: '' }, today)).toBeNull()
  const verdict = toVerdict(user, { drafts, missing: ['driving_licence'], note: ' Both sides, please. ' }, today)
  expect(verdict).toEqual({
    round: 2,
    decisions: [
      { document_id: ids(1), outcome: 'accepted', expires_on: '2039-12-31' },
      { document_id: ids(2), outcome: 'refused', reason: 'expired' },
    ],
    missing: ['driving_licence'],
    note: 'Both sides, please.',
  })
  expect(verifyUser.body.safeParse(verdict).success).toBe(true)
  expect(verdict !== null && refusesWhole(verdict)).toBe(true)
  const all = { ...drafts, [ids(2)]: ticked('id_back', { outcome: 'accepted' }) }
  const accepted = toVerdict(user, { drafts: all, missing: [], note: '' }, today)
  expect(accepted?.decisions[1]).toEqual({ document_id: ids(2), outcome: 'accepted', expires_on: null })
  expect(accepted !== null && refusesWhole(accepted)).toBe(false)
  expect(toVerdict({ ...user, file: { ...file, pending: [] } }, { drafts: all, missing: [], note: '' }, today)).toBeNull()
})

test('S-29: only kinds that are not there are asked for, and of a company only its own', () => {
  expect(askableKinds(user, documentKinds, today)).toEqual(['passport', 'driving_licence'])
  // Of what has ended, a new one is.
  const ended = { ...document(9, { kind: 'passport' }), state: 'success', expires_on: '2020-01-01' } as const
  const documents = [...file.documents, ended]
  expect(askableKinds({ ...user, file: { ...file, documents } }, documentKinds, '2020-01-01')).toEqual(['driving_licence'])
  expect(askableKinds({ ...user, file: { ...file, documents } }, documentKinds, today)).toContain('passport')
  expect(askableKinds({ ...user, user_type: 'legal' }, documentKinds, today)).toContain('registration_proof')
})

test('nobody takes his own file, nor one that somebody else holds', () => {
  const entry = (n: number, verification: unknown) => ({ id: ids(n), verification }) as AdminUserEntry
  const claim = (own: boolean) => ({ by: { id: ids(8), name: 'x' }, own, until: at })
  const entries = [
    entry(1, { state: 'pending', claim: null }),
    entry(2, { state: 'pending', claim: claim(false) }),
    entry(3, { state: 'pending', claim: claim(true) }),
    entry(4, { state: 'success', claim: null }),
    entry(5, null),
    entry(6, { state: 'pending', claim: null }),
  ]
  expect(claimable(entries, { reviewer: ids(6), except: ids(1) }).map(({ id }) => id)).toEqual([ids(3)])
})

test('four eyes: who agreed first does not look a second time', () => {
  const first: NonNullable<AdminUser['file']>['history'][number] = {
    round: 2,
    by: { id: ids(8), name: 'x' },
    at,
    outcome: 'accepted',
    final: false,
    note: null,
    missing: [],
    decisions: [],
  }
  const waiting = { ...user, file: { ...file, history: [first] } }
  expect(decidedOnceBy(waiting, ids(8))).toBe(true)
  expect(decidedOnceBy(waiting, ids(7))).toBe(false)
  expect(decidedOnceBy({ ...waiting, round: 3 }, ids(8))).toBe(false)
})

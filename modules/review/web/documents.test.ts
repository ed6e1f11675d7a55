import { expect, test } from 'vitest'
import type { IdentityDocument } from '../contract/review.ts'
import { neededDocuments, type DocumentKind } from '../domain/identity-document.ts'
import { alternativeHeld, countingOf, newestOf, olderOf } from './documents.ts'

const version = (kind: DocumentKind, number: number) => ({ id: `${kind} ${number}`, kind, version: number }) as IdentityDocument
const documents = [version('id_back', 2), version('registration_proof', 1), version('id_back', 1)]

test('the newest version of a kind counts, the older are history', () => {
  expect(newestOf(documents, 'id_back')?.version).toBe(2)
  expect(newestOf(documents, 'passport')).toBeNull()
  expect(olderOf(documents).map(({ id }) => id)).toEqual(['id_back 1'])
})

test('what was accepted counts beside the version that is to replace it, and is no history until then', () => {
  const accepted = { ...version('passport', 1), state: 'success' } as IdentityDocument
  const sent = { ...version('passport', 2), state: 'pending' } as IdentityDocument
  expect(countingOf([sent, accepted], 'passport')).toBe(accepted)
  expect(olderOf([sent, accepted])).toEqual([])
  expect(countingOf([accepted], 'passport')).toBeNull()
  const needed = neededDocuments('natural')
  // Renewed by another kind, it is that one which is gone on with.
  const front = { ...version('id_front', 1), state: 'ready' } as IdentityDocument
  expect(alternativeHeld(needed, [front, accepted])).toBe(needed.findIndex((kinds) => kinds.includes('id_front')))
})

test('E-20 E-21: what was begun is what is gone on with; what every alternative asks for tells none', () => {
  const needed = neededDocuments('legal')
  expect(alternativeHeld(needed, documents)).toBe(needed.findIndex((kinds) => kinds.includes('id_back')))
  expect(alternativeHeld(needed, [version('registration_proof', 1)])).toBeNull()
  expect(alternativeHeld([], [])).toBeNull()
})

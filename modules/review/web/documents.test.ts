import { expect, test } from 'vitest'
import type { IdentityDocument } from '../contract/review.ts'
import { neededDocuments, type DocumentKind } from '../domain/identity-document.ts'
import { alternativeHeld, newestOf, olderOf } from './documents.ts'

const version = (kind: DocumentKind, number: number) => ({ id: `${kind} ${number}`, kind, version: number }) as IdentityDocument
const documents = [version('id_back', 2), version('registration_proof', 1), version('id_back', 1)]

test('the newest version of a kind counts, the older are history', () => {
  expect(newestOf(documents, 'id_back')?.version).toBe(2)
  expect(newestOf(documents, 'passport')).toBeNull()
  expect(olderOf(documents).map(({ id }) => id)).toEqual(['id_back 1'])
})

test('E-20 E-21: what was begun is what is gone on with; what every alternative asks for tells none', () => {
  const needed = neededDocuments('legal')
  expect(alternativeHeld(needed, documents)).toBe(needed.findIndex((kinds) => kinds.includes('id_back')))
  expect(alternativeHeld(needed, [version('registration_proof', 1)])).toBeNull()
  expect(alternativeHeld([], [])).toBeNull()
})

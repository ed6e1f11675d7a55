import { randomBytes } from 'node:crypto'
import { createVault, type Vault } from '../../../../platform/vault/vault.ts'

const purpose = 'review.subject_key'

/** A key of one person's own, sealed for the database: once that row is gone, nothing opens what it sealed (decision 0259). */
export function makeSubjectKey(vault: Vault, userId: string): Buffer {
  return vault.seal(purpose, userId, randomBytes(32))
}

const piece = (documentId: string, page: number | 'original') => `${documentId} ${page}`

/** Seals and opens the pieces of one person's documents; each opens only as what it was sealed as. */
export function openSubject(vault: Vault, userId: string, sealedKey: Uint8Array) {
  const own = createVault(vault.open(purpose, userId, sealedKey))
  return {
    seal: (documentId: string, page: number | 'original', bytes: Uint8Array): Buffer =>
      own.seal('review.document', piece(documentId, page), bytes),
    open: (documentId: string, page: number | 'original', sealed: Uint8Array): Buffer =>
      own.open('review.document', piece(documentId, page), sealed),
  }
}

/** Each document has its scope of the blob store: erasing one touches no other. */
export const scopeOf = (documentId: string): string => `identity-${documentId}`

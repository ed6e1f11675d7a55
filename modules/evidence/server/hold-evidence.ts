import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import { DomainError } from '../../../kernel/errors.ts'
import type { EvidenceRecord } from './store.ts'

/**
 * An anonymous visitor holds a draft by its token and by nothing else: 256 random bits, shown once, kept only as a hash.
 */
export function newEvidenceToken(): { token: string; tokenHash: Buffer } {
  const token = randomBytes(32).toString('base64url')
  return { token, tokenHash: hashOf(token) }
}

/** Under which a token is stored and found. */
export function hashOf(token: string): Buffer {
  return createHash('sha256').update(token).digest()
}

/**
 * Missing and held by somebody else look alike from outside (P-16).
 * @throws DomainError `evidence.not_found`
 */
export function assertHolder(evidence: EvidenceRecord | null, token: string | undefined): EvidenceRecord {
  if (evidence !== null && token !== undefined && timingSafeEqual(hashOf(token), evidence.tokenHash)) return evidence
  throw new DomainError('not_found', 'evidence.not_found')
}

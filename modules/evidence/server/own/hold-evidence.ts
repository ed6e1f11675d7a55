import { createHash, randomBytes } from 'node:crypto'

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

import { crc32 } from 'node:zlib'
import type { Actor } from '../../../../kernel/actor.ts'
import type { Clock } from '../../../../kernel/clock.ts'
import { DomainError } from '../../../../kernel/errors.ts'
import type { Db } from '../../../../platform/db/database.ts'
import { apiKeyPrefix, isApiKey } from '../../domain/api-key.ts'
import { findApiKey, noteUse, takeCall } from './key-store.ts'
import { tokenHash } from '../guard/keyed-hash.ts'

/** Tokens of sessions have 43 characters; one in 16 million begins like a key. */
export const seemsApiKey = (bearer: string): boolean => bearer.startsWith(apiKeyPrefix) && bearer.length !== 43

/**
 * A program calls with a key of somebody's: in his own account, with no role and no proof of who he is, and for nobody else.
 * Each call counts against the pace that its owner has set, wherever it is used from and whichever process answers.
 * @throws DomainError `http.key_refused`, `http.rate_limited`
 */
export async function authenticateKey(
  deps: { readonly db: Db; readonly clock: Clock },
  sent: { readonly bearer: string; readonly delegation: string | undefined; readonly network?: string; readonly again: boolean },
): Promise<Actor> {
  const now = deps.clock.now()
  const isPossible = isApiKey(sent.bearer, crc32) && sent.delegation === undefined
  const found = isPossible ? await findApiKey(deps.db, tokenHash(sent.bearer), now) : null
  if (found === null) throw new DomainError('unauthenticated', 'http.key_refused')
  const { key, locale } = found
  const seconds = sent.again ? null : await takeCall(deps.db, key, now)
  if (seconds !== null) throw new DomainError('limited', 'http.rate_limited', { seconds })
  const used = { on: now.toISOString().slice(0, 10), network: sent.network ?? 'unknown' }
  if (!sent.again && (key.lastUsed?.on !== used.on || key.lastUsed.network !== used.network)) await noteUse(deps.db, key.id, used)
  return {
    userId: key.userId,
    accountId: key.userId,
    delegation: null,
    sessionId: key.id,
    roles: new Set(),
    secondFactor: false,
    proven: false,
    apiKey: { id: key.id, name: key.name, scopes: new Set(key.scopes) },
    until: key.expiresAt,
    locale,
  }
}

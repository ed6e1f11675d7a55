import { randomUUID } from 'node:crypto'
import { crc32 } from 'node:zlib'
import type { Actor, ApiScope } from '../../../../kernel/actor.ts'
import { DomainError } from '../../../../kernel/errors.ts'
import { recordAct } from '../../../../platform/acts/record-act.ts'
import { enqueue } from '../../../../platform/jobs/jobs.ts'
import type { ApiKeyEntry } from '../../contract/api-keys.ts'
import { apiKeyHint, apiKeyOf, mostApiKeys } from '../../domain/api-key.ts'
import { deleteApiKey, insertApiKey, listApiKeys, type ApiKeyRow } from './key-store.ts'
import type { IdentityDeps } from '../people/deps.ts'
import { mailNoticeJob } from '../mails/mail-jobs.ts'
import { tokenHash } from '../guard/keyed-hash.ts'
import { lockUser } from '../people/user-store.ts'

const dayMs = 24 * 3_600_000
const own = ({ userId }: Actor) => ({ userId, accountId: userId })
const subject = (id: string) => ({ type: 'api_key', id })

function present(row: ApiKeyRow, now: Date): ApiKeyEntry {
  return {
    id: row.id,
    name: row.name,
    hint: row.hint,
    scopes: [...row.scopes],
    per_minute: row.perMinute,
    created_at: row.createdAt.toISOString(),
    expires_at: row.expiresAt.toISOString(),
    expired: row.expiresAt <= now,
    last_used: row.lastUsed,
  }
}

export async function listOwnApiKeys(
  deps: Pick<IdentityDeps, 'db' | 'clock'>,
  actor: Actor,
): Promise<{ results: ApiKeyEntry[] }> {
  const now = deps.clock.now()
  return { results: (await listApiKeys(deps.db, actor.userId)).map((row) => present(row, now)) }
}

/**
 * The key stands in this answer and nowhere else: only its hash is kept. Its owner is told by mail, since whoever holds it needs
 * neither his password nor his second factor.
 * @param actor who proved anew who he is
 * @throws DomainError `identity.too_many_api_keys`
 */
export async function makeApiKey(
  deps: Pick<IdentityDeps, 'db' | 'clock' | 'random'>,
  actor: Actor,
  wanted: {
    readonly name: string
    readonly scopes: readonly ApiScope[]
    readonly days: number
    readonly per_minute: number
  },
): Promise<{ key: string; entry: ApiKeyEntry }> {
  const key = apiKeyOf(deps.random(32).toString('base64url'), crc32)
  return await deps.db.transaction().execute(async (tx) => {
    const now = deps.clock.now()
    await lockUser(tx, actor.userId)
    const held = (await listApiKeys(tx, actor.userId)).filter(({ expiresAt }) => expiresAt > now)
    if (held.length >= mostApiKeys) throw new DomainError('conflict', 'identity.too_many_api_keys', { most: mostApiKeys })
    const row: ApiKeyRow = {
      id: randomUUID(),
      userId: actor.userId,
      name: wanted.name,
      hint: apiKeyHint(key),
      scopes: wanted.scopes,
      perMinute: wanted.per_minute,
      createdAt: now,
      expiresAt: new Date(now.getTime() + wanted.days * dayMs),
      lastUsed: null,
    }
    await insertApiKey(tx, { ...row, tokenHash: tokenHash(key) })
    await enqueue(tx, mailNoticeJob, { user_id: actor.userId, notice: 'api_key_made', at: now.toISOString() })
    await recordAct(tx, now, {
      action: 'identity.made_api_key',
      actor: own(actor),
      subject: subject(row.id),
      data: { scopes: row.scopes.join(' '), days: wanted.days },
    })
    return { key, entry: present(row, now) }
  })
}

/** One of his own; another's is not found. @throws DomainError `http.not_found` */
export async function revokeApiKey(deps: Pick<IdentityDeps, 'db' | 'clock'>, actor: Actor, id: string): Promise<void> {
  await deps.db.transaction().execute(async (tx) => {
    if (!(await deleteApiKey(tx, id, actor.userId))) throw new DomainError('not_found', 'http.not_found')
    await recordAct(tx, deps.clock.now(), { action: 'identity.revoked_api_key', actor: own(actor), subject: subject(id) })
  })
}

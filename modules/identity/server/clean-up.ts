import { z } from 'zod'
import { defineJob } from '../../../platform/jobs/jobs.ts'
import { deleteKeysExpiredBefore } from './api-keys/key-store.ts'
import type { IdentityJobDeps } from './people/deps.ts'
import { deleteOldOrigins } from './sign-in/known-origin-store.ts'
import { deleteOutrunBefore } from './addresses/outrun-store.ts'
import { deleteExpiredSessions } from './sessions/session-store.ts'
import { deleteRestedThrottles } from '../../../platform/guard/throttle-store.ts'
import { deleteOldInvitations, deleteOldTokens } from './mails/token-store.ts'
import { deleteUnconfirmedBefore } from './people/user-store.ts'

/** Every hour. */
export const cleanUpJob = defineJob('identity.clean_up', z.object({}).loose())

const dayMs = 24 * 3_600_000
/** How long an account waits for its address to be confirmed. */
export const unconfirmedLifetimeMs = 7 * dayMs
/** How long the link of a mail says that it has expired, or was used, before it is unknown. */
const tokensKeptMs = 30 * dayMs
/** How long a place from which nobody signs in any more counts as known. */
const originsKeptMs = 180 * dayMs
/** How long the list says of a key that it has expired: why a program stopped. */
const expiredKeysKeptMs = 30 * dayMs
const batch = 500

export type CleanedUp = {
  readonly accounts: number
  readonly sessions: number
  readonly tokens: number
  readonly invitations: number
  readonly throttles: number
  readonly origins: number
  readonly apiKeys: number
}

/** What has run out goes: accounts nobody confirmed, sessions, mailed tokens, invitations, counts of attempts. */
export async function cleanUp(deps: Pick<IdentityJobDeps, 'db' | 'clock'>): Promise<CleanedUp> {
  const now = deps.clock.now()
  const before = (ms: number) => new Date(now.getTime() - ms)
  await deleteOutrunBefore(deps.db, now)
  let accounts = 0
  for (;;) {
    const deleted = await deleteUnconfirmedBefore(deps.db, before(unconfirmedLifetimeMs), batch)
    accounts += deleted
    if (deleted < batch) break
  }
  return {
    accounts,
    sessions: await deleteExpiredSessions(deps.db, now),
    tokens: await deleteOldTokens(deps.db, before(tokensKeptMs)),
    invitations: await deleteOldInvitations(deps.db, now),
    throttles: await deleteRestedThrottles(deps.db, now),
    origins: await deleteOldOrigins(deps.db, before(originsKeptMs)),
    apiKeys: await deleteKeysExpiredBefore(deps.db, before(expiredKeysKeptMs)),
  }
}

import { scopeSuffices, type Actor, type DelegationScope, type FindDelegation, type FindKey } from '../../kernel/actor.ts'
import type { Clock } from '../../kernel/clock.ts'
import type { Admission } from '../admission/admissions.ts'
import type { Db } from '../db/database.ts'
import { isActive } from './people-store.ts'
import type { Reacher } from './reach-store.ts'

/** Links to files outlive a long look at a page. They are the hours in which what they open may begin. */
const linkLifetimeMs = 6 * 60 * 60 * 1000

export const linkExpiry = (clock: Clock): Date => new Date(clock.now().getTime() + linkLifetimeMs)

/** What a link says of whom it was made for; the signature covers it. */
export type LinkHolder = {
  readonly for?: string | undefined
  readonly delegation?: string | undefined
  readonly key?: string | undefined
}

/**
 * The same as a query: links name whom they are for, and open as long as he reaches what they are of (decision 0267), and by what he acts
 * besides a session: signing out breaks no download, and the rest is asked for when the link is used.
 */
export function holderQuery({ userId, delegation, apiKey }: Pick<Actor, 'userId' | 'delegation' | 'apiKey'>): string {
  return new URLSearchParams({
    for: userId,
    ...(delegation === null ? {} : { delegation: delegation.id }),
    ...(apiKey === undefined ? {} : { key: apiKey.id }),
  }).toString()
}

export type LinkRights = {
  readonly db: Db
  readonly clock: Clock
  /** An access that somebody granted to the user, in force; absent: nobody grants any. */
  readonly findDelegation?: FindDelegation
  /** Absent: there are no keys of programs. */
  readonly findKey?: FindKey
}

/** Whom a link was made for, as he stands now. */
export type HeldLink = { readonly reacher: Reacher; readonly ids: readonly string[]; readonly until: Date | null }

/**
 * Asks again, when a link is used, what was asked when it was made: whose delegation was taken back, whose key was revoked or whose account
 * is not open any more opens nothing with the links he kept. What he reaches is for the caller to ask.
 * @param least scope of a delegate whom it was made for
 * @returns null: he may not any more
 */
export async function findLinkHolder(
  { db, clock, findDelegation, findKey }: LinkRights,
  { for: userId, delegation, key }: LinkHolder & { readonly for: string },
  least: DelegationScope = 'read',
): Promise<HeldLink | null> {
  if (!(await isActive(db, userId))) return null
  const now = clock.now()
  const granted = delegation === undefined ? null : await findDelegation?.(delegation, userId, now)
  if (delegation !== undefined && (granted == null || !scopeSuffices(granted.scope, least))) return null
  const program = key === undefined ? null : await findKey?.(key, userId, now)
  if (key !== undefined && program == null) return null
  const accountId = granted?.grantorId ?? userId
  return {
    reacher: {
      accountId,
      delegation: granted == null || delegation === undefined ? null : { id: delegation, scope: granted.scope },
    },
    ids: [userId, accountId, delegation, key].filter((each) => each !== undefined),
    until: granted?.expiresAt ?? program?.expiresAt ?? null,
  }
}

/** What a link hangs on, and whether what it is of was deleted. */
export type Holding = Pick<HeldLink, 'ids' | 'until'> & { readonly deleted: boolean }

/**
 * What is sent by a link is sent as long as that holds, and what it is of is there (decision 0330).
 * @param holds throws when it does not
 * @param missing what is thrown once it was deleted while it was sent
 */
export async function hangOnHolding(
  admission: Admission,
  id: string,
  holds: () => Promise<Holding>,
  missing: () => Error,
): Promise<void> {
  const { ids, deleted } = await holds()
  const ask = async () => {
    const now = await holds()
    if (now.deleted && !deleted) throw missing()
    return now.until
  }
  admission.hangOn({ ids: [id, ...ids], ask })
}

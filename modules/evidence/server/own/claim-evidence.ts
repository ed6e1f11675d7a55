import type { Actor } from '../../../../kernel/actor.ts'
import { DomainError } from '../../../../kernel/errors.ts'
import type { Tx } from '../../../../platform/db/database.ts'
import { lockByToken, lockPending, setOwner, setPending, type HeldByToken } from './claim-store.ts'
import type { EvidenceDeps } from '../record/deps.ts'
import { hashOf } from './hold-evidence.ts'
import { recordEvidenceAct } from './own-evidence.ts'

const claimed = () => new DomainError('conflict', 'evidence.already_claimed')

/** @throws DomainError when no evidence was ever held with that token, or it is another's */
function assertFree(held: readonly HeldByToken[], ownerId: string | null): void {
  if (held.length === 0) throw new DomainError('not_found', 'evidence.not_found')
  if (held.some((one) => one.ownerId !== null && one.ownerId !== ownerId)) throw claimed()
}

async function claim(tx: Tx, actor: Pick<Actor, 'userId' | 'accountId'>, ids: readonly string[], now: Date): Promise<void> {
  if (ids.length === 0) return
  await setOwner(tx, ids, { ownerId: actor.accountId, by: actor.userId, at: now })
  for (const id of ids) await recordEvidenceAct(tx, now, 'claimed', { actor }, id)
}

/**
 * C-31: what a token holds becomes the account's, every retry with it. The first claim wins, the same claim again changes nothing
 * (decision H-26). From then on the token opens nothing.
 * @returns ids of all that was held with it
 * @throws DomainError `evidence.not_found`, `evidence.already_claimed`
 */
export async function assignEvidence(deps: EvidenceDeps, actor: Actor, token: string): Promise<string[]> {
  return await deps.db.transaction().execute(async (tx) => {
    const held = await lockByToken(tx, hashOf(token))
    assertFree(held, actor.accountId)
    const free = held.filter(({ ownerId }) => ownerId === null).map(({ id }) => id)
    await claim(tx, actor, free, deps.clock.now())
    return held.map(({ id }) => id)
  })
}

/**
 * C-32: what the token holds is the new account's once its address is confirmed; until then the token opens it, and whoever holds that may
 * register again with another address.
 * @returns what notes that, in the transaction that makes the account
 * @throws DomainError `evidence.not_found`, `evidence.already_claimed`; so does what it returns
 */
export async function claimOnConfirmation(
  deps: Pick<EvidenceDeps, 'db'>,
  token: string,
): Promise<(tx: Tx, userId: string) => Promise<void>> {
  const free = async (tx: Tx): Promise<string[]> => {
    const held = await lockByToken(tx, hashOf(token))
    assertFree(held, null)
    return held.map(({ id }) => id)
  }
  // Also for an address that has an account already: the answer is the same.
  await deps.db.transaction().execute(free)
  return async (tx, userId) => await setPending(tx, await free(tx), userId)
}

/** Runs in the transaction that confirms the first address of an account: the drafts that waited for it are its own. */
export async function claimPending(tx: Tx, userId: string, now: Date): Promise<void> {
  await claim(tx, { userId, accountId: userId }, await lockPending(tx, userId), now)
}

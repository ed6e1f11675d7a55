import type { Actor } from '../../../../kernel/actor.ts'
import { DomainError } from '../../../../kernel/errors.ts'
import { recordAct } from '../../../../platform/acts/record-act.ts'
import type { AdminUser } from '../../contract/review.ts'
import type { ReviewDeps } from '../documents/deps.ts'
import { changeFile, holdReviewer, lockFile, lockForClaim, releaseOthers } from '../documents/file-store.ts'
import { presentUser, userNotFound } from './read-user.ts'
import { findUser, namesOf } from '../documents/user-store.ts'

export const claimMinutes = 15

type ClaimDeps = Pick<ReviewDeps, 'db' | 'clock' | 'vault' | 'secret'>

/**
 * Takes a file for a quarter of an hour, or for another one; whatever else the reviewer held goes back.
 * @throws DomainError `review.claimed`, `review.nothing_pending`, `review.own_file`, `review.second_person`
 */
export async function claimUser(deps: ClaimDeps, actor: Actor, userId: string): Promise<AdminUser> {
  const now = deps.clock.now()
  return await deps.db.transaction().execute(async (tx) => {
    if ((await findUser(tx, userId, now)) === null) throw userNotFound()
    if (userId === actor.userId) throw new DomainError('conflict', 'review.own_file')
    await holdReviewer(tx, actor.userId)
    const file = await lockForClaim(tx, userId, actor.userId)
    if (file?.state !== 'pending') throw new DomainError('conflict', 'review.nothing_pending')
    if (file.agreedBy === actor.userId) throw new DomainError('conflict', 'review.second_person')
    const held = file.claim !== null && file.claim.until > now ? file.claim : null
    if (held !== null && held.by !== actor.userId) {
      const name = (await namesOf(tx, [held.by])).get(held.by) ?? ''
      throw new DomainError('conflict', 'review.claimed', { name, until: held.until.toISOString() })
    }
    await releaseOthers(tx, actor.userId, userId)
    const until = new Date(now.getTime() + claimMinutes * 60_000)
    await changeFile(tx, userId, { claimed_by: actor.userId, claimed_until: until })
    const answer = await presentUser(deps, tx, actor, userId)
    if (held === null) {
      const data = { round: file.round }
      await recordAct(tx, now, { action: 'review.claimed_user', actor, subject: { type: 'user', id: userId }, data })
    }
    return answer
  })
}

/** Gives back what he holds; what he does not hold stays as it is. */
export async function releaseUser(deps: ClaimDeps, actor: Actor, userId: string): Promise<AdminUser> {
  const now = deps.clock.now()
  return await deps.db.transaction().execute(async (tx) => {
    const file = await lockFile(tx, userId)
    const holds = file?.claim?.by === actor.userId
    if (holds) await changeFile(tx, userId, { claimed_by: null, claimed_until: null })
    const answer = await presentUser(deps, tx, actor, userId)
    if (holds) {
      const data = { round: file.round }
      await recordAct(tx, now, { action: 'review.released_user', actor, subject: { type: 'user', id: userId }, data })
    }
    return answer
  })
}

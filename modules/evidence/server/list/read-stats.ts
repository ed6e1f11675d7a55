import type { EvidenceStats } from '../../contract/account-endpoints.ts'
import type { Actor } from '../../../../kernel/actor.ts'
import { figuresByUser, figuresOf, monthOf } from '../../../../platform/lists/month-figures.ts'
import { countSealed } from '../../../../platform/lists/tally-store.ts'
import type { EvidenceWebDeps } from '../record/deps.ts'
import { findPeople, listMemberIds } from '../own/people-store.ts'
import { findStanding } from '../own/reach-store.ts'

/**
 * Final reports of the account, and of the group that it manages, by user (E-51, E-52). Read from the tally: as quick with a million
 * as with one.
 */
export async function readStats(deps: EvidenceWebDeps, actor: Actor): Promise<EvidenceStats> {
  const now = deps.clock.now()
  const { accountId } = actor
  const standing = await findStanding(deps.db, accountId)
  const own = await countSealed(deps.db, 'evidence', { accountId, groupId: standing?.groupId ?? null })
  const answer = { month: monthOf(now), global: figuresOf(own, now), users: [], groups: [] }
  if (standing?.manages !== true || actor.delegation !== null) return answer
  const { groupId } = standing
  const counts = await countSealed(deps.db, 'evidence', { groupId })
  const ids = [...new Set([...(await listMemberIds(deps.db, groupId)), ...counts.map(({ userId }) => userId)])]
  const people = await findPeople(deps.db, ids)
  const names = new Map(ids.map((id) => [id, people.get(id)?.name ?? '']))
  return { ...answer, users: figuresByUser(counts, names, now), groups: [{ id: groupId, ...figuresOf(counts, now) }] }
}

import type { Actor } from '../../../kernel/actor.ts'
import type { EvidenceWebDeps } from './deps.ts'
import { findPeople, listMakerIds } from './people-store.ts'
import { findStanding } from './reach-store.ts'

/** By whom a list may be filtered: the account first, then the others by name. */
export async function listMakers(deps: EvidenceWebDeps, actor: Actor): Promise<{ readonly id: string; readonly name: string }[]> {
  const { accountId } = actor
  const standing = await findStanding(deps.db, accountId)
  // As with the rows themselves: what a group's manager reaches is not his delegate's (decision 0252).
  const groupId = standing?.manages === true && actor.delegation === null ? standing.groupId : null
  const ids = await listMakerIds(deps.db, accountId, groupId)
  const people = await findPeople(deps.db, ids)
  return ids
    .map((id) => ({ id, name: people.get(id)?.name ?? '' }))
    .toSorted(
      (a, b) => Number(b.id === accountId) - Number(a.id === accountId) || a.name.localeCompare(b.name) || (a.id < b.id ? -1 : 1),
    )
}

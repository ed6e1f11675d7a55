import type { Actor } from '../../../../kernel/actor.ts'
import { inOrderOfNames, listMakerIds, type Maker } from '../../../../platform/lists/maker-store.ts'
import type { EvidenceWebDeps } from '../record/deps.ts'
import { findPeople } from '../own/people-store.ts'
import { findStanding } from '../own/reach-store.ts'

/** By whom a list may be filtered. */
export async function listMakers(deps: EvidenceWebDeps, actor: Actor): Promise<Maker[]> {
  const { accountId } = actor
  const standing = await findStanding(deps.db, accountId)
  // As with the rows themselves: what a group's manager reaches is not his delegate's (decision 0252).
  const groupId = standing?.manages === true && actor.delegation === null ? standing.groupId : null
  const ids = await listMakerIds(deps.db, 'evidence', ['evidence.created'], { accountId, groupId })
  const people = await findPeople(deps.db, ids)
  return inOrderOfNames(
    ids.map((id) => ({ id, name: people.get(id)?.name ?? '' })),
    accountId,
  )
}

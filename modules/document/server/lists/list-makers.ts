import type { Actor } from '../../../../kernel/actor.ts'
import { inOrderOfNames, listMakerIds, type Maker } from '../../../../platform/lists/maker-store.ts'
import type { DocumentWebDeps } from '../deposit/deps.ts'
import { findNames } from '../deposit/people-store.ts'
import { findStanding } from '../deposit/reach-store.ts'

/** By whom a list may be filtered. */
export async function listMakers(deps: DocumentWebDeps, actor: Actor): Promise<Maker[]> {
  const { accountId } = actor
  const standing = await findStanding(deps.db, actor)
  const groupId = standing?.manages === true ? standing.groupId : null
  const ids = await listMakerIds(deps.db, 'document', ['document.deposited', 'document.deposited_many'], { accountId, groupId })
  const names = await findNames(deps.db, ids)
  return inOrderOfNames(
    ids.map((id) => ({ id, name: names.get(id) ?? '' })),
    accountId,
  )
}

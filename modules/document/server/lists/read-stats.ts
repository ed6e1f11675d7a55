import type { Actor } from '../../../../kernel/actor.ts'
import type { ResponseOf } from '../../../../kernel/endpoint.ts'
import { figuresByUser, figuresOf, monthOf } from '../../../../platform/lists/month-figures.ts'
import { countSealed } from '../../../../platform/lists/tally-store.ts'
import type { readDocumentStats } from '../../contract/endpoints.ts'
import { mostDrafts } from '../change/create-documents.ts'
import type { DocumentWebDeps } from '../deposit/deps.ts'
import { findNames, listMemberIds } from '../deposit/people-store.ts'
import { findStanding } from '../deposit/reach-store.ts'
import { countDrafts } from '../deposit/store.ts'

/** Final deposits of the account, and of the group that it manages, by user (E-51, E-52). Read from the tally: as quick with a million as with one. */
export async function readStats(deps: DocumentWebDeps, actor: Actor): Promise<ResponseOf<typeof readDocumentStats>> {
  const now = deps.clock.now()
  const { accountId } = actor
  const standing = await findStanding(deps.db, actor)
  const own = await countSealed(deps.db, 'document', { accountId, groupId: standing?.groupId ?? null })
  const drafts = { held: await countDrafts(deps.db, accountId), most: mostDrafts }
  const answer = { month: monthOf(now), global: figuresOf(own, now), users: [], groups: [], drafts }
  if (standing?.manages !== true) return answer
  const counts = await countSealed(deps.db, 'document', { groupId: standing.groupId })
  // Members who deposited nothing yet too, as among the reports; who left keeps what he deposited.
  const ids = [...new Set([...(await listMemberIds(deps.db, standing.groupId)), ...counts.map(({ userId }) => userId)])]
  const known = await findNames(deps.db, ids)
  const names = new Map(ids.map((id) => [id, known.get(id) ?? '']))
  return {
    ...answer,
    users: figuresByUser(counts, names, now),
    groups: [{ id: standing.groupId, ...figuresOf(counts, now) }],
  }
}

import type { Actor } from '../../../kernel/actor.ts'
import type { ResponseOf } from '../../../kernel/endpoint.ts'
import type { readDocumentStats } from '../contract/endpoints.ts'
import { mostDrafts } from './create-documents.ts'
import type { DocumentWebDeps } from './deps.ts'
import { findNames } from './people-store.ts'
import { findStanding } from './reach-store.ts'
import { countDrafts } from './store.ts'
import { countSealed, type MonthCount } from './tally-store.ts'

type Stats = ResponseOf<typeof readDocumentStats>

/** `2026-11`, UTC. */
function monthOf(now: Date, back: number): string {
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - back, 1)).toISOString().slice(0, 7)
}

function tallyOf(counts: readonly MonthCount[], now: Date): Stats['global'] {
  const sum = (wanted: (month: string) => boolean) =>
    counts.reduce((total, { month, count }) => total + (wanted(month) ? count : 0), 0)
  const [current, previous] = [monthOf(now, 0), monthOf(now, 1)]
  return { current: sum((month) => month === current), previous: sum((month) => month === previous), total: sum(() => true) }
}

/** Final deposits of the account, and of the group that it manages, by user (E-51, E-52). Read from the tally: as quick with a million as with one. */
export async function readStats(deps: DocumentWebDeps, actor: Actor): Promise<Stats> {
  const now = deps.clock.now()
  const { accountId } = actor
  const standing = await findStanding(deps.db, actor)
  const own = await countSealed(deps.db, { accountId, groupId: standing?.groupId ?? null })
  const drafts = { held: await countDrafts(deps.db, accountId), most: mostDrafts }
  const answer: Stats = { month: monthOf(now, 0), global: tallyOf(own, now), users: [], groups: [], drafts }
  if (standing?.manages !== true) return answer
  const counts = await countSealed(deps.db, { groupId: standing.groupId })
  const ids = [...new Set(counts.map(({ userId }) => userId))]
  const names = await findNames(deps.db, ids)
  const users = ids.map((id) => {
    const theirs = counts.filter(({ userId }) => userId === id)
    return { id, name: names.get(id) ?? '', ...tallyOf(theirs, now) }
  })
  return {
    ...answer,
    users: users.toSorted((a, b) => b.total - a.total || (a.id < b.id ? -1 : 1)),
    groups: [{ id: standing.groupId, ...tallyOf(counts, now) }],
  }
}

import type { EvidenceStats } from '../contract/account-endpoints.ts'
import type { Actor } from '../../../kernel/actor.ts'
import type { EvidenceWebDeps } from './deps.ts'
import { countSealed, type MonthCount } from './tally-store.ts'
import { findPeople, listMemberIds } from './people-store.ts'
import { findStanding } from './reach-store.ts'

type Tally = EvidenceStats['global']

/** `2026-11`, UTC: as migration 0014 counts. */
function monthOf(now: Date, back: number): string {
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - back, 1)).toISOString().slice(0, 7)
}

function tallyOf(counts: readonly MonthCount[], now: Date): Tally {
  const sum = (wanted: (month: string) => boolean) =>
    counts.reduce((total, { month, count }) => total + (wanted(month) ? count : 0), 0)
  const [current, previous] = [monthOf(now, 0), monthOf(now, 1)]
  return { current: sum((month) => month === current), previous: sum((month) => month === previous), total: sum(() => true) }
}

/**
 * Final reports of the account, and of the group that it manages, by user (E-51, E-52). Read from the tally: as quick with a million
 * as with one.
 */
export async function readStats(deps: EvidenceWebDeps, actor: Actor): Promise<EvidenceStats> {
  const now = deps.clock.now()
  const { accountId } = actor
  const standing = await findStanding(deps.db, accountId)
  const own = await countSealed(deps.db, { accountId, groupId: standing?.groupId ?? null })
  const answer = { month: monthOf(now, 0), global: tallyOf(own, now), users: [], groups: [] }
  if (standing?.manages !== true || actor.delegation !== null) return answer
  const { groupId } = standing
  const counts = await countSealed(deps.db, { groupId })
  const ids = [...new Set([...(await listMemberIds(deps.db, groupId)), ...counts.map(({ userId }) => userId)])]
  const people = await findPeople(deps.db, ids)
  const users = ids.map((id) => ({
    id,
    name: people.get(id)?.name ?? '',
    ...tallyOf(
      counts.filter(({ userId }) => userId === id),
      now,
    ),
  }))
  return {
    ...answer,
    users: users.toSorted((a, b) => b.total - a.total || (a.id < b.id ? -1 : 1)),
    groups: [{ id: groupId, ...tallyOf(counts, now) }],
  }
}

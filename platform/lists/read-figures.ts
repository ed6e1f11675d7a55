import type { Actor } from '../../kernel/actor.ts'
import type { Clock } from '../../kernel/clock.ts'
import type { Db } from '../db/database.ts'
import { findPeople, listMemberIds } from '../reach/people-store.ts'
import { findStanding } from '../reach/reach-store.ts'
import { figuresByUser, figuresOf, monthOf, type Figures } from './month-figures.ts'
import { countSealed, type TalliedTable } from './tally-store.ts'

export type AccountFigures = {
  readonly month: string
  readonly global: Figures
  readonly users: (Figures & { readonly id: string; readonly name: string })[]
  readonly groups: (Figures & { readonly id: string })[]
}

/**
 * What became final of the account, and of the group that it manages, by user (E-51, E-52). Read from the tally: as quick with a million
 * as with one.
 */
export async function readFigures(
  { db, clock }: { readonly db: Db; readonly clock: Clock },
  table: TalliedTable,
  actor: Actor,
): Promise<AccountFigures> {
  const now = clock.now()
  const standing = await findStanding(db, actor)
  const own = await countSealed(db, table, { accountId: actor.accountId, groupId: standing?.groupId ?? null })
  const answer = { month: monthOf(now), global: figuresOf(own, now), users: [], groups: [] }
  if (standing?.manages !== true) return answer
  const { groupId } = standing
  const counts = await countSealed(db, table, { groupId })
  // Members who have made nothing yet too; who left keeps what he made.
  const ids = [...new Set([...(await listMemberIds(db, groupId)), ...counts.map(({ userId }) => userId)])]
  const people = await findPeople(db, ids)
  const names = new Map(ids.map((id) => [id, people.get(id)?.name ?? '']))
  return { ...answer, users: figuresByUser(counts, names, now), groups: [{ id: groupId, ...figuresOf(counts, now) }] }
}

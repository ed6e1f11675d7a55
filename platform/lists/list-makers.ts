import type { Actor } from '../../kernel/actor.ts'
import type { Db } from '../db/database.ts'
import { findPeople } from '../reach/people-store.ts'
import { findStanding } from '../reach/reach-store.ts'
import { inOrderOfNames, listMakerIds, type Maker } from './maker-store.ts'
import type { TalliedTable } from './tally-store.ts'

/** By whom a list may be filtered. @param acts by which a row of it is made */
export async function listMakersOf(db: Db, table: TalliedTable, acts: readonly string[], actor: Actor): Promise<Maker[]> {
  const { accountId } = actor
  // As with the rows themselves: what a group's manager reaches is not his delegate's (decision 0252).
  const standing = await findStanding(db, actor)
  const ids = await listMakerIds(db, table, acts, { accountId, groupId: standing?.manages === true ? standing.groupId : null })
  const people = await findPeople(db, ids)
  return inOrderOfNames(
    ids.map((id) => ({ id, name: people.get(id)?.name ?? '' })),
    accountId,
  )
}

/** By whom the rows of a list may have been made, as SQL. Every function takes the database or the transaction first. */
import { sql } from 'kysely'
import type { Db, Tx } from '../db/database.ts'
import type { TalliedTable } from './tally-store.ts'

const mostMakers = 200

/**
 * Who may have made what the account reaches: itself, of a group that it manages whoever owns anything in it, and those of its
 * delegates who did one of these acts in its name. One who was given access and never used it is not told of: whether he has an
 * account is his affair (decision 0244).
 * @param groupId of the group that the account manages, and looks at itself
 */
export async function listMakerIds(
  db: Db | Tx,
  table: TalliedTable,
  acts: readonly string[],
  { accountId, groupId }: { readonly accountId: string; readonly groupId: string | null },
): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from (select ${accountId}::uuid as id
    union (select distinct owner_id from ${sql.table(`${table}_tally`)} where group_id = ${groupId}::uuid)
    union (select distinct d.delegate_id from access_delegation d where d.grantor_id = ${accountId}::uuid and d.delegate_id is not null
      and exists (select from act a where a.actor_id = d.delegate_id and a.on_behalf_of = ${accountId}::uuid
        and a.action = any(${[...acts]}::text[])))) makers
    order by (id = ${accountId}::uuid) desc limit ${mostMakers}`.execute(db)
  return rows.map(({ id }) => id)
}

export type Maker = { readonly id: string; readonly name: string }

/** As they are chosen from: the account first, then the others by name. */
export function inOrderOfNames(makers: readonly Maker[], accountId: string): Maker[] {
  return makers.toSorted(
    (a, b) => Number(b.id === accountId) - Number(a.id === accountId) || a.name.localeCompare(b.name) || (a.id < b.id ? -1 : 1),
  )
}

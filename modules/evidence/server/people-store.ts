/** The SQL of this module on the people that identity keeps: what is said of them where their evidence is shown. */
import { sql } from 'kysely'
import type { Db, Tx } from '../../../platform/db/database.ts'

export type Person = {
  /** As he gave it; nobody has verified it. Empty once the account was erased. */
  readonly name: string
  /** When he proved that the account's e-mail address is his. */
  readonly confirmedAt: Date | null
}

/** Whether he may sign in: neither suspended nor on his way out. */
export async function isActive(db: Db, id: string): Promise<boolean> {
  const row = await db
    .selectFrom('account_user')
    .select('id')
    .where('id', '=', id)
    .where('status', '=', 'active')
    .executeTakeFirst()
  return row !== undefined
}

export async function listMemberIds(db: Db, groupId: string): Promise<string[]> {
  const rows = await db.selectFrom('group_member').select('user_id').where('group_id', '=', groupId).execute()
  return rows.map((row) => row.user_id)
}

const mostMakers = 200

/**
 * Who may have asked for what the account reaches: itself, of a group that it manages whoever owns anything in it, and those of its
 * delegates who asked for something in its name. One who was given access and never used it is not told of: whether he has an
 * account is his affair (decision 0244).
 */
export async function listMakerIds(db: Db, accountId: string, groupId: string | null): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from (select ${accountId}::uuid as id
    union (select distinct owner_id from evidence_tally where group_id = ${groupId}::uuid)
    union (select distinct d.delegate_id from access_delegation d where d.grantor_id = ${accountId}::uuid and d.delegate_id is not null
      and exists (select from act a where a.actor_id = d.delegate_id and a.on_behalf_of = ${accountId}::uuid and a.action = 'evidence.created'))) makers
    order by (id = ${accountId}::uuid) desc limit ${mostMakers}`.execute(db)
  return rows.map(({ id }) => id)
}

export async function findPeople(db: Db | Tx, ids: readonly (string | null)[]): Promise<ReadonlyMap<string, Person>> {
  const wanted = [...new Set(ids.filter((id) => id !== null))]
  if (wanted.length === 0) return new Map()
  const rows = await db
    .selectFrom('account_user')
    .select(['id', 'first_name', 'last_name', 'confirmed_at'])
    .where('id', 'in', wanted)
    .execute()
  return new Map(
    rows.map((row) => [row.id, { name: `${row.first_name} ${row.last_name}`.trim(), confirmedAt: row.confirmed_at }]),
  )
}

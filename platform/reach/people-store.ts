/** What is said of people where what they own is shown, and whether they may still be let in, as SQL. */
import type { Db, Tx } from '../db/database.ts'

export type Person = {
  /** As he gave it; nobody has verified it. Empty once the account was erased. */
  readonly name: string
  /** When he proved that the account's e-mail address is his. */
  readonly confirmedAt: Date | null
}

/** By id; null ids are of nobody. */
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

/** Of members of a group. */
export async function listMemberIds(db: Db, groupId: string): Promise<string[]> {
  const rows = await db.selectFrom('group_member').select('user_id').where('group_id', '=', groupId).execute()
  return rows.map((row) => row.user_id)
}

/** Whether he may sign in: neither suspended nor on his way out. */
export async function isActive(db: Db | Tx, id: string): Promise<boolean> {
  const row = await db
    .selectFrom('account_user')
    .select('id')
    .where('id', '=', id)
    .where('status', '=', 'active')
    .executeTakeFirst()
  return row !== undefined
}

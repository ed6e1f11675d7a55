/** The SQL of this module on the people that identity keeps. */
import type { Db, Tx } from '../../../../platform/db/database.ts'

/** Names by id, as they gave them; empty once the account was erased. */
export async function findNames(db: Db | Tx, ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const wanted = [...new Set(ids)]
  if (wanted.length === 0) return new Map()
  const rows = await db.selectFrom('account_user').select(['id', 'first_name', 'last_name']).where('id', 'in', wanted).execute()
  return new Map(rows.map((row) => [row.id, `${row.first_name} ${row.last_name}`.trim()]))
}

export async function listMemberIds(db: Db, groupId: string): Promise<string[]> {
  const rows = await db.selectFrom('group_member').select('user_id').where('group_id', '=', groupId).execute()
  return rows.map((row) => row.user_id)
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

/** As he gave his name, and when he proved that the account's e-mail address is his. */
export async function findPersonFacts(
  db: Db | Tx,
  id: string,
): Promise<{ readonly name: string; readonly confirmedAt: Date | null } | null> {
  const row = await db
    .selectFrom('account_user')
    .select(['first_name', 'last_name', 'confirmed_at'])
    .where('id', '=', id)
    .executeTakeFirst()
  return row === undefined ? null : { name: `${row.first_name} ${row.last_name}`.trim(), confirmedAt: row.confirmed_at }
}

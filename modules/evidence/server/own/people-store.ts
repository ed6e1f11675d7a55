/** The SQL of this module on the people that identity keeps: what is said of them where their evidence is shown. */
import type { Db, Tx } from '../../../../platform/db/database.ts'

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

/** In whose account an evidence is, and whether that is open; nobody's is. Null: there is no such evidence. */
export async function findHost(
  db: Db,
  evidenceId: string,
): Promise<{ readonly ownerId: string | null; readonly open: boolean } | null> {
  const row = await db
    .selectFrom('evidence')
    .leftJoin('account_user', 'account_user.id', 'evidence.owner_id')
    .select(['evidence.owner_id', 'account_user.status'])
    .where('evidence.id', '=', evidenceId)
    .executeTakeFirst()
  return row === undefined ? null : { ownerId: row.owner_id, open: row.owner_id === null || row.status === 'active' }
}

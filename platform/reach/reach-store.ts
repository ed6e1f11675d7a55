/**
 * Who reaches what accounts own: one condition, which every read and every write by a caller goes through (decision 0252).
 * Every function takes the database or the transaction first.
 */
import { sql, type RawBuilder, type SqlBool } from 'kysely'
import type { Actor } from '../../kernel/actor.ts'
import type { Db, Tx } from '../db/database.ts'

type OwnedTable = 'evidence' | 'document'

/** As much of a caller as reach depends on. */
export type Reacher = Pick<Actor, 'accountId' | 'delegation'>

/**
 * True of the rows of a table that the caller reaches by his account: its owner, who must still be in the group within which he made it;
 * and who manages that group, in his own account alone.
 */
export function reachedByAccount(table: OwnedTable, { accountId, delegation }: Reacher): RawBuilder<SqlBool> {
  const [ownerId, groupId] = [sql.ref(`${table}.owner_id`), sql.ref(`${table}.group_id`)]
  const own = sql<SqlBool>`(${ownerId} = ${accountId}::uuid and (${groupId} is null
    or ${groupId} = (select m.group_id from group_member m where m.user_id = ${accountId}::uuid)))`
  if (delegation !== null) return own
  return sql<SqlBool>`(${own} or ${groupId} = (
    select m.group_id from group_member m where m.user_id = ${accountId}::uuid and m.role in ('owner', 'manager')))`
}

/** Of which group the account is a member, and whether it manages it; null: of none. */
export type Standing = { readonly groupId: string; readonly manages: boolean }

/** What a group's manager reaches is his own to look at, not his delegate's. */
export async function findStanding(db: Db | Tx, { accountId, delegation }: Reacher): Promise<Standing | null> {
  const row = await db.selectFrom('group_member').select(['group_id', 'role']).where('user_id', '=', accountId).executeTakeFirst()
  return row === undefined ? null : { groupId: row.group_id, manages: row.role !== 'member' && delegation === null }
}

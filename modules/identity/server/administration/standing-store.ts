/** The SQL of what staff changes of an account. */
import { sql } from 'kysely'
import type { StaffRole } from '../../../../kernel/actor.ts'
import type { Db, Tx } from '../../../../platform/db/database.ts'

export async function markSuspended(tx: Tx, id: string, by: string, reason: string, now: Date): Promise<void> {
  await tx
    .updateTable('account_user')
    .set({ status: 'suspended', suspended_at: now, suspended_by: by, suspension_reason: reason })
    .where('id', '=', id)
    .execute()
}

export async function markReinstated(tx: Tx, id: string): Promise<void> {
  await tx
    .updateTable('account_user')
    .set({ status: 'active', suspended_at: null, suspended_by: null, suspension_reason: null })
    .where('id', '=', id)
    .where('status', '=', 'suspended')
    .execute()
}

/**
 * Before any row is held: until the transaction ends nobody else takes an account or a role of staff away. Two who take each other
 * away at once would else both be told that the other is left, or hold each other up.
 */
export async function holdStaff(tx: Tx): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtext('administrators'))`.execute(tx)
}

/** Whether an administrator who may sign in would be left without that one. The caller holds the staff. */
export async function leavesAdministrator(tx: Tx, without: string): Promise<boolean> {
  const row = await tx
    .selectFrom('user_role')
    .innerJoin('account_user', 'account_user.id', 'user_role.user_id')
    .select('user_role.user_id')
    .where('user_role.role', '=', 'administrator')
    .where('account_user.status', '=', 'active')
    .where('user_role.user_id', '!=', without)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

export async function deleteRoles(tx: Tx, userId: string, roles: readonly StaffRole[]): Promise<void> {
  if (roles.length === 0) return
  await tx
    .deleteFrom('user_role')
    .where('user_id', '=', userId)
    .where('role', 'in', [...roles])
    .execute()
}

export async function countSessions(db: Db | Tx, userId: string, now: Date): Promise<number> {
  const { count } = await db
    .selectFrom('user_session')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('user_id', '=', userId)
    .where('expires_at', '>', now)
    .executeTakeFirstOrThrow()
  return count
}

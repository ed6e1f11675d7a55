import type { Db } from '../../../../platform/db/database.ts'

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

/** The SQL of what is due for erasure, and of what is held on an account. */
import type { Db } from '../../../../platform/db/database.ts'

export async function listUntouched(db: Db, before: Date, limit: number): Promise<string[]> {
  const rows = await db
    .selectFrom('support_request')
    .select('id')
    .where('changed_at', '<=', before)
    .orderBy('changed_at')
    .limit(limit)
    .execute()
  return rows.map(({ id }) => id)
}

export async function listRequestsOf(db: Db, userId: string): Promise<string[]> {
  const rows = await db.selectFrom('support_request').select('id').where('user_id', '=', userId).orderBy('created_at').execute()
  return rows.map(({ id }) => id)
}

/** With its messages, and what names its attachments. */
export async function deleteRequest(db: Db, id: string): Promise<void> {
  await db.deleteFrom('support_request').where('id', '=', id).execute()
}

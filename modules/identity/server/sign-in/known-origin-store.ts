/** The SQL of the places from which somebody signed in before. */
import { sql } from 'kysely'
import type { Db, Tx } from '../../../../platform/db/database.ts'

/** More than anybody signs in from; the ones that rest longest go. */
const mostOrigins = 100

/** Notes that place. @returns whether it is new to an account that has others */
export async function noteOrigin(tx: Tx, userId: string, key: Buffer, now: Date): Promise<boolean> {
  const known = await tx
    .updateTable('known_origin')
    .set({ seen_at: now })
    .where('user_id', '=', userId)
    .where('key', '=', key)
    .executeTakeFirst()
  if (known.numUpdatedRows > 0n) return false
  const before = await tx.selectFrom('known_origin').select('key').where('user_id', '=', userId).limit(1).executeTakeFirst()
  await tx.insertInto('known_origin').values({ user_id: userId, key, seen_at: now }).execute()
  await tx
    .deleteFrom('known_origin')
    .where('user_id', '=', userId)
    .where('key', 'not in', (eb) =>
      eb
        .selectFrom('known_origin')
        .select('key')
        .where('user_id', '=', userId)
        .orderBy('seen_at', 'desc')
        .orderBy(sql`key = ${key}`, 'desc')
        .limit(mostOrigins),
    )
    .execute()
  return before !== undefined
}

export async function deleteOldOrigins(db: Db, before: Date): Promise<number> {
  return Number((await db.deleteFrom('known_origin').where('seen_at', '<', before).executeTakeFirst()).numDeletedRows)
}

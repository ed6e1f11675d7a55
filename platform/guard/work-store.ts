/** Proofs of work that were taken: each counts once, in whichever process. */
import { sql } from 'kysely'
import type { Db, Tx } from '../db/database.ts'

/** @returns false when it was spent before */
export async function spendWork(tx: Tx, id: string, expiresAt: Date): Promise<boolean> {
  const done = await tx
    .insertInto('spent_work')
    .values({ id, expires_at: expiresAt })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst()
  return done.numInsertedOrUpdatedRows === 1n
}

export async function deleteSpentWork(db: Db, now: Date): Promise<void> {
  await sql`delete from spent_work where expires_at <= ${now}`.execute(db)
}

/** The terms of files that do not stay, as SQL. Every function takes the database or the transaction first. */
import { sql } from 'kysely'
import type { Db, Tx } from '../../../../platform/db/database.ts'

/** @param term null: its files stay */
export async function setStored(
  tx: Tx,
  id: string,
  term: { readonly from: Date; readonly until: Date } | null,
  store: boolean,
): Promise<void> {
  await tx
    .updateTable('evidence')
    .set({ store, unstored_at: term?.from ?? null, keep_files_until: term?.until ?? null })
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
}

export async function putOffTerm(tx: Tx, id: string, until: Date): Promise<void> {
  await tx.updateTable('evidence').set({ keep_files_until: until }).where('id', '=', id).executeTakeFirstOrThrow()
}

export async function setDownloaded(db: Db | Tx, id: string, at: Date): Promise<void> {
  await db.updateTable('evidence').set({ downloaded_at: at }).where('id', '=', id).execute()
}

/** Terms, by id after `after`, that are over by `now`, or end before `ahead` and were not downloaded since they began. */
export async function listTerms(
  db: Db | Tx,
  {
    now,
    ahead,
    after,
    limit,
  }: { readonly now: Date; readonly ahead: Date; readonly after: string | null; readonly limit: number },
): Promise<string[]> {
  const rows = await db
    .selectFrom('evidence')
    .select('id')
    .where('content_deleted_at', 'is', null)
    // What is in the trash goes with it, and if it is taken out its term goes on.
    .where('trashed_at', 'is', null)
    .where('keep_files_until', '<=', ahead)
    .where(sql<boolean>`(keep_files_until <= ${now} or downloaded_at is null or downloaded_at < unstored_at)`)
    .$if(after !== null, (query) => query.where('id', '>', after))
    .orderBy('id')
    .limit(limit)
    .execute()
  return rows.map(({ id }) => id)
}

/** How many reminders of that term were made, whoever got them. */
export async function countReminders(tx: Tx, evidenceId: string, term: Date): Promise<number> {
  const { count } = await tx
    .selectFrom('notification')
    .select((eb) => eb.fn.count<number>('occasion').distinct().as('count'))
    .where('evidence_id', '=', evidenceId)
    .where('kind', '=', 'download_reminder')
    .where('occasion', 'like', `${term.toISOString()}%`)
    .executeTakeFirstOrThrow()
  return count
}

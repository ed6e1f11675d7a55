/** Shared deposits, as SQL. */
import type { Db, Tx } from '../../../../platform/db/database.ts'
import { toRecord, type DocumentRecord } from '../deposit/store.ts'

export async function setShared(
  tx: Tx,
  id: string,
  share: { readonly nonce: Uint8Array; readonly hash: Uint8Array } | null,
): Promise<void> {
  await tx
    .updateTable('document')
    .set({ share_nonce: share?.nonce ?? null, share_hash: share?.hash ?? null })
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
}

/** By the hash of its token; one in the trash is shown to nobody, until it is taken out. */
export async function findShared(db: Db | Tx, hash: Uint8Array): Promise<DocumentRecord | null> {
  const row = await db
    .selectFrom('document')
    .selectAll()
    .where('share_hash', '=', Buffer.from(hash))
    .where('trashed_at', 'is', null)
    .executeTakeFirst()
  return row === undefined ? null : toRecord(row)
}

/** Whether its page is shown to whoever has the link. */
export async function isShared(db: Db | Tx, id: string): Promise<boolean> {
  const row = await db
    .selectFrom('document')
    .select('id')
    .where('id', '=', id)
    .where('share_hash', 'is not', null)
    .executeTakeFirst()
  return row !== undefined
}

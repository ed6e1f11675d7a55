/** What becomes of the deposits of an account that ends, as SQL. Every function takes the database or the transaction first. */
import { sql, type RawBuilder, type SqlBool } from 'kysely'
import type { Db, Tx } from '../../../../platform/db/database.ts'

/** `groupId`: of a group that ends with the account. */
export type ErasedAccount = { readonly accountId: string; readonly groupId: string | null }

/** True of rows of `document`: outside of any group, and all that was deposited in a group that ends. */
export function erased({ accountId, groupId }: ErasedAccount): RawBuilder<SqlBool> {
  const own = sql<SqlBool>`(document.owner_id = ${accountId}::uuid and document.group_id is null)`
  return groupId === null ? own : sql<SqlBool>`(${own} or document.group_id = ${groupId}::uuid)`
}

/** A group ends: what its members of now deposited is theirs alone again. */
export async function releaseGroup(tx: Tx, groupId: string): Promise<void> {
  await tx
    .updateTable('document')
    .set({ group_id: null })
    .where('group_id', '=', groupId)
    .where('owner_id', 'in', (eb) => eb.selectFrom('group_member').select('user_id').where('group_id', '=', groupId))
    .execute()
}

/** What nothing was sealed of. @returns how many went, at most `limit` */
export async function deleteUnsealed(db: Db, of: ErasedAccount, limit: number): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from document where id in (
      select id from document where ${erased(of)} and status in ('draft', 'failed', 'expired') limit ${limit})`.execute(db)
  return Number(numAffectedRows ?? 0)
}

/**
 * What is sealed keeps its fingerprints and its place, and nothing that was said of it.
 * @param options.before of each deposit that has certificates: their bytes go first, so that a crash leaves none that no row names
 * @returns how many were forgotten, at most `limit`
 */
export async function forgetFinal(
  db: Db,
  of: ErasedAccount,
  { limit, now, before }: { readonly limit: number; readonly now: Date; readonly before: (id: string) => Promise<void> },
): Promise<number> {
  const { rows } = await sql<{ id: string; certified: boolean }>`
    select id, exists (select from document_certificate c where c.document_id = document.id) as certified
    from document where ${erased(of)} and status = 'final' and (content_deleted_at is null or group_id is not null)
    order by id limit ${limit}`.execute(db)
  for (const { id, certified } of rows) if (certified) await before(id)
  const ids = rows.map(({ id }) => id)
  const gone = await db.transaction().execute(async (tx) => {
    await sql`update document set name = null, label = '', description = '', api_key = null, client_id = null, group_id = null,
        replaces = null, share_nonce = null, share_hash = null, content_deleted_at = coalesce(content_deleted_at, ${now}::timestamptz)
      where id = any(${ids}::uuid[])`.execute(tx)
    const certificates = await sql<{ id: string }>`
      delete from document_certificate where document_id = any(${ids}::uuid[]) returning document_id as id`.execute(tx)
    return new Set(certificates.rows.map(({ id }) => id))
  })
  // Again, for those that were made between the two.
  for (const id of gone) await before(id)
  return rows.length
}

export async function countStamping(db: Db, of: ErasedAccount): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from document where ${erased(of)} and status in ('stamping', 'awaiting_payment')`.execute(db)
  return rows[0]?.count ?? 0
}

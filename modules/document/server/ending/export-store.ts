/** What an account's owner is given of his deposits when he asks for everything that is held on him, as SQL. */
import { sql } from 'kysely'
import type { Db } from '../../../../platform/db/database.ts'

const batch = 1_000

/** Every deposit of the account, its own and those in groups, one by one in the order of the index that holds them. */
export async function* exportOwnedDocuments(db: Db, accountId: string): AsyncGenerator<Readonly<Record<string, unknown>>> {
  for (let last: { sha256: string; created_at: Date; id: string } | null = null; ;) {
    let found = db
      .selectFrom('document')
      .select([
        'id',
        sql<string>`encode(sha256, 'hex')`.as('sha256'),
        sql<string | null>`encode(sha512, 'hex')`.as('sha512'),
        'name as document_name',
        'label',
        'description',
        'status',
        'store',
        'replaces',
        'client_id',
        'api_key',
        'batch_id',
        'group_id',
        'created_by',
        'created_at',
        'sealed_at',
        'expires_at',
        'trashed_at',
        sql<boolean>`share_hash is not null`.as('shared'),
        sql<
          object | null
        >`(select jsonb_build_object('state', c.state, 'bytes', c.bytes, 'begun_at', c.begun_at, 'stored_at', c.stored_at,
          'kept_until', c.kept_until, 'ended_at', c.ended_at, 'ended_by', c.ended_by) from document_copy c where c.document_id = document.id)`.as(
          'copy',
        ),
      ])
      .where('owner_id', '=', accountId)
    if (last !== null) {
      const { sha256, created_at: createdAt, id } = last
      found = found.where(
        sql<boolean>`(sha256, created_at, id) > (decode(${sha256}, 'hex'), ${createdAt}::timestamptz, ${id}::uuid)`,
      )
    }
    const rows = await found.orderBy('document.sha256').orderBy('created_at').orderBy('id').limit(batch).execute()
    yield* rows
    last = rows.at(-1) ?? null
    if (rows.length < batch || last === null) return
  }
}

/** What an account's owner is given of his evidences when he asks for everything that is held on him, as SQL. */
import { sql } from 'kysely'
import type { Db } from '../../../../platform/db/database.ts'

const batch = 1_000

/** Every evidence of the account, its own and those in groups, one by one in the order of the index that holds them. */
export async function* exportOwnedEvidence(db: Db, accountId: string): AsyncGenerator<Readonly<Record<string, unknown>>> {
  const groups = await db.selectFrom('evidence').select('group_id').distinct().where('owner_id', '=', accountId).execute()
  for (const { group_id: groupId } of groups) {
    for (let last: { category: string; status: string; created_at: Date; id: string } | null = null; ;) {
      let found = db
        .selectFrom('evidence')
        .select([
          'category',
          'status',
          'created_at',
          'id',
          'action',
          'requested_url',
          'label',
          'locale',
          'scenario',
          'scenario_input',
          'close_cookies',
          'asked_server',
          'device',
          'failure',
          'replaced_by',
          'captured_at',
          'expires_at',
          'finalized_at',
          'anchored_at',
          'trashed_at',
          'content_deleted_at',
          'claimed_at',
          'claimed_by',
          'group_id',
          'created_by',
          'store',
          'keep_files_until',
          'downloaded_at',
          'outside_stamps',
          'sale',
        ])
        .where('owner_id', '=', accountId)
        .where('group_id', groupId === null ? 'is' : '=', groupId)
      if (last !== null) {
        const { category, status, created_at: createdAt, id } = last
        found = found.where(
          sql<boolean>`(category, status, created_at, id) > (${category}, ${status}, ${createdAt}, ${id}::uuid)`,
        )
      }
      const rows = await found.orderBy('category').orderBy('status').orderBy('created_at').orderBy('id').limit(batch).execute()
      yield* rows
      last = rows.at(-1) ?? null
      if (rows.length < batch || last === null) break
    }
  }
}

/** Every mail about an evidence that was to be written to him, oldest first. */
export async function* exportNotifications(db: Db, accountId: string): AsyncGenerator<Readonly<Record<string, unknown>>> {
  for (let last: string | null = null; ;) {
    let found = db
      .selectFrom('notification')
      .select(['id', 'evidence_id', 'kind', 'occasion', 'created_at', 'settled_at', 'sent'])
      .where('user_id', '=', accountId)
    if (last !== null) found = found.where('id', '>', last)
    const rows = await found.orderBy('id').limit(batch).execute()
    yield* rows
    last = rows.at(-1)?.id ?? null
    if (rows.length < batch || last === null) return
  }
}

/** What somebody is given of those whom he referred when he asks for everything that is held on him, as SQL. */
import { sql } from 'kysely'
import type { Db } from '../../../platform/db/database.ts'

/** When they came, and no more: who they are is theirs. */
export async function* exportReferees(db: Db, accountId: string): AsyncGenerator<Readonly<Record<string, unknown>>> {
  const { rows } = await sql<Readonly<Record<string, unknown>>>`select id, created_at as registered_at from account_user
    where referred_by = ${accountId}::uuid order by created_at, id`.execute(db)
  yield* rows
}

import { sql } from 'kysely'
import type { Db } from '../../../platform/db/database.ts'

/** Takes an evidence through what the other roles do, without files. */
export async function finish(db: Db, id: string, status: 'to_validate' | 'final', at = new Date()): Promise<void> {
  for (const to of ['preparing', 'completing', 'to_validate', ...(status === 'final' ? ['finalizing', 'final'] : [])])
    await sql`update evidence set status = ${to}, finalized_at = ${to === 'final' ? at : null}::timestamptz where id = ${id}::uuid`.execute(
      db,
    )
}

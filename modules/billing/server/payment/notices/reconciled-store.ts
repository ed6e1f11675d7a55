/** The SQL of up to when what the provider tells of has been read. */
import { sql } from 'kysely'
import type { Db } from '../../../../../platform/db/database.ts'

export async function findReconciled(db: Db, realm: string): Promise<Date | null> {
  const row = await db.selectFrom('payment_reconciled').select('until').where('realm', '=', realm).executeTakeFirst()
  return row?.until ?? null
}

/** It only goes on. */
export async function setReconciled(db: Db, realm: string, until: Date): Promise<void> {
  await sql`insert into payment_reconciled as r (realm, until) values (${realm}, ${until}::timestamptz)
    on conflict (realm) do update set until = greatest(r.until, excluded.until)`.execute(db)
}

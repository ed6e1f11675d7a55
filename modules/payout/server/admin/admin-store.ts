/** Payouts as administrators see them, as SQL. */
import { sql } from 'kysely'
import type { Page } from '../../../../kernel/page.ts'
import type { Db, Tx } from '../../../../platform/db/database.ts'

export async function pageAllPayouts(
  db: Db,
  { status, limit, offset }: { readonly status: string | null; readonly limit: number; readonly offset: number },
): Promise<Page<string>> {
  let counted = db.selectFrom('payout').select((eb) => eb.fn.countAll<number>().as('count'))
  if (status !== null) counted = counted.where('status', '=', status)
  const { count } = await counted.executeTakeFirstOrThrow()
  const { rows } = await sql<{ id: string }>`select id from payout where ${status}::text is null or status = ${status}
    order by created_at desc, id desc limit ${limit} offset ${offset}`.execute(db)
  return { count, rows: rows.map(({ id }) => id) }
}

export async function findName(db: Db | Tx, userId: string): Promise<string> {
  const row = await db.selectFrom('account_user').select(['first_name', 'last_name']).where('id', '=', userId).executeTakeFirst()
  return `${row?.first_name ?? ''} ${row?.last_name ?? ''}`.trim()
}

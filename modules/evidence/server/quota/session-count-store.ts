/** The SQL of how many live sessions somebody has. Every function takes the transaction first. */
import { sql } from 'kysely'
import type { Tx } from '../../../../platform/db/database.ts'

/** Sessions under way or waiting that a token holds, and that a block of addresses asked for. Others that ask wait for this one. */
export async function countSessions(
  tx: Tx,
  who: { readonly tokenHash: Buffer | null; readonly source: Buffer | null },
): Promise<{ readonly byToken: number; readonly bySource: number }> {
  const count = async (column: 'token_hash' | 'asker', value: Buffer | null) => {
    if (value === null) return 0
    await sql`select pg_advisory_xact_lock(hashtextextended(${value.toString('hex')}, 0))`.execute(tx)
    const row = await tx
      .selectFrom('evidence')
      .select((eb) => eb.fn.countAll<number>().as('count'))
      .where(column, '=', value)
      .where('action', '=', 'interactive')
      .where('status', 'in', ['queued', 'preparing', 'capturing'])
      .executeTakeFirstOrThrow()
    return row.count
  }
  return { byToken: await count('token_hash', who.tokenHash), bySource: await count('asker', who.source) }
}

/** Sessions under way or waiting of an account. Others of that account that ask wait for this one. */
export async function countAccountSessions(tx: Tx, accountId: string): Promise<number> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${accountId}, 1))`.execute(tx)
  const { count } = await tx
    .selectFrom('evidence')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('owner_id', '=', accountId)
    .where('category', '=', 'draft')
    .where('action', '=', 'interactive')
    .where('status', 'in', ['queued', 'preparing', 'capturing'])
    .executeTakeFirstOrThrow()
  return count
}

/** To whom answers go. */
import type { Db } from '../../../../platform/db/database.ts'

/** The confirmed address that an account uses now, and under whose sign; null: it is gone, or confirmed none. */
export async function findReader(db: Db, userId: string): Promise<{ readonly email: string; readonly brand: string } | null> {
  const row = await db
    .selectFrom('account_user')
    .innerJoin('email_address', 'email_address.user_id', 'account_user.id')
    .select(['address', 'brand'])
    .where('account_user.id', '=', userId)
    .where('account_user.status', '<>', 'erased')
    .where('is_primary', '=', true)
    .where('verified_at', 'is not', null)
    .executeTakeFirst()
  return row === undefined ? null : { email: row.address, brand: row.brand }
}

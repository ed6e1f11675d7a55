/** Who is told of backups, as SQL. */
import { isLocale, type Locale } from '../../../../kernel/locale.ts'
import type { Db } from '../../../../platform/db/database.ts'

export async function listAdministrators(
  db: Db,
): Promise<{ readonly id: string; readonly email: string; readonly locale: Locale }[]> {
  const rows = await db
    .selectFrom('account_user')
    .innerJoin('user_role', 'user_role.user_id', 'account_user.id')
    .innerJoin('email_address', 'email_address.user_id', 'account_user.id')
    .select(['account_user.id', 'email_address.address', 'account_user.locale'])
    .where('user_role.role', '=', 'administrator')
    .where('account_user.status', '=', 'active')
    .where('email_address.is_primary', '=', true)
    .orderBy('account_user.id')
    .execute()
  return rows.map(({ id, address, locale }) => ({ id, email: address, locale: isLocale(locale) ? locale : 'en' }))
}

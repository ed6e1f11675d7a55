/** Lines of mails to send, as SQL: each is settled once. */
import { sql } from 'kysely'
import type { Db } from '../db/database.ts'

export type NoticeTable = 'notification' | 'document_notification' | 'billing_notice'

export async function settleNotice(db: Db, table: NoticeTable, id: string, sent: boolean, now: Date): Promise<void> {
  await sql`update ${sql.table(table)} set settled_at = ${now}::timestamptz, sent = ${sent}
    where id = ${id}::uuid and settled_at is null`.execute(db)
}

/** Whose reports were kept for a buyer after the end of their account, as SQL. */
import { sql } from 'kysely'
import type { Db } from '../../../../platform/db/database.ts'

const most = 100

/** Erased accounts that had offered reports which nobody pays for or has a licence of any more, and which are still there. */
export async function listLeftBy(db: Db): Promise<readonly string[]> {
  const { rows } = await sql<{ id: string }>`
    select distinct o.seller_id as id from account_user u
      join license_offer o on o.seller_id = u.id
      join license_offer_report r on r.offer_id = o.id
      join evidence e on e.id = r.evidence_id and e.owner_id = u.id and e.group_id is null
    where u.status = 'erased' and e.sale = 'none' and e.status = 'final' and e.content_deleted_at is null
    order by id limit ${most}`.execute(db)
  return rows.map(({ id }) => id)
}

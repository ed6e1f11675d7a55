import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import type { Db } from '../../platform/db/database.ts'

export type PayoutRows = { readonly payoutId: string; readonly refereeId: string }

/** A payout under way to somebody, and somebody whom he referred. */
export async function havePayouts(
  db: Db,
  { earner, referee }: { readonly earner: string; readonly referee: string },
): Promise<PayoutRows> {
  const [payoutId, earningId] = [randomUUID(), randomUUID()]
  await sql`update account_user set referred_by = ${earner}::uuid where id = ${referee}::uuid`.execute(db)
  await db.transaction().execute(async (tx) => {
    await sql`insert into invoice_line (invoice_id, position, item, quantity, unit_cents, net_cents, vat_rate, vat_cents)
      select id, 1, 'plan', 1, net_cents, net_cents, vat_rate, vat_cents from invoice i
      where not exists (select from invoice_line l where l.invoice_id = i.id) limit 1`.execute(tx)
    await sql`insert into earning (id, user_id, source, subject_id, invoice_id, line, base_cents, rate, amount_cents, standing_cents, earned_on,
        matures_on, matured_at, created_at)
      select ${earningId}::uuid, ${earner}::uuid, 'referral', ${referee}::uuid, l.invoice_id, l.position, 39900, 1000, 3990, 3990, '2026-09-01',
        '2026-10-01', now(), now() from invoice_line l limit 1`.execute(tx)
    await sql`insert into payout (id, user_id, month, status, net_cents, vat_treatment, vat_cents, gross_cents, realm, reference_text, grant_key,
        payout_key, created_at) values (${payoutId}::uuid, ${earner}::uuid, '2026-11-01', 'pending', 3990, 'none', 0, 3990, 'transfer',
        'PBT-7K2M94QX3B', gen_random_uuid()::text, gen_random_uuid()::text, now())`.execute(tx)
    await sql`insert into payout_line (payout_id, earning_id, cents) values (${payoutId}::uuid, ${earningId}::uuid, 3990)`.execute(
      tx,
    )
  })
  return { payoutId, refereeId: referee }
}

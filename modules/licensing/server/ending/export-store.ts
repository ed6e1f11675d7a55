/** What somebody is given of what he sold and bought when he asks for everything that is held on him, as SQL. */
import type { Db } from '../../../../platform/db/database.ts'

const batch = 500

/** Offers, then licences, oldest first. Of a buyer no seller is told more than the licence itself says. */
export async function* exportLicenses(db: Db, accountId: string): AsyncGenerator<Readonly<Record<string, unknown>>> {
  for (let last: string | null = null; ;) {
    let found = db
      .selectFrom('license_offer')
      .select([
        'id',
        'status',
        'price_cents',
        'description',
        'most',
        'personal_data_reviewed_at',
        'created_at',
        'opened_at',
        'stopped_at',
      ])
      .where('seller_id', '=', accountId)
    if (last !== null) found = found.where('id', '>', last)
    const rows = await found.orderBy('id').limit(batch).execute()
    for (const row of rows) yield { kind: 'offer', ...row }
    last = rows.at(-1)?.id ?? null
    if (rows.length < batch || last === null) break
  }
  for (let last: string | null = null; ;) {
    let found = db
      .selectFrom('license')
      .select([
        'id',
        'number',
        'status',
        'email',
        'first_name',
        'last_name',
        'company',
        'licensor',
        'net_cents',
        'fee_cents',
        'invoice_id',
        'terms',
        'waived_at',
        'reason',
        'created_at',
        'paid_at',
        'ended_at',
      ])
      .where((eb) =>
        eb.or([eb('buyer_id', '=', accountId), eb.and([eb('seller_id', '=', accountId), eb('paid_at', 'is not', null)])]),
      )
    if (last !== null) found = found.where('id', '>', last)
    const rows = await found.orderBy('id').limit(batch).execute()
    for (const row of rows) yield { kind: 'license', ...row }
    last = rows.at(-1)?.id ?? null
    if (rows.length < batch || last === null) return
  }
}

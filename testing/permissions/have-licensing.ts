import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { hashOfToken, saleTokenOf } from '../../modules/licensing/server/keep/tokens.ts'
import type { Db } from '../../platform/db/database.ts'
import { linkSecret } from './open-web-api.test-data.ts'

export type LicensingRows = { readonly offerId: string; readonly saleToken: string; readonly draftId: string }

/** An offer that is open, and one that is prepared, of the same seller. */
export async function haveLicensing(
  db: Db,
  { seller, evidenceId }: { readonly seller: string; readonly buyer: string; readonly evidenceId: string },
): Promise<LicensingRows> {
  const [open, draft] = [
    { id: randomUUID(), nonce: Buffer.alloc(16, 1) },
    { id: randomUUID(), nonce: Buffer.alloc(16, 2) },
  ]
  for (const each of [open, draft]) {
    await sql`insert into license_offer (id, seller_id, created_by, status, price_cents, description, nonce, token_hash, created_at)
      values (${each.id}::uuid, ${seller}::uuid, ${seller}::uuid, 'draft', 5000, '', ${each.nonce},
        ${hashOfToken(saleTokenOf(linkSecret, each))}, now())`.execute(db)
    await sql`insert into license_offer_report (offer_id, position, evidence_id) values (${each.id}::uuid, 1, ${evidenceId}::uuid)`.execute(
      db,
    )
  }
  await sql`update license_offer set status = 'open', opened_at = now(), personal_data_reviewed_at = now() where id = ${open.id}::uuid`.execute(
    db,
  )
  return { offerId: open.id, draftId: draft.id, saleToken: saleTokenOf(linkSecret, open) }
}

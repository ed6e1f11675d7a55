import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { hashOfToken, licenseCodeOf, saleTokenOf } from '../../modules/licensing/server/keep/tokens.ts'
import type { Db } from '../../platform/db/database.ts'
import { linkSecret } from './open-web-api.test-data.ts'

export type LicensingRows = {
  readonly offerId: string
  readonly saleToken: string
  readonly draftId: string
  /** One that `other` bought, and one that he asked for. */
  readonly licenseId: string
  readonly pendingId: string
  readonly code: string
}

/** An offer that is open, and one that is prepared, of the same seller. */
export async function haveLicensing(
  db: Db,
  { seller, buyer, evidenceId }: { readonly seller: string; readonly buyer: string; readonly evidenceId: string },
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
  const [bought, pending] = [
    { id: randomUUID(), nonce: Buffer.alloc(16, 3) },
    { id: randomUUID(), nonce: Buffer.alloc(16, 4) },
  ]
  for (const each of [bought, pending]) {
    await sql`insert into license (id, offer_id, seller_id, buyer_id, status, email, first_name, last_name, company, net_cents, fee_rate, fee_cents,
        terms, waived_at, nonce, code_hash, created_at)
      values (${each.id}::uuid, ${open.id}::uuid, ${seller}::uuid, ${buyer}::uuid, 'pending', 'a@b.example', 'A', 'B', '', 5000, 2000, 1000,
        '2026-11', now(), ${each.nonce}, ${hashOfToken(licenseCodeOf(linkSecret, each))}, now())`.execute(db)
    await sql`insert into license_report (license_id, position, evidence_id, page_url, captured_at, root)
      values (${each.id}::uuid, 1, ${evidenceId}::uuid, 'https://example.org/', now(), ${'a'.repeat(64)})`.execute(db)
    if (each === bought)
      await sql`update license set status = 'paid', number = 'L2026-000001', paid_at = now() where id = ${each.id}::uuid`.execute(
        db,
      )
  }
  return {
    licenseId: bought.id,
    pendingId: pending.id,
    code: licenseCodeOf(linkSecret, bought),
    offerId: open.id,
    draftId: draft.id,
    saleToken: saleTokenOf(linkSecret, open),
  }
}

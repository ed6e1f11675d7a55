import type { Clock } from '../../../kernel/clock.ts'
import { purchasedDocuments } from '../../../modules/document/server/index.ts'
import { purchasedEvidence } from '../../../modules/evidence/server/index.ts'
import type { BillingDeps } from '../../../modules/billing/server/index.ts'
import type { Config } from '../../../platform/config/config.ts'
import type { Db } from '../../../platform/db/database.ts'

/** What is sold here, and who hands it over; undefined: nothing is paid for. */
export function openBilling(deps: {
  readonly config: Pick<Config, 'seller'>
  readonly db: Db
  readonly clock: Clock
}): BillingDeps | undefined {
  const { db, clock, config } = deps
  if (config.seller === null) return undefined
  return {
    db,
    clock,
    seller: config.seller,
    purchases: { evidence: purchasedEvidence({ clock }), document: purchasedDocuments({ clock }) },
  }
}

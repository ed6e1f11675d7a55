import type { Clock } from '../../../kernel/clock.ts'
import { purchasedDocuments } from '../../../modules/document/server/index.ts'
import { purchasedEvidence } from '../../../modules/evidence/server/index.ts'
import { realmOf, type BillingDeps } from '../../../modules/billing/server/index.ts'
import { purchasedLicense, type LicensingDeps } from '../../../modules/licensing/server/index.ts'
import type { BlobStore } from '../../../platform/blobs/blob-store.ts'
import type { Config } from '../../../platform/config/config.ts'
import type { Db } from '../../../platform/db/database.ts'

type Deps = {
  readonly config: Pick<Config, 'seller' | 'licenseFeeRate' | 'mangopay' | 'extrasLimit'>
  readonly db: Db
  readonly clock: Clock
  readonly blobs: BlobStore
  readonly secret: string
}

/** What is sold here, and who hands it over; undefined: nothing is paid for. */
export function openBilling({ db, clock, config }: Pick<Deps, 'config' | 'db' | 'clock'>): BillingDeps | undefined {
  if (config.seller === null) return undefined
  return {
    db,
    clock,
    seller: config.seller,
    ...(config.mangopay === null ? {} : { extras: { realm: realmOf(config.mangopay), limit: config.extrasLimit } }),
    purchases: {
      evidence: purchasedEvidence({ clock }),
      document: purchasedDocuments({ clock }),
      license: purchasedLicense({ clock }),
    },
  }
}

/** Licences of reports; undefined: nothing is paid for. */
export function openLicensing(deps: Deps): LicensingDeps | undefined {
  const { config, db, clock, blobs, secret } = deps
  const billing = openBilling(deps)
  return billing === undefined ? undefined : { db, clock, blobs, secret, feeRate: config.licenseFeeRate, billing }
}

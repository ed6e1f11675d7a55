import type { Clock } from '../../../kernel/clock.ts'
import { purchasedDocuments } from '../../../modules/document/server/index.ts'
import { purchasedEvidence } from '../../../modules/evidence/server/index.ts'
import { realmOf, type BillingDeps } from '../../../modules/billing/server/index.ts'
import { purchasedLicense, type LicensingDeps } from '../../../modules/licensing/server/index.ts'
import { recordEarning, type PayoutDeps } from '../../../modules/payout/server/index.ts'
import type { ReferralDeps } from '../../../modules/referral/server/index.ts'
import type { BlobStore } from '../../../platform/blobs/blob-store.ts'
import type { Config } from '../../../platform/config/config.ts'
import type { Db } from '../../../platform/db/database.ts'

type Deps = {
  readonly config: Pick<Config, 'seller' | 'licenseFeeRate' | 'mangopay' | 'extrasLimit' | 'payout' | 'referral'>
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
      license: purchasedLicense({ clock }, async (tx, sold) => {
        const { licenseId: subjectId, sellerId: userId, invoiceId, netCents: baseCents, rate, earnedCents: amountCents } = sold
        const brought = { userId, source: 'license', subjectId, invoiceId, line: 1, baseCents, rate, amountCents } as const
        await recordEarning(tx, config.payout, brought, clock.now())
      }),
    },
  }
}

/** Licences of reports; undefined: nothing is paid for. */
export function openLicensing(deps: Deps): LicensingDeps | undefined {
  const { config, db, clock, blobs, secret } = deps
  const billing = openBilling(deps)
  return billing === undefined ? undefined : { db, clock, blobs, secret, feeRate: config.licenseFeeRate, billing }
}

/** What is earned, and how it is paid out. */
export function openPayouts(deps: Deps & Omit<PayoutDeps, 'rules' | keyof Deps>): PayoutDeps {
  const { db, blobs, clock, log, secret, config, vault, provider, publicUrl, seller } = deps
  return { db, blobs, clock, log, secret, vault, provider, publicUrl, seller, rules: config.payout }
}

export function openReferral(deps: Pick<Deps, 'config' | 'db' | 'clock'> & Pick<ReferralDeps, 'log'>): ReferralDeps {
  const { db, clock, log, config } = deps
  return { db, clock, log, rule: config.referral, payout: config.payout }
}

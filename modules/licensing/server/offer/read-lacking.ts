import type { Db, Tx } from '../../../../platform/db/database.ts'
import { hasBankAccount } from '../../../account/server/index.ts'
import { findSoldReport, lockSoldReport, type SoldReport } from '../../../evidence/server/index.ts'
import { identityStatusOf } from '../../../review/server/index.ts'
import { lackingOf, type Lack, type SellerFacts } from '../../domain/readiness.ts'
import type { OfferRow } from '../keep/offer-store.ts'

export async function sellerFactsOf(db: Db | Tx, sellerId: string, now: Date): Promise<SellerFacts> {
  const { state, expiresOn } = await identityStatusOf(db, sellerId)
  const expired = expiresOn !== null && expiresOn <= now.toISOString().slice(0, 10)
  return {
    identity: state !== 'success' ? 'not_verified' : expired ? 'expired' : 'verified',
    hasBankAccount: await hasBankAccount(db, sellerId),
  }
}

function judged(
  offer: Pick<OfferRow, 'sellerId' | 'personalDataReviewedAt'>,
  facts: SellerFacts,
  reports: readonly (SoldReport | null)[],
) {
  return lackingOf(
    facts,
    reports.map((report) => ({
      own: report?.ownerId === offer.sellerId,
      final: report?.final === true && report.seal !== null,
      trashed: report?.trashed === true,
      stored: report?.stored === true,
    })),
    offer.personalDataReviewedAt !== null,
  )
}

type Judged = Pick<OfferRow, 'sellerId' | 'personalDataReviewedAt' | 'reports'>

/** What keeps it back from being opened, as things stand. */
export async function readLacking(db: Db | Tx, offer: Judged, now: Date): Promise<readonly Lack[]> {
  const reports = []
  for (const id of offer.reports) reports.push(await findSoldReport(db, id))
  return judged(offer, await sellerFactsOf(db, offer.sellerId, now), reports)
}

/** The same, with its reports held until the transaction ends. */
export async function holdLacking(tx: Tx, offer: Judged, now: Date): Promise<readonly Lack[]> {
  const reports = []
  for (const id of offer.reports.toSorted()) reports.push(await lockSoldReport(tx, id))
  return judged(offer, await sellerFactsOf(tx, offer.sellerId, now), reports)
}

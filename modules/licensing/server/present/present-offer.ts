import type { Actor } from '../../../../kernel/actor.ts'
import { findSoldReport } from '../../../evidence/server/index.ts'
import type { Offer } from '../../contract/offers.ts'
import { shareOf } from '../../domain/price.ts'
import type { LicensingWebDeps } from '../keep/deps.ts'
import { countPlaces } from '../keep/license-store.ts'
import { findOffer, type OfferRow } from '../keep/offer-store.ts'
import { saleTokenOf } from '../keep/tokens.ts'
import { ownOffer } from '../offer/own-offer.ts'
import { readLacking } from '../offer/read-lacking.ts'

/** As its seller sees it. */
export async function presentOffer(
  deps: Pick<LicensingWebDeps, 'db' | 'clock' | 'secret' | 'feeRate'>,
  offer: OfferRow,
): Promise<Offer> {
  const { db } = deps
  const { sold, kept } = await countPlaces(db, offer.id)
  const reports = []
  for (const id of offer.reports) {
    const report = await findSoldReport(db, id)
    if (report !== null)
      reports.push({ id, page_url: report.pageUrl, title: report.title, captured_at: report.capturedAt.toISOString() })
  }
  return {
    id: offer.id,
    status: offer.status,
    price_cents: offer.priceCents,
    description: offer.description,
    most: offer.most,
    licenses: sold,
    places_kept: kept,
    fee_basis_points: deps.feeRate,
    fee_cents: shareOf(offer.priceCents, deps.feeRate),
    sale_token: saleTokenOf(deps.secret, offer),
    personal_data_reviewed: offer.personalDataReviewedAt !== null,
    reports,
    lacking: offer.status === 'stopped' ? [] : [...(await readLacking(deps, offer))],
    created_at: offer.createdAt.toISOString(),
    opened_at: offer.openedAt?.toISOString() ?? null,
    stopped_at: offer.stoppedAt?.toISOString() ?? null,
  }
}

/** @throws DomainError `licensing.offer_unknown` */
export async function findOwnOffer(deps: Pick<LicensingWebDeps, 'db'>, actor: Actor, id: string): Promise<OfferRow> {
  return ownOffer(await findOffer(deps.db, id), actor.accountId)
}

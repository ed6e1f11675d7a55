import { DomainError } from '../../../../kernel/errors.ts'
import type { OfferRow } from '../keep/offer-store.ts'

/** What is another's and what is not there look alike from outside (P-16). @throws DomainError `licensing.offer_unknown` */
export function ownOffer(offer: OfferRow | null, accountId: string): OfferRow {
  if (offer === null || offer.sellerId !== accountId) throw new DomainError('not_found', 'licensing.offer_unknown')
  return offer
}

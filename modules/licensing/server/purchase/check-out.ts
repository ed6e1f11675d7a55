import type { Actor } from '../../../../kernel/actor.ts'
import { DomainError } from '../../../../kernel/errors.ts'
import { holdPayer, openPurchase } from '../../../billing/server/index.ts'
import { shareOf } from '../../domain/price.ts'
import type { LicensingDeps } from '../keep/deps.ts'
import { findLicense, lockLicense, setInvoice, type LicenseRow } from '../keep/license-store.ts'
import { lockOffer } from '../keep/offer-store.ts'
import { refreshSale } from '../keep/refresh-sale.ts'
import { sellerNameOf } from '../keep/seller-name.ts'
import { maySell } from '../offer/read-lacking.ts'
import { refuseSoldOut } from './ask-license.ts'
import { boughtBy } from './own-license.ts'

/**
 * The invoice of a licence that is to be paid, at the price of now; from then on its place is kept. Asked again, it is the same. One place
 * after the other: the offer is held.
 * @throws DomainError `licensing.license_unknown`, `licensing.not_pending`, `licensing.sale_stopped`, `licensing.sold_out`,
 * `billing.profile_incomplete`, `billing.vat_unchecked`
 */
export async function checkOut(
  deps: LicensingDeps,
  actor: Actor,
  id: string,
): Promise<{ readonly invoiceId: string; readonly license: LicenseRow }> {
  return await deps.db.transaction().execute(async (tx) => {
    // Before any row of the licence: whoever pays holds him first too.
    await holdPayer(tx, deps.billing, actor.accountId)
    const license = boughtBy(await lockLicense(tx, id), actor.accountId)
    if (license.invoiceId !== null && license.status !== 'lapsed') return { invoiceId: license.invoiceId, license }
    if (license.status !== 'pending') throw new DomainError('conflict', 'licensing.not_pending')
    const offer = await lockOffer(tx, license.offerId)
    if (offer?.status !== 'open' || !(await maySell({ db: tx, secret: deps.secret }, offer.sellerId)))
      throw new DomainError('conflict', 'licensing.sale_stopped')
    await refuseSoldOut(tx, offer)
    const { priceCents: netCents } = offer
    const licensor = (await sellerNameOf(tx, offer.sellerId)).slice(0, 250) || null
    const fee = { netCents, feeRate: deps.feeRate, feeCents: shareOf(netCents, deps.feeRate) }
    const { invoiceId } = await openPurchase(tx, deps.billing, actor.accountId, { category: 'license', subjectId: id, netCents })
    await setInvoice(tx, id, { ...fee, licensor, invoiceId })
    await refreshSale(
      tx,
      license.reports.map(({ evidenceId }) => evidenceId),
    )
    return { invoiceId, license: boughtBy(await findLicense(tx, id), actor.accountId) }
  })
}

import { randomUUIDv7 } from 'node:crypto'
import type { Actor } from '../../../../kernel/actor.ts'
import type { BodyOf } from '../../../../kernel/endpoint.ts'
import { DomainError } from '../../../../kernel/errors.ts'
import type { Tx } from '../../../../platform/db/database.ts'
import { maySell } from '../offer/read-lacking.ts'
import { findSoldReport } from '../../../evidence/server/index.ts'
import type { createLicense } from '../../contract/licenses.ts'
import { shareOf } from '../../domain/price.ts'
import { currentTerms } from '../../domain/terms.ts'
import { recordLicensingAct } from '../keep/acts.ts'
import type { LicensingDeps } from '../keep/deps.ts'
import {
  countPlaces,
  findLicense,
  findNewestOf,
  insertLicense,
  lockLicense,
  setBeneficiary,
  type Beneficiary,
  type LicenseReport,
  type LicenseRow,
} from '../keep/license-store.ts'
import { findSale, type OfferRow } from '../keep/offer-store.ts'
import { hashOfToken, licenseCodeOf, newNonce } from '../keep/tokens.ts'

type Asked = Pick<BodyOf<typeof createLicense>, 'sale_token' | 'beneficiary'>
type Deps = Pick<LicensingDeps, 'db' | 'clock' | 'secret' | 'feeRate'>

export const toBeneficiary = ({ email, first_name, last_name, company }: Asked['beneficiary']): Beneficiary => ({
  email,
  firstName: first_name,
  lastName: last_name,
  company,
})

/** @throws DomainError `licensing.sale_unknown`, `licensing.sale_stopped` */
async function findOpenSale(deps: Pick<Deps, 'db' | 'secret'>, token: string): Promise<OfferRow> {
  const offer = await findSale(deps.db, hashOfToken(token))
  if (offer === null) throw new DomainError('not_found', 'licensing.sale_unknown')
  if (offer.status !== 'open' || !(await maySell(deps, offer.sellerId)))
    throw new DomainError('conflict', 'licensing.sale_stopped')
  return offer
}

/** @throws DomainError `licensing.sold_out` */
export async function refuseSoldOut(db: Parameters<typeof countPlaces>[0], offer: Pick<OfferRow, 'id' | 'most'>): Promise<void> {
  if (offer.most === null) return
  const { sold, kept } = await countPlaces(db, offer.id)
  if (sold + kept >= offer.most) throw new DomainError('conflict', 'licensing.sold_out')
}

/** The reports, as they are sealed: a licence is of these, whatever becomes of their offer. */
async function reportsOf(tx: Tx, offer: OfferRow): Promise<LicenseReport[]> {
  const reports = []
  for (const id of offer.reports) {
    const report = await findSoldReport(tx, id)
    if (report?.seal == null) throw new DomainError('conflict', 'licensing.sale_stopped')
    reports.push({ evidenceId: id, pageUrl: report.pageUrl, capturedAt: report.capturedAt, root: report.seal.root })
  }
  return reports
}

async function insert(tx: Tx, deps: Deps, offer: OfferRow, buyerId: string, beneficiary: Beneficiary): Promise<string> {
  const [id, nonce, now] = [randomUUIDv7(), newNonce(), deps.clock.now()]
  await insertLicense(
    tx,
    {
      id,
      offerId: offer.id,
      sellerId: offer.sellerId,
      buyerId,
      ...beneficiary,
      netCents: offer.priceCents,
      feeRate: deps.feeRate,
      feeCents: shareOf(offer.priceCents, deps.feeRate),
      terms: currentTerms,
      waivedAt: now,
      nonce,
      codeHash: hashOfToken(licenseCodeOf(deps.secret, { id, nonce })),
      reports: await reportsOf(tx, offer),
    },
    now,
  )
  return id
}

/**
 * C-46: nothing is kept for him before he asks for its invoice. Asked for again, it is the same with the new beneficiary.
 * @throws DomainError `licensing.sale_unknown`, `licensing.sale_stopped`, `licensing.sold_out`, `licensing.own_sale`
 */
export async function askLicense(deps: Deps, actor: Actor, asked: Asked): Promise<LicenseRow> {
  const offer = await findOpenSale(deps, asked.sale_token)
  if (offer.sellerId === actor.accountId) throw new DomainError('conflict', 'licensing.own_sale')
  const beneficiary = toBeneficiary(asked.beneficiary)
  return await deps.db.transaction().execute(async (tx) => {
    const newest = await findNewestOf(tx, offer.id, actor.accountId)
    const before = newest === null ? null : await lockLicense(tx, newest.id)
    let id = before?.id ?? ''
    if (before?.status === 'pending') await setBeneficiary(tx, id, beneficiary)
    else {
      await refuseSoldOut(tx, offer)
      id = await insert(tx, deps, offer, actor.accountId, beneficiary)
    }
    await recordLicensingAct(tx, deps.clock.now(), 'license_asked', actor, id)
    const made = await findLicense(tx, id)
    if (made === null) throw new Error('a licence is gone as it is made')
    return made
  })
}

/** C-49: the same, for the account that is made with it. */
export async function askOnRegistration(deps: Deps, asked: Asked): Promise<(tx: Tx, userId: string) => Promise<void>> {
  const offer = await findOpenSale(deps, asked.sale_token)
  await refuseSoldOut(deps.db, offer)
  return async (tx, userId) => {
    await insert(tx, deps, offer, userId, toBeneficiary(asked.beneficiary))
  }
}

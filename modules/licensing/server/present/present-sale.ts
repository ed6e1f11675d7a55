import { DomainError } from '../../../../kernel/errors.ts'
import type { ResponseOf } from '../../../../kernel/endpoint.ts'
import { priced, standardRate } from '../../../billing/server/index.ts'
import { blurredPictureOf, findSoldReport, sealedProofOf, type SealTold } from '../../../evidence/server/index.ts'
import type { Sale, saleProof } from '../../contract/sales.ts'
import { currentTerms } from '../../domain/terms.ts'
import type { LicensingWebDeps } from '../keep/deps.ts'
import { countPlaces, findNewestOf } from '../keep/license-store.ts'
import { findSale, type OfferRow } from '../keep/offer-store.ts'
import { maySell } from '../offer/read-lacking.ts'
import { sellerNameOf } from '../keep/seller-name.ts'
import { hashOfToken } from '../keep/tokens.ts'

type Deps = Pick<LicensingWebDeps, 'db' | 'blobs' | 'secret'>

/** @throws DomainError `licensing.sale_unknown` */
export async function saleOf(deps: Pick<LicensingWebDeps, 'db'>, token: string): Promise<OfferRow> {
  const offer = await findSale(deps.db, hashOfToken(token))
  if (offer === null) throw new DomainError('not_found', 'licensing.sale_unknown')
  return offer
}

const sealOf = ({ root, signedAt, signer, timestamps, log }: SealTold) => ({
  root,
  signed_at: signedAt,
  signer,
  timestamps: timestamps.map((stamp) => ({
    authority: stamp.authority,
    gen_time: stamp.genTime,
    embedded: stamp.embedded,
  })),
  log: log === null ? null : { origin: log.origin, index: log.index, logged_at: log.loggedAt },
})

/** What its page shows. Of one that is stopped nothing but that, unless it is its seller who looks. @param as who looks, if anybody is signed in */
export async function presentSale(deps: Deps, offer: OfferRow, as: string | null, preview = false): Promise<Sale> {
  const { db } = deps
  const { sold, kept } = await countPlaces(db, offer.id)
  const remaining = offer.most === null ? null : Math.max(0, offer.most - sold - kept)
  const open = preview || (offer.status === 'open' && (await maySell(deps, offer.sellerId)))
  const license = as === null ? null : await findNewestOf(db, offer.id, as)
  const common = {
    own: as === offer.sellerId,
    license: license?.id ?? null,
    terms: currentTerms,
  }
  if (!open) return { ...common, status: 'stopped', seller_name: '', description: '', price: null, remaining: null, reports: [] }
  const { net, vat, gross } = priced(offer.priceCents, standardRate)
  return {
    ...common,
    status: remaining === 0 ? 'sold_out' : 'open',
    seller_name: await sellerNameOf(db, offer.sellerId),
    description: offer.description,
    price: { net_cents: net, vat_cents: vat, gross_cents: gross, vat_basis_points: standardRate },
    remaining,
    reports: await presentReports(deps, offer),
  }
}

async function presentReports(deps: Deps, { reports }: OfferRow): Promise<Sale['reports']> {
  const shown = []
  for (const [index, id] of reports.entries()) {
    const report = await findSoldReport(deps.db, id)
    if (report?.seal == null || report.trashed) continue
    shown.push({
      number: index + 1,
      page_url: report.pageUrl,
      captured_at: report.capturedAt.toISOString(),
      picture: report.hasPicture,
      seal: sealOf(report.seal),
    })
  }
  return shown
}

const missing = () => new DomainError('not_found', 'licensing.sale_unknown')

function reportOf({ reports }: OfferRow, number: number): string {
  const id = reports[number - 1]
  if (id === undefined) throw missing()
  return id
}

/** @throws DomainError `licensing.sale_unknown` */
export async function pictureOf(deps: Deps, offer: OfferRow, number: number): Promise<Buffer> {
  const picture = await blurredPictureOf(deps, reportOf(offer, number))
  if (picture === null) throw missing()
  return picture
}

/** Of one that is stopped no more is told. @throws DomainError `licensing.sale_unknown` */
export async function proofOf(deps: Deps, offer: OfferRow, number: number): Promise<ResponseOf<typeof saleProof>> {
  const proof = await sealedProofOf(deps, reportOf(offer, number))
  const { subject, leaves, path, files } = proof
  return { ...sealOf(proof), subject, leaves, path: [...path], files: files.map((file) => ({ ...file })) }
}

/** @throws DomainError `licensing.sale_unknown`: pictures and proofs are of what is for sale */
export async function openSaleOf(deps: Deps, token: string): Promise<OfferRow> {
  const offer = await saleOf(deps, token)
  if (offer.status !== 'open' || !(await maySell(deps, offer.sellerId))) throw missing()
  return offer
}

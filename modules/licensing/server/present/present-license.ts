import { DomainError } from '../../../../kernel/errors.ts'
import type { ResponseOf } from '../../../../kernel/endpoint.ts'
import { paidByTest, standardRate } from '../../../billing/server/index.ts'
import type { License, readLicenseStats, verifyLicense } from '../../contract/licenses.ts'
import type { LicensingWebDeps } from '../keep/deps.ts'
import { findByCode, listDocuments, readStats, type LicenseRow } from '../keep/license-store.ts'
import { findOffer } from '../keep/offer-store.ts'
import { licensorOf } from '../keep/seller-name.ts'
import { hashOfToken, licenseCodeOf, saleTokenOf } from '../keep/tokens.ts'

const reportsOf = ({ reports }: LicenseRow): License['reports'] =>
  reports.map(({ pageUrl, capturedAt, root }) => ({ page_url: pageUrl, captured_at: capturedAt.toISOString(), root }))

/** To its buyer and to its seller each what is his. */
export async function presentLicense(
  deps: Pick<LicensingWebDeps, 'db' | 'secret'>,
  license: LicenseRow,
  accountId: string,
): Promise<License> {
  const side = license.buyerId === accountId ? 'bought' : 'sold'
  const offer = await findOffer(deps.db, license.offerId)
  return {
    id: license.id,
    number: license.number,
    status: license.status,
    reason: license.reason,
    side,
    beneficiary: {
      email: license.email,
      first_name: license.firstName,
      last_name: license.lastName,
      company: license.company,
    },
    date: (license.paidAt ?? license.createdAt).toISOString(),
    price_cents: license.netCents,
    fee_cents: side === 'sold' ? license.feeCents : null,
    invoice: side === 'bought' && license.status !== 'lapsed' ? license.invoiceId : null,
    reports: reportsOf(license),
    code: license.paidAt === null ? null : licenseCodeOf(deps.secret, license),
    sale_token: offer === null ? null : saleTokenOf(deps.secret, offer),
  }
}

/** What whoever holds its document may compare. @throws DomainError `licensing.license_unknown` */
export async function presentVerified(
  deps: Pick<LicensingWebDeps, 'db'>,
  code: string,
): Promise<ResponseOf<typeof verifyLicense>> {
  const license = await findByCode(deps.db, hashOfToken(code))
  if (license?.number == null || license.paidAt === null) throw new DomainError('not_found', 'licensing.license_unknown')
  return {
    number: license.number,
    status: license.status === 'revoked' ? 'revoked' : 'active',
    test: await paidByTest(deps.db, license.invoiceId),
    granted_at: license.paidAt.toISOString(),
    ended_at: license.endedAt?.toISOString() ?? null,
    beneficiary: { first_name: license.firstName, last_name: license.lastName, company: license.company },
    seller_name: await licensorOf(deps.db, license),
    reports: reportsOf(license),
    documents: (await listDocuments(deps.db, license.id)).map(({ locale, sha256 }) => ({ language: locale, sha256 })),
  }
}

/** First instant of the month in Paris, and of the one before it. */
function months(now: Date): readonly [Date, Date] {
  const first = Temporal.Instant.fromEpochMilliseconds(now.getTime())
    .toZonedDateTimeISO('Europe/Paris')
    .with({ day: 1 })
    .startOfDay()
  return [new Date(first.epochMilliseconds), new Date(first.subtract({ months: 1 }).epochMilliseconds)]
}

export async function presentStats(
  { db, clock, feeRate }: Pick<LicensingWebDeps, 'db' | 'clock' | 'feeRate'>,
  accountId: string,
): Promise<ResponseOf<typeof readLicenseStats>> {
  const [month, before] = months(clock.now())
  const { bought, current, previous, total, net, fee, openOffers } = await readStats(db, accountId, month, before)
  return {
    bought,
    sold: { current, previous, total },
    sold_net_cents: net,
    fee_cents: fee,
    earned_cents: net - fee,
    open_offers: openOffers,
    fee_basis_points: feeRate,
    vat_basis_points: standardRate,
  }
}

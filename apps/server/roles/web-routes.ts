import { join } from 'node:path'
import { accountRoutes } from '../../../modules/account/server/index.ts'
import {
  billingRoutes,
  endMandateOf,
  exportOwnedInvoices,
  openProvider,
  type PaymentProvider,
  paymentRoutes,
  planRoutes,
  viesRegister,
} from '../../../modules/billing/server/index.ts'
import { type Brand, brandOfRegistration, nameOfBrand } from '../../../modules/brand/server/index.ts'
import { captureServerRoutes, scenarioRoutes, serverAdministrationRoutes } from '../../../modules/capture/server/index.ts'
import {
  claimOnConfirmation,
  claimPending,
  type EvidenceChanges,
  evidenceRoutes,
  type EvidenceWebDeps,
  exportNotifications,
  exportOwnedEvidence,
  failWithdrawn,
  releaseServer,
  qualifySeals,
} from '../../../modules/evidence/server/index.ts'
import {
  type DocumentChanges,
  documentRoutes,
  exportOwnedDocuments,
  qualifyDeposits,
} from '../../../modules/document/server/index.ts'
import {
  createAuthenticate,
  draftRegistrationRoute,
  identityRoutes,
  licenseRegistrationRoute,
  type IdentityDeps,
} from '../../../modules/identity/server/index.ts'
import { clientErrorRoutes } from '../../../modules/outside/server/index.ts'
import { exportIdentityDocuments, renderFile, reviewRoutes, type ReviewWebDeps } from '../../../modules/review/server/index.ts'
import { disputeRoutes, exportDisputePacks } from '../../../modules/dispute/server/index.ts'
import { askOnRegistration, exportLicenses, saleTokenOfReport, licensingRoutes } from '../../../modules/licensing/server/index.ts'
import {
  type createBlockHeaders,
  isAnchoring,
  logReader,
  logRoutes,
  publishedKeysRoutes,
  readPlatformKeys,
} from '../../../modules/sealing/server/index.ts'
import { statusRoutes, type ReadStatus } from '../../../modules/site/server/index.ts'
import { exportOwnedRequests, messageHashes, supportRoutes } from '../../../modules/support/server/index.ts'
import { openCurrentLists, verifierRoutes } from '../../../modules/verification/server/index.ts'
import { isScoredWell } from '../../../platform/guard/check-score.ts'
import type { Authenticate } from '../../../platform/http/authenticate.ts'
import type { Route } from '../../../platform/http/route.ts'
import type { RoleDeps } from './role.ts'
import { exportPayouts, payoutRoutes } from '../../../modules/payout/server/index.ts'
import { exportReferees, referralRoutes } from '../../../modules/referral/server/index.ts'
import { openBilling, openLicensing, openPayouts, openReferral } from './open-billing.ts'
import { delegationsOf, keysOf } from './viewer-rights.ts'

export type WebRoutesDeps = Pick<RoleDeps, 'db' | 'blobs' | 'clock' | 'log' | 'secret'> &
  Pick<IdentityDeps, 'vault' | 'passwords' | 'random'> &
  Pick<EvidenceWebDeps, 'scenarios'> & {
    readonly config: Pick<
      RoleDeps['config'],
      | 'registrations'
      | 'allowAddresses'
      | 'interactive'
      | 'quotas'
      | 'anchor'
      | 'environment'
      | 'tsaUrls'
      | 'dataFolder'
      | 'review'
      | 'documentCopies'
      | 'seller'
      | 'licenseFeeRate'
      | 'payout'
      | 'referral'
      | 'extrasLimit'
      | 'newsletter'
      | 'outside'
      | 'viesUrl'
      | 'mangopay'
      | 'publicUrl'
    >
    readonly changes: EvidenceChanges
    readonly documentChanges: DocumentChanges
    /** Of the partners (decision 0276). */
    readonly brands: readonly Brand[]
    readonly headers: ReturnType<typeof createBlockHeaders>
    readonly readStatus: ReadStatus
    /** Who listens to what it is asked; absent: nobody. */
    readonly watchProvider?: (provider: PaymentProvider) => PaymentProvider
  }

/** Every call of the API that the web role answers: what is served is what the permissions of are tried. */
export function webRoutes(deps: WebRoutesDeps): Route[] {
  const { config, db, clock, log, secret, vault } = deps
  const trustLoopback = config.environment === 'development'
  const billing = openBilling(deps)
  const licensing = openLicensing(deps)
  const identityDeps: IdentityDeps = {
    db,
    clock,
    log,
    secret,
    vault,
    passwords: deps.passwords,
    random: deps.random,
    registrations: config.registrations,
    brandOf: (host, said) => brandOfRegistration(deps.brands, host, said),
    onConfirmed: claimPending,
  }
  const currentLists = openCurrentLists(db)
  const lists = async () => (await currentLists()).lists
  const evidenceDeps: EvidenceWebDeps = {
    billing,
    qualify: qualifySeals({ db, blobs: deps.blobs, log, lists }),
    db,
    blobs: deps.blobs,
    clock,
    log,
    secret,
    allowAddresses: config.allowAddresses,
    quotas: config.quotas,
    sessionsPerAddress: config.interactive.perAddress,
    sessionsPerAccount: config.interactive.perAccount,
    trustLoopback,
    scenarios: deps.scenarios,
    publicLog: logReader(db),
    anchoring: isAnchoring(config.anchor),
    bitcoinNetwork: config.anchor.network,
    findDelegation: delegationsOf(deps),
    findKey: keysOf(deps),
  }
  const { publicUrl } = config
  const opened = billing === undefined ? null : openProvider(config.mangopay, clock)
  const provider = opened === null ? null : (deps.watchProvider?.(opened) ?? opened)
  const reviewDeps: ReviewWebDeps = {
    db,
    blobs: deps.blobs,
    clock,
    log,
    secret,
    vault,
    ...config.review,
    uploadsFolder: join(config.dataFolder, 'uploads'),
    render: renderFile,
  }
  return [
    ...identityRoutes({ ...identityDeps, trustLoopback }),
    draftRegistrationRoute({
      ...identityDeps,
      trustLoopback,
      claimDraft: async (token) => await claimOnConfirmation({ db }, token),
    }),
    ...accountRoutes({
      db,
      clock,
      secret,
      vault,
      brandName: (brand, locale) => nameOfBrand(deps.brands, brand, locale),
      timeAuthorities: config.tsaUrls.length,
      onBankAccountEnded: endMandateOf,
      heldElsewhere: {
        evidences: (accountId) => exportOwnedEvidence(db, accountId),
        documents: (accountId) => exportOwnedDocuments(db, accountId),
        notifications: (accountId) => exportNotifications(db, accountId),
        invoices: (accountId) => exportOwnedInvoices(db, accountId),
        licenses: (accountId) => exportLicenses(db, accountId),
        dispute_packs: (accountId) => exportDisputePacks(db, accountId),
        payouts: (accountId) => exportPayouts(db, accountId),
        referees: (accountId) => exportReferees(db, accountId),
        identity_documents: (accountId) => exportIdentityDocuments(reviewDeps, accountId),
        support_requests: (accountId) => exportOwnedRequests(db, accountId),
      },
    }),
    ...reviewRoutes(reviewDeps),
    ...supportRoutes({
      db,
      blobs: deps.blobs,
      clock,
      log,
      secret,
      vault,
      random: deps.random,
      workHashes: messageHashes,
      isScoredWell: scoring(deps),
      publicUrl: config.publicUrl,
      newsletter: config.newsletter,
      trustLoopback,
    }),
    ...clientErrorRoutes({ log, clock }),
    ...captureServerRoutes({ db }),
    ...serverAdministrationRoutes({ db, clock, endWithdrawn: failWithdrawn, releaseServer }),
    ...evidenceRoutes(evidenceDeps, deps.changes),
    ...documentRoutes(
      {
        billing,
        db,
        blobs: deps.blobs,
        clock,
        log,
        secret,
        vault,
        copyLimits: config.documentCopies,
        publicLog: logReader(db),
        anchoring: isAnchoring(config.anchor),
        bitcoinNetwork: config.anchor.network,
        qualify: qualifyDeposits({ db, lists }),
        findDelegation: delegationsOf(deps),
        findKey: keysOf(deps),
      },
      deps.documentChanges,
    ),
    ...planRoutes({ db, clock, isTest: provider?.isTest ?? false }),
    ...(billing === undefined
      ? []
      : [
          ...billingRoutes({
            ...billing,
            blobs: deps.blobs,
            vatRegister: viesRegister({ url: config.viesUrl, requester: billing.seller.vatId }),
          }),
          ...paymentRoutes({ ...billing, log, vault, publicUrl, provider }),
          ...payoutRoutes({
            ...openPayouts({ ...deps, provider, publicUrl, seller: billing.seller }),
            told: {
              referralRate: config.referral.rate,
              referralMonths: config.referral.months,
              licenseFeeRate: config.licenseFeeRate,
            },
          }),
          ...referralRoutes(openReferral(deps)),
        ]),
    ...(licensing === undefined
      ? []
      : [
          ...licensingRoutes({ ...licensing, findDelegation: delegationsOf(deps), findKey: keysOf(deps) }),
          licenseRegistrationRoute({
            ...identityDeps,
            trustLoopback,
            askLicense: async (asked) => await askOnRegistration(licensing, asked),
          }),
        ]),
    ...disputeRoutes({
      db,
      blobs: deps.blobs,
      clock,
      secret,
      publicUrl,
      findSale: async (report) => (licensing === undefined ? null : await saleTokenOfReport(licensing, report)),
    }),
    ...scenarioRoutes(deps.scenarios),
    ...statusRoutes(deps.readStatus),
    ...logRoutes({ db, bitcoinNetwork: config.anchor.network }),
    ...verifierRoutes({ clock, headers: deps.headers, trustedLists: currentLists, keys: () => readPlatformKeys(db) }),
    ...publishedKeysRoutes({ db }),
  ]
}

/** Null: nobody scores visitors. */
function scoring({
  config: { outside, publicUrl },
  brands,
  clock,
  log,
}: WebRoutesDeps): ((token: string) => Promise<boolean>) | null {
  const { score } = outside
  if (score === null) return null
  const hosts = new Set(
    [publicUrl, ...brands.flatMap((brand) => brand.hosts.map((host) => `https://${host}`))].map((url) => new URL(url).hostname),
  )
  return async (token) => await isScoredWell({ clock, log, ownsHost: (host) => hosts.has(host) }, score, token)
}

/** Who calls, by what identity keeps of sessions and account of delegations. */
export function webAuthenticate(deps: Pick<RoleDeps, 'db' | 'clock'>): Authenticate {
  return createAuthenticate({ ...deps, findDelegation: delegationsOf(deps) })
}

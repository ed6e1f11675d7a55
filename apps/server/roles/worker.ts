import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { accountCrontab, accountHandlers, accountJobs } from '../../../modules/account/server/index.ts'
import { nightlyBackups } from '../../../modules/backup/server/index.ts'
import {
  billingCrontab,
  billingHandlers,
  billingJobs,
  endCustomer,
  endPurchases,
  openProvider,
  subscribeJob,
  viesRegister,
} from '../../../modules/billing/server/index.ts'
import { loadBrands, mailBrand } from '../../../modules/brand/server/index.ts'
import {
  announceDocumentAnchor,
  checkCopyKeysJob,
  documentCrontab,
  documentHandlers,
  documentJobs,
  eraseOwnedDocuments,
  notifyDocumentAnchorProgress,
} from '../../../modules/document/server/index.ts'
import {
  announceAnchor,
  eraseOwnedEvidence,
  evidenceCrontab,
  evidenceHandlers,
  evidenceJobs,
  notificationCrontab,
  notificationHandlers,
  notificationJobs,
  notifyAnchorProgress,
} from '../../../modules/evidence/server/index.ts'
import { disputeHandlers, disputeJobs, eraseDisputePacks } from '../../../modules/dispute/server/index.ts'
import {
  endSeller,
  saleTokenOfReport,
  licensingCrontab,
  licensingHandlers,
  licensingJobs,
} from '../../../modules/licensing/server/index.ts'
import { identityCrontab, identityHandlers, identityJobs } from '../../../modules/identity/server/index.ts'
import { eraseIdentityDocuments, reviewCrontab, reviewHandlers, reviewJobs } from '../../../modules/review/server/index.ts'
import {
  anchorCrontab,
  anchorHandlers,
  anchorJobs,
  checkAuthoritiesCrontab,
  checkAuthoritiesHandler,
  checkAuthoritiesJob,
  createNotary,
  createTimestampers,
  isAnchoring,
  openKeyring,
  publishKeys,
  publishKeysCrontab,
  publishKeysHandler,
  publishKeysJob,
  serveNotary,
  signPdf,
  startPublicLog,
} from '../../../modules/sealing/server/index.ts'
import { eraseOwnedRequests, supportCrontab, supportHandlers, supportJobs } from '../../../modules/support/server/index.ts'
import {
  openCurrentLists,
  trustedListCrontab,
  updateListsHandler,
  updateListsJob,
} from '../../../modules/verification/server/index.ts'
import { typeset, typesetAll } from '../../../platform/print/typeset/typeset.ts'
import { sweepBlobLeftovers } from '../../../platform/blobs/create-blob-store.ts'
import { packageSoftware } from '../../../platform/config/software.ts'
import { createMailer } from '../../../platform/mail/mailer.ts'
import { sweepSessionFolders } from '../../../platform/browser/session-folder.ts'
import { enqueue } from '../../../platform/jobs/jobs.ts'
import { listRunningPayloads } from '../../../platform/jobs/liveness.ts'
import { sweepWork } from '../../../platform/jobs/sweep-work.ts'
import { runWorker } from '../../../platform/jobs/worker.ts'
import { openVault } from '../../../platform/vault/vault.ts'
import { endPayee, payoutCrontab, payoutHandlers, payoutJobs } from '../../../modules/payout/server/index.ts'
import { referralCrontab, referralHandlers, referralJobs } from '../../../modules/referral/server/index.ts'
import { watchMailer, watchProvider } from '../watch/watch-calls.ts'
import { openBilling, openLicensing, openPayouts, openReferral } from './open-billing.ts'
import { openSample } from './open-sample.ts'
import { tlsWork } from './open-tls.ts'
import type { RoleDeps, RunningRole } from './role.ts'

/** Background jobs: sealing, reports, retention. */
export async function startWorker(deps: RoleDeps): Promise<RunningRole> {
  const { config, log, clock, instruments } = deps
  const workFolder = join(config.dataFolder, 'work')
  await mkdir(workFolder, { recursive: true, mode: 0o700 })
  const swept = await sweepBlobLeftovers(config, clock.now())
  if (swept > 0) log.info({ swept }, 'files of interrupted writes were removed')
  await sweepSessionFolders()
  const left = await sweepWork(workFolder, await listRunningPayloads(deps.databaseUrl))
  if (left > 0) log.info({ left }, 'folders of jobs that ended with their worker were removed')
  const keyring = await openKeyring({
    dir: join(config.dataFolder, 'keys'),
    clock,
    log,
    token: config.sealingToken ?? undefined,
  })
  const logging = await startPublicLog({ db: deps.db, keyring, clock, log, config })
  const { publicLog } = logging
  const names = { log: config.publicLog.origin, witness: config.publicLog.witnessName }
  const publishing = { db: deps.db, keyring, clock, log, names, publicLog }
  await publishKeys(publishing)
  const onAnswer = instruments.authorityAnswered
  const timestampers = createTimestampers({ urls: config.tsaUrls, keyring, clock, log, onAnswer })
  const notary = await createNotary({
    keyring,
    archiveKeyDir: join(config.dataFolder, 'archive-keys'),
    domain: config.archiveDomain,
    urls: config.tsaUrls,
    software: packageSoftware,
    clock,
    log,
    onAnswer,
  })
  const serving = await serveNotary({ notary, folder: join(config.dataFolder, 'notary'), log })
  const site = reachableUrl(config.publicUrl)
  const verifyHtmlFile = fileURLToPath(new URL('../../../dist/verify/verify.html', import.meta.url))
  const selling = openBilling(deps)
  const handlers = evidenceHandlers({
    db: deps.db,
    billing: selling,
    blobs: deps.blobs,
    clock,
    log,
    keyring,
    timestampers,
    publicLog,
    witness: config.publicLog.witnessName,
    workFolder,
    serverWaitSeconds: config.server.waitSeconds,
    verifyHtmlFile,
    siteUrl: site,
  })
  const currentLists = openCurrentLists(deps.db)
  const updateLists = updateListsHandler({
    db: deps.db,
    clock,
    log,
    ...config.trustedLists,
    allowAddresses: config.allowAddresses,
  })
  const anchoring = anchorHandlers({
    config: config.anchor,
    allowAddresses: config.allowAddresses,
    db: deps.db,
    clock,
    log,
    publicLog,
    timestampers,
    onProgress: async (tx) => {
      await notifyAnchorProgress(tx)
      await notifyDocumentAnchorProgress(tx)
    },
    onConfirmed: async (tx, anchor) => {
      await announceAnchor(tx, anchor)
      await announceDocumentAnchor(tx, anchor)
    },
  })
  const mailer = watchMailer(createMailer(config), instruments)
  const { db } = deps
  const { brands } = await loadBrands(config.brandsFolder)
  const { publicUrl } = config
  const signed = { mailBrand: (brand: string) => mailBrand(brands, publicUrl, brand) }
  const identity = identityHandlers({ db, clock, log, secret: deps.secret, mailer, publicUrl, ...signed })
  const licensing = openLicensing(deps)
  const account = accountHandlers({
    db,
    clock,
    log,
    secret: deps.secret,
    mailer,
    publicUrl,
    ...signed,
    eraseElsewhere: async (accountId, groupId) => {
      await endPurchases({ db, clock }, accountId)
      if (licensing !== undefined) await endSeller(licensing, accountId)
      await eraseDisputePacks(db, accountId)
      await eraseOwnedEvidence({ db, blobs: deps.blobs, clock, log, billing: selling }, accountId, groupId)
      await eraseOwnedDocuments({ db, blobs: deps.blobs, clock, billing: selling }, accountId, groupId)
      await eraseIdentityDocuments({ db, blobs: deps.blobs }, accountId)
      await eraseOwnedRequests({ db, blobs: deps.blobs }, accountId)
      await endPayee({ db }, accountId)
      await endCustomer({ db, clock, billing: selling }, accountId)
    },
  })
  const review = reviewHandlers({
    db,
    blobs: deps.blobs,
    clock,
    log,
    mailer,
    publicUrl,
    ...signed,
    documentsDays: config.review.documentsDays,
  })
  const support = supportHandlers({
    db,
    blobs: deps.blobs,
    clock,
    log,
    mailer,
    publicUrl,
    secret: deps.secret,
    ...signed,
    supportAddress: config.support.address,
    supportDays: config.support.days,
  })
  const notifications = notificationHandlers({
    db,
    blobs: deps.blobs,
    clock,
    log,
    mailer,
    secret: deps.secret,
    publicUrl,
    ...signed,
    bitcoinNetwork: config.anchor.network,
  })
  const documents = documentHandlers({
    db: deps.db,
    billing: selling,
    vault: openVault(config),
    copyLimits: config.documentCopies,
    blobs: deps.blobs,
    clock,
    log,
    mailer,
    ...signed,
    keyring,
    timestampers,
    publicLog,
    anchoring: isAnchoring(config.anchor),
    bitcoinNetwork: config.anchor.network,
    secret: deps.secret,
    publicUrl: config.publicUrl,
    verifierUrl: site === null ? null : `${site}/proofs/`,
    lists: async () => (await currentLists()).lists,
    workFolder,
    typeset,
    software: packageSoftware,
  })
  await enqueue(db, checkCopyKeysJob, {}, { key: checkCopyKeysJob.name })
  await enqueue(db, checkAuthoritiesJob, {}, { key: checkAuthoritiesJob.name })
  const opened = selling === undefined ? null : openProvider(config.mangopay, clock)
  const provider = opened === null ? null : watchProvider(opened, instruments)
  if (selling !== undefined) await enqueue(db, subscribeJob, {}, { key: subscribeJob.name })
  const billing =
    selling === undefined
      ? { jobs: [], handlers: [], crontab: '' }
      : {
          jobs: billingJobs,
          handlers: billingHandlers({
            ...selling,
            provider,
            vault: openVault(config),
            log,
            blobs: deps.blobs,
            vatRegister: viesRegister({ url: config.viesUrl, requester: selling.seller.vatId }),
            workFolder,
            typesetAll,
            signPdf: async (pdf, reason, signal) => await signPdf(pdf, { keyring, timestampers, clock, reason, signal }),
            testPayments: provider?.isTest ?? false,
            mailer,
            publicUrl,
            ...signed,
          }),
          crontab: billingCrontab,
        }
  const licenses =
    licensing === undefined
      ? { jobs: [], handlers: [], crontab: '' }
      : {
          jobs: licensingJobs,
          handlers: licensingHandlers({
            ...licensing,
            log,
            mailer,
            ...signed,
            keyring,
            timestampers,
            workFolder,
            software: packageSoftware,
            publicUrl,
            typeset,
            eraseReports: async (accountId) =>
              await eraseOwnedEvidence({ db, blobs: deps.blobs, clock, log, billing: selling }, accountId),
          }),
          crontab: licensingCrontab,
        }
  const payouts =
    selling === undefined
      ? { jobs: [], handlers: [], crontab: '' }
      : {
          jobs: [...payoutJobs, ...referralJobs],
          handlers: [
            ...payoutHandlers({
              ...openPayouts({ ...deps, provider, vault: openVault(config), publicUrl, seller: selling.seller }),
              workFolder,
              typesetAll,
              signPdf: async (pdf, reason, signal) => await signPdf(pdf, { keyring, timestampers, clock, reason, signal }),
              mailer,
              ...signed,
            }),
            ...referralHandlers(openReferral(deps)),
          ],
          crontab: `${payoutCrontab}\n${referralCrontab}`,
        }
  const sample = await openSample({
    ...deps,
    keyring,
    timestampers,
    notary,
    publicLog,
    verifyHtmlFile,
    workFolder,
    siteUrl: site,
  })
  const disputes = disputeHandlers({
    db,
    blobs: deps.blobs,
    clock,
    secret: deps.secret,
    publicUrl,
    findSale: async (report) => (licensing === undefined ? null : await saleTokenOfReport(licensing, report)),
    workFolder,
    typeset,
  })
  const backups = nightlyBackups({ ...deps, config: config.backup, dataFolder: config.dataFolder, mailer })
  const tls = tlsWork(
    deps,
    brands.flatMap(({ hosts }) => hosts),
  )
  const worker = await runWorker({
    databaseUrl: deps.databaseUrl,
    jobs: [
      ...identityJobs,
      ...accountJobs,
      ...reviewJobs,
      ...supportJobs,
      ...evidenceJobs,
      ...notificationJobs,
      ...documentJobs,
      ...billing.jobs,
      ...licenses.jobs,
      ...disputeJobs,
      ...payouts.jobs,
      ...sample.jobs,
      ...tls.jobs,
      ...anchorJobs,
      ...logging.jobs,
      updateListsJob,
      checkAuthoritiesJob,
      publishKeysJob,
      ...backups.jobs,
    ],
    handlers: [
      ...identity,
      ...account,
      ...review,
      ...support,
      ...handlers,
      ...notifications,
      ...documents,
      ...billing.handlers,
      ...licenses.handlers,
      ...disputes,
      ...payouts.handlers,
      ...sample.handlers,
      ...tls.handlers,
      ...anchoring,
      ...logging.handlers,
      updateLists,
      checkAuthoritiesHandler({ db, clock, log, timestampers, lists: async () => (await currentLists()).lists }),
      publishKeysHandler(publishing),
      ...backups.handlers,
    ],
    crontab: `${identityCrontab}\n${accountCrontab}\n${reviewCrontab}\n${supportCrontab}\n${evidenceCrontab}\n${notificationCrontab}\n${documentCrontab}\n${billing.crontab}\n${licenses.crontab}\n${payouts.crontab}\n${sample.crontab}\n${tls.crontab}\n${anchorCrontab}\n${logging.crontab}\n${trustedListCrontab}\n${checkAuthoritiesCrontab}\n${publishKeysCrontab}\n${backups.crontab}`,
    concurrency: config.workerConcurrency,
    log,
    onEnded: instruments.jobEnded,
  })
  return {
    ...worker,
    async stop() {
      await serving.close()
      await logging.close()
      await worker.stop()
      mailer.close()
    },
  }
}

/** A report names this installation only where a reader elsewhere could reach it. */
function reachableUrl(publicUrl: string): string | null {
  const { hostname } = new URL(publicUrl)
  return hostname === 'localhost' || /^127\.|^\[/.test(hostname) ? null : publicUrl
}

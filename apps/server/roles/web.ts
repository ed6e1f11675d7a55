import { randomBytes } from 'node:crypto'
import { fileURLToPath } from 'node:url'
import { sql } from 'kysely'
import { loadScenarios, watchServers } from '../../../modules/capture/server/index.ts'
import { describePrices, listPlans } from '../../../modules/billing/server/index.ts'
import { loadBrands, pageBrand, registerBrandFiles, selectBrand, type Brand } from '../../../modules/brand/server/index.ts'
import { createDocumentChanges, documentChannel } from '../../../modules/document/server/index.ts'
import { createEvidenceChanges, evidenceChannel } from '../../../modules/evidence/server/index.ts'
import { createViewersDoor } from '../../../modules/live/server/index.ts'
import { argonCost, createPasswordHasher } from '../../../modules/identity/server/index.ts'
import {
  createBlockHeaders,
  isAnchoring,
  registerLogFiles,
  registerWitness,
  witnessFolder,
} from '../../../modules/sealing/server/index.ts'
import { registerSampleFiles, tellSample } from '../../../modules/sample/server/index.ts'
import { createStatus, describeSite, legalFacts, tellStatus, type ReadStatus } from '../../../modules/site/server/index.ts'
import { openAdmissions } from '../../../platform/admission/admissions.ts'
import { listen } from '../../../platform/db/listen.ts'
import { ownHosts } from '../../../platform/http/request/own-hosts.ts'
import { scoredAction } from '../../../platform/guard/check-score.ts'
import { registerScoreFrame } from '../../../platform/http/pages/score-frame.ts'
import { createHttpServer } from '../../../platform/http/server.ts'
import type { WebApp } from '../../../platform/http/pages/web-app.ts'
import { registerMailGallery } from '../../../platform/mail/gallery-pages.ts'
import { registerMailPages } from '../../../platform/mail/mail-pages.ts'
import { createMessages } from '../../../platform/messages/messages.ts'
import { openVault } from '../../../platform/vault/vault.ts'
import { announcedPages, findPageRoute } from '../../web/page-routes.ts'
import { watchProvider } from '../watch/watch-calls.ts'
import type { RoleDeps, RunningRole } from './role.ts'
import { apiWords } from './api-words.ts'
import { namedServices, servicesOf } from './outside-services.ts'
import { openTls } from './open-tls.ts'
import { viewerRights } from './viewer-rights.ts'
import { webAuthenticate, webRoutes } from './web-routes.ts'
import { sampleMails } from './sample-mails.ts'

const fromRoot = (path: string) => fileURLToPath(new URL(`../../../${path}`, import.meta.url))

function webApp({ config, db, clock }: RoleDeps, brands: readonly Brand[], readStatus: ReadStatus): WebApp {
  const paid = config.seller !== null
  return {
    distFolder: fromRoot('dist/web'),
    writtenPages: fromRoot('dist/written/pages.json'),
    pageRoutes: announcedPages(paid).map((page) => page.pattern),
    pageMeta(path, locale, brand) {
      const messages = createMessages(locale)
      const page = path === undefined ? null : findPageRoute(path, paid)
      const product = brand?.name ?? messages.format('ui.product')
      if (page === null)
        return {
          title: `${messages.format('ui.not_found.text')} – ${product}`,
          description: messages.format('ui.not_found.more'),
        }
      return {
        title: `${messages.format(page.title)} – ${product}`,
        description: messages.format(page.description),
        indexed: page.indexed,
      }
    },
    async aboutListed(path, locale) {
      const messages = createMessages(locale)
      const unit = paid && path === '/' ? (await listPlans({ db, clock })).find(({ plan }) => plan === 'unit') : undefined
      const prices = unit === undefined ? null : { report: unit.reportCents, timeStamp: unit.timestampCents }
      return {
        siteName: messages.format('ui.product'),
        card: { path: `cards/${locale}.png`, alt: messages.format('site.card.alt') },
        data:
          path === '/' ? describeSite({ publicUrl: config.publicUrl, operator: config.operator ?? null, prices }, locale) : [],
      }
    },
    brandOf(page, locale) {
      const found = selectBrand(brands, page)
      if (found === null) return null
      const { id, theme, paper } = found.brand
      return { brand: pageBrand(found, locale), theme: `/brands/${id}/${theme.file}`, paper }
    },
    ...(paid ? { pricesOf: async (locale) => await describePrices({ db, clock }, locale) } : {}),
    factsOf: {
      '/status/': { name: 'status', read: async (locale) => tellStatus(await readStatus(locale)) },
      '/sample/': { name: 'sample', read: async (locale) => await tellSample(db, locale) },
    },
    contentFolder: fromRoot('content'),
    contentOverride: config.contentOverride,
    contentFacts: (locale) =>
      legalFacts(
        {
          ...config.legal,
          operator: config.operator ?? null,
          supportDays: config.support.days,
          identityDays: config.review.documentsDays,
          outside: namedServices(config.outside),
        },
        locale,
      ),
    publicUrl: config.publicUrl,
    passwordPage: '/account/security/',
    securityContacts: config.securityContacts,
    servicesOf: servicesOf(config.outside),
    connectTo: config.seller === null ? [] : (config.mangopay?.cardAddresses ?? []),
  }
}

/** HTTP API, pages, live events. */
export async function startWeb(deps: RoleDeps): Promise<RunningRole> {
  const { config, db, log } = deps
  const changes = createEvidenceChanges()
  const subscription = await listen(deps.databaseUrl, evidenceChannel, (payload) => changes.announce(payload), {
    log,
    // What was announced meanwhile is lost: everybody reads again.
    onReconnect: () => changes.announceAll(),
  })
  const documentChanges = createDocumentChanges()
  const ofDocuments = await listen(deps.databaseUrl, documentChannel, (payload) => documentChanges.announce(payload), {
    log,
    onReconnect: () => documentChanges.announceAll(),
  })
  const admissions = await openAdmissions(deps)
  const { brands, refused } = await loadBrands(config.brandsFolder)
  for (const reason of refused) log.error({}, `brand not shown: ${reason}`)
  const scenarios = await loadScenarios(config.scenariosFolder ?? null)
  // A server that falls silent changes why captures wait, and announces nothing itself.
  const servers = await watchServers({ db, log }, () => changes.announce('queue'))
  const { allowAddresses } = config
  const headers = createBlockHeaders({ config: config.anchor, allowAddresses, db, clock: deps.clock, log })
  const readStatus = createStatus({ db, clock: deps.clock, isAnchoring: isAnchoring(config.anchor) })
  const routes = webRoutes({
    ...deps,
    readStatus,
    vault: openVault(config),
    passwords: createPasswordHasher(argonCost),
    random: randomBytes,
    scenarios,
    brands,
    changes,
    documentChanges,
    headers,
    watchProvider: (provider) => watchProvider(provider, deps.instruments),
  })
  const viewers = createViewersDoor({
    rights: viewerRights(deps, admissions),
    log,
    secret: deps.secret,
    publicUrl: config.publicUrl,
    trustLoopback: config.environment === 'development',
  })
  const owned = ownHosts(
    config,
    brands.flatMap(({ hosts }) => hosts),
  )
  const encipher = await openTls(deps, owned)
  const server = await createHttpServer({
    config,
    ...(encipher === null ? {} : { tls: encipher.options }),
    log,
    secret: deps.secret,
    clock: deps.clock,
    ownsHost: owned,
    admissions,
    authenticate: webAuthenticate(deps),
    routes,
    words: apiWords,
    onAnswered: deps.instruments.answered,
    takesTraceparent: config.takesTraceparent,
    health: {
      database: async () => {
        await sql`select 1`.execute(db)
        return 'answers'
      },
      blobs: async () => {
        await deps.blobs.has('0'.repeat(64))
        return 'answer'
      },
    },
    web: webApp(deps, brands, readStatus),
    extend(app) {
      registerLogFiles(app, { db })
      registerBrandFiles(app, brands)
      registerSampleFiles(app, { db, blobs: deps.blobs })
      if (config.outside.score !== null) registerScoreFrame(app, { ...config.outside.score, action: scoredAction })
      viewers.register(app)
      if (config.publicLog.witnessed.length > 0)
        registerWitness(app, { db, clock: deps.clock, folder: witnessFolder(config.dataFolder) })
      if (config.environment === 'development' && config.mail.smtpUrl === undefined) registerMailPages(app, config.mail.folder)
      if (config.environment === 'development') registerMailGallery(app, (locale) => sampleMails(locale, config.publicUrl))
    },
  })
  await server.listen({ host: config.host, port: config.port })
  await encipher?.begin(server.server)
  const address = server.server.address()
  return {
    port: typeof address === 'object' && address !== null ? address.port : config.port,
    async stop() {
      await viewers.close()
      await server.close()
      await encipher?.close()
      await servers.stop()
      await subscription.close()
      await ofDocuments.close()
      await admissions.close()
    },
  }
}

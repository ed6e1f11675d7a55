import { randomBytes } from 'node:crypto'
import { fileURLToPath } from 'node:url'
import { sql } from 'kysely'
import { accountRoutes, findDelegation } from '../../../modules/account/server/index.ts'
import { loadScenarios, scenarioRoutes } from '../../../modules/capture/server/index.ts'
import { captureServerRoutes, watchServers } from '../../../modules/capture/server/index.ts'
import {
  claimPending,
  createEvidenceChanges,
  createViewersDoor,
  evidenceChannel,
  evidenceRoutes,
  type EvidenceWebDeps,
  exportOwnedEvidence,
} from '../../../modules/evidence/server/index.ts'
import {
  argonCost,
  createAuthenticate,
  createPasswordHasher,
  identityRoutes,
  register,
  type IdentityDeps,
} from '../../../modules/identity/server/index.ts'
import {
  createBlockHeaders,
  isAnchoring,
  logReader,
  logRoutes,
  publishedKeysRoutes,
  readPlatformKeys,
  registerLogFiles,
  registerWitness,
  witnessFolder,
} from '../../../modules/sealing/server/index.ts'
import { openCurrentLists, verifierRoutes } from '../../../modules/verification/server/index.ts'
import { listen } from '../../../platform/db/listen.ts'
import { createHttpServer } from '../../../platform/http/server.ts'
import type { Route } from '../../../platform/http/route.ts'
import type { WebApp } from '../../../platform/http/web-app.ts'
import { registerMailPages } from '../../../platform/mail/mail-pages.ts'
import { createMessages } from '../../../platform/messages/messages.ts'
import { openVault } from '../../../platform/vault/vault.ts'
import { findPageRoute, pageRoutes } from '../../web/page-routes.ts'
import type { RoleDeps, RunningRole } from '../role.ts'

const fromRoot = (path: string) => fileURLToPath(new URL(`../../../${path}`, import.meta.url))

function webApp({ config }: RoleDeps): WebApp {
  return {
    distFolder: fromRoot('dist/web'),
    pageRoutes: pageRoutes.map((page) => page.pattern),
    pageMeta(path, locale) {
      const messages = createMessages(locale)
      const page = path === undefined ? null : findPageRoute(path)
      const product = messages.format('ui.product')
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
    contentFolder: fromRoot('content'),
    contentOverride: config.contentOverride,
    publicUrl: config.publicUrl,
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
  const scenarios = await loadScenarios(config.scenariosFolder ?? null)
  // A server that falls silent changes why captures wait, and announces nothing itself.
  const servers = await watchServers({ db, log }, () => changes.announce('queue'))
  const vault = openVault(config)
  const identityDeps: IdentityDeps = {
    db,
    clock: deps.clock,
    log,
    secret: deps.secret,
    vault,
    passwords: createPasswordHasher(argonCost),
    random: randomBytes,
    registrations: config.registrations,
    onConfirmed: claimPending,
  }
  const evidenceDeps: EvidenceWebDeps = {
    db,
    blobs: deps.blobs,
    clock: deps.clock,
    log,
    secret: deps.secret,
    allowAddresses: config.allowAddresses,
    sessionsPerAddress: config.interactive.perAddress,
    sessionsPerAccount: config.interactive.perAccount,
    trustLoopback: config.environment === 'development',
    registerVisitor: async (input, origin, within) => await register(identityDeps, input, origin, within),
    scenarios,
    publicLog: logReader(db),
    anchoring: isAnchoring(config.anchor),
    bitcoinNetwork: config.anchor.network,
  }
  const { allowAddresses } = config
  const headers = createBlockHeaders({ config: config.anchor, allowAddresses, db, clock: deps.clock, log })
  const routes: Route[] = [
    ...identityRoutes({ ...identityDeps, trustLoopback: config.environment === 'development' }),
    ...accountRoutes({
      db,
      clock: deps.clock,
      secret: deps.secret,
      vault,
      heldElsewhere: { evidences: (accountId) => exportOwnedEvidence(db, accountId) },
    }),
    ...captureServerRoutes({ db }),
    ...evidenceRoutes(evidenceDeps, changes),
    ...scenarioRoutes(scenarios),
    ...logRoutes({ db, bitcoinNetwork: config.anchor.network }),
    ...verifierRoutes({ clock: deps.clock, headers, trustedLists: openCurrentLists(db), keys: () => readPlatformKeys(db) }),
    ...publishedKeysRoutes({ db }),
  ]
  const viewers = createViewersDoor({
    db,
    log,
    clock: deps.clock,
    secret: deps.secret,
    publicUrl: config.publicUrl,
    trustLoopback: config.environment === 'development',
  })
  const server = await createHttpServer({
    config,
    log,
    secret: deps.secret,
    clock: deps.clock,
    authenticate: createAuthenticate({
      db,
      clock: deps.clock,
      findDelegation: async (id, userId, now) => await findDelegation(db, id, userId, now),
    }),
    routes,
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
    web: webApp(deps),
    extend(app) {
      registerLogFiles(app, { db })
      viewers.register(app)
      if (config.publicLog.witnessed.length > 0)
        registerWitness(app, { db, clock: deps.clock, folder: witnessFolder(config.dataFolder) })
      if (config.environment === 'development' && config.mail.smtpUrl === undefined) registerMailPages(app, config.mail.folder)
    },
  })
  await server.listen({ host: config.host, port: config.port })
  const address = server.server.address()
  return {
    port: typeof address === 'object' && address !== null ? address.port : config.port,
    async stop() {
      await viewers.close()
      await server.close()
      await servers.stop()
      await subscription.close()
    },
  }
}

import { randomBytes } from 'node:crypto'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { apiWords } from '../../apps/server/roles/api-words.ts'
import { webAuthenticate, webRoutes } from '../../apps/server/roles/web-routes.ts'
import { loadScenarios } from '../../modules/capture/server/index.ts'
import { createDocumentChanges, type DocumentChanges } from '../../modules/document/server/index.ts'
import { createEvidenceChanges, type EvidenceChanges } from '../../modules/evidence/server/index.ts'
import { createPasswordHasher } from '../../modules/identity/server/index.ts'
import { createBlockHeaders, isAnchoring, registerLogFiles } from '../../modules/sealing/server/index.ts'
import { createStatus } from '../../modules/site/server/index.ts'
import type { Clock } from '../../kernel/clock.ts'
import type { Endpoint } from '../../kernel/endpoint.ts'
import type { Admissions } from '../../platform/admission/admissions.ts'
import type { BlobStore } from '../../platform/blobs/blob-store.ts'
import { loadConfig } from '../../platform/config/config.ts'
import type { Db } from '../../platform/db/database.ts'
import { createHttpServer, type HttpServer, type HttpServerOptions } from '../../platform/http/server.ts'
import type { Log } from '../../platform/log/log.ts'
import { createVault } from '../../platform/vault/vault.ts'
import { selling } from '../selling.ts'

export const linkSecret = 's'.repeat(32)
/** Cheapest that argon2 allows: what is tried is who gets in, not how long it takes. */
export const passwords = createPasswordHasher({ memoryCost: 8, timeCost: 1, parallelism: 1 })
export const vault = createVault(Buffer.alloc(32, 1))

const methods = ['get', 'post', 'patch', 'delete', 'put'] as const

/** A JSON schema, as far as OpenAPI documents of ours go. */
export type Schema = Readonly<Record<string, unknown>>
export type Operation = {
  /** As the contract writes it: `GET /evidences/:id/`. */
  readonly name: string
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE' | 'PUT'
  readonly path: string
  readonly parameters: readonly {
    readonly name: string
    readonly in: string
    readonly required?: boolean
    readonly schema: Schema
  }[]
  readonly body: Schema | null
  /** Whether the body is a file. */
  readonly takesFile: boolean
}

/** All that the web role answers, as it makes it itself, on the database that is given. Every caller's network counts as its own. */
export async function openWebApi(deps: {
  db: Db
  blobs: BlobStore
  clock: Clock
  log: Log
  /** What this process hears of others; absent: nothing. */
  heard?: {
    readonly changes: EvidenceChanges
    readonly documentChanges: DocumentChanges
    readonly admissions: Admissions
  }
  extend?: (app: Parameters<NonNullable<HttpServerOptions['extend']>>[0]) => void
  /** Where nothing is paid for, as it is unless an operator says otherwise. */
  withoutBilling?: boolean
  /** With pages, and as an installation at that address. */
  site?: { readonly web: NonNullable<HttpServerOptions['web']>; readonly publicUrl: string }
}): Promise<{
  readonly server: HttpServer
  /** What is published of it. */
  readonly operations: readonly Operation[]
  /** What it is made of. */
  readonly endpoints: readonly Endpoint[]
}> {
  const { db, clock, log } = deps
  const config = {
    ...loadConfig({
      // Every call there can be: where nothing is paid for there are fewer.
      ...(deps.withoutBilling === true ? {} : selling),
      ...(deps.site === undefined ? {} : { PROBANT_PUBLIC_URL: deps.site.publicUrl }),
    }),
    trustedProxies: ['127.0.0.1'],
    dataFolder: join(tmpdir(), `probant-web-api-${process.pid}`),
  }
  const { allowAddresses, anchor } = config
  const routes = webRoutes({
    ...deps,
    config,
    secret: linkSecret,
    vault,
    passwords,
    random: randomBytes,
    scenarios: await loadScenarios(null),
    changes: deps.heard?.changes ?? createEvidenceChanges(),
    documentChanges: deps.heard?.documentChanges ?? createDocumentChanges(),
    brands: [],
    headers: createBlockHeaders({ config: anchor, allowAddresses, db, clock, log }),
    readStatus: createStatus({ db, clock, isAnchoring: isAnchoring(anchor) }),
  })
  const server = await createHttpServer({
    config,
    log,
    secret: linkSecret,
    clock,
    routes,
    words: apiWords,
    authenticate: webAuthenticate({ db, clock }),
    health: {},
    ...(deps.heard === undefined ? {} : { admissions: deps.heard.admissions }),
    ...(deps.site === undefined ? {} : { web: deps.site.web }),
    extend: (app) => {
      registerLogFiles(app, { db })
      deps.extend?.(app)
    },
  })
  return { server, operations: operationsOf(server), endpoints: routes.map(({ endpoint }) => endpoint) }
}

function operationsOf(server: HttpServer): Operation[] {
  type Described = {
    readonly parameters?: Operation['parameters']
    readonly requestBody?: { readonly content?: Readonly<Record<string, { readonly schema?: Schema }>> }
  }
  const { paths = {} } = server.swagger() as { paths?: Readonly<Record<string, Readonly<Record<string, Described>>>> }
  return Object.entries(paths).flatMap(([published, described]) =>
    methods.flatMap((method) => {
      const operation = described[method]
      if (operation === undefined) return []
      const path = published.replaceAll(/\{(\w+)\}/g, ':$1')
      return [
        {
          name: `${method.toUpperCase()} ${path}`,
          method: method.toUpperCase() as Operation['method'],
          path,
          parameters: operation.parameters ?? [],
          body: operation.requestBody?.content?.['application/json']?.schema ?? null,
          takesFile: operation.requestBody?.content?.['application/octet-stream'] !== undefined,
        },
      ]
    }),
  )
}

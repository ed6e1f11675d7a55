import { createHash } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { createFolderBlobStore } from '../../../platform/blobs/folder-blob-store.ts'
import { loadConfig } from '../../../platform/config/config.ts'
import type { Db } from '../../../platform/db/database.ts'
import { createHttpServer, type HttpServer } from '../../../platform/http/server.ts'
import type { Authenticate } from '../../../platform/http/authenticate.ts'
import { silentLog } from '../../../platform/log/log.ts'
import { actorOf } from '../../../testing/accounts.ts'
import { createTimestampers, openKeyring, openPublicLog, type Timestamper } from '../../sealing/server/index.ts'
import { createVault } from '../../../platform/vault/vault.ts'
import type { CopyDeps, CopyLimits } from './copy/copy-deps.ts'
import type { DocumentSealDeps, DocumentWebDeps } from './deposit/deps.ts'
import { createDocumentChanges } from './deposit/document-changes.ts'
import { documentRoutes } from './routes.ts'

export const linkSecret = 's'.repeat(32)

export const testVault = createVault(Buffer.alloc(32, 7))
export const copyLimits: CopyLimits = { largestBytes: 64 * 1024 * 1024, accountBytes: 96 * 1024 * 1024, days: 30, spareBytes: 0 }

export type DepositWorld = DocumentSealDeps & DocumentWebDeps & CopyDeps & { readonly folder: string; remove(): Promise<void> }

/** Keys, authority and log of their own, over the database that is given. */
export async function openDepositWorld(
  db: Db,
  options: {
    readonly clock?: DocumentSealDeps['clock']
    readonly timestampers?: readonly Timestamper[]
    readonly urls?: readonly string[]
  } = {},
): Promise<DepositWorld> {
  const clock = options.clock ?? { now: () => new Date() }
  const folder = await mkdtemp(join(tmpdir(), 'probant-deposits-'))
  const keyring = await openKeyring({ dir: join(folder, 'keys'), clock, log: silentLog })
  const timestampers =
    options.timestampers ?? createTimestampers({ urls: options.urls ?? [], keyring, clock, log: silentLog, timeoutMs: 20_000 })
  const publicLog = await openPublicLog({ db, keyring, clock, origin: 'proofs.example/log', folder: join(folder, 'log') })
  return {
    db,
    blobs: createFolderBlobStore(join(folder, 'blobs')),
    clock,
    log: silentLog,
    keyring,
    timestampers,
    publicLog,
    secret: linkSecret,
    vault: testVault,
    copyLimits,
    folder,
    remove: async () => await rm(folder, { recursive: true, force: true }),
  }
}

/** The bearer token is the id of the user. */
export const userByBearer: Authenticate = ({ bearer }) => Promise.resolve(actorOf(bearer))

/** The calls of deposits over a world. Unless told otherwise, the bearer token is the id of the user. */
export async function serveDeposits(world: DepositWorld, authenticate: Authenticate = userByBearer): Promise<HttpServer> {
  return await createHttpServer({
    config: { ...loadConfig({}), environment: 'development' },
    log: silentLog,
    clock: world.clock,
    secret: linkSecret,
    routes: documentRoutes(world, createDocumentChanges()),
    health: {},
    authenticate,
  })
}

export const sha256Hex = (content: string | Uint8Array): string => createHash('sha256').update(content).digest('hex')
export const sha512Hex = (content: string | Uint8Array): string => createHash('sha512').update(content).digest('hex')

/** Batches that jobs were asked to seal and that nobody has sealed; of one account, where it is told. */
export async function waitingBatches(db: Db, ownerId: string | null = null): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from document_batch where state = 'stamping' and (${ownerId}::uuid is null or owner_id = ${ownerId}::uuid) order by id`.execute(
    db,
  )
  return rows.map(({ id }) => id)
}

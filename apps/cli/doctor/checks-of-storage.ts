/** What the installation keeps: database, blobs, keys, the public log, the queue. */
import { randomBytes } from 'node:crypto'
import { existsSync, lstatSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Client } from 'pg'
import { DomainError } from '../../../kernel/errors.ts'
import { listServerStates } from '../../../modules/capture/server/index.ts'
import { examineLog, inspectKeys } from '../../../modules/sealing/server/index.ts'
import { createBlobStore } from '../../../platform/blobs/create-blob-store.ts'
import type { Config } from '../../../platform/config/config.ts'
import { openDatabase, type Db } from '../../../platform/db/database.ts'
import { listPending, MigrationRefused } from '../../../platform/db/migrate.ts'
import { readQueue } from '../../../platform/jobs/queue-store.ts'
import { silentLog } from '../../../platform/log/log.ts'
import { fine, forbids, mend, reasonOf, type Check, type Finding } from './finding.ts'

const shortRoomBytes = 20 * 1024 ** 3
const noRoomBytes = 2 * 1024 ** 3
const gibi = (bytes: number) => Math.round((bytes / 1024 ** 3) * 10) / 10
/** Leases run by the clock of the database, stamps by ours. */
const tolerableSeconds = 2
const lateSeconds = 300

/** null: there is none to be looked at. */
export function storageChecks(config: Config, databaseUrl: string | null): Check[] {
  const withDb = async (look: (db: Db) => Promise<Finding | readonly Finding[]>) => {
    if (databaseUrl === null) return mend('not_examined')
    const db = openDatabase(databaseUrl, { max: 1, log: silentLog, applicationName: 'probant-doctor' })
    try {
      return await look(db)
    } catch (error) {
      // What is wrong with the database, its own check tells.
      if (error instanceof DomainError) throw error
      return mend('not_examined')
    } finally {
      await db.destroy()
    }
  }
  return [
    { name: 'database', patienceMs: 15_000, run: async () => await checkDatabase(databaseUrl) },
    { name: 'data_folder', patienceMs: 5_000, run: async () => await Promise.resolve(checkFolder(config.dataFolder)) },
    { name: 'blobs', patienceMs: 30_000, run: async () => await checkBlobs(config) },
    { name: 'keys', patienceMs: 10_000, run: async () => await checkKeys(join(config.dataFolder, 'keys')) },
    { name: 'master_key', patienceMs: 5_000, run: async () => await Promise.resolve(checkMasterKey(config)) },
    { name: 'log', patienceMs: 60_000, run: async () => await withDb(async (db) => await checkLog(db, config.dataFolder)) },
    { name: 'queue', patienceMs: 15_000, run: async () => await withDb(checkQueue) },
    { name: 'servers', patienceMs: 15_000, run: async () => await withDb(checkServers) },
  ]
}

async function checkDatabase(url: string | null): Promise<Finding | readonly Finding[]> {
  if (url === null) return forbids('database_not_running')
  const client = new Client({ connectionString: url, connectionTimeoutMillis: 8_000, application_name: 'probant-doctor' })
  client.on('error', () => undefined)
  try {
    await client.connect()
  } catch (error) {
    await client.end().catch(() => undefined)
    return forbids('database_unreachable', { reason: reasonOf(error) })
  }
  try {
    const before = Date.now()
    const { rows } = await client.query<{ version: string; at: Date }>(
      `select current_setting('server_version') as version, clock_timestamp() as at`,
    )
    // Half of the way there and back is not the clock's.
    const seconds = Math.abs(((rows[0]?.at.getTime() ?? 0) - (before + Date.now()) / 2) / 1000)
    const clock = seconds > tolerableSeconds ? [mend('database_clock', { seconds: Math.round(seconds * 10) / 10 })] : []
    return [await levelOf(client, rows[0]?.version ?? ''), ...clock]
  } finally {
    await client.end()
  }
}

async function levelOf(client: Client, version: string): Promise<Finding> {
  try {
    const pending = await listPending(client)
    return pending.length === 0 ? fine('database', { version }) : forbids('database_behind', { count: pending.length })
  } catch (error) {
    if (error instanceof MigrationRefused) return forbids('database_diverges', { reason: error.message })
    throw error
  }
}

/** Whoever asks as somebody else would leave files behind that the installation may not read. */
function isOurs(folder: string): boolean {
  return lstatSync(folder).uid === process.getuid?.()
}

function checkFolder(folder: string): Finding {
  if (!existsSync(folder)) return mend('data_folder_absent', { folder })
  return isOurs(folder) ? fine('data_folder', { folder }) : mend('data_folder_others', { folder, uid: lstatSync(folder).uid })
}

async function checkBlobs(config: Config): Promise<Finding> {
  if (config.blobs.driver === 'folder') {
    const folder = [config.blobs.folder, config.dataFolder].find((each) => existsSync(each))
    if (folder === undefined || !isOurs(folder)) return mend('not_examined')
  }
  const store = createBlobStore(config)
  try {
    const bytes = randomBytes(4_096)
    const { sha256 } = await store.putBytes(bytes)
    const read = await store.read(sha256, { maxBytes: bytes.length })
    await store.remove(sha256)
    if (!read.equals(bytes)) return forbids('blobs_differ')
  } catch (error) {
    return forbids('blobs_fail', { reason: reasonOf(error) })
  }
  const room = await store.room()
  if (room === null) return fine('blobs')
  if (room < noRoomBytes) return forbids('blobs_no_room', { room: gibi(room) })
  return room < shortRoomBytes ? mend('blobs_short', { room: gibi(room) }) : fine('blobs_room', { room: gibi(room) })
}

async function checkKeys(folder: string): Promise<Finding> {
  if (!existsSync(folder)) return mend('keys_absent', { folder })
  if (!isOurs(folder)) return mend('not_examined')
  if ((lstatSync(folder).mode & 0o077) !== 0) return forbids('keys_rights', { path: folder })
  try {
    const count = await inspectKeys(folder)
    return count === 0 ? mend('keys_absent', { folder }) : fine('keys', { count })
  } catch (error) {
    if (!(error instanceof DomainError)) throw error
    const path = String(error.data['path'] ?? folder)
    return error.code === 'sealing.keyring_permissions'
      ? forbids('keys_rights', { path })
      : forbids('keys_damaged', { path, reason: String(error.data['reason'] ?? error.code) })
  }
}

function checkMasterKey(config: Config): Finding {
  if (config.masterKey !== undefined) return fine('master_key_set')
  const path = join(config.dataFolder, 'master-key')
  if (!existsSync(path)) return mend('master_key_absent', { path })
  const { mode } = lstatSync(path)
  if ((mode & 0o077) !== 0) return mend('master_key_rights', { path })
  const bytes = Buffer.from(readFileSync(path, 'utf8').trim(), 'base64url')
  return bytes.length === 32 ? fine('master_key') : forbids('master_key_damaged', { path })
}

async function checkLog(db: Db, dataFolder: string): Promise<Finding> {
  const folder = join(dataFolder, 'log')
  if (!existsSync(folder)) return fine('log_empty')
  try {
    return fine('log', { entries: await examineLog(db, folder) })
  } catch (error) {
    if (!(error instanceof DomainError)) throw error
    return error.code === 'sealing.log_went_back'
      ? forbids('log_went_back', { size: Number(error.data['size']) })
      : forbids('log_damaged', { reason: error.code })
  }
}

async function checkQueue(db: Db): Promise<Finding | readonly Finding[]> {
  const queue = await readQueue(db)
  const late = queue.filter(({ oldestSeconds }) => (oldestSeconds ?? 0) > lateSeconds)
  const [oldest] = late.toSorted((a, b) => (b.oldestSeconds ?? 0) - (a.oldestSeconds ?? 0))
  const findings = [
    ...(oldest === undefined
      ? []
      : [forbids('queue_stands', { job: oldest.job, minutes: Math.round((oldest.oldestSeconds ?? 0) / 60) })]),
    ...queue.filter(({ givenUp }) => givenUp > 0).map(({ job, givenUp }) => mend('queue_given_up', { job, count: givenUp })),
  ]
  const waiting = queue.reduce((sum, each) => sum + each.waiting, 0)
  return findings.length > 0 ? findings : fine('queue', { count: waiting })
}

async function checkServers(db: Db): Promise<Finding | readonly Finding[]> {
  const servers = await listServerStates(db)
  const aside = servers
    .filter(({ status }) => status === 'set_aside')
    .map(({ id, differences }) => mend('server_set_aside', { id, items: differences?.map(({ item }) => item).join(', ') ?? '' }))
  const ready = servers.filter(({ status }) => status === 'ready').length
  if (ready > 0) return [fine('servers', { count: ready }), ...aside]
  // Just started, or measuring itself again: what is asked for meanwhile waits for it.
  const none = servers.some(({ status }) => status === 'starting') ? mend('servers_starting') : forbids('servers_none')
  return [none, ...aside]
}

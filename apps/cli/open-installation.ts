import { join } from 'node:path'
import { Client } from 'pg'
import { DomainError } from '../../kernel/errors.ts'
import { isRestoring, type Config } from '../../platform/config/config.ts'
import { openDatabase, type Db } from '../../platform/db/database.ts'
import { runningPostgresUrl, startEmbeddedPostgres } from '../../platform/db/embedded-postgres.ts'
import { migrate } from '../../platform/db/migrate.ts'
import { silentLog } from '../../platform/log/log.ts'

async function answers(url: string): Promise<boolean> {
  const client = new Client({ connectionString: url, connectionTimeoutMillis: 5000 })
  // A server that goes away later is its user's to meet.
  client.on('error', () => undefined)
  try {
    await client.connect()
    return true
  } catch {
    return false
  } finally {
    await client.end()
  }
}

/**
 * The installation's database as it is: the one configured, the embedded one of a product that runs, or the embedded one started for as
 * long as the command takes.
 * @throws DomainError `backup.restoring` while a backup is being put back, unless that is who asks
 */
export async function withDatabaseUrl<T>(
  config: Pick<Config, 'databaseUrl' | 'dataFolder'>,
  use: (url: string) => Promise<T>,
  { evenRestoring = false }: { readonly evenRestoring?: boolean } = {},
): Promise<T> {
  if (!evenRestoring && isRestoring(config)) throw new DomainError('unavailable', 'backup.restoring', { path: config.dataFolder })
  const dataDir = join(config.dataFolder, 'postgres')
  const running = config.databaseUrl ?? runningPostgresUrl(dataDir)
  const isThere = config.databaseUrl !== undefined || (running !== null && (await answers(running)))
  const started = isThere ? null : await startEmbeddedPostgres({ dataDir, log: silentLog })
  try {
    return await use(started?.url ?? running ?? '')
  } finally {
    await started?.stop()
  }
}

/** The same, brought up to date. */
export async function withInstallation<T>(
  config: Pick<Config, 'databaseUrl' | 'dataFolder'>,
  use: (db: Db) => Promise<T>,
): Promise<T> {
  return await withDatabaseUrl(config, async (url) => {
    await migrate(url)
    const db = openDatabase(url, { max: 2, log: silentLog, applicationName: 'probant-command' })
    try {
      return await use(db)
    } finally {
      await db.destroy()
    }
  })
}

import { join } from 'node:path'
import { Client } from 'pg'
import type { Config } from '../../platform/config/config.ts'
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
 * The installation's database, up to date, for one command: the one configured, the embedded one of a product that runs, or the
 * embedded one started for as long as the command takes.
 */
export async function withInstallation<T>(
  config: Pick<Config, 'databaseUrl' | 'dataFolder'>,
  use: (db: Db) => Promise<T>,
): Promise<T> {
  const dataDir = join(config.dataFolder, 'postgres')
  const running = config.databaseUrl ?? runningPostgresUrl(dataDir)
  const isThere = config.databaseUrl !== undefined || (running !== null && (await answers(running)))
  const started = isThere ? null : await startEmbeddedPostgres({ dataDir, log: silentLog })
  try {
    const url = started?.url ?? running ?? ''
    await migrate(url)
    const db = openDatabase(url, { max: 2, log: silentLog, applicationName: 'probant-command' })
    try {
      return await use(db)
    } finally {
      await db.destroy()
    }
  } finally {
    await started?.stop()
  }
}

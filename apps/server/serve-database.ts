/**
 * `node apps/server/serve-database.ts`: the database of an installation whose roles are started one by one, by a service manager: its own
 * PostgreSQL until it is told to end. Where `DATABASE_URL` names another, that one is brought up to date, and nothing more is to be run.
 */
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { startEmbeddedPostgres } from '../../platform/db/embedded-postgres.ts'
import { migrate } from '../../platform/db/migrate.ts'
import { createLog } from '../../platform/log/create-log.ts'
import { readConfig } from './read-config.ts'
import { openServiceManager } from './service-manager.ts'

const config = readConfig()
mkdirSync(config.dataFolder, { recursive: true })
const log = createLog({ role: 'database', level: config.logLevel, folder: join(config.dataFolder, 'logs') })
const manager = openServiceManager(process.env, log)
const told = Promise.withResolvers<void>()
for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, () => told.resolve())
try {
  const embedded =
    config.databaseUrl === undefined
      ? await startEmbeddedPostgres({ dataDir: join(config.dataFolder, 'postgres'), log: log.child({ component: 'postgres' }) })
      : null
  try {
    const applied = await migrate(config.databaseUrl ?? embedded?.url ?? '')
    if (applied.length > 0) log.info({ applied }, `the database was brought up to date (${applied.length} migrations)`)
    await manager.ready()
    log.info(embedded === null ? 'up to date' : 'started')
    if (embedded !== null) {
      const ended = await Promise.race([told.promise.then(() => 'told'), embedded.exited.then(() => 'by itself')])
      if (ended === 'by itself') throw new Error('the database ended')
      await manager.stopping()
    }
  } finally {
    await embedded?.stop()
  }
  process.exit(0)
} catch (error) {
  log.fatal({ err: error }, 'the database cannot be served')
  process.exit(1)
}

/** The whole product on one machine: database, migrations, one process per role, until Ctrl-C. */
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { installationSecret } from '../../platform/config/installation-secret.ts'
import { startEmbeddedPostgres, type EmbeddedPostgres } from '../../platform/db/embedded-postgres.ts'
import { migrate } from '../../platform/db/migrate.ts'
import { createLog } from '../../platform/log/create-log.ts'
import { readConfig } from './read-config.ts'
import { roleNames } from './roles/role.ts'
import { simulatePayments, type SimulatedPayments } from './simulated-payments.ts'
import { superviseRole, type SupervisedRole } from './supervision.ts'

const config = readConfig()
mkdirSync(config.dataFolder, { recursive: true })
const log = createLog({ role: 'server', level: config.logLevel, folder: join(config.dataFolder, 'logs') })
const postgresLog = log.child({ component: 'postgres' })
const databaseRestartMs = 500

let stopping: Promise<never> | undefined
/** The embedded database, running or about to. */
let database: Promise<EmbeddedPostgres> | undefined
let supervised: readonly SupervisedRole[] = []
let payments: Promise<SimulatedPayments | null> | undefined

async function stopAll(code: number): Promise<never> {
  // Roles first, all at once; then the database they write to.
  await Promise.all(supervised.map(async (role) => await role.stop()))
  // One that is only just coming up is waited for: nothing is left behind.
  const running = await database?.catch(() => undefined)
  await running?.stop()
  const simulated = await payments?.catch(() => undefined)
  await simulated?.stop()
  process.exit(code)
}

function stop(code: number): void {
  stopping ??= stopAll(code).catch((error: unknown) => {
    log.fatal({ err: error }, 'could not stop in order')
    process.exit(1)
  })
}

/** Roles keep their address: the embedded database comes back at the same socket. */
async function startDatabase(): Promise<string> {
  database = startEmbeddedPostgres({ dataDir: join(config.dataFolder, 'postgres'), log: postgresLog })
  const started = await database
  void watchDatabase(started)
  return started.url
}

async function watchDatabase(started: EmbeddedPostgres): Promise<void> {
  await started.exited
  if (stopping !== undefined) return
  log.error('the database ended and is started again')
  try {
    await wait(databaseRestartMs)
    if (stopping === undefined) await startDatabase()
  } catch (error) {
    log.fatal({ err: error }, 'the database cannot be started again')
    stop(1)
  }
}

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => stop(0))

try {
  const databaseUrl = config.databaseUrl ?? (await startDatabase())
  const applied = await migrate(databaseUrl)
  if (applied.length > 0) log.info({ applied }, `the database was brought up to date (${applied.length} migrations)`)
  installationSecret(config)
  payments = simulatePayments(config, log)
  const simulated = await payments
  if (stopping === undefined) {
    const env = { ...process.env, DATABASE_URL: databaseUrl, PROBANT_DATA: config.dataFolder, ...simulated?.env }
    supervised = roleNames.map((role) => superviseRole(role, env, log))
    const ready = await Promise.all(supervised.map(async (role) => await role.ready))
    const port = ready.find((each) => each.port !== undefined)?.port ?? config.port
    const address = config.port === 0 ? `http://localhost:${port}` : config.publicUrl
    process.stdout.write(`Probant is ready at ${address}\n`)
  }
} catch (error) {
  log.fatal({ err: error }, 'could not start')
  stop(1)
}

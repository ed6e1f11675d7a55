/** `node apps/server/serve.ts --role web|worker|capture|all`: one process of the server. */
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { systemClock } from '../../kernel/clock.ts'
import { openErrorReports } from '../../modules/outside/server/index.ts'
import { createBlobStore } from '../../platform/blobs/create-blob-store.ts'
import { configErrorExitCode, type Config } from '../../platform/config/config.ts'
import { installationSecret } from '../../platform/config/installation-secret.ts'
import { openDatabaseClock } from '../../platform/db/database-clock.ts'
import { openDatabase, type PoolCounts } from '../../platform/db/database.ts'
import { runningPostgresUrl } from '../../platform/db/embedded-postgres.ts'
import { refuseContracted } from '../../platform/db/migrate.ts'
import { packageVersion } from '../../platform/config/software.ts'
import { createLog } from '../../platform/log/create-log.ts'
import type { Log } from '../../platform/log/log.ts'
import { readConfig } from './read-config.ts'
import { isRoleName, roleNames, type RoleDeps, type RoleName, type RunningRole } from './roles/role.ts'
import { startCapture } from './roles/capture.ts'
import { startWeb } from './roles/web.ts'
import { startWorker } from './roles/worker.ts'
import { openServiceManager, type ServiceManager } from './service-manager.ts'
import { tellPresence } from './tell-presence.ts'
import { portInUseExitCode, type RoleReady } from './supervision.ts'
import { openWatch } from './watch/open-watch.ts'
import { watchBlobs } from './watch/watch-calls.ts'

const starters: Readonly<Record<RoleName, (deps: RoleDeps) => Promise<RunningRole>>> = {
  web: startWeb,
  worker: startWorker,
  capture: startCapture,
}

/** Longest orderly stop, live sessions being completed; a process manager, or the supervisor, waits about as long. */
const stopTimeoutMs = 60_000

function wantedRoles(): readonly RoleName[] {
  const { values } = parseArgs({ options: { role: { type: 'string' } } })
  if (values.role === 'all') return roleNames
  if (isRoleName(values.role)) return [values.role]
  process.stderr.write(`--role is one of ${roleNames.join(', ')}, all\n`)
  return process.exit(64)
}

/** What makes spans is loaded only where they are wanted. */
async function traced({ traces }: Config, roles: readonly RoleName[], log: Log): Promise<() => Promise<void>> {
  if (traces === null) return () => Promise.resolve()
  const { openTraces } = await import('./watch/open-traces.ts')
  return openTraces({ url: traces, role: roles.length === 1 ? (roles[0] ?? '') : 'all', version: packageVersion, log })
}

async function serve(
  config: Config,
  databaseUrl: string,
  roles: readonly RoleName[],
  log: Log,
  manager: ServiceManager,
): Promise<void> {
  await refuseContracted(databaseUrl)
  let countPool = (): PoolCounts => ({ open: 0, idle: 0, waiting: 0, most: 0 })
  const applicationName = `probant-${roles.join('-')}`
  const db = openDatabase(databaseUrl, { max: 10, log, applicationName, countPool: (count) => (countPool = count) })
  const store = createBlobStore(config)
  const place = roles.length === 1 ? roleNames.findIndex((name) => name === roles[0]) : 0
  const time = await openDatabaseClock({ db, log })
  // What a capture tells of its machine's clock is that of the machine, which its preflight compares with others.
  const clock = roles.includes('capture') ? systemClock : time.clock
  const watch = openWatch({ config, roles, place, db, blobs: store, clock, log, countPool: () => countPool() })
  const { instruments } = watch
  const deps: RoleDeps = {
    config,
    db,
    databaseUrl,
    blobs: watchBlobs(store, instruments),
    log,
    clock,
    secret: installationSecret(config),
    instruments,
  }
  const running: RunningRole[] = []
  let presence: Awaited<ReturnType<typeof tellPresence>> | undefined
  let stopping = false
  const stop = async (code: number) => {
    if (stopping) return
    stopping = true
    const timer = setTimeout(() => {
      log.error('did not stop in time')
      process.exit(1)
    }, stopTimeoutMs)
    await manager.stopping()
    // Web first: it takes the requests that would want the others.
    for (const role of running) await role.stop()
    await presence?.stop()
    await endWatch()
    await time.stop()
    await db.destroy()
    await reports?.settled()
    await endTraces()
    clearTimeout(timer)
    process.exit(code)
  }
  const stopOrExit = (code: number) => {
    stop(code).catch((error: unknown) => {
      log.fatal({ err: error }, 'could not stop in order')
      process.exit(1)
    })
  }
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, () => stopOrExit(0))
  // The supervisor is gone, however it went: its database ends too, and whoever starts next wants the port.
  process.on('disconnect', () => process.exit(1))
  const endTraces = await traced(config, roles, log)
  const endWatch = await watch.serve(
    () => !stopping && running.length === roles.length && running.every((role) => role.isReady?.() ?? true),
  )
  for (const name of roles) running.push(await starters[name](deps))
  presence = await tellPresence({ config, roles, db, log })
  for (const role of running) {
    role.finished?.catch((error: unknown) => {
      if (stopping) return
      log.fatal({ err: error }, 'role cannot go on')
      stopOrExit(1)
    })
  }
  const port = running.find((role) => role.port !== undefined)?.port
  await manager.ready()
  process.send?.({ ready: true, ...(port === undefined ? {} : { port }) } satisfies RoleReady)
  log.info({ port }, port === undefined ? 'started' : `listening on port ${port}`)
}

const config = readConfig()
const roles = wantedRoles()
const reports =
  config.outside.errors === null
    ? null
    : openErrorReports({
        ...config.outside.errors,
        release: `probant@${packageVersion}`,
        environment: config.environment,
        clock: systemClock,
      })
const log = createLog({
  role: roles.length === 1 ? (roles[0] ?? '') : 'all',
  level: config.logLevel,
  folder: join(config.dataFolder, 'logs'),
  ...(reports === null ? {} : { onError: (line: string) => reports.take(line) }),
})
// Its own one, which another process serves (serve-database.ts).
const databaseUrl = config.databaseUrl ?? runningPostgresUrl(join(config.dataFolder, 'postgres'))
if (databaseUrl === null) {
  process.stderr.write(
    'a role by itself needs DATABASE_URL, or the database that serve-database serves; `npm start` starts everything\n',
  )
  process.exit(configErrorExitCode)
}
try {
  await serve(config, databaseUrl, roles, log, openServiceManager(process.env, log))
} catch (error) {
  const inUse = error instanceof Error && 'code' in error && error.code === 'EADDRINUSE'
  if (inUse) process.stderr.write(`port ${config.port} is in use: set PORT to another\n`)
  else log.fatal({ err: error }, 'could not start')
  await reports?.settled()
  process.exit(inUse ? portInUseExitCode : 1)
}

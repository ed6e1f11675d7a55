import { spawn, type ChildProcess } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { configErrorExitCode } from '../../platform/config/config.ts'
import type { Log } from '../../platform/log/log.ts'
import type { RoleName } from './roles/role.ts'

/** What a role's process tells its supervisor, once. */
export type RoleReady = { readonly ready: true; readonly port?: number }

/** EX_TEMPFAIL of sysexits.h: an earlier process may be about to free the port. */
export const portInUseExitCode = 75

const serveFile = fileURLToPath(new URL('./serve.ts', import.meta.url))
const firstDelayMs = 250
const longestDelayMs = 30_000
/** A process that ran this long was healthy: the next failure waits the first delay again. */
const healthyMs = 60_000
/** A role that fails this often before it was ever ready will not get better by itself. */
const startAttempts = 6
const stopGraceMs = 65_000

export type SupervisedRole = {
  /** Resolves at the first readiness; rejects when the role cannot start. */
  readonly ready: Promise<RoleReady>
  /** Asks it to end, then insists; nothing of its process group is left. */
  stop(): Promise<void>
}

/** Runs one role in a process of its own, and again whenever it ends. */
export function superviseRole(role: RoleName, env: NodeJS.ProcessEnv, log: Log): SupervisedRole {
  const ready = Promise.withResolvers<RoleReady>()
  let child: ChildProcess | undefined
  let exited: Promise<void> = Promise.resolve()
  let timer: NodeJS.Timeout | undefined
  let stopping = false
  let wasReady = false
  let port: number | undefined
  let failures = 0
  let delayMs = firstDelayMs

  function start(): void {
    const startedMs = performance.now()
    // A group of its own: Ctrl-C at the terminal reaches the supervisor alone, which stops the roles in order. The channel
    // tells the role when the supervisor is gone.
    const current = spawn(process.execPath, [serveFile, '--role', role], {
      env: port === undefined ? env : { ...env, PORT: String(port) },
      detached: true,
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    })
    child = current
    const ended = Promise.withResolvers<void>()
    exited = ended.promise
    current.on('message', (message: RoleReady) => {
      wasReady = true
      // A port that the system chose once is kept: visitors have the address.
      port = message.port ?? port
      ready.resolve(message)
    })
    current.once('error', (error) => {
      log.error({ err: error }, `${role} could not be started`)
    })
    current.once('close', (code, signal) => {
      killGroup(current)
      ended.resolve()
      if (!stopping) restart(code, signal, performance.now() - startedMs)
    })
  }

  function restart(code: number | null, signal: NodeJS.Signals | null, livedMs: number): void {
    failures += 1
    if (!wasReady && (code === configErrorExitCode || failures >= startAttempts)) {
      ready.reject(new Error(`${role} does not start`))
      return
    }
    delayMs = livedMs > healthyMs ? firstDelayMs : delayMs
    log.warn({ code, signal, delay_ms: delayMs }, `${role} ended and is started again`)
    timer = setTimeout(start, delayMs)
    delayMs = Math.min(delayMs * 2, longestDelayMs)
  }

  start()
  return {
    ready: ready.promise,
    async stop() {
      stopping = true
      clearTimeout(timer)
      const current = child
      if (current === undefined || current.exitCode !== null || current.signalCode !== null) return
      current.kill('SIGTERM')
      const insist = setTimeout(() => killGroup(current), stopGraceMs)
      await exited
      clearTimeout(insist)
    },
  }
}

/** What a role started, a browser say, shares its group. */
function killGroup(child: ChildProcess): void {
  if (child.pid === undefined) return
  try {
    process.kill(-child.pid, 'SIGKILL')
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error
  }
}

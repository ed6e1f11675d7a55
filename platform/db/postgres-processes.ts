import { existsSync, readdirSync, readlinkSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import type { Log } from '../log/log.ts'

/** Processes of a cluster: a postmaster and its children all work in the data directory. */
export function postgresProcessesOf(cluster: string): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => {
      try {
        return readlinkSync(`/proc/${pid}/cwd`) === cluster && /\/postgres( \(deleted\))?$/.test(readlinkSync(`/proc/${pid}/exe`))
      } catch {
        // Gone meanwhile, or another account's, which cannot be ours.
        return false
      }
    })
}

/**
 * Ends what a killed launcher left behind. The caller holds the exclusive claim on the cluster, so whatever still runs in
 * it belongs to nobody. SIGINT asks a postmaster for a fast shutdown; backends without postmaster leave on SIGQUIT. SIGKILL
 * comes last: the write-ahead log makes even that safe.
 */
export async function endOrphans(cluster: string, log: Log): Promise<void> {
  const stages = [
    { signal: 'SIGINT', waitMs: 15_000 },
    { signal: 'SIGQUIT', waitMs: 5_000 },
    { signal: 'SIGKILL', waitMs: 5_000 },
  ] as const
  for (const { signal, waitMs } of stages) {
    const pids = postgresProcessesOf(cluster)
    if (pids.length === 0) break
    log.warn({ processes: pids.length, signal }, 'ending PostgreSQL processes left by an earlier run')
    for (const pid of pids) signalQuietly(pid, signal)
    const deadline = performance.now() + waitMs
    while (performance.now() < deadline && postgresProcessesOf(cluster).length > 0) await wait(50)
  }
  const left = postgresProcessesOf(cluster)
  if (left.length > 0) throw new Error(`PostgreSQL processes ${left.join(', ')} of an earlier run do not end`)
  // Nothing runs in the cluster: a lock file names a process number that may since belong to any program, which PostgreSQL
  // would take for a live postmaster.
  const lockFile = join(cluster, 'postmaster.pid')
  if (existsSync(lockFile)) rmSync(lockFile)
}

export function signalQuietly(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal)
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error
  }
}

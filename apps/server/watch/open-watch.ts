/** What this process tells of itself and, where visitors are let in, of the installation. */
import { collectDefaultMetrics, Gauge, Registry } from 'prom-client'
import type { Clock } from '../../../kernel/clock.ts'
import { formatHostPort } from '../../../kernel/host-port.ts'
import type { BlobStore } from '../../../platform/blobs/blob-store.ts'
import type { Config } from '../../../platform/config/config.ts'
import { packageVersion } from '../../../platform/config/software.ts'
import type { Db, PoolCounts } from '../../../platform/db/database.ts'
import type { Log } from '../../../platform/log/log.ts'
import { tellFacts } from './facts.ts'
import { createInstruments, type Instruments } from './instruments.ts'
import { tellJournal } from './journal-facts.ts'
import { createReadInTime } from './read-in-time.ts'
import { serveMetrics } from './serve-metrics.ts'
import { tellUpkeep } from './upkeep-facts.ts'

export type Watch = {
  readonly instruments: Instruments
  /** Lets `/metrics` be read from now on, and whether the process can do its work. @returns what ends it */
  serve(isReady: () => boolean): Promise<() => Promise<void>>
}

type WatchDeps = {
  readonly config: Pick<Config, 'metrics' | 'seller' | 'backup' | 'tls' | 'publicUrl'>
  readonly roles: readonly string[]
  /** Of the port that the first role listens on. */
  readonly place: number
  readonly db: Db
  readonly blobs: BlobStore
  readonly clock: Clock
  readonly log: Log
  readonly countPool: () => PoolCounts
}

export function openWatch(deps: WatchDeps): Watch {
  const { config, log } = deps
  const registry = new Registry()
  const instruments = createInstruments(registry)
  return {
    instruments,
    async serve(isReady) {
      const { metrics } = config
      if (metrics === null) return () => Promise.resolve()
      collectDefaultMetrics({ register: registry })
      // Names of counters, which they are none of; by kind of handle the same numbers are told without.
      for (const name of ['handles', 'requests', 'resources']) registry.removeSingleMetric(`nodejs_active_${name}_total`)
      const tellings = [tellProcess(registry, deps), ...(deps.roles.includes('web') ? tellInstallation(registry, deps) : [])]
      const at = { ...metrics, port: metrics.port === 0 ? 0 : metrics.port + deps.place }
      try {
        const served = await serveMetrics(at, {
          contentType: registry.contentType,
          isReady,
          async write() {
            for (const tell of tellings) await tell()
            return await registry.metrics()
          },
        })
        log.info({ metrics: formatHostPort({ ...at, port: served.port }) }, 'what is measured may be read')
        return async () => await served.close()
      } catch (error) {
        // Evidence is made whether anybody watches or not.
        log.error({ err: error }, 'what is measured cannot be read: the address of PROBANT_METRICS is not to be had')
        return () => Promise.resolve()
      }
    },
  }
}

type Tell = () => Promise<void> | void

function tellInstallation(registry: Registry, deps: WatchDeps): Tell[] {
  const readInTime = createReadInTime(registry, deps.log)
  const told = [tellFacts(registry, { ...deps, readInTime }), tellUpkeep(registry, { ...deps, readInTime })]
  return deps.config.seller === null ? told : [...told, tellJournal(registry, { ...deps, readInTime })]
}

function tellProcess(registry: Registry, { roles, countPool }: WatchDeps): Tell {
  const registers = [registry]
  new Gauge({
    name: 'probant_build_info',
    help: 'Always 1: which version this is, and which part of it.',
    labelNames: ['version', 'role'],
    registers,
  }).set({ version: packageVersion, role: roles.length === 1 ? (roles[0] ?? '') : 'all' }, 1)
  const connections = new Gauge({
    name: 'probant_database_connections',
    help: 'Connections of this process to the database by state: busy, idle.',
    labelNames: ['state'],
    registers,
  })
  const most = new Gauge({
    name: 'probant_database_connections_limit',
    help: 'Most connections to the database that this process opens.',
    registers,
  })
  const waiting = new Gauge({
    name: 'probant_database_waiting',
    help: 'Queries of this process that wait for a connection to the database.',
    registers,
  })
  return () => {
    const pool = countPool()
    connections.set({ state: 'idle' }, pool.idle)
    connections.set({ state: 'busy' }, pool.open - pool.idle)
    most.set(pool.most)
    waiting.set(pool.waiting)
  }
}

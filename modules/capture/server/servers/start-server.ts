import { randomUUID } from 'node:crypto'
import { hostname } from 'node:os'
import type { Clock } from '../../../../kernel/clock.ts'
import type { Db, Tx } from '../../../../platform/db/database.ts'
import type { Log } from '../../../../platform/log/log.ts'
import type { CaptureServerIdentity } from '../../domain/servers/capture-server.ts'
import { compareBrowser, comparePreflight, mayBePinned, type PreflightDifference } from '../../domain/servers/preflight.ts'
import { compareSilence, type SilenceFound } from '../../domain/servers/silence.ts'
import { clearSeenDifference, pinManifest, readManifest, writeSeenDifference, type PinnedManifest } from './manifest.ts'
import type { MeasureServer, ServerMeasurement } from './measure-server.ts'
import type { MeasureSilence } from './measure-silence.ts'
import {
  beat,
  insertServerEvent,
  keepProcess,
  recordPreflight,
  removeOldTraces,
  upsertServer,
  type ServerEventKind,
} from './servers-store.ts'

/** A preflight that found nothing to object to: it goes into the package of the capture that it was made for. */
export type Preflight = {
  readonly server: CaptureServerIdentity
  readonly pinned: PinnedManifest
  readonly measurement: ServerMeasurement
  readonly silence: SilenceFound
}

export type StartedBrowser = Parameters<typeof compareBrowser>[1]

/** This process as part of a capture server. */
export type CaptureServerProcess = {
  readonly server: CaptureServerIdentity
  /** Names the process: the holder of its leases. */
  readonly owner: string
  /** Measured and found as pinned: it may take captures. */
  isReady(): boolean
  /**
   * Before each session: measures and compares. Null when the server differs: it is set aside then, and the capture, when there
   * is one, must be given back.
   */
  examine(evidenceId: string | null): Promise<Preflight | null>
  /** Looks at the browser that was started. @returns false when it differs: the server is set aside, the capture given back. */
  admitBrowser(preflight: Preflight, browser: StartedBrowser, evidenceId: string): Promise<boolean>
  stop(): Promise<void>
}

export type CaptureServerDeps = {
  readonly db: Db
  readonly clock: Clock
  readonly log: Log
  readonly server: CaptureServerIdentity
  /** Of the manifest; by `serverFolder`. */
  readonly folder: string
  readonly measure: MeasureServer
  readonly measureSilence: MeasureSilence
  /** Captures at a time in this process. */
  readonly capacity: number
  /** Live sessions at a time, besides; none unless told. */
  readonly interactiveCapacity?: number
  /** Without a sign of life for so long, the process is lost. */
  readonly aliveSeconds: number
  readonly pin: 'at-start' | 'by-command'
  /** Called when it becomes ready. */
  readonly onReady: () => void
  readonly times?: { readonly readyMs: number; readonly setAsideMs: number; readonly freshMs: number }
}

/** A server that is ready looks at itself each minute; one that is set aside sooner, in case it matches again. */
const defaultTimes = { readyMs: 60_000, setAsideMs: 5_000, freshMs: 5 * 60_000 }
/** The slow probes of a server that is set aside: other people's time servers are not asked each time. */
const freshWhenSetAsideMs = 30_000

/** Registers the server and this process, and goes on to its first preflight. Resolves before that is through. */
export async function startCaptureServer(deps: CaptureServerDeps): Promise<CaptureServerProcess> {
  const { db, log, server, folder } = deps
  const times = deps.times ?? defaultTimes
  const interactiveCapacity = deps.interactiveCapacity ?? 0
  const owner = `${hostname()}/${String(process.pid)}/${randomUUID()}`
  let status: 'starting' | 'ready' | 'set_aside' = 'starting'
  let differences: readonly PreflightDifference[] | null = null
  let manifestSha256: string | null = null
  let examined = false
  let stopped = false
  const stopping = new AbortController()
  /** The database has not been told yet. */
  let unsaid = false
  let freshAt = performance.now()

  const keep = async (to: Db | Tx) =>
    await keepProcess(to, {
      owner,
      serverId: server.id,
      capacity: deps.capacity,
      interactiveCapacity,
      status,
      differences,
      aliveSeconds: deps.aliveSeconds,
    })

  /** What is pinned, pinning it where that is due; null where nothing can be. */
  async function pinned(
    measurement: ServerMeasurement,
    speaks: readonly PreflightDifference[],
  ): Promise<{ pin: PinnedManifest | null; found: readonly PreflightDifference[] }> {
    const first = !examined
    const { items } = measurement
    const before = await readManifest(folder, server.id)
    const at = deps.clock.now()
    if (before === null) {
      const absent = (['browser', 'browser_sha256'] as const).filter((name) => items[name] === null)
      if (absent.length > 0)
        return { pin: null, found: absent.map((item) => ({ item, expected: 'present', measured: 'missing' })) }
      // Nothing is pinned that speaks.
      if (speaks.length > 0) return { pin: null, found: speaks }
      const pin = await pinManifest(folder, { serverId: server.id, at, by: 'first_start', items })
      return { pin, found: comparePreflight(pin.manifest, measurement) }
    }
    const found = [...comparePreflight(before.manifest, measurement), ...speaks]
    if (!first || deps.pin !== 'at-start' || found.length === 0 || !mayBePinned(found)) return { pin: before, found }
    const pin = await pinManifest(folder, { serverId: server.id, at, by: 'start', items })
    log.warn({ differences: found }, 'the capture server changed while it was stopped; its state now is pinned')
    await insertServerEvent(db, { serverId: server.id, kind: 'pinned', manifestSha256: pin.sha256, differences: found })
    return { pin, found: [] }
  }

  async function look(evidenceId: string | null): Promise<Preflight | null> {
    const measurement = await deps.measure()
    const silence = await deps.measureSilence(measurement.items, stopping.signal)
    const { pin, found } = await pinned(measurement, compareSilence(silence)).catch((error: unknown) => {
      log.error({ err: error }, 'the manifest of this capture server cannot be used')
      return { pin: null, found: [{ item: 'manifest', expected: 'readable', measured: 'unreadable' }] }
    })
    examined = true
    const pinnedAnew = pin !== null && pin.sha256 !== manifestSha256
    manifestSha256 = pin?.sha256 ?? manifestSha256
    await conclude(measurement, found, evidenceId, pinnedAnew)
    return pin === null || found.length > 0 ? null : { server, pinned: pin, measurement, silence }
  }

  async function conclude(
    measurement: ServerMeasurement,
    found: readonly PreflightDifference[],
    evidenceId: string | null,
    pinnedAnew: boolean,
  ): Promise<void> {
    const before = status
    const matched = found.length === 0
    // Set aside first, in this process: whatever becomes of the rest, it takes nothing more.
    status = matched ? 'ready' : 'set_aside'
    differences = matched ? null : found
    unsaid = true
    const { items, measured_at: at } = measurement
    const noting = matched ? clearSeenDifference(folder) : writeSeenDifference(folder, { at, items, differences: found })
    await noting.catch((error: unknown) => log.error({ err: error }, 'what differs could not be written down for the operator'))
    const events: ServerEventKind[] = pinnedAnew ? ['pinned'] : []
    if (!matched && (before !== 'set_aside' || evidenceId !== null)) events.push('set_aside')
    if (matched && before === 'set_aside') events.push('returned')
    if (stopped) return
    await db.transaction().execute(async (tx) => {
      await recordPreflight(tx, server.id, {
        matched,
        manifestSha256,
        imageDigest: measurement.items.image_digest,
        browser: measurement.items.browser,
        publicAddress: measurement.items.public_address,
        network: measurement.network,
      })
      for (const kind of events)
        await insertServerEvent(tx, { serverId: server.id, kind, evidenceId, manifestSha256, differences: found })
      if (before !== status || events.length > 0) await keep(tx)
    })
    unsaid = false
    if (before !== status) {
      again()
      if (matched) {
        log.info({ server_id: server.id, manifest_sha256: manifestSha256 }, 'the capture server is as pinned, and ready')
        deps.onReady()
      } else
        log.warn(
          { server_id: server.id, differences: found },
          'the capture server differs from its manifest and is set aside; `probant server pin` accepts its state',
        )
    }
  }

  // One look after the other: each states what it found before the next one measures.
  let last: Promise<unknown> = Promise.resolve()
  function inTurn<T>(work: () => Promise<T>): Promise<T> {
    const next = last.then(work)
    last = next.catch(() => undefined)
    return next
  }

  /** The slow probes are asked out of turn: no session waits for them, only for what they answered last. */
  async function lookAgain(fresh: boolean): Promise<void> {
    if (fresh) {
      await deps.measure({ fresh })
      freshAt = performance.now()
    }
    await inTurn(async () => await look(null))
  }

  let timer: NodeJS.Timeout | undefined
  const again = () => {
    clearTimeout(timer)
    if (stopped) return
    timer = setTimeout(
      () => {
        const due = status === 'ready' ? times.freshMs : Math.min(freshWhenSetAsideMs, times.freshMs)
        lookAgain(performance.now() - freshAt >= due)
          .catch((error: unknown) => {
            if (!stopped) log.error({ err: error }, 'the capture server could not look at itself')
          })
          .finally(again)
      },
      status === 'ready' ? times.readyMs : times.setAsideMs,
    )
  }

  const fresh = await upsertServer(db, server)
  await removeOldTraces(db, server.id)
  await keep(db)
  if (fresh) await insertServerEvent(db, { serverId: server.id, kind: 'registered' })
  const heartbeat = setInterval(
    () => {
      void (async () => {
        try {
          if (unsaid || !(await beat(db, owner, deps.aliveSeconds))) {
            await keep(db)
            unsaid = false
          }
        } catch (error) {
          log.warn({ err: error }, 'the capture server could not give a sign of life')
        }
      })()
    },
    (deps.aliveSeconds * 1000) / 4,
  )
  inTurn(async () => await look(null))
    .catch((error: unknown) => {
      if (!stopped) log.error({ err: error }, 'the first preflight failed')
    })
    .finally(again)

  return {
    server,
    owner,
    isReady: () => status === 'ready' && !stopped,
    examine: async (evidenceId) => await inTurn(async () => await look(evidenceId)),
    admitBrowser: async ({ pinned: pin, measurement }, browser, evidenceId) => {
      const found = compareBrowser(pin.manifest, browser)
      if (found.length === 0) return true
      await inTurn(async () => await conclude(measurement, found, evidenceId, false)).catch((error: unknown) =>
        log.error({ err: error }, 'that the capture server was set aside could not be recorded'),
      )
      return false
    },
    async stop() {
      stopped = true
      stopping.abort(new Error('the capture server stops'))
      clearInterval(heartbeat)
      clearTimeout(timer)
      await last
      clearTimeout(timer)
      const { capacity } = deps
      try {
        await keepProcess(db, {
          owner,
          serverId: server.id,
          capacity,
          interactiveCapacity,
          status: 'stopped',
          differences: null,
          aliveSeconds: 0,
        })
        await insertServerEvent(db, { serverId: server.id, kind: 'stopped', manifestSha256 })
      } catch (error) {
        // The database went first: the server counts as lost then, which is no worse.
        log.warn({ err: error }, 'the end of the capture server could not be recorded')
      }
    },
  }
}

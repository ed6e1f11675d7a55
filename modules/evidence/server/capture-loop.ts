import { listen } from '../../../platform/db/listen.ts'
import { maxCaptureAttempts } from '../domain/status.ts'
import { captureFirst } from './capture-first.ts'
import type { CaptureLoopDeps } from './capture-loop-deps.ts'
import { evidenceChannel, workPayload } from './evidence-changes.ts'
import { claimNext, releaseExpiredLeases } from './lease-store.ts'
import { captureSecond } from './vantage/capture-second.ts'
import { claimVantage } from './vantage/vantage-store.ts'

export type CaptureLoop = {
  /** Looks for work at once: the server has become ready. */
  wake(): void
  /** Takes no more work; running captures get `graceMs`, then are put back into the queue. */
  stop(graceMs: number): Promise<void>
}

/** Besides notifications: work is looked for this often, and dead holders' leases are released. */
const pollMs = 2_000

/**
 * Claims waiting evidences and captures them, at most `concurrency` at a time. Ownership is a lease on the database's clock
 * with a fencing token: whoever was stopped past its lease finds its writes refused (design/security.md §2).
 */
export async function startCaptureLoop(deps: CaptureLoopDeps): Promise<CaptureLoop> {
  const claimer = { owner: deps.server.owner, server: deps.server.server }
  const stopping = new AbortController()
  const running = new Set<Promise<void>>()
  let wake = Promise.withResolvers<void>()
  const closing = new AbortController()

  async function take(): Promise<void> {
    while (!closing.signal.aborted && deps.server.isReady()) {
      // Somebody waits for a second vantage this very moment: it may be one more than otherwise, so that two servers that are
      // each busy with a first one do not wait for each other in vain.
      const second = running.size > deps.concurrency ? null : await claimVantage(deps.db, claimer, deps.leaseSeconds)
      // Meanwhile a capture under way may have found that this server differs, and been given back: not to this one again.
      const full = second !== null || running.size >= deps.concurrency || !deps.server.isReady()
      const evidence = full ? null : await claimNext(deps.db, claimer, deps.leaseSeconds)
      const begun =
        second !== null
          ? captureSecond(deps, second, stopping.signal)
          : evidence !== null
            ? captureFirst(deps, evidence, stopping.signal)
            : null
      if (begun === null) return
      const work = begun.finally(() => {
        running.delete(work)
        wake.resolve()
      })
      running.add(work)
    }
  }

  async function loop(): Promise<void> {
    while (!closing.signal.aborted) {
      wake = Promise.withResolvers()
      try {
        const { requeued, exhausted } = await releaseExpiredLeases(deps.db, maxCaptureAttempts)
        if (requeued.length + exhausted.length > 0)
          deps.log.warn({ requeued, exhausted }, 'captures of a lost process were released')
        await take()
      } catch (error) {
        // The database may be away; leases protect what runs meanwhile.
        deps.log.error({ err: error }, 'looking for work failed')
      }
      const timer = setTimeout(() => wake.resolve(), pollMs)
      await wake.promise
      clearTimeout(timer)
    }
  }

  const hear = (payload: string) => {
    if (payload === workPayload) wake.resolve()
  }
  const listener = await listen(deps.databaseUrl, evidenceChannel, hear, {
    log: deps.log,
    onReconnect: () => wake.resolve(),
  })
  const looping = loop()
  return {
    wake: () => wake.resolve(),
    async stop(graceMs) {
      closing.abort()
      wake.resolve()
      await listener.close()
      const timer = setTimeout(() => stopping.abort(), graceMs)
      await looping
      await Promise.all(running)
      clearTimeout(timer)
    },
  }
}

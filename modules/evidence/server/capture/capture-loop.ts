import { listen } from '../../../../platform/db/listen.ts'
import { followOrigin } from '../../../../platform/trace/spans.ts'
import { maxCaptureAttempts } from '../../domain/status.ts'
import { captureFirst } from './capture-first.ts'
import type { CaptureLoopDeps } from './capture-loop-deps.ts'
import { evidenceChannel } from '../record/evidence-changes.ts'
import {
  claimNext,
  countTakers,
  findWaiting,
  releaseExpiredLeases,
  type Claimer,
  type WaitingWork,
} from '../queue/lease-store.ts'
import { captureSecond } from './capture-second.ts'
import { createLookout } from './lookout.ts'
import type { EvidenceRecord } from '../record/store.ts'
import { claimVantage } from '../vantage/vantage-store.ts'

export type CaptureLoop = {
  /** Looks for work at once: the server has become ready. */
  wake(): void
  /**
   * Takes no more work. Running captures get `graceMs`, then are put back into the queue; live sessions are told to end, and
   * get `completeMs` to be completed, then fail.
   */
  stop(graceMs: number, completeMs?: number): Promise<void>
}

/** Its log lines and spans are those of the request that asked for it. */
async function follow({ id, origin }: EvidenceRecord, name: string, work: () => Promise<void>): Promise<void> {
  await followOrigin(origin, name, { kind: 'consumer', attributes: { 'probant.evidence_id': id } }, work)
}

/**
 * Claims waiting evidences and captures them, at most `concurrency` static ones at a time, and as many live sessions besides
 * as there is room for. Ownership is a lease on the database's clock
 * with a fencing token: whoever was stopped past its lease finds its writes refused (design/security.md §2).
 */
export async function startCaptureLoop(deps: CaptureLoopDeps): Promise<CaptureLoop> {
  const claimer: Claimer = {
    owner: deps.server.owner,
    server: deps.server.server,
    ...(deps.perTarget === undefined ? {} : { perTarget: deps.perTarget }),
  }
  const stopping = new AbortController()
  const breakingOff = new AbortController()
  const running = new Set<Promise<void>>()
  const sessions = new Set<Promise<void>>()
  const lookout = createLookout(
    async (hear) => await listen(deps.databaseUrl, evidenceChannel, hear, { log: deps.log, onReconnect: () => lookout.look() }),
  )
  const closing = new AbortController()

  async function take(): Promise<void> {
    while (!closing.signal.aborted && deps.server.isReady()) {
      const waiting = await findWaiting(deps.db, claimer)
      // Somebody waits for a second vantage this very moment: it may be one more than otherwise, so that two servers that are
      // each busy with a first one do not wait for each other in vain.
      const mayBeSecond = waiting.second && running.size <= deps.concurrency
      const second = mayBeSecond ? await claimVantage(deps.db, claimer, deps.leaseSeconds) : null
      // Meanwhile a capture under way may have found that this server differs, and been given back: not to this one again.
      const full = second !== null || running.size >= deps.concurrency || !deps.server.isReady()
      const evidence = full || !waiting.static ? null : await claimNext(deps.db, claimer, deps.leaseSeconds)
      const began = keep(
        running,
        second !== null
          ? follow(second.evidence, 'second capture', async () => await captureSecond(deps, second, stopping.signal))
          : evidence !== null
            ? follow(
                evidence,
                'capture',
                async () => await captureFirst(deps, evidence, { ending: closing.signal, stopping: stopping.signal }),
              )
            : null,
      )
      if (!began && !(await takeSession(waiting))) return
    }
  }

  /** @returns whether there was room for a live session, and one that waited */
  async function takeSession(waiting: WaitingWork): Promise<boolean> {
    const { interactive } = deps
    if (interactive === undefined || !waiting.interactive || closing.signal.aborted || !deps.server.isReady()) return false
    if (sessions.size >= interactive.capacity || !interactive.admits(sessions.size)) return false
    const evidence = await claimNext(deps.db, claimer, deps.leaseSeconds, 'interactive')
    const signals = { ending: closing.signal, stopping: breakingOff.signal }
    const begun =
      evidence === null ? null : follow(evidence, 'live session', async () => await captureFirst(deps, evidence, signals))
    return keep(sessions, begun)
  }

  function keep(among: Set<Promise<void>>, begun: Promise<void> | null): boolean {
    if (begun === null) return false
    const work = begun.finally(() => {
      among.delete(work)
      lookout.look()
    })
    among.add(work)
    return true
  }

  /** While the database was away nobody could renew: until then no lease counts as run out. Monotonic milliseconds. */
  let sparedUntil = 0

  async function care(): Promise<void> {
    await lookout.countIn(await countTakers(deps.db))
    if (performance.now() < sparedUntil) return
    const { requeued, exhausted, lost } = await releaseExpiredLeases(deps.db, maxCaptureAttempts)
    if (requeued.length + exhausted.length + lost.length > 0)
      deps.log.warn({ requeued, exhausted, lost }, 'captures of a lost process were released')
  }

  async function loop(): Promise<void> {
    while (!closing.signal.aborted) {
      lookout.begin()
      try {
        if (lookout.isCareDue()) await care()
        await take()
      } catch (error) {
        // The database may be away; leases protect what runs meanwhile.
        sparedUntil = performance.now() + deps.leaseSeconds * 1000
        deps.log.error({ err: error }, 'looking for work failed')
      }
      await lookout.wait()
    }
  }

  // From the first moment on, so that nothing is asked for that nobody hears.
  await lookout.countIn(await countTakers(deps.db))
  const looping = loop()
  return {
    wake: () => lookout.look(),
    async stop(graceMs, completeMs = graceMs) {
      closing.abort()
      lookout.look()
      await lookout.deafen()
      const timers = [setTimeout(() => stopping.abort(), graceMs), setTimeout(() => breakingOff.abort(), completeMs)]
      await looping
      await Promise.all([...running, ...sessions])
      for (const timer of timers) clearTimeout(timer)
    },
  }
}

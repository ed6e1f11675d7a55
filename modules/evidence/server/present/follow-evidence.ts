import type { ServerEvent } from '../../../../platform/http/answer/events.ts'
import type { EvidenceWebDeps } from '../record/deps.ts'
import type { EvidenceChanges } from '../record/evidence-changes.ts'
import { presentEvidence } from './present-evidence.ts'
import { DomainError } from '../../../../kernel/errors.ts'
import { findReachable, type Caller } from '../own/reach-store.ts'
import type { EvidenceRecord } from '../record/store.ts'

/** Nothing changes any more by itself, once the anchor stands: the stream ends and the page need not reconnect. */
const settled = new Set(['final', 'expired', 'failed'])

async function unlessGone(found: Promise<EvidenceRecord>): Promise<EvidenceRecord | null> {
  try {
    return await found
  } catch (error) {
    if (error instanceof DomainError && error.kind === 'not_found') return null
    throw error
  }
}

/**
 * The evidence now, then again at each change, until it is settled. Several changes while a slow client reads are sent as
 * one. Whoever waits in the queue is also told when its position, or the reason
 * of its waiting, changes; whoever waits for an anchor, when that gets on. Ends for whoever reaches it no more.
 * @param lastVersion what the client has seen; the first event is left out when nothing changed since
 */
export async function* followEvidence(
  deps: EvidenceWebDeps,
  changes: EvidenceChanges,
  caller: Caller,
  id: string,
  options: { lastVersion?: number; signal: AbortSignal },
): AsyncGenerator<ServerEvent> {
  const follower = changes.follow(id)
  const close = () => follower.close()
  options.signal.addEventListener('abort', close, { once: true })
  let seen = options.lastVersion ?? -1
  let seenWaiting = ''
  try {
    while (!options.signal.aborted) {
      const record = await unlessGone(findReachable(deps.db, caller, id))
      if (record === null) return
      const shown = await presentEvidence(deps, caller, record)
      const isAnchoring = shown.anchor?.state === 'pending'
      const also = record.status === 'queued' ? 'queue' : isAnchoring ? 'anchor' : null
      const waiting =
        also === 'queue'
          ? `${String(shown.phase.queue_position)} ${String(shown.phase.reason)}`
          : `${String(shown.anchor?.waits_for)} ${String(shown.anchor?.history.length)}`
      if (record.version > seen || (also !== null && waiting !== seenWaiting)) {
        yield { id: String(record.version), event: 'evidence', data: shown }
        seen = record.version
        seenWaiting = waiting
      }
      if (settled.has(record.status) && !isAnchoring) return
      await follower.next(also)
    }
  } finally {
    options.signal.removeEventListener('abort', close)
    follower.close()
  }
}

import type { Actor } from '../../../../kernel/actor.ts'
import { DomainError } from '../../../../kernel/errors.ts'
import type { ServerEvent } from '../../../../platform/http/answer/events.ts'
import type { DocumentWebDeps } from '../deposit/deps.ts'
import type { DocumentChanges } from '../deposit/document-changes.ts'
import { presentDocument } from './present-document.ts'
import { findReachable } from '../deposit/reach-store.ts'
import type { DocumentRecord } from '../deposit/store.ts'

async function unlessGone(found: Promise<DocumentRecord>): Promise<DocumentRecord | null> {
  try {
    return await found
  } catch (error) {
    if (error instanceof DomainError && error.kind === 'not_found') return null
    throw error
  }
}

/**
 * The deposit now, then again at each change, until nothing changes by itself any more: it expired, or is final and anchored, where
 * anchors are made, with the certificates that are made unasked. Several changes while a slow client reads are sent as one. Ends for whoever reaches it no more.
 */
export async function* followDocument(
  deps: DocumentWebDeps,
  changes: DocumentChanges,
  actor: Actor,
  id: string,
  { signal }: { readonly signal: AbortSignal },
): AsyncGenerator<ServerEvent> {
  const follower = changes.follow(id)
  const close = () => follower.close()
  signal.addEventListener('abort', close, { once: true })
  let seen = ''
  try {
    while (!signal.aborted) {
      const record = await unlessGone(findReachable(deps.db, actor, id))
      if (record === null) return
      const shown = await presentDocument(deps, actor, record)
      const state = `${String(record.version)} ${shown.anchor?.state ?? ''} ${String(shown.certificates !== null)} ${shown.stored?.state ?? ''}`
      if (state !== seen) yield { id: String(record.version), event: 'document', data: shown }
      seen = state
      const waits =
        (shown.anchor !== null && shown.anchor.state !== 'anchored') ||
        (shown.seal?.batch.size === 1 && shown.certificates === null)
      if (record.status === 'expired' || (record.status === 'final' && !waits)) return
      await follower.next(record.batchId)
    }
  } finally {
    signal.removeEventListener('abort', close)
    follower.close()
  }
}

import { createFollowers, type Follower } from '../../../../platform/db/followers.ts'

/** What else one who follows an evidence is woken by: each move of the queue, or of any anchor. */
type Also = 'queue' | 'anchor' | null

/** Who waits for which evidence. */
export type EvidenceChanges = {
  /**
   * Called by the composition root with the payload of each `evidence` notification: an id, `queue` when one left the
   * queue, `anchor` when an anchor got on, or `work` when one entered the queue, which nobody follows.
   */
  announce(payload: string): void
  /** After a lost subscription: everybody reads again. */
  announceAll(): void
  follow(evidenceId: string): Follower<Also>
}

export const evidenceChannel = 'evidence'
/** Payload that says that something entered the queue. */
export const workPayload = 'work'

/** Payload that says that an anchor got on. */
export const anchorPayload = 'anchor'

export function createEvidenceChanges(): EvidenceChanges {
  const followers = createFollowers<Also>()
  return {
    announce(payload) {
      if (payload === 'queue' || payload === anchorPayload) followers.wakeAll((also) => also === payload)
      else followers.wake(payload)
    },
    announceAll: () => followers.wakeAll(),
    follow: (id) => followers.follow(id),
  }
}

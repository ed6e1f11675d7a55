/** Who waits for which evidence: one database subscription per process, shared by every live connection. */
export type EvidenceChanges = {
  /**
   * Called by the composition root with the payload of each `evidence` notification: an id, `queue` when one left the
   * queue, `anchor` when an anchor got on, or `work` when one entered the queue, which nobody follows.
   */
  announce(payload: string): void
  /** After a lost subscription: everybody reads again. */
  announceAll(): void
  follow(evidenceId: string): EvidenceFollower
}

export type EvidenceFollower = {
  /**
   * Resolves at the next change of the evidence; changes between two calls are not lost.
   * @param also at each move of the queue, or of any anchor
   */
  next(also: 'queue' | 'anchor' | null): Promise<void>
  close(): void
}

export const evidenceChannel = 'evidence'
/** Payload that says that something entered the queue. */
export const workPayload = 'work'

/** Payload that says that an anchor got on. */
export const anchorPayload = 'anchor'

type Follower = { pending: boolean; also: 'queue' | 'anchor' | null; wake: (() => void) | null }

export function createEvidenceChanges(): EvidenceChanges {
  const followers = new Map<string, Set<Follower>>()

  function wake(follower: Follower): void {
    follower.pending = true
    follower.wake?.()
  }

  function wakeAll(wanted: (follower: Follower) => boolean): void {
    for (const set of followers.values()) for (const follower of set) if (wanted(follower)) wake(follower)
  }

  return {
    announce(payload) {
      if (payload === 'queue' || payload === anchorPayload) wakeAll((follower) => follower.also === payload)
      else for (const follower of followers.get(payload) ?? []) wake(follower)
    },
    announceAll() {
      wakeAll(() => true)
    },
    follow(evidenceId) {
      const follower: Follower = { pending: false, also: null, wake: null }
      const set = followers.get(evidenceId) ?? new Set()
      followers.set(evidenceId, set.add(follower))
      return {
        async next(also) {
          follower.also = also
          if (!follower.pending) {
            const woken = Promise.withResolvers<void>()
            follower.wake = woken.resolve
            await woken.promise
            follower.wake = null
          }
          follower.pending = false
        },
        close() {
          set.delete(follower)
          if (set.size === 0 && followers.get(evidenceId) === set) followers.delete(evidenceId)
          // Whoever still waits goes on, sees that it was closed, and ends.
          wake(follower)
        },
      }
    },
  }
}

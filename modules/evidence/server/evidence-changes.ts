/** Who waits for which evidence: one database subscription per process, shared by every live connection. */
export type EvidenceChanges = {
  /**
   * Called by the composition root with the payload of each `evidence` notification: an id, `queue` when one left the
   * queue, or `work` when one entered it, which nobody follows.
   */
  announce(payload: string): void
  /** After a lost subscription: everybody reads again. */
  announceAll(): void
  follow(evidenceId: string): EvidenceFollower
}

export type EvidenceFollower = {
  /**
   * Resolves at the next change of the evidence; changes between two calls are not lost.
   * @param waiting also at each move of the queue
   */
  next(waiting: boolean): Promise<void>
  close(): void
}

export const evidenceChannel = 'evidence'
/** Payload that says that something entered the queue. */
export const workPayload = 'work'

type Follower = { pending: boolean; waiting: boolean; wake: (() => void) | null }

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
      if (payload === 'queue') wakeAll((follower) => follower.waiting)
      else for (const follower of followers.get(payload) ?? []) wake(follower)
    },
    announceAll() {
      wakeAll(() => true)
    },
    follow(evidenceId) {
      const follower: Follower = { pending: false, waiting: false, wake: null }
      const set = followers.get(evidenceId) ?? new Set()
      followers.set(evidenceId, set.add(follower))
      return {
        async next(waiting) {
          follower.waiting = waiting
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

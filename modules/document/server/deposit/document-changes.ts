/** Who follows which deposit: one database subscription per process, shared by every live connection. */
export type DocumentChanges = {
  /** With the payload of each notification of {@link documentChannel}: an id, `batch:` with that of a batch, or `many`. */
  announce(payload: string): void
  /** After a lost subscription: everybody reads again. */
  announceAll(): void
  /** @param batchId of the deposit, when it has one */
  follow(id: string): DocumentFollower
}

export type DocumentFollower = {
  /** Resolves at the next change; changes between two calls are not lost. @param batchId of the deposit as it was read last */
  next(batchId: string | null): Promise<void>
  close(): void
}

export const documentChannel = 'document'
/** Payload that says that an anchor got on. */
export const anchorPayload = 'anchor'

type Follower = { readonly id: string; pending: boolean; batchId: string | null; wake: (() => void) | null }

export function createDocumentChanges(): DocumentChanges {
  const followers = new Set<Follower>()
  const byId = new Map<string, Set<Follower>>()

  function wake(follower: Follower): void {
    follower.pending = true
    follower.wake?.()
  }

  return {
    announce(payload) {
      if (payload === 'many' || payload === anchorPayload) for (const follower of followers) wake(follower)
      else if (payload.startsWith('batch:')) {
        const batchId = payload.slice('batch:'.length)
        for (const follower of followers) if (follower.batchId === batchId) wake(follower)
      } else for (const follower of byId.get(payload) ?? []) wake(follower)
    },
    announceAll() {
      for (const follower of followers) wake(follower)
    },
    follow(id) {
      const follower: Follower = { id, pending: false, batchId: null, wake: null }
      const same = byId.get(id) ?? new Set()
      byId.set(id, same.add(follower))
      followers.add(follower)
      return {
        async next(batchId) {
          follower.batchId = batchId
          if (!follower.pending) {
            const woken = Promise.withResolvers<void>()
            follower.wake = woken.resolve
            await woken.promise
            follower.wake = null
          }
          follower.pending = false
        },
        close() {
          followers.delete(follower)
          same.delete(follower)
          if (same.size === 0 && byId.get(id) === same) byId.delete(id)
          // Whoever still waits goes on, sees that it was closed, and ends.
          wake(follower)
        },
      }
    },
  }
}

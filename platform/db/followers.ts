/** Who follows which rows: one database subscription per process, shared by every live connection. */

/** @typeParam Also what else than the row itself he is woken by; he says it each time he waits */
export type Follower<Also> = {
  /** Resolves at the next change; changes between two calls are not lost. */
  next(also: Also): Promise<void>
  close(): void
}

export type Followers<Also> = {
  follow(id: string): Follower<Also>
  /** Whoever follows that row. */
  wake(id: string): void
  /** Whoever waits for it besides; all, when nothing is asked. */
  wakeAll(wanted?: (also: Also | null) => boolean): void
}

type Waiting<Also> = { pending: boolean; also: Also | null; wake: (() => void) | null }

export function createFollowers<Also>(): Followers<Also> {
  const byId = new Map<string, Set<Waiting<Also>>>()

  function wake(waiting: Waiting<Also>): void {
    waiting.pending = true
    waiting.wake?.()
  }

  return {
    wake(id) {
      for (const waiting of byId.get(id) ?? []) wake(waiting)
    },
    wakeAll(wanted = () => true) {
      for (const set of byId.values()) for (const waiting of set) if (wanted(waiting.also)) wake(waiting)
    },
    follow(id) {
      const waiting: Waiting<Also> = { pending: false, also: null, wake: null }
      const set = byId.get(id) ?? new Set()
      byId.set(id, set.add(waiting))
      return {
        async next(also) {
          waiting.also = also
          if (!waiting.pending) {
            const woken = Promise.withResolvers<void>()
            waiting.wake = woken.resolve
            await woken.promise
            waiting.wake = null
          }
          waiting.pending = false
        },
        close() {
          set.delete(waiting)
          if (set.size === 0 && byId.get(id) === set) byId.delete(id)
          // Whoever still waits goes on, sees that it was closed, and ends.
          wake(waiting)
        },
      }
    },
  }
}

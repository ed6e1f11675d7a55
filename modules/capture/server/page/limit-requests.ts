import type { CdpSession } from '../../../../platform/browser/cdp-connection.ts'

type RequestLimit = {
  /** A request was listed. */
  count(): void
  /** Another target of the page joins. */
  add(session: CdpSession): Promise<void>
  set(most: number): void
}

/**
 * Lets a page make so many requests and no more: afterwards the browser fails each with the reason `inspector`, in every target of the
 * page. The tunnel's own bound is of connections, of which one carries thousands.
 */
export function createRequestLimit(): RequestLimit {
  const sessions: CdpSession[] = []
  let most = Number.POSITIVE_INFINITY
  let made = 0
  let reached = false
  const stop = (session: CdpSession) =>
    session.send('Network.setBlockedURLs', { urls: ['*'] }).then(
      () => undefined,
      // The target has gone, or has no network: nothing to stop.
      () => undefined,
    )
  return {
    count: () => {
      made += 1
      if (made < most || reached) return
      reached = true
      for (const session of sessions) void stop(session)
    },
    add: async (session) => {
      sessions.push(session)
      if (reached) await stop(session)
    },
    set: (limit) => {
      most = limit
    },
  }
}

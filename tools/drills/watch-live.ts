/** A visitor of a live session on a page that changes all the time: for how long did he see nothing? */
import { join, type Visitor } from '../../testing/live-visitor.ts'
import { liveClose } from '../../modules/live/contract/live.ts'
import type { Held } from './open-installation.ts'
import { until } from './until.ts'

/** The page changes so often in half a minute that a session that goes on shows some of it. */
const patienceMs = 60_000

export async function watchLive(held: Held, origin: string, session: string) {
  let [last, longestMs, before, returns] = [performance.now(), 0, 0, 0]
  let isLeaving = false
  let visitor = await join(origin, held, session)
  const pictures = () => before + visitor.pictures()

  /** As the viewer's page does: whoever is let go because nobody could say whether he may stay (decision 0330) comes back as soon as he is let in. */
  function follow(seen: Visitor): void {
    seen.socket.on('message', (_, isBinary) => {
      if (!isBinary) return
      longestMs = Math.max(longestMs, performance.now() - last)
      last = performance.now()
    })
    void seen.closed.then(async (code) => {
      if (isLeaving || code === liveClose.ended) return
      const again = await join(origin, held, session).catch(() => null)
      if (again === null) return
      before += seen.pictures()
      returns += 1
      visitor = again
      follow(again)
    })
  }

  follow(visitor)
  await visitor.shows('Clock')
  // What the session took to begin is no failure's doing.
  ;[last, longestMs] = [performance.now(), 0]
  return {
    held,
    /** Waits for three pictures more, then leaves; the session is completed and sealed. */
    async end(): Promise<{ pictures: number; longestMs: number; returns: number; isOpen: boolean }> {
      const seen = pictures()
      const isOpen = await until('pictures', async () => await Promise.resolve(pictures() > seen + 2), patienceMs).then(
        () => true,
        () => false,
      )
      isLeaving = true
      if (visitor.socket.readyState === visitor.socket.OPEN) visitor.send({ type: 'quit' })
      const code = await visitor.closed
      return { pictures: pictures(), longestMs, returns, isOpen: isOpen && code === liveClose.ended }
    },
  }
}

/** A visitor of a live session on a page that changes all the time: for how long did he see nothing? */
import { join } from '../../testing/live-visitor.ts'
import { liveClose } from '../../modules/live/contract/live.ts'
import type { Held } from './open-installation.ts'
import { until } from './until.ts'

/** The page changes so often in half a minute that a session that goes on shows some of it. */
const patienceMs = 60_000

export async function watchLive(held: Held, origin: string, session: string) {
  const visitor = await join(origin, held, session)
  await visitor.shows('Clock')
  let [last, longestMs] = [performance.now(), 0]
  visitor.socket.on('message', (_, isBinary) => {
    if (!isBinary) return
    longestMs = Math.max(longestMs, performance.now() - last)
    last = performance.now()
  })
  return {
    held,
    /** Waits for three pictures more, then leaves; the session is completed and sealed. */
    async end(): Promise<{ pictures: number; longestMs: number; isOpen: boolean }> {
      const before = visitor.pictures()
      const isOpen = await until('pictures', async () => await Promise.resolve(visitor.pictures() > before + 2), patienceMs).then(
        () => true,
        () => false,
      )
      const pictures = visitor.pictures()
      if (visitor.socket.readyState === visitor.socket.OPEN) visitor.send({ type: 'quit' })
      const code = await visitor.closed
      return { pictures, longestMs, isOpen: isOpen && code === liveClose.ended }
    },
  }
}

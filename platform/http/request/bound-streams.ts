import { DomainError } from '../../../kernel/errors.ts'

/**
 * How many streams that have no end of their own are open in one web process. The newest is refused: whoever follows something goes
 * on, and a page that is refused asks again later.
 */
export type StreamBounds = {
  /**
   * @param asker by whom they are counted; null: in all alone, as on the developer's own machine
   * @param connection settled when the stream is over
   * @throws DomainError `http.too_many_streams` with `seconds` after which to ask again
   */
  open(asker: string | null, connection: { once(event: 'close', listener: () => void): unknown }): void
}

export function createStreamBounds(most: { readonly perAsker: number; readonly inAll: number }): StreamBounds {
  const open = new Map<string, number>()
  let all = 0
  return {
    open(asker, connection) {
      const own = asker === null ? 0 : (open.get(asker) ?? 0)
      if (own >= most.perAsker) throw new DomainError('limited', 'http.too_many_streams', { seconds: 30 })
      if (all >= most.inAll) throw new DomainError('unavailable', 'http.too_many_streams', { seconds: 30 })
      all += 1
      if (asker !== null) open.set(asker, own + 1)
      connection.once('close', () => {
        all -= 1
        if (asker === null) return
        const left = (open.get(asker) ?? 1) - 1
        if (left === 0) open.delete(asker)
        else open.set(asker, left)
      })
    },
  }
}

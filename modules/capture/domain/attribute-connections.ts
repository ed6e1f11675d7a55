/**
 * Whose each connection is: told by the browser's own account of its pages' requests and by when anything could have come of the page
 * (decision 0300). Pure.
 */

/**
 * `page`: a request of a page, a frame or a worker was for that host and port. `browser`: asked for before the first byte of the disputed page's answer
 * had come, when there was nothing yet that could ask for it, and for nothing that had been asked. `unattributed`: later, and reported by nobody: a page
 * that connects ahead of need is not told of, and neither is the browser.
 */
export type AskedBy = 'page' | 'browser' | 'unattributed'

type Connection = { readonly id: string; readonly host: string; readonly port: number; readonly requested_at: number }
type Request = {
  readonly url: string
  /** Milliseconds since the epoch, and the browser's monotonic clock at the same moment, in seconds. */
  readonly startedAt: number
  readonly monotonicStart: number
  /** CDP's ResourceTiming: seconds of that clock, and milliseconds from there until the first byte of the answer, an interim one's included. */
  readonly timing: { readonly requestTime: number; readonly receiveHeadersStart?: number } | null
}

/** `host:port` as the tunnel writes it: no brackets, no trailing dot; empty for what no network is asked for. */
export function placeOf(url: string): string {
  if (!/^(?:https?|wss?):/i.test(url) || !URL.canParse(url)) return ''
  const { hostname, port, protocol } = new URL(url)
  return `${hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '')}:${port === '' ? (/^(?:https|wss):$/.test(protocol) ? '443' : '80') : port}`
}

/** When the first byte came that could have made the browser ask for more; until then whatever it asked for was its own or this very page. */
function answeredAt({ startedAt, monotonicStart, timing }: Request): number {
  if (timing?.receiveHeadersStart === undefined || timing.receiveHeadersStart < 0) return startedAt
  return startedAt + Math.max(0, (timing.requestTime - monotonicStart) * 1000 + timing.receiveHeadersStart)
}

/** @param first the disputed page's own request; null: no page was asked for, and what was asked is nobody's. */
export function attributeConnections(
  connections: readonly Connection[],
  requests: readonly Request[],
  first: Request | null,
): ReadonlyMap<string, AskedBy> {
  const until = first === null ? Number.NEGATIVE_INFINITY : answeredAt(first)
  /** Each place with when it was first asked for by a page. */
  const places = new Map<string, number>()
  for (const { url, startedAt } of requests) {
    const place = placeOf(url)
    if (place !== '' && startedAt < (places.get(place) ?? Number.POSITIVE_INFINITY)) places.set(place, startedAt)
  }
  return new Map(
    connections.map(({ id, host, port, requested_at: at }): [string, AskedBy] => {
      const asked = places.get(`${host}:${String(port)}`)
      // A page that was not there yet asked for nothing, whatever it asked for later; the disputed page's own server may be met ahead.
      if (at < until) return [id, asked !== undefined && asked <= until ? 'page' : 'browser']
      return [id, asked === undefined ? 'unattributed' : 'page']
    }),
  )
}

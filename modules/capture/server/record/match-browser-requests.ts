/** Joins what the browser says it asked with what passed on the wire: same method and address, in order of start. */
import type { Exchange } from './exchange.ts'

/** One request as the browser reported it (CDP). Times in milliseconds since the epoch. */
export type BrowserRequest = {
  readonly requestId: string
  readonly url: string
  readonly method: string
  /** CDP resource type. */
  readonly type: string
  readonly initiator: string
  readonly startedAt: number
  readonly status: number | null
  readonly protocol: string | null
  readonly mediaType: string
  readonly fromCache: boolean
  readonly fromServiceWorker: boolean
  /** Null while it is still under way. */
  readonly finishedAt: number | null
  /** Bytes after content decoding that the browser took. */
  readonly dataBytes: number
  /** `net::ERR_…` */
  readonly failure: string | null
  readonly blocked: string | null
  readonly redirectedTo: string | null
  /** SHA-256 of the decoded body, where the browser gave it. */
  readonly bodySha256?: string | null
}

const keyOf = (method: string, url: string): string => {
  const bare = url.replace(/#.*$/s, '')
  return `${method} ${URL.canParse(bare) ? new URL(bare).href : bare}`
}

/** Each exchange answers at most one request. A request that has an answer prefers the exchange of the same status. */
export function matchBrowserRequests<R extends BrowserRequest>(
  requests: readonly R[],
  exchanges: readonly Exchange[],
): ReadonlyMap<R, Exchange> {
  const waiting = new Map<string, Exchange[]>()
  for (const exchange of exchanges) {
    const key = keyOf(
      exchange.upgraded !== null && exchange.request.method === 'CONNECT' ? 'GET' : exchange.request.method,
      exchange.url,
    )
    const list = waiting.get(key)
    if (list === undefined) waiting.set(key, [exchange])
    else list.push(exchange)
  }
  const matches = new Map<R, Exchange>()
  for (const request of requests.toSorted((a, b) => a.startedAt - b.startedAt)) {
    if (request.fromCache || request.fromServiceWorker) continue
    const list = waiting.get(keyOf(request.method, request.url))
    if (list === undefined) continue
    const same = request.status === null ? -1 : list.findIndex(({ response }) => response?.status === request.status)
    const [found] = list.splice(Math.max(same, 0), 1)
    if (found !== undefined) matches.set(request, found)
  }
  return matches
}

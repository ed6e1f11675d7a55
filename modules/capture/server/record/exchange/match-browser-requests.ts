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
  /** Address of the document that asked; of a document its own. */
  readonly documentUrl?: string
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
  /** Given up by the capture, at a limit of time or at its end, not by the page. */
  readonly stoppedByCapture?: boolean
  /** SHA-256 of each message of a WebSocket, in order; absent or null for anything else. */
  readonly socket?: { readonly sent: readonly string[]; readonly received: readonly string[]; readonly dropped: number } | null
}

/** Address without fragment, as URL parsers spell it; a WebSocket's under the scheme of its handshake. */
export function comparableUrl(url: string): string {
  const bare = url.replace(/#.*$/s, '').replace(/^ws(s?:)/i, 'http$1')
  return URL.canParse(bare) ? new URL(bare).href : bare
}

const keyOf = (method: string, url: string): string => `${method} ${comparableUrl(url)}`

/**
 * Each exchange answers at most one request. Requests that were answered choose first, and the exchange of the same status before
 * any other; then those that the browser answered from its cache, of which only a revalidation passed (304); what is left goes to
 * requests that got no answer.
 */
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
  const choose = (request: R, wanted: (exchange: Exchange) => boolean): void => {
    if (matches.has(request)) return
    const list = waiting.get(keyOf(request.method, request.url)) ?? []
    const position = list.findIndex(wanted)
    const found = list[position]
    if (found === undefined) return
    list.splice(position, 1)
    matches.set(request, found)
  }
  const ordered = requests.toSorted((a, b) => a.startedAt - b.startedAt)
  const fetched = ordered.filter(({ fromCache, fromServiceWorker }) => !fromCache && !fromServiceWorker)
  const answered = fetched.filter(({ status }) => status !== null)
  for (const request of answered) choose(request, ({ response }) => response?.status === request.status)
  for (const request of ordered) if (request.fromCache) choose(request, ({ response }) => response?.status === 304)
  for (const request of answered) choose(request, ({ response }) => response?.status === 304)
  for (const request of answered) choose(request, ({ response }) => response !== null)
  for (const request of fetched) choose(request, ({ response }) => response === null)
  for (const request of fetched) choose(request, () => true)
  return matches
}

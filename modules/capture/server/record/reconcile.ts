/** Wire ↔ browser ↔ archive: every difference by name. Complete means that none was found. */
import type { CaptureFacts } from '../../domain/outcome.ts'
import type { Exchange, Loss, RecordReading } from './exchange.ts'
import { matchBrowserRequests } from './match-browser-requests.ts'
import type { BrowserRequest } from './match-browser-requests.ts'
import type { WarcEntry } from './write-warc.ts'

export type MismatchReason =
  | 'not_on_the_wire'
  | 'status_differs'
  | 'content_length_differs'
  | 'content_hash_differs'
  | 'unfinished'
  | 'not_archived'
  | 'archive_differs'

export type Reconciliation = {
  readonly completeness: CaptureFacts['completeness']
  readonly counts: {
    readonly browser_requests: number
    readonly exchanges: number
    readonly matched: number
    /** Bodies whose decoded length (or hash) the browser and the wire were compared by. */
    readonly bodies_compared: number
    readonly archived: number
    /** On the wire but not reported by the browser: its own traffic, preflights, workers. They are archived all the same. */
    readonly wire_only: number
  }
}

/** Streams without an end: what was recorded until the capture's end is all there was. */
const endless = new Set(['EventSource', 'WebSocket'])

const exchangeKey = ({ connection_id, index }: { connection_id: string; index: number }): string => `${connection_id} ${index}`

const bare = (url: string): string => {
  const text = url.replace(/#.*$/s, '')
  return URL.canParse(text) ? new URL(text).href : text
}

/** @param archived records of the WARC; null when none was written: then every exchange is `not_archived`. */
export function reconcile(input: {
  readonly reading: RecordReading
  readonly browser: readonly BrowserRequest[]
  readonly archived: readonly WarcEntry[] | null
}): Reconciliation {
  const losses: { url: string; reason: string }[] = []
  const { exchanges } = input.reading
  const wanted = input.browser.filter(({ url }) => /^(https?|wss?):/.test(url))
  const matches = matchBrowserRequests(wanted, exchanges)
  const requestOf = new Map<Exchange, BrowserRequest>([...matches].map(([request, exchange]) => [exchange, request]))
  const onTheWire = new Set(exchanges.map(({ url }) => bare(url)))
  let compared = 0

  for (const request of wanted) {
    if (request.fromServiceWorker) continue
    if (request.fromCache) {
      // The profile was empty: what the page's memory answered had come over the wire before.
      if (!onTheWire.has(bare(request.url))) losses.push({ url: request.url, reason: 'not_on_the_wire' satisfies MismatchReason })
      continue
    }
    const exchange = matches.get(request)
    const given = request.status !== null && request.failure === null
    if (exchange === undefined) {
      if (request.status !== null) losses.push({ url: request.url, reason: 'not_on_the_wire' satisfies MismatchReason })
      continue
    }
    if (exchange.response === null) continue
    // After a 304 the browser reports the stored answer.
    if (request.status !== null && exchange.response.status !== request.status && exchange.response.status !== 304) {
      losses.push({ url: request.url, reason: 'status_differs' satisfies MismatchReason })
    }
    if (given && request.finishedAt === null && !endless.has(request.type))
      losses.push({ url: request.url, reason: 'unfinished' satisfies MismatchReason })
    const { content } = exchange.response.body
    const comparable =
      given &&
      request.finishedAt !== null &&
      request.redirectedTo === null &&
      content !== null &&
      exchange.upgraded === null &&
      exchange.response.status !== 304
    if (!comparable) continue
    if (request.bodySha256 !== undefined && request.bodySha256 !== null) {
      compared += 1
      if (request.bodySha256 !== content.sha256)
        losses.push({ url: request.url, reason: 'content_hash_differs' satisfies MismatchReason })
    } else if (request.dataBytes > 0) {
      compared += 1
      if (request.dataBytes !== content.bytes)
        losses.push({ url: request.url, reason: 'content_length_differs' satisfies MismatchReason })
    }
  }

  const places = new Map(input.reading.connections.map((connection) => [connection.connection_id, connection]))
  for (const loss of input.reading.losses) {
    if (isExplained(loss, exchanges, requestOf)) continue
    const place = places.get(loss.connection_id)
    losses.push({ url: loss.url ?? (place === undefined ? '' : `${place.host}:${place.port}`), reason: loss.reason })
  }

  const archived = new Map((input.archived ?? []).map((entry) => [exchangeKey(entry), entry]))
  for (const exchange of exchanges) {
    if (exchange.response === null) continue
    const entry = archived.get(exchangeKey(exchange))
    if (entry === undefined) losses.push({ url: exchange.url, reason: 'not_archived' satisfies MismatchReason })
    else if (exchange.response.body.transfer === 'identity' && entry.payload_sha256 !== exchange.response.body.entity_sha256) {
      losses.push({ url: exchange.url, reason: 'archive_differs' satisfies MismatchReason })
    }
  }
  return {
    completeness: { state: losses.length === 0 ? 'complete' : 'incomplete', losses },
    counts: {
      browser_requests: wanted.length,
      exchanges: exchanges.length,
      matched: matches.size,
      bodies_compared: compared,
      archived: archived.size,
      wire_only: exchanges.length - matches.size,
    },
  }
}

/**
 * A loss that took nothing from what the page showed: the browser itself gave the request up, or asked again and was answered,
 * or the stream has no end.
 */
function isExplained(loss: Loss, exchanges: readonly Exchange[], requestOf: ReadonlyMap<Exchange, BrowserRequest>): boolean {
  if (
    loss.url === null ||
    !['response_missing', 'http2_stream_reset', 'body_incomplete', 'connection_cut', 'tls_truncated'].includes(loss.reason)
  )
    return false
  const concerned = exchanges.filter(
    ({ connection_id, url, response }) =>
      connection_id === loss.connection_id && url === loss.url && (response === null || response.body.truncated !== null),
  )
  return concerned.every((exchange) => {
    const request = requestOf.get(exchange)
    if (request !== undefined && (request.failure !== null || endless.has(request.type))) return true
    if (exchange.upgraded !== null) return true
    const again = exchanges.some(
      (other) =>
        other !== exchange &&
        other.url === exchange.url &&
        other.request.method === exchange.request.method &&
        other.started_at >= exchange.started_at &&
        other.response !== null,
    )
    return exchange.response === null && again
  })
}

/** Whether an exchange that is not whole took anything from the record of what the page showed (decision 0114). */
import type { Exchange, LossReason } from '../exchange/exchange.ts'
import type { BrowserRequest } from '../exchange/match-browser-requests.ts'

/** Why nothing is lost although an exchange is not whole. */
export type Accounting =
  /** The page, or the browser by its own rules, gave the request up; all that it received is recorded. */
  | 'given_up_by_browser'
  /** The browser went where the answer sent it, without reading the rest of its body. */
  | 'redirect_followed'
  /** No answer came, for the browser as for the record: the resource failed. */
  | 'no_answer'
  /** The page can't see the answer and did not wait for it. */
  | 'no_answer_awaited'
  /** It was asked again, and answered. */
  | 'asked_again'
  /** The stream has no end; what passed until the capture's end is recorded. */
  | 'endless'
  /** The player had read as far as it wanted. */
  | 'player_read_no_further'
  /** Neither the record nor the browser could read the content; its bytes are archived. */
  | 'failed_in_browser'

/** The browser's own decisions. Every other error says that the network or the origin broke off. */
const ownDecisions = /^net::ERR_(?:ABORTED|FAILED|BLOCKED_BY_\w+|UNSAFE_\w+|CERT_\w+|ACCESS_DENIED|CACHE_\w+)$/

/** Reasons that say no more than that the bytes stop; a damaged or ambiguous message is never explained. */
const breakings: ReadonlySet<LossReason> = new Set([
  'response_missing',
  'http2_stream_reset',
  'body_incomplete',
  'connection_cut',
  'tls_truncated',
])

export const isPlainBreak = (reason: LossReason): boolean => breakings.has(reason)

/** Streams without an end: what was recorded until the capture's end is all there was. */
export function isEndless(request: BrowserRequest | undefined, exchange: Exchange): boolean {
  return (
    exchange.upgraded !== null ||
    request?.type === 'EventSource' ||
    request?.type === 'WebSocket' ||
    (exchange.response?.fields ?? []).some(
      ({ name, value }) => name.toLowerCase() === 'content-type' && /^text\/event-stream\s*(?:;|$)/i.test(value),
    )
  )
}

/** @returns null when what is not whole is a loss. */
export function accountFor(
  exchange: Exchange,
  request: BrowserRequest | undefined,
  exchanges: readonly Exchange[],
): Accounting | null {
  const { response, upgraded } = exchange
  const bodies = [exchange.request.body, response?.body, upgraded?.sent, upgraded?.received]
  const breaks = bodies.flatMap((body) => (body === undefined || body.truncated === null ? [] : [body.truncated]))
  if (!breaks.every(isPlainBreak)) return null
  const truncated = response?.body.truncated ?? null
  if (isEndless(request, exchange)) return 'endless'
  if (request?.stoppedByCapture === true) return null
  if (request !== undefined && request.redirectedTo !== null && response !== null) return 'redirect_followed'
  if (request !== undefined && request.failure !== null) {
    // The page's own document was to be shown whole.
    if (request.type === 'Document' && truncated !== null) return null
    if (ownDecisions.test(request.failure)) return 'given_up_by_browser'
    if (response === null) return 'no_answer'
    return null
  }
  if (request?.type === 'Media' && response !== null) return 'player_read_no_further'
  if (request?.type === 'Ping' && response === null) return 'no_answer_awaited'
  // An error may be answered before the whole request was sent (RFC 9110 §9.3): the rest of it was sent for nobody.
  if (response !== null && truncated === null) return request === undefined ? null : 'given_up_by_browser'
  const again = exchanges.some(
    (other) =>
      other !== exchange &&
      other.url === exchange.url &&
      other.request.method === exchange.request.method &&
      other.started_at >= exchange.started_at &&
      other.response !== null,
  )
  return response === null && again ? 'asked_again' : null
}

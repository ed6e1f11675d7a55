/**
 * Wire ↔ browser ↔ archive, exchange by exchange: what each of the three says, whether they agree, and every difference by name
 * (decision 0114). Complete means that nothing is lost.
 */
import type { CaptureFacts } from '../../../domain/outcome/outcome.ts'
import { accountFor, isEndless, isPlainBreak } from './account-for-loss.ts'
import type { Accounting } from './account-for-loss.ts'
import { compareSockets } from './compare-sockets.ts'
import type { Exchange, ExchangeBody, LossReason, RecordReading } from '../exchange/exchange.ts'
import { comparableUrl, matchBrowserRequests } from '../exchange/match-browser-requests.ts'
import type { BrowserRequest } from '../exchange/match-browser-requests.ts'
import type { WarcEntry } from '../archive/write-warc.ts'
import type { ReadSocket } from '../archive/write-websockets.ts'

export type MismatchReason =
  | 'not_on_the_wire'
  | 'status_differs'
  | 'content_length_differs'
  | 'content_hash_differs'
  | 'unfinished'
  | 'stopped_by_capture'
  | 'not_archived'
  | 'archive_differs'
  | 'socket_messages_differ'
  | 'socket_undecodable'
  | 'browser_requests_not_listed'

/** Why something that is not whole, or not on the wire, took nothing from what the page showed. */
export type ExplanationReason =
  | Accounting
  | 'revalidated'
  | 'socket_messages_not_listed'
  /** It passed and is archived; the capture ended before the browser said so. */
  | 'answer_not_reported'

type BodyAccount = { readonly bytes: number; readonly sha256: string }

export type ReconciledExchange = {
  readonly url: string
  readonly method: string
  readonly status: number | null
  readonly protocol: Exchange['protocol']
  readonly connection_id: string
  /** HTTP/2 stream id, or 0-based position on an HTTP/1 connection. */
  readonly stream: number
  readonly remote: string
  readonly started_at: string
  readonly finished_at: string
  readonly wire: {
    /** Without transfer coding; `framed` with it, when the body was chunked. */
    readonly request_body: BodyAccount
    readonly body: (BodyAccount & { readonly truncated: LossReason | null }) | null
    readonly framed: BodyAccount | null
    /** After content decoding; null when it can't be decoded. */
    readonly content: BodyAccount | null
    readonly interim: readonly number[]
    readonly trailers: number
    readonly socket: { readonly sent: BodyAccount; readonly received: BodyAccount } | null
  }
  readonly browser: {
    readonly request_id: string
    readonly type: string
    readonly status: number | null
    /** Bytes of decoded content that it took. */
    readonly bytes: number
    readonly from: 'network' | 'cache' | 'service_worker'
    readonly finished: boolean
    readonly failure: string | null
  } | null
  readonly archive: {
    readonly record_id: string
    readonly offset: number
    readonly length: number
    readonly payload_sha256: string
  } | null
  /** `wire_only`: whole and archived, but not reported by the browser (a worker's script, its own traffic). */
  readonly verdict: 'agrees' | 'wire_only' | 'explained' | 'lost'
  readonly reasons: readonly string[]
}

/** A request of the browser without an exchange of its own. */
export type ReconciledRequest = {
  readonly url: string
  readonly method: string
  readonly type: string
  readonly request_id: string
  readonly status: number | null
  readonly failure: string | null
  readonly blocked: string | null
  readonly verdict:
    | 'from_cache'
    | 'from_service_worker'
    /** The frame in which the browser's own viewer shows a PDF, under the PDF's address. */
    | 'shown_by_viewer'
    | 'refused'
    | 'certificate'
    | 'blocked'
    | 'failed'
    | 'unanswered'
    | 'lost'
}

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
  readonly exchanges: readonly ReconciledExchange[]
  readonly requests: readonly ReconciledRequest[]
  /** Losses of a whole connection, explained or not. */
  readonly connections: readonly {
    readonly connection_id: string
    readonly place: string
    readonly reason: LossReason
    readonly verdict: 'explained' | 'lost'
  }[]
}

const unreadable: ReadonlySet<LossReason> = new Set(['content_undecodable', 'content_over_limit'])

const isWhole = ({ request, response, upgraded }: Exchange): boolean =>
  response !== null &&
  response.body.truncated === null &&
  request.body.truncated === null &&
  (upgraded === null || (upgraded.sent.truncated === null && upgraded.received.truncated === null))

const exchangeKey = ({ connection_id, index }: { connection_id: string; index: number }): string => `${connection_id} ${index}`
const isoOf = (at: number): string => new Date(Math.floor(at)).toISOString()
const accountOf = (body: ExchangeBody): BodyAccount => ({ bytes: body.entity_bytes, sha256: body.entity_sha256 })

/** @param archived records of the WARC; null when none was written: then every exchange is `not_archived`. */
export function reconcile(input: {
  readonly reading: RecordReading
  readonly browser: readonly BrowserRequest[]
  readonly archived: readonly WarcEntry[] | null
  readonly sockets?: readonly ReadSocket[]
  /** Requests that never were on the wire: refused by the tunnel, or stopped at the origin's certificate. */
  readonly aside?: readonly { readonly request: BrowserRequest; readonly verdict: 'refused' | 'certificate' }[]
  /** Requests of the browser beyond those that it was asked to list. */
  readonly unlisted?: number
}): Reconciliation {
  const losses: { url: string; reason: string }[] = []
  const { exchanges } = input.reading
  const wanted = input.browser.filter(({ url }) => /^(https?|wss?):/.test(url))
  const matches = matchBrowserRequests(wanted, exchanges)
  const requestOf = new Map<Exchange, BrowserRequest>([...matches].map(([request, exchange]) => [exchange, request]))
  const archived = new Map((input.archived ?? []).map((entry) => [exchangeKey(entry), entry]))
  const sockets = new Map((input.sockets ?? []).map((socket) => [socket.exchange, socket]))
  const lossesOf = Map.groupBy(input.reading.losses, (loss) => `${loss.connection_id} ${loss.url ?? ''}`)
  let compared = 0

  const rows = exchanges.map((exchange): ReconciledExchange => {
    const request = requestOf.get(exchange)
    const wrong: string[] = []
    const known: string[] = []
    if (request !== undefined) {
      const difference = compareWithBrowser(request, exchange)
      compared += difference.compared ? 1 : 0
      wrong.push(...difference.reasons)
      if (difference.unread === true && isWhole(exchange)) known.push('player_read_no_further' satisfies ExplanationReason)
      if (exchange.response?.status === 304) known.push('revalidated' satisfies ExplanationReason)
      else if (exchange.response !== null && request.status === null && request.failure === null)
        known.push('answer_not_reported' satisfies ExplanationReason)
    }
    const socket = sockets.get(exchange)
    if (socket !== undefined) {
      const difference = compareSockets(socket, request?.socket ?? null)
      wrong.push(...difference.wrong)
      known.push(...difference.known)
    }
    const named = lossesOf.get(`${exchange.connection_id} ${exchange.url}`) ?? []
    wrong.push(...new Set(named.map(({ reason }) => reason).filter((reason) => !isPlainBreak(reason) && !unreadable.has(reason))))
    if (wrong.length === 0 && !isWhole(exchange)) {
      const explanation = accountFor(exchange, request, exchanges)
      if (explanation !== null) known.push(explanation)
      else wrong.push(exchange.response === null ? 'response_missing' : (exchange.response.body.truncated ?? 'body_incomplete'))
    }
    // Whole on the wire and in the archive, but not to be read: no loss where the browser could not read it either.
    const undecoded = exchange.response?.body.content === null ? named.find(({ reason }) => unreadable.has(reason)) : undefined
    if (undecoded !== undefined) {
      if (request !== undefined && request.failure !== null) known.push('failed_in_browser' satisfies ExplanationReason)
      else wrong.push(undecoded.reason)
    }
    const entry = archived.get(exchangeKey(exchange))
    if (exchange.response !== null) {
      if (entry === undefined) wrong.push('not_archived' satisfies MismatchReason)
      else if (entry.payload_sha256 !== exchange.response.body.wire_sha256) wrong.push('archive_differs' satisfies MismatchReason)
    }
    for (const reason of wrong) losses.push({ url: exchange.url, reason })
    const verdict = wrong.length > 0 ? 'lost' : known.length > 0 ? 'explained' : request === undefined ? 'wire_only' : 'agrees'
    return describeExchange(exchange, request, entry, verdict, [...wrong, ...known])
  })

  const received = new Set(exchanges.flatMap(({ url, response }) => (response === null ? [] : [comparableUrl(url)])))
  const wantedAlone = wanted.filter((request) => !matches.has(request))
  const viewed = new Set(exchanges.flatMap((exchange) => (isPdf(exchange) ? [comparableUrl(exchange.url)] : [])))
  const alone = wantedAlone.map((request) => describeRequest(request, verdictAlone(request, received, viewed)))
  for (const [i, { url, verdict }] of alone.entries()) {
    if (verdict !== 'lost') continue
    const reason: MismatchReason = wantedAlone[i]?.stoppedByCapture === true ? 'stopped_by_capture' : 'not_on_the_wire'
    losses.push({ url, reason })
  }
  if ((input.unlisted ?? 0) > 0) losses.push({ url: '', reason: 'browser_requests_not_listed' satisfies MismatchReason })

  const connections = connectionLosses(input.reading, rows, losses)
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
    exchanges: rows,
    requests: [...alone, ...(input.aside ?? []).map(({ request, verdict }) => describeRequest(request, verdict))],
    connections,
  }
}

function compareWithBrowser(
  request: BrowserRequest,
  exchange: Exchange,
): { readonly reasons: readonly MismatchReason[]; readonly compared: boolean; readonly unread?: true } {
  const { response } = exchange
  if (response === null || response.status === 304) return { reasons: [], compared: false }
  const reasons: MismatchReason[] = []
  if (request.status !== null && response.status !== request.status) reasons.push('status_differs')
  const given = request.status !== null && request.failure === null
  if (given && request.finishedAt === null) {
    // A player that asks for no more, or a stream without an end, is told apart below (account-for-loss.ts).
    if (!isEndless(request, exchange) && !isPlayer(request) && request.type !== 'Ping') reasons.push('unfinished')
    return { reasons, compared: false }
  }
  const { content } = response.body
  if (!given || request.redirectedTo !== null || content === null || exchange.upgraded !== null)
    return { reasons, compared: false }
  if (request.bodySha256 !== undefined && request.bodySha256 !== null) {
    if (request.bodySha256 !== content.sha256) reasons.push('content_hash_differs')
    return { reasons, compared: true }
  }
  if (request.dataBytes === 0 || (request.type === 'Document' && isPdf(exchange))) return { reasons, compared: false }
  // A player may leave what has come unread: the wire then holds more than it took, and nothing less.
  if (isPlayer(request) && request.dataBytes < content.bytes) return { reasons, compared: true, unread: true }
  if (request.dataBytes !== content.bytes) reasons.push('content_length_differs')
  return { reasons, compared: true }
}

/** The browser hands such a body to its viewer, and counts the bytes of the page that it puts around it. */
const isPdf = ({ response }: Exchange): boolean =>
  response?.fields.some(
    ({ name, value }) => name.toLowerCase() === 'content-type' && /^application\/pdf\s*(;|$)/i.test(value),
  ) === true
const isPlayer = ({ type, mediaType }: BrowserRequest): boolean =>
  type === 'Media' || (type === 'Document' && /^(audio|video)\//i.test(mediaType))

function verdictAlone(
  request: BrowserRequest,
  received: ReadonlySet<string>,
  viewed: ReadonlySet<string>,
): ReconciledRequest['verdict'] {
  if (request.type === 'Document' && request.mediaType === 'text/html' && viewed.has(comparableUrl(request.url)))
    return 'shown_by_viewer'
  if (request.fromServiceWorker) return 'from_service_worker'
  // The profile was empty: what the page's memory answered had come over the wire before.
  if (request.fromCache) return received.has(comparableUrl(request.url)) ? 'from_cache' : 'lost'
  if (request.stoppedByCapture === true) return 'lost'
  if (request.blocked !== null) return 'blocked'
  if (request.status !== null) return 'lost'
  return request.failure === null ? 'unanswered' : 'failed'
}

function describeRequest(request: BrowserRequest, verdict: ReconciledRequest['verdict']): ReconciledRequest {
  const { url, method, type, requestId: request_id, status, failure, blocked } = request
  return { url, method, type, request_id, status, failure, blocked, verdict }
}

function describeExchange(
  exchange: Exchange,
  request: BrowserRequest | undefined,
  entry: WarcEntry | undefined,
  verdict: ReconciledExchange['verdict'],
  reasons: readonly string[],
): ReconciledExchange {
  const body = exchange.response?.body ?? null
  return {
    url: exchange.url,
    method: exchange.request.method,
    status: exchange.response?.status ?? null,
    protocol: exchange.protocol,
    connection_id: exchange.connection_id,
    stream: exchange.index,
    remote: `${exchange.remote_address.includes(':') ? `[${exchange.remote_address}]` : exchange.remote_address}:${exchange.remote_port}`,
    started_at: isoOf(exchange.started_at),
    finished_at: isoOf(exchange.finished_at),
    wire: {
      request_body: accountOf(exchange.request.body),
      body: body === null ? null : { ...accountOf(body), truncated: body.truncated },
      framed: body === null || body.transfer === 'identity' ? null : { bytes: body.wire_bytes, sha256: body.wire_sha256 },
      content: body?.content ?? null,
      interim: (exchange.response?.interim ?? []).map((head) => Number(Buffer.from(head).toString('latin1', 9, 12))),
      trailers: exchange.response?.trailers.length ?? 0,
      socket:
        exchange.upgraded === null
          ? null
          : { sent: accountOf(exchange.upgraded.sent), received: accountOf(exchange.upgraded.received) },
    },
    browser:
      request === undefined
        ? null
        : {
            request_id: request.requestId,
            type: request.type,
            status: request.status,
            bytes: request.dataBytes,
            from: request.fromServiceWorker ? 'service_worker' : request.fromCache ? 'cache' : 'network',
            finished: request.finishedAt !== null && request.failure === null,
            failure: request.failure,
          },
    archive:
      entry === undefined
        ? null
        : { record_id: entry.record_id, offset: entry.offset, length: entry.length, payload_sha256: entry.payload_sha256 },
    verdict,
    reasons,
  }
}

/**
 * Losses that name no exchange. A torn last record of TLS took only what the exchanges under way say of themselves: when each of them
 * is accounted for, or none was under way, nothing is lost by it. Any other is a loss.
 */
function connectionLosses(
  reading: RecordReading,
  rows: readonly ReconciledExchange[],
  losses: { url: string; reason: string }[],
): Reconciliation['connections'] {
  const places = new Map(reading.connections.map((connection) => [connection.connection_id, connection]))
  const listed = new Set(rows.map(({ connection_id, url }) => `${connection_id} ${url}`))
  const lostRows = new Set(rows.flatMap(({ connection_id, verdict }) => (verdict === 'lost' ? [connection_id] : [])))
  const connections: Reconciliation['connections'][number][] = []
  for (const loss of reading.losses) {
    // Told on the row of its exchange.
    if (loss.url !== null && listed.has(`${loss.connection_id} ${loss.url}`)) continue
    const found = places.get(loss.connection_id)
    const place = found === undefined ? '' : `${found.host}:${found.port}`
    const verdict = loss.reason === 'tls_truncated' && !lostRows.has(loss.connection_id) ? 'explained' : 'lost'
    connections.push({ connection_id: loss.connection_id, place, reason: loss.reason, verdict })
    if (verdict === 'lost') losses.push({ url: loss.url ?? place, reason: loss.reason })
  }
  return connections
}

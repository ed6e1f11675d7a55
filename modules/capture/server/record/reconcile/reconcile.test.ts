/** What is said when the three witnesses differ: one difference at a time, on an exchange that is otherwise whole. */
import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import type { Exchange, ExchangeBody, Loss, LossReason, RecordReading } from '../exchange/exchange.ts'
import type { BrowserRequest } from '../exchange/match-browser-requests.ts'
import { reconcile } from './reconcile.ts'
import type { WarcEntry } from '../archive/write-warc.ts'

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex')
const url = 'https://example.org/a'

function bodyOf(text: string, truncated: LossReason | null = null): ExchangeBody {
  const hash = sha256(text)
  return {
    raw: { kind: 'bytes', bytes: Buffer.from(text) },
    transfer: 'identity',
    wire_bytes: text.length,
    entity_bytes: text.length,
    entity_sha256: hash,
    wire_sha256: hash,
    content: { bytes: text.length, sha256: hash },
    truncated,
  }
}

function exchangeOf(
  change: { body?: ExchangeBody; answered?: boolean; status?: number; type?: string; index?: number } = {},
): Exchange {
  const fields = [{ name: 'content-type', value: change.type ?? 'text/plain' }]
  return {
    connection_id: 'conn-1',
    index: change.index ?? 1,
    protocol: 'h2',
    url,
    request: { method: 'GET', target: '/a', head: new Uint8Array(0), fields: [], body: bodyOf(''), trailers: [] },
    response:
      change.answered === false
        ? null
        : {
            status: change.status ?? 200,
            reason: '',
            head: new Uint8Array(0),
            fields,
            body: change.body ?? bodyOf('words'),
            trailers: [],
            interim: [],
          },
    upgraded: null,
    started_at: 1_000,
    request_finished_at: 1_000,
    response_started_at: 1_001,
    finished_at: 1_002,
    remote_address: '192.0.2.1',
    remote_port: 443,
    tls: null,
  }
}

const requestOf = (change: Partial<BrowserRequest> = {}): BrowserRequest => ({
  requestId: '1.1',
  url,
  method: 'GET',
  type: 'Fetch',
  initiator: 'script',
  startedAt: 999,
  status: 200,
  protocol: 'h2',
  mediaType: 'text/plain',
  fromCache: false,
  fromServiceWorker: false,
  finishedAt: 1_003,
  dataBytes: 5,
  failure: null,
  blocked: null,
  redirectedTo: null,
  ...change,
})

const entryOf = (exchange: Exchange): WarcEntry => ({
  connection_id: exchange.connection_id,
  index: exchange.index,
  url: exchange.url,
  at: exchange.started_at,
  status: exchange.response?.status ?? 0,
  media_type: 'text/plain',
  payload_sha256: exchange.response?.body.wire_sha256 ?? '',
  record_id: '<urn:uuid:0>',
  offset: 0,
  length: 1,
})

function judge(
  exchanges: readonly Exchange[],
  browser: readonly BrowserRequest[],
  more: { losses?: readonly Loss[]; archived?: readonly WarcEntry[]; unlisted?: number } = {},
) {
  const reading: RecordReading = { exchanges, connections: [], certificates: [], losses: more.losses ?? [] }
  const result = reconcile({
    reading,
    browser,
    archived: more.archived ?? exchanges.filter(({ response }) => response !== null).map(entryOf),
    unlisted: more.unlisted ?? 0,
  })
  return {
    rows: result.exchanges.map(({ verdict, reasons }) => [verdict, ...reasons].join(' ')),
    alone: result.requests.map(({ verdict }) => verdict),
    lost: result.completeness.losses.map(({ reason }) => reason),
    state: result.completeness.state,
  }
}
const lossOf = (reason: LossReason, of: string | null = url): Loss => ({ connection_id: 'conn-1', reason, url: of, detail: '' })
const complete = { lost: [], state: 'complete' }

describe('reconcile', () => {
  it('agrees when the three say the same', () => {
    expect(judge([exchangeOf()], [requestOf()])).toEqual({ rows: ['agrees'], alone: [], ...complete })
    expect(judge([exchangeOf()], [])).toEqual({ rows: ['wire_only'], alone: [], ...complete })
  })

  it.each([
    ['status_differs', exchangeOf({ status: 500 }), requestOf(), {}],
    ['content_length_differs', exchangeOf(), requestOf({ dataBytes: 4 }), {}],
    ['content_hash_differs', exchangeOf(), requestOf({ bodySha256: sha256('other') }), {}],
    ['unfinished', exchangeOf(), requestOf({ finishedAt: null }), {}],
    ['not_archived', exchangeOf(), requestOf(), { archived: [] }],
    ['archive_differs', exchangeOf(), requestOf(), { archived: [{ ...entryOf(exchangeOf()), payload_sha256: sha256('other') }] }],
    [
      'http1_ambiguous_length',
      exchangeOf({ body: bodyOf('') }),
      requestOf({ dataBytes: 0 }),
      { losses: [lossOf('http1_ambiguous_length')] },
    ],
    ['body_over_limit', exchangeOf({ body: bodyOf('wor', 'body_over_limit') }), requestOf({ failure: 'net::ERR_ABORTED' }), {}],
    [
      'body_incomplete',
      exchangeOf({ body: bodyOf('wor', 'body_incomplete') }),
      requestOf({ failure: 'net::ERR_CONTENT_LENGTH_MISMATCH' }),
      {},
    ],
    [
      'body_incomplete',
      exchangeOf({ body: bodyOf('wor', 'body_incomplete') }),
      requestOf({ failure: 'net::ERR_ABORTED', stoppedByCapture: true }),
      {},
    ],
    [
      'body_incomplete',
      exchangeOf({ body: bodyOf('wor', 'body_incomplete') }),
      requestOf({ failure: 'net::ERR_ABORTED', type: 'Document' }),
      {},
    ],
    [
      'response_missing',
      exchangeOf({ answered: false }),
      requestOf({ status: null, finishedAt: null }),
      { losses: [lossOf('response_missing')] },
    ],
    [
      'content_undecodable',
      exchangeOf({ body: { ...bodyOf('words'), content: null } }),
      requestOf(),
      { losses: [lossOf('content_undecodable')] },
    ],
  ] as const)('names a loss: %s', (reason, exchange, request, more) => {
    const judged = judge([exchange], [request], more)
    expect(judged.rows).toEqual([`lost ${reason}`])
    expect(judged).toMatchObject({ lost: [reason], state: 'incomplete' })
  })

  it.each([
    ['given_up_by_browser', exchangeOf({ body: bodyOf('wor', 'body_incomplete') }), requestOf({ failure: 'net::ERR_ABORTED' })],
    [
      'given_up_by_browser',
      exchangeOf({ body: bodyOf('wor', 'http2_stream_reset') }),
      requestOf({ failure: 'net::ERR_BLOCKED_BY_ORB' }),
    ],
    [
      'redirect_followed',
      exchangeOf({ status: 301, body: bodyOf('wor', 'http2_stream_reset') }),
      requestOf({ status: 301, redirectedTo: 'https://example.org/c' }),
    ],
    ['no_answer', exchangeOf({ answered: false }), requestOf({ status: null, failure: 'net::ERR_EMPTY_RESPONSE' })],
    ['no_answer_awaited', exchangeOf({ answered: false }), requestOf({ status: null, finishedAt: null, type: 'Ping' })],
    [
      'endless',
      exchangeOf({ body: bodyOf('wor', 'connection_cut'), type: 'text/event-stream; charset=utf-8' }),
      requestOf({ finishedAt: null }),
    ],
    [
      'player_read_no_further',
      exchangeOf({ body: bodyOf('wor', 'body_incomplete') }),
      requestOf({ finishedAt: null, type: 'Media' }),
    ],
    ['player_read_no_further', exchangeOf(), requestOf({ dataBytes: 2, type: 'Media' })],
    ['revalidated', exchangeOf({ status: 304, body: bodyOf('') }), requestOf({ fromCache: true })],
    ['answer_not_reported', exchangeOf(), requestOf({ status: null, finishedAt: null, dataBytes: 0 })],
    [
      'failed_in_browser',
      exchangeOf({ body: { ...bodyOf('words'), content: null } }),
      requestOf({ failure: 'net::ERR_CONTENT_DECODING_FAILED' }),
    ],
  ] as const)('explains what took nothing from the page: %s', (reason, exchange, request) => {
    const losses = exchange.response?.body.content === null ? [lossOf('content_undecodable')] : []
    expect(judge([exchange], [request], { losses })).toEqual({ rows: [`explained ${reason}`], alone: [], ...complete })
  })

  it('says of requests without an exchange why they have none', () => {
    const other = 'https://example.org/b'
    expect(judge([], [requestOf({ fromServiceWorker: true })])).toMatchObject({ alone: ['from_service_worker'], ...complete })
    expect(judge([exchangeOf()], [requestOf(), requestOf({ fromCache: true })])).toMatchObject({
      alone: ['from_cache'],
      ...complete,
    })
    expect(judge([], [requestOf({ fromCache: true })])).toMatchObject({ alone: ['lost'], lost: ['not_on_the_wire'] })
    expect(judge([], [requestOf({ url: other, status: null, failure: 'net::ERR_FAILED', blocked: 'csp' })])).toMatchObject({
      alone: ['blocked'],
      ...complete,
    })
    expect(judge([], [requestOf({ status: null, failure: 'net::ERR_NAME_NOT_RESOLVED' })])).toMatchObject({
      alone: ['failed'],
      ...complete,
    })
    expect(judge([], [requestOf()])).toMatchObject({ alone: ['lost'], lost: ['not_on_the_wire'], state: 'incomplete' })
    expect(judge([], [requestOf({ status: null, failure: 'net::ERR_ABORTED', stoppedByCapture: true })])).toMatchObject({
      alone: ['lost'],
      lost: ['stopped_by_capture'],
    })
    expect(judge([], [], { unlisted: 3 })).toMatchObject({ lost: ['browser_requests_not_listed'], state: 'incomplete' })
  })

  it('gives an exchange to the request that it answered, not to an earlier one that failed before it was sent', () => {
    const failed = requestOf({ requestId: '1.0', startedAt: 1, status: null, failure: 'net::ERR_ABORTED' })
    expect(judge([exchangeOf()], [failed, requestOf()])).toEqual({ rows: ['agrees'], alone: ['failed'], ...complete })
  })

  it('takes a torn last record of TLS for what the exchanges under way say of themselves', () => {
    const torn = lossOf('tls_truncated', null)
    expect(judge([exchangeOf()], [requestOf()], { losses: [torn] })).toMatchObject(complete)
    const cut = exchangeOf({ body: bodyOf('wor', 'tls_truncated') })
    expect(judge([cut], [requestOf({ dataBytes: 3 })], { losses: [torn, lossOf('tls_truncated')] }).lost).toEqual([
      'tls_truncated',
      'tls_truncated',
    ])
    expect(judge([exchangeOf()], [requestOf()], { losses: [lossOf('tls_keys_missing', null)] }).lost).toEqual([
      'tls_keys_missing',
    ])
  })
})

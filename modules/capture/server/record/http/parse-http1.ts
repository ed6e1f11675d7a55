/** HTTP/1.0 and 1.1 on one connection → exchanges (RFC 9112): pipelining, interim responses, trailers, Upgrade. */
import { absoluteUrl, fieldOf } from './connection-context.ts'
import type { ConnectionContext, HttpReader } from './connection-context.ts'
import type { Side } from '../tls/decrypt-tls.ts'
import type { ExchangeBody, ExchangeResponse, HeaderField, LossReason, UpgradedStream } from '../exchange/exchange.ts'
import { findHeadEnd, framingOf, maxHeadBytes, parseFields, parseRequestHead, parseResponseHead } from './parse-http-head.ts'
import type { Framing, RequestHead, ResponseHead } from './parse-http-head.ts'
import { createChunkedReader } from '../exchange/read-chunked.ts'
import type { ChunkedReader } from '../exchange/read-chunked.ts'
import type { BodySink } from '../exchange/spool-body.ts'
import { createStreamClock } from './stream-clock.ts'
import type { StreamClock } from './stream-clock.ts'

/** A body that is being read. */
type OpenBody = {
  readonly sink: BodySink
  readonly framing: Framing
  readonly chunked: ChunkedReader | null
  left: number
  /** Of an upgraded stream only. */
  readonly passed: StreamClock | null
}

type OpenExchange = {
  readonly index: number
  readonly head: RequestHead
  readonly raw: Buffer
  readonly startedAt: number
  requestFinishedAt: number
  request: { body: ExchangeBody; trailers: readonly HeaderField[] } | null
  responseHead: { head: ResponseHead; raw: Buffer } | null
  responseStartedAt: number | null
  readonly interim: Buffer[]
}

type HalfState = { pending: Buffer; searched: number; headAt: number | null; body: OpenBody | null }

const opaque: Framing = { kind: 'close' }

export function createHttp1Reader(context: ConnectionContext): HttpReader {
  const newHalf = (): HalfState => ({ pending: Buffer.alloc(0), searched: 0, headAt: null, body: null })
  const halves: Record<Side, HalfState> = { client: newHalf(), server: newHalf() }
  /** Requests whose response is not whole, oldest first; the last one's request may still be coming. */
  const open: OpenExchange[] = []
  let count = 0
  const life = { dead: false }
  let upgraded: { exchange: OpenExchange; protocol: string; sent: OpenBody; received: OpenBody; body: ExchangeBody } | null = null

  const newBody = (framing: Framing, passed: StreamClock | null = null): OpenBody => {
    const sink = context.spool.newBody()
    const chunked =
      framing.kind === 'chunked'
        ? createChunkedReader(
            (bytes) => sink.write(bytes),
            (bytes) => sink.writeFraming(bytes),
          )
        : null
    return { sink, framing, chunked, left: framing.kind === 'length' ? framing.length : 0, passed }
  }
  const finishBody = (body: OpenBody, truncated: LossReason | null): ExchangeBody =>
    body.sink.finish(body.chunked === null ? 'identity' : 'chunked', truncated)
  const trailersOf = (body: OpenBody): HeaderField[] =>
    body.chunked === null ? [] : parseFields(body.chunked.trailer().toString('latin1'))
  const emptyBody = (): ExchangeBody => context.spool.newBody().finish('identity', null)

  const urlOf = (exchange: OpenExchange, websocket: boolean): string => {
    const scheme = `${websocket ? 'ws' : 'http'}${context.tls() === null ? '' : 's'}`
    return absoluteUrl(scheme, fieldOf(exchange.head.fields, 'host'), context, exchange.head.target)
  }

  const emit = (exchange: OpenExchange, response: ExchangeResponse | null, at: number, more: UpgradedStream | null): void => {
    const request = exchange.request ?? { body: emptyBody(), trailers: [] }
    context.emit({
      connection_id: context.connection_id,
      index: exchange.index,
      protocol: exchange.head.version === '1.0' ? 'http/1.0' : 'http/1.1',
      url: urlOf(exchange, more?.protocol === 'websocket'),
      request: {
        method: exchange.head.method,
        target: exchange.head.target,
        head: exchange.raw,
        fields: exchange.head.fields,
        ...request,
      },
      response,
      upgraded: more,
      started_at: exchange.startedAt,
      request_finished_at: exchange.requestFinishedAt,
      response_started_at: exchange.responseStartedAt,
      finished_at: at,
      remote_address: context.remote_address,
      remote_port: context.remote_port,
      tls: context.tls(),
    })
  }

  const responseOf = (exchange: OpenExchange, body: ExchangeBody, trailers: readonly HeaderField[]): ExchangeResponse | null =>
    exchange.responseHead === null
      ? null
      : {
          status: exchange.responseHead.head.status,
          reason: exchange.responseHead.head.reason,
          head: exchange.responseHead.raw,
          fields: exchange.responseHead.head.fields,
          body,
          trailers,
          interim: exchange.interim,
        }

  /** Ends everything that is under way and stops reading. */
  const stop = (reason: LossReason, detail: string, at: number): void => {
    if (life.dead) return
    life.dead = true
    const clientBody = halves.client.body
    if (clientBody !== null && upgraded === null) {
      const last = open.at(-1)
      if (last !== undefined && last.request === null) last.request = { body: finishBody(clientBody, reason), trailers: [] }
    }
    for (const exchange of open) {
      const body = exchange === open[0] && exchange.responseHead !== null ? halves.server.body : null
      const response = responseOf(exchange, body === null ? emptyBody() : finishBody(body, reason), [])
      context.lose(
        response === null && reason !== 'http1_malformed' ? 'response_missing' : reason,
        urlOf(exchange, false),
        detail,
      )
      emit(exchange, response, at, null)
    }
    if (open.length === 0) context.lose(reason, null, detail)
    open.length = 0
    halves.client = newHalf()
    halves.server = newHalf()
  }

  const endRequest = (exchange: OpenExchange, body: OpenBody | null, at: number): void => {
    halves.client.body = null
    exchange.request =
      body === null ? { body: emptyBody(), trailers: [] } : { body: finishBody(body, null), trailers: trailersOf(body) }
    exchange.requestFinishedAt = at
  }

  const endResponse = (body: OpenBody | null, at: number): void => {
    const exchange = open.shift()
    halves.server.body = null
    if (exchange === undefined) return
    // A response may be whole before its request is (an error answered early): the rest of that request is then read for none.
    if (exchange.request === null && halves.client.body !== null)
      exchange.request = { body: finishBody(halves.client.body, 'body_incomplete'), trailers: [] }
    emit(
      exchange,
      responseOf(exchange, body === null ? emptyBody() : finishBody(body, null), body === null ? [] : trailersOf(body)),
      at,
      null,
    )
  }

  const onRequestHead = (raw: Buffer, startedAt: number, at: number): void => {
    const head = parseRequestHead(raw)
    if (head === null) return stop('http1_malformed', 'request head', at)
    const framing = framingOf(head.fields, true)
    if (framing.kind === 'ambiguous') return stop('http1_ambiguous_length', 'request', at)
    const exchange: OpenExchange = {
      index: count,
      head,
      raw: Buffer.from(raw),
      startedAt,
      requestFinishedAt: at,
      request: null,
      responseHead: null,
      responseStartedAt: null,
      interim: [],
    }
    count += 1
    open.push(exchange)
    if (framing.kind === 'none' || (framing.kind === 'length' && framing.length === 0)) endRequest(exchange, null, at)
    else halves.client.body = newBody(framing)
  }

  const onResponseHead = (raw: Buffer, startedAt: number, at: number): void => {
    const head = parseResponseHead(raw)
    if (head === null) return stop('http1_malformed', 'response head', at)
    const exchange = open[0]
    if (exchange === undefined) return stop('http1_malformed', 'response without request', at)
    if (head.status < 200 && head.status !== 101) {
      exchange.interim.push(Buffer.from(raw))
      if (exchange.interim.length > 100) stop('http1_malformed', 'too many interim responses', at)
      return
    }
    exchange.responseHead = { head, raw: Buffer.from(raw) }
    exchange.responseStartedAt = startedAt
    const tunnel = head.status === 101 || (exchange.head.method === 'CONNECT' && head.status < 300)
    if (tunnel) {
      open.length = 0
      const protocol = head.status === 101 ? (fieldOf(head.fields, 'upgrade') ?? '').toLowerCase() : 'connect'
      upgraded = {
        exchange,
        protocol,
        sent: newBody(opaque, createStreamClock()),
        received: newBody(opaque, createStreamClock()),
        body: emptyBody(),
      }
      halves.client.body = upgraded.sent
      halves.server.body = upgraded.received
      return
    }
    const framing = framingOf(head.fields, false)
    if (framing.kind === 'ambiguous') return stop('http1_ambiguous_length', 'response', at)
    const bodiless =
      exchange.head.method === 'HEAD' ||
      head.status === 204 ||
      head.status === 304 ||
      (framing.kind === 'length' && framing.length === 0)
    if (bodiless) endResponse(null, at)
    else halves.server.body = newBody(framing)
  }

  /** Gives the rest after the body, or null when the body takes all there is. */
  const feedBody = (from: Side, body: OpenBody, bytes: Buffer, at: number): Buffer | null => {
    let used = bytes.length
    let whole = false
    if (body.chunked !== null) {
      used = body.chunked.push(bytes)
      if (used < 0) {
        stop('http1_malformed', 'chunked coding', at)
        return null
      }
      whole = body.chunked.done()
    } else {
      if (body.framing.kind === 'length') used = Math.min(bytes.length, body.left)
      body.passed?.mark(body.sink.length(), at)
      body.sink.write(bytes.subarray(0, used))
      body.left -= used
      whole = body.framing.kind === 'length' && body.left === 0
    }
    if (!whole) return null
    const last = open.at(-1)
    if (from === 'server') endResponse(body, at)
    else if (last !== undefined && last.request === null) endRequest(last, body, at)
    else halves.client.body = null
    return bytes.subarray(used)
  }

  const push = (from: Side, bytes: Buffer, at: number): void => {
    let rest: Buffer | null = bytes
    while (!life.dead && rest !== null && rest.length > 0) {
      const half: HalfState = halves[from]
      if (half.body !== null) {
        rest = feedBody(from, half.body, rest, at)
        continue
      }
      half.headAt ??= at
      half.pending = half.pending.length === 0 ? Buffer.from(rest) : Buffer.concat([half.pending, rest])
      // Empty lines before a request are to be skipped (RFC 9112 §2.2).
      let blank = 0
      while (half.pending[blank] === 13 || half.pending[blank] === 10) blank += 1
      if (blank > 0) half.pending = half.pending.subarray(blank)
      const end = findHeadEnd(half.pending, Math.max(0, half.searched - 3))
      half.searched = half.pending.length
      if (end === -1 || end > maxHeadBytes) {
        if (half.pending.length > maxHeadBytes) stop('http1_malformed', `head of the ${from} too long`, at)
        return
      }
      const head: Buffer = half.pending.subarray(0, end)
      rest = half.pending.subarray(end)
      const startedAt = half.headAt
      half.pending = Buffer.alloc(0)
      half.searched = 0
      half.headAt = null
      if (from === 'client') onRequestHead(head, startedAt, at)
      else onResponseHead(head, startedAt, at)
    }
  }

  return {
    push,
    end(loss, at) {
      if (life.dead) return
      if (upgraded !== null) {
        life.dead = true
        const { exchange, body } = upgraded
        emit(exchange, responseOf(exchange, body, []), at, {
          protocol: upgraded.protocol,
          sent: finishBody(upgraded.sent, loss),
          received: finishBody(upgraded.received, loss),
          sent_at: upgraded.sent.passed?.marks() ?? [],
          received_at: upgraded.received.passed?.marks() ?? [],
        })
        if (loss !== null) context.lose(loss, urlOf(exchange, true), 'after the upgrade')
        return
      }
      const body = halves.server.body
      // Ended by the end of the connection, in order (RFC 9112 §6.3 rule 8).
      if (loss === null && body !== null && body.framing.kind === 'close') endResponse(body, at)
      if (open.length > 0)
        stop(loss ?? (halves.server.body === null ? 'response_missing' : 'body_incomplete'), 'the connection ended first', at)
      else if (halves.server.pending.length > 0) stop(loss ?? 'http1_malformed', 'bytes after the last response', at)
      life.dead = true
    },
  }
}

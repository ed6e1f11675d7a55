/** HTTP/2 on one connection → exchanges (RFC 9113). Streams are read as they interleave; bodies go to the spool. */
import { absoluteUrl } from './connection-context.ts'
import type { ConnectionContext, HttpReader } from './connection-context.ts'
import { createHpackDecoder } from './decode-hpack.ts'
import type { HpackDecoder } from './decode-hpack.ts'
import type { Side } from '../tls/decrypt-tls.ts'
import type { ExchangeBody, ExchangeResponse, HeaderField, LossReason } from '../exchange/exchange.ts'
import { createFrameSplitter, frameTypes, unpad } from './read-http2-frames.ts'
import type { Http2Frame } from './read-http2-frames.ts'
import type { BodySink } from '../exchange/spool-body.ts'
import { createStreamClock } from './stream-clock.ts'
import type { StreamClock } from './stream-clock.ts'
import { hasForbiddenCharacters, readRequestPseudo, readStatus, writeRequestHead, writeResponseHead } from './write-http2-head.ts'
import type { Pseudo } from './write-http2-head.ts'

type Message = {
  readonly sink: BodySink
  trailers: HeaderField[]
  ended: boolean
  /** Of an RFC 8441 tunnel only. */
  readonly passed: StreamClock | null
}

type Stream = {
  readonly id: number
  readonly pseudo: Pseudo
  readonly fields: readonly HeaderField[]
  readonly startedAt: number
  requestFinishedAt: number
  readonly request: Message
  readonly interim: Buffer[]
  response: (Message & { readonly status: number; readonly fields: readonly HeaderField[] }) | null
  responseStartedAt: number | null
}

/** Codes after which the browser asks again elsewhere: nothing was done with the request (RFC 9113 §8.7). */
const refusedStream = 7
const noError = 0

const clockOf = ({ protocol }: Pseudo): StreamClock | null => (protocol === null ? null : createStreamClock())

export function createHttp2Reader(context: ConnectionContext): HttpReader {
  const streams = new Map<number, Stream>()
  const decoders: Record<Side, HpackDecoder> = { client: createHpackDecoder(), server: createHpackDecoder() }
  let highestStream = 0
  let goaway: number | null = null
  let dead = false
  let now = 0

  const urlOf = (stream: Stream): string => {
    const websocket = stream.pseudo.protocol === 'websocket'
    const scheme = websocket ? (stream.pseudo.scheme === 'http' ? 'ws' : 'wss') : stream.pseudo.scheme
    return absoluteUrl(
      scheme,
      stream.pseudo.authority ?? stream.fields.find(({ name }) => name === 'host')?.value ?? null,
      context,
      stream.pseudo.path,
    )
  }

  /** `reason`: why the stream ends early; null when it ends in order. */
  const finish = (stream: Stream, reason: LossReason | null, detail: string): void => {
    streams.delete(stream.id)
    const { response } = stream
    const url = urlOf(stream)
    const tunnel = stream.pseudo.protocol
    const accepted = tunnel !== null && response !== null && response.status < 300
    const bodyOf = (message: Message): ExchangeBody =>
      message.sink.finish('identity', message.ended ? null : (reason ?? 'body_incomplete'))
    const empty = (): ExchangeBody => context.spool.newBody().finish('identity', null)
    const request = bodyOf(stream.request)
    const received = response === null ? null : bodyOf(response)
    const answer: ExchangeResponse | null =
      response === null || received === null
        ? null
        : {
            status: response.status,
            reason: '',
            head: writeResponseHead(response.status, response.fields),
            fields: response.fields,
            body: accepted ? empty() : received,
            trailers: response.trailers,
            interim: stream.interim,
          }
    if (answer === null) context.lose('response_missing', url, detail)
    else if (reason !== null && !(response?.ended ?? false)) context.lose(reason, url, detail)
    context.emit({
      connection_id: context.connection_id,
      index: stream.id,
      protocol: 'h2',
      url,
      request: {
        method: stream.pseudo.method,
        target: stream.pseudo.path,
        head: writeRequestHead(stream.pseudo, stream.fields),
        fields: stream.fields,
        body: accepted ? empty() : request,
        trailers: stream.request.trailers,
      },
      response: answer,
      upgraded:
        accepted && received !== null
          ? {
              protocol: tunnel,
              sent: request,
              received,
              sent_at: stream.request.passed?.marks() ?? [],
              received_at: response?.passed?.marks() ?? [],
            }
          : null,
      started_at: stream.startedAt,
      request_finished_at: stream.requestFinishedAt,
      response_started_at: stream.responseStartedAt,
      finished_at: now,
      remote_address: context.remote_address,
      remote_port: context.remote_port,
      tls: context.tls(),
    })
  }

  const endSide = (stream: Stream, from: Side): void => {
    if (from === 'client') {
      stream.request.ended = true
      stream.requestFinishedAt = now
    } else if (stream.response !== null) stream.response.ended = true
    if (stream.request.ended && stream.response !== null && stream.response.ended) finish(stream, null, '')
  }

  const openStream = (id: number, fields: readonly HeaderField[]): Stream | null => {
    const pseudo = readRequestPseudo(fields)
    if (pseudo === null || id % 2 === 0) return null
    highestStream = id
    const request: Message = { sink: context.spool.newBody(), trailers: [], ended: false, passed: clockOf(pseudo) }
    const stream: Stream = {
      id,
      pseudo,
      fields,
      startedAt: now,
      requestFinishedAt: now,
      request,
      interim: [],
      response: null,
      responseStartedAt: null,
    }
    streams.set(id, stream)
    return stream
  }

  const onHeaders = (from: Side, frame: Http2Frame): boolean => {
    // Every block is decoded, wanted or not: the table is shared by all streams of the connection.
    const fields = decoders[from].decode(frame.payload)
    if (fields === null) return false
    let stream = streams.get(frame.stream)
    if (hasForbiddenCharacters(fields)) {
      if (stream !== undefined) finish(stream, 'http2_malformed', 'field with forbidden characters')
      else context.lose('http2_malformed', null, 'field with forbidden characters')
      highestStream = Math.max(highestStream, frame.stream)
      return true
    }
    const ends = (frame.flags & 1) !== 0
    if (from === 'client') {
      if (stream === undefined) {
        if (frame.stream <= highestStream) return true
        const opened = openStream(frame.stream, fields)
        if (opened === null) return false
        stream = opened
      } else stream.request.trailers = fields
    } else {
      // A stream that was reset may still be answered; one that was never opened may not.
      if (stream === undefined) return frame.stream <= highestStream
      if (stream.response === null) {
        const status = readStatus(fields)
        if (status === null) {
          finish(stream, 'http2_malformed', 'no status')
          return true
        }
        if (status < 200) {
          stream.interim.push(writeResponseHead(status, fields))
          return stream.interim.length <= 100
        }
        stream.response = {
          status,
          fields,
          sink: context.spool.newBody(),
          trailers: [],
          ended: false,
          passed: clockOf(stream.pseudo),
        }
        stream.responseStartedAt = now
      } else stream.response.trailers = fields
    }
    if (ends) endSide(stream, from)
    return true
  }

  const onData = (from: Side, frame: Http2Frame): boolean => {
    const bytes = unpad(frame, false)
    if (bytes === null || frame.stream === 0) return false
    const stream = streams.get(frame.stream)
    if (stream === undefined) return frame.stream <= highestStream
    const message = from === 'client' ? stream.request : stream.response
    if (message === null || message.ended) return false
    message.passed?.mark(message.sink.length(), now)
    message.sink.write(bytes)
    if ((frame.flags & 1) !== 0) endSide(stream, from)
    return true
  }

  const onFrame = (from: Side, frame: Http2Frame): boolean => {
    const { payload } = frame
    if (frame.type === frameTypes.data) return onData(from, frame)
    if (frame.type === frameTypes.headers) return onHeaders(from, frame)
    // The browser forbids push in its SETTINGS (RFC 9113 §8.4): a promise is an error of the connection.
    if (frame.type === frameTypes.push) return false
    if (frame.type === frameTypes.reset) {
      if (payload.length !== 4 || frame.stream === 0) return false
      const stream = streams.get(frame.stream)
      if (stream === undefined) return true
      const code = payload.readUInt32BE(0)
      // Without END_STREAM nothing says that the body is whole, and Chromium fails such a response; an announced length that is
      // met does say so (RFC 9113 §8.1.1).
      const { response } = stream
      const announced = response?.fields.find(({ name }) => name === 'content-length')?.value
      const whole =
        response !== null &&
        // The browser may reset a stream whose every announced byte it has, instead of waiting for its end.
        ((from === 'server' && code === noError && response.ended) ||
          ((from === 'client' || code === noError) && announced === String(response.sink.length())))
      if (whole) response.ended = true
      finish(
        stream,
        whole ? null : 'http2_stream_reset',
        code === refusedStream ? 'refused, to be asked again' : `reset by the ${from}, code ${code}`,
      )
    } else if (frame.type === frameTypes.settings && (frame.flags & 1) === 0) {
      if (payload.length % 6 !== 0 || frame.stream !== 0) return false
      for (let at = 0; at < payload.length; at += 6) {
        // What one side allows binds the encoder of the other.
        if (payload.readUInt16BE(at) === 1)
          decoders[from === 'client' ? 'server' : 'client'].allowTableSize(payload.readUInt32BE(at + 2))
      }
    } else if (frame.type === frameTypes.goaway && from === 'server') {
      if (payload.length < 8) return false
      goaway = payload.readUInt32BE(0) & 0x7fff_ffff
    }
    return true
  }

  const splitters = {
    client: createFrameSplitter(true, (frame) => onFrame('client', frame)),
    server: createFrameSplitter(false, (frame) => onFrame('server', frame)),
  }

  const stop = (reason: LossReason, detail: string): void => {
    if (dead) return
    dead = true
    if (streams.size === 0) context.lose(reason, null, detail)
    for (const stream of streams.values()) {
      const refused = goaway !== null && stream.id > goaway
      finish(stream, reason, refused ? 'refused, to be asked again' : detail)
    }
  }

  return {
    push(from, bytes, at) {
      if (dead) return
      now = at
      if (!splitters[from].push(bytes)) stop('http2_malformed', `frame of the ${from}`)
    },
    end(loss, at) {
      if (dead) return
      now = at
      if (streams.size > 0) stop(loss ?? 'body_incomplete', 'the connection ended first')
      else if (loss !== null && splitters.server.pending()) stop(loss, 'the connection ended inside a frame')
      dead = true
    },
  }
}

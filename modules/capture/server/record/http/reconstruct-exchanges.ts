/** Recorded connections and key log → exchanges, certificates and losses. Nothing is fetched; nothing is thrown for bad input. */
import { createHash } from 'node:crypto'
import { mkdir } from 'node:fs/promises'
import type { ConnectionContext, HttpReader } from './connection-context.ts'
import { createTlsReader } from '../tls/decrypt-tls.ts'
import type { Side, TlsReader } from '../tls/decrypt-tls.ts'
import { defaultRecordLimits } from '../exchange/exchange.ts'
import type {
  ConnectionCertificates,
  ConnectionReading,
  Exchange,
  Loss,
  LossReason,
  RecordLimits,
  RecordReading,
  TlsFacts,
} from '../exchange/exchange.ts'
import { parseKeyLog } from '../tls/parse-key-log.ts'
import type { KeyLog } from '../tls/parse-key-log.ts'
import { createHttp1Reader } from './parse-http1.ts'
import { createHttp2Reader } from './parse-http2.ts'
import { contentCodings, readContent } from '../exchange/read-body.ts'
import { http2Preface } from './read-http2-frames.ts'
import type { RecordedConnection } from '../exchange/recorded-connection.ts'
import { createSpool } from '../exchange/spool-body.ts'
import type { Spool } from '../exchange/spool-body.ts'

export type ReconstructInput = {
  readonly connections: Iterable<RecordedConnection>
  /** Text of the browser's SSLKEYLOGFILE. */
  readonly keyLog: string
  /** Bodies too large for memory go there; made when absent; to be removed by the caller. */
  readonly spoolDir: string
  readonly limits?: Partial<RecordLimits>
  readonly signal?: AbortSignal
}

type Shared = {
  readonly keyLog: KeyLog
  readonly spool: Spool
  readonly limits: RecordLimits
  readonly losses: Loss[]
  readonly exchanges: Exchange[]
  readonly signal: AbortSignal | undefined
}

/** @throws only when `signal` aborts or the spool folder can't be written. */
export async function reconstructExchanges(input: ReconstructInput): Promise<RecordReading> {
  const limits = { ...defaultRecordLimits, ...input.limits }
  await mkdir(input.spoolDir, { recursive: true })
  const shared: Shared = {
    keyLog: parseKeyLog(input.keyLog),
    spool: createSpool(input.spoolDir, limits),
    limits,
    losses: [],
    exchanges: [],
    signal: input.signal,
  }
  const connections: ConnectionReading[] = []
  const certificates: ConnectionCertificates[] = []
  for (const connection of input.connections) {
    const { reading, chain } = await readConnection(shared, connection)
    connections.push(reading)
    if (chain !== null)
      certificates.push({
        connection_id: connection.id,
        host: connection.host,
        port: connection.port,
        sni: reading.tls?.sni ?? null,
        chain,
      })
  }
  const exchanges = shared.exchanges.toSorted((a, b) => a.started_at - b.started_at)
  return { exchanges, connections, certificates, losses: shared.losses }
}

async function readConnection(
  shared: Shared,
  connection: RecordedConnection,
): Promise<{ reading: ConnectionReading; chain: readonly Buffer[] | null }> {
  const finished: Exchange[] = []
  const bytes = { client: 0, server: 0 }
  let kept = 0
  let tls: TlsReader | null = null
  let reader: HttpReader | null = null
  let protocol: ConnectionReading['protocol'] = null
  let undecided: { from: Side; bytes: Buffer; at: number }[] = []
  let tlsLoss: LossReason | null = null
  let lastAt = connection.opened_at
  let secure: boolean | null = null
  let unknown = false
  const lose = (reason: LossReason, url: string | null, detail: string): void => {
    shared.losses.push({ connection_id: connection.id, reason, url, detail })
  }
  const factsOf = (): TlsFacts | null => {
    const facts = tls?.facts() ?? null
    const leaf = tls?.chain()?.[0]
    return facts === null
      ? null
      : { ...facts, certificate_sha256: leaf === undefined ? null : createHash('sha256').update(leaf).digest('hex') }
  }
  const context: ConnectionContext = {
    connection_id: connection.id,
    host: connection.host,
    port: connection.port,
    remote_address: connection.remote_address,
    remote_port: connection.remote_port,
    tls: factsOf,
    spool: shared.spool,
    lose,
    emit(exchange) {
      kept += 1
      if (shared.exchanges.length + finished.length < shared.limits.exchanges) finished.push(exchange)
      else if (!shared.losses.some(({ reason }) => reason === 'too_many_exchanges'))
        lose('too_many_exchanges', exchange.url, `more than ${shared.limits.exchanges}`)
    },
  }

  /** The protocol is what ALPN agreed; without ALPN, what the client's first bytes are (RFC 9113 §3.3). */
  const onData = (from: Side, data: Buffer, at: number): void => {
    if (unknown) return
    if (reader !== null) return reader.push(from, data, at)
    undecided.push({ from, bytes: Buffer.from(data), at })
    const start = Buffer.concat(undecided.filter((part) => part.from === 'client').map((part) => part.bytes))
    const alpn = tls?.facts()?.alpn ?? null
    if (alpn === 'h2' || start.subarray(0, 14).equals(http2Preface.subarray(0, 14))) protocol = 'h2'
    else if (alpn === 'http/1.1' || (start.length >= 14 && /^[A-Z]{1,20} /.test(start.toString('latin1', 0, 24))))
      protocol = 'http/1'
    else {
      if (start.length >= 24 || undecided.length > 64) {
        unknown = true
        lose('protocol_unknown', null, `neither HTTP/1 nor HTTP/2${alpn === null ? '' : ' by ALPN'}`)
        undecided = []
      }
      return
    }
    const made = protocol === 'h2' ? createHttp2Reader(context) : createHttp1Reader(context)
    reader = made
    const waiting = undecided
    undecided = []
    for (const part of waiting) made.push(part.from, part.bytes, part.at)
  }

  const settleFinished = async (): Promise<void> => {
    for (const exchange of finished.splice(0)) shared.exchanges.push(await decodeContents(exchange, shared.limits, lose))
  }

  let unreadable: string | null = null
  try {
    for await (const chunk of connection.chunks()) {
      shared.signal?.throwIfAborted()
      bytes[chunk.from] += chunk.bytes.length
      lastAt = chunk.at
      const data = Buffer.from(chunk.bytes.buffer, chunk.bytes.byteOffset, chunk.bytes.byteLength)
      if (secure === null && data.length > 0) {
        // TLS begins with the client's handshake record; no HTTP method begins so.
        secure = chunk.from === 'client' && data[0] === 22
        if (secure)
          tls = createTlsReader({
            keyLog: shared.keyLog,
            onData,
            onLoss: (reason, detail) => ((tlsLoss = reason), lose(reason, null, detail)),
          })
      }
      if (tls !== null) tls.push(chunk.from, data, chunk.at)
      else onData(chunk.from, data, chunk.at)
      if (finished.length > 0) await settleFinished()
    }
  } catch (error) {
    shared.signal?.throwIfAborted()
    if (isSpoolError(error)) throw error
    unreadable = error instanceof Error ? error.message : 'unknown error'
    lose('record_unreadable', null, unreadable)
  }
  tls?.end()
  const cause = tlsLoss ?? (unreadable === null ? (connection.cut === null ? null : 'connection_cut') : 'record_unreadable')
  ;(reader as HttpReader | null)?.end(cause, lastAt)
  if (reader === null && undecided.some((part) => part.from === 'client'))
    lose(cause ?? 'protocol_unknown', null, 'the connection ended before its protocol was known')
  await settleFinished()
  return {
    reading: {
      connection_id: connection.id,
      host: connection.host,
      port: connection.port,
      remote_address: connection.remote_address,
      protocol,
      tls: factsOf(),
      client_random: tls?.clientRandom() ?? null,
      tls_alert: tls?.alert() ?? null,
      client_bytes: bytes.client,
      server_bytes: bytes.server,
      exchanges: kept,
    },
    chain: tls?.chain() ?? null,
  }
}

/** A full disk is not the record's fault and must not read as a loss. */
function isSpoolError(error: unknown): boolean {
  return (
    error instanceof Error && 'code' in error && ['ENOSPC', 'EACCES', 'EROFS', 'EDQUOT', 'EMFILE'].includes(String(error.code))
  )
}

/** Fills `content` of both bodies where a content coding stands between. */
async function decodeContents(exchange: Exchange, limits: RecordLimits, lose: ConnectionContext['lose']): Promise<Exchange> {
  const decode = async <M extends Exchange['request'] | NonNullable<Exchange['response']>>(message: M): Promise<M> => {
    const codings = contentCodings(message.fields)
    if (message.body.entity_bytes === 0 || codings?.length === 0) return message
    const hash = createHash('sha256')
    let bytes = 0
    try {
      for await (const part of readContent(message, limits.content_bytes)) {
        hash.update(part)
        bytes += part.length
      }
      return { ...message, body: { ...message.body, content: { bytes, sha256: hash.digest('hex') } } }
    } catch (error) {
      const over = error instanceof RangeError && codings !== null
      // A body that is cut can't be decoded to its end: that loss is told already. An unknown coding loses nothing of the wire.
      if (message.body.truncated === null && codings !== null)
        lose(over ? 'content_over_limit' : 'content_undecodable', exchange.url, codings.join(', '))
      return { ...message, body: { ...message.body, content: null } }
    }
  }
  return {
    ...exchange,
    request: await decode(exchange.request),
    response: exchange.response === null ? null : await decode(exchange.response),
  }
}

/** `capture/websockets.jsonl`: what passed over each WebSocket, decoded from the wire, one message a line (decision 0113). */
import { createWriteStream } from 'node:fs'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { fieldOf } from '../http/connection-context.ts'
import type { Exchange } from '../exchange/exchange.ts'
import { readWebSocket } from '../http/read-websocket.ts'
import type { WebSocketMessage, WebSocketReading } from '../http/read-websocket.ts'

/** A socket's messages without their payloads: what is compared with the browser's account. */
export type ReadSocket = {
  readonly exchange: Exchange
  readonly sent: SocketDirection
  readonly received: SocketDirection
}

type SocketDirection = {
  readonly messages: readonly Pick<WebSocketMessage, 'type' | 'bytes' | 'sha256'>[]
  readonly damage: WebSocketReading['damage']
}

const keptPayloadBytes = 64 * 1024
/** Payloads that are written out, all sockets together; the archive and the packets hold the rest. */
const keptTotalBytes = 32 * 1024 * 1024

const isoOf = (at: number | null): string | null => (at === null ? null : new Date(Math.floor(at)).toISOString())

/**
 * Writes the file when there is a WebSocket, and none otherwise. Lines of a socket: `open`, its messages by instant, `end`.
 * @throws when a file can't be read or written, or `signal` aborts.
 */
export async function writeWebSockets(input: {
  readonly exchanges: readonly Exchange[]
  readonly outFile: string
  readonly signal: AbortSignal
}): Promise<readonly ReadSocket[]> {
  const opened = input.exchanges.filter(({ upgraded }) => upgraded?.protocol === 'websocket')
  const sockets: ReadSocket[] = []
  let left = keptTotalBytes

  async function* lines(): AsyncGenerator<string> {
    for (const exchange of opened) {
      input.signal.throwIfAborted()
      const place = { url: exchange.url, connection_id: exchange.connection_id, stream: exchange.index }
      const [sent, received] = [
        await readWebSocket(exchange, 'sent', keptPayloadBytes),
        await readWebSocket(exchange, 'received', keptPayloadBytes),
      ]
      const fields = exchange.response?.fields ?? []
      yield line({
        ...place,
        event: 'open',
        at: isoOf(exchange.response_started_at),
        protocol: fieldOf(fields, 'sec-websocket-protocol'),
        extensions: fieldOf(fields, 'sec-websocket-extensions'),
      })
      for (const message of [...sent.messages, ...received.messages].toSorted((a, b) => (a.at ?? 0) - (b.at ?? 0))) {
        const payload = message.payload !== null && message.payload.length <= left ? message.payload : null
        left -= payload?.length ?? 0
        yield line({
          connection_id: place.connection_id,
          stream: place.stream,
          event: 'message',
          direction: message.direction,
          at: isoOf(message.at),
          type: message.type,
          frames: message.frames,
          compressed: message.compressed,
          bytes: message.bytes,
          sha256: message.sha256,
          ...payloadOf(message.type, payload),
        })
      }
      yield line({
        connection_id: place.connection_id,
        stream: place.stream,
        event: 'end',
        at: isoOf(exchange.finished_at),
        sent: { messages: sent.messages.length, bytes: exchange.upgraded?.sent.wire_bytes ?? 0, unread: sent.damage },
        received: {
          messages: received.messages.length,
          bytes: exchange.upgraded?.received.wire_bytes ?? 0,
          unread: received.damage,
        },
      })
      sockets.push({ exchange, sent: withoutPayloads(sent), received: withoutPayloads(received) })
    }
  }

  if (opened.length > 0)
    await pipeline(Readable.from(lines()), createWriteStream(input.outFile, { mode: 0o600 }), { signal: input.signal })
  return sockets
}

const line = (value: unknown): string => `${JSON.stringify(value)}\n`

function withoutPayloads({ messages, damage }: WebSocketReading): SocketDirection {
  return { messages: messages.map(({ type, bytes, sha256 }) => ({ type, bytes, sha256 })), damage }
}

/** Text where it is UTF-8, base64 otherwise; null for a payload that is only hashed. */
function payloadOf(type: WebSocketMessage['type'], payload: Buffer | null): Record<string, unknown> {
  if (payload === null) return { text: null }
  if (type === 'close' && payload.length >= 2) return { code: payload.readUInt16BE(0), ...textOf(payload.subarray(2)) }
  return type === 'text' ? textOf(payload) : { base64: payload.toString('base64') }
}

function textOf(payload: Buffer): Record<string, unknown> {
  try {
    return { text: new TextDecoder('utf-8', { fatal: true }).decode(payload) }
  } catch {
    return { base64: payload.toString('base64') }
  }
}

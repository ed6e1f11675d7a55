/** Bytes of one direction of a WebSocket → its messages (RFC 6455 §5, permessage-deflate of RFC 7692). Damage is named, never thrown. */
import { createHash } from 'node:crypto'
import { createInflateRaw } from 'node:zlib'
import type { InflateRaw } from 'node:zlib'
import { fieldsOf } from './connection-context.ts'
import type { Exchange } from '../exchange/exchange.ts'
import { readEntity } from '../exchange/read-body.ts'
import { createInstantReader } from './stream-clock.ts'

export type WebSocketMessage = {
  readonly direction: 'sent' | 'received'
  /** Milliseconds since the epoch at which its last byte passed; null when not known. */
  readonly at: number | null
  readonly type: 'text' | 'binary' | 'ping' | 'pong' | 'close'
  /** Frames it was sent in. */
  readonly frames: number
  readonly compressed: boolean
  /** Of the payload: unmasked, decompressed, joined. */
  readonly bytes: number
  readonly sha256: string
  /** The payload, when it is no longer than the limit asked for. */
  readonly payload: Buffer | null
}

export type WebSocketReading = {
  readonly messages: readonly WebSocketMessage[]
  /** Why reading stopped before the recorded end; null when every byte was read. */
  readonly damage: 'malformed' | 'undecodable' | 'over_limit' | 'ends_inside_message' | null
}

const maxMessageBytes = 64 * 1024 * 1024
const maxMessages = 100_000
const types: Readonly<Record<number, WebSocketMessage['type']>> = { 1: 'text', 2: 'binary', 8: 'close', 9: 'ping', 10: 'pong' }

/** RFC 7692 §7.2.2: what the sender leaves off the end of each compressed message. */
const flushed = Buffer.from([0, 0, 0xff, 0xff])

type Deflate = { readonly forgets: boolean }

/** What the answer agreed on for one direction; null without compression, `unknown` for an extension that nobody here reads. */
function agreedDeflate(exchange: Exchange, direction: 'sent' | 'received'): Deflate | null | 'unknown' {
  const text = fieldsOf(exchange.response?.fields ?? [], 'sec-websocket-extensions')
    .join(',')
    .trim()
    .toLowerCase()
  if (text === '') return null
  const [name, ...parameters] = text.split(';').map((part) => part.trim())
  if (name !== 'permessage-deflate' || text.includes(',')) return 'unknown'
  return { forgets: parameters.includes(`${direction === 'sent' ? 'client' : 'server'}_no_context_takeover`) }
}

/** Inflates one message after another with the window that they share. Rejects on damage or past the limit. */
function createMessageInflater(forgets: boolean): { inflate(data: Buffer): Promise<Buffer>; close(): void } {
  let stream: InflateRaw | null = null
  return {
    inflate: (data) =>
      new Promise((resolve, reject) => {
        const current = (stream ??= createInflateRaw())
        const parts: Buffer[] = []
        let length = 0
        const end = (error: Error | null): void => {
          current.off('data', onData).off('error', end)
          if (error !== null || forgets) {
            current.destroy()
            stream = null
          }
          if (error === null) resolve(Buffer.concat(parts))
          else reject(error)
        }
        const onData = (part: Buffer): void => {
          length += part.length
          if (length > maxMessageBytes) end(new RangeError('message too long'))
          else parts.push(part)
        }
        current.on('data', onData).on('error', end)
        current.write(Buffer.concat([data, flushed]))
        current.flush(() => end(null))
      }),
    close: () => void stream?.destroy(),
  }
}

/**
 * @param keepBytes payloads up to this size are given whole; of longer ones only length and hash.
 * @param onMessage given each message with its payload, of whatever size, before the next is read
 */
export async function readWebSocket(
  exchange: Exchange,
  direction: 'sent' | 'received',
  keepBytes: number,
  onMessage?: (message: WebSocketMessage, payload: Buffer) => void | Promise<void>,
): Promise<WebSocketReading> {
  const { upgraded } = exchange
  const messages: WebSocketMessage[] = []
  if (upgraded === null) return { messages, damage: null }
  const deflate = agreedDeflate(exchange, direction)
  if (deflate === 'unknown') return { messages, damage: 'undecodable' }
  const instantOf = createInstantReader(direction === 'sent' ? upgraded.sent_at : upgraded.received_at)
  const inflater = deflate === null ? null : createMessageInflater(deflate.forgets)
  let held: Buffer = Buffer.alloc(0)
  let offset = 0
  let under: { opcode: number; compressed: boolean; frames: number; parts: Buffer[]; bytes: number } | null = null

  const take = async (message: NonNullable<typeof under>): Promise<boolean> => {
    const type = types[message.opcode]
    if (type === undefined) return false
    const joined = Buffer.concat(message.parts)
    const payload = message.compressed && inflater !== null ? await inflater.inflate(joined) : joined
    const read: WebSocketMessage = {
      direction,
      at: instantOf(Math.max(0, offset - 1)),
      type,
      frames: message.frames,
      compressed: message.compressed,
      bytes: payload.length,
      sha256: createHash('sha256').update(payload).digest('hex'),
      payload: payload.length <= keepBytes ? Buffer.from(payload) : null,
    }
    messages.push(read)
    await onMessage?.(read, payload)
    return true
  }

  /** Reads the frames that are whole; gives why it can't go on, or null. */
  const readFrames = async (): Promise<WebSocketReading['damage']> => {
    for (;;) {
      const frame = frameAt(held)
      if (frame === 'more') return null
      if (frame === 'malformed') return 'malformed'
      if (frame.end > maxMessageBytes) return 'over_limit'
      if (held.length < frame.end) return null
      const payload = unmask(held.subarray(frame.start, frame.end), frame.mask)
      held = held.subarray(frame.end)
      offset += frame.end
      const control = frame.opcode >= 8
      // Control frames stand alone, also between the frames of a message; RSV1 marks a message's first frame (RFC 7692 §6.1).
      if (control && (!frame.last || frame.compressed || payload.length > 125)) return 'malformed'
      if (!control && (frame.opcode === 0) !== (under !== null)) return 'malformed'
      if (frame.compressed && (deflate === null || frame.opcode === 0)) return 'malformed'
      if (messages.length >= maxMessages) return 'over_limit'
      if (control) {
        const alone = { opcode: frame.opcode, compressed: false, frames: 1, parts: [payload], bytes: payload.length }
        if (!(await take(alone))) return 'malformed'
        continue
      }
      under ??= { opcode: frame.opcode, compressed: frame.compressed, frames: 0, parts: [], bytes: 0 }
      under.frames += 1
      under.parts.push(payload)
      under.bytes += payload.length
      if (under.bytes > maxMessageBytes || under.frames > 100_000) return 'over_limit'
      if (!frame.last) continue
      const whole = under
      under = null
      if (!(await take(whole))) return 'malformed'
    }
  }

  try {
    for await (const chunk of readEntity(upgraded[direction])) {
      held = held.length === 0 ? chunk : Buffer.concat([held, chunk])
      const damage = await readFrames()
      if (damage !== null) return { messages, damage }
    }
    return { messages, damage: held.length > 0 || under !== null ? 'ends_inside_message' : null }
  } catch (error) {
    if (error instanceof Error && 'code' in error && String(error.code).startsWith('E')) throw error
    return { messages, damage: error instanceof RangeError ? 'over_limit' : 'undecodable' }
  } finally {
    inflater?.close()
  }
}

type Frame = {
  readonly last: boolean
  readonly compressed: boolean
  readonly opcode: number
  readonly mask: Buffer | null
  readonly start: number
  readonly end: number
}

/** Head of the frame that begins `bytes` (RFC 6455 §5.2). */
function frameAt(bytes: Buffer): Frame | 'more' | 'malformed' {
  const [first, second] = bytes
  if (first === undefined || second === undefined) return 'more'
  if ((first & 0x30) !== 0) return 'malformed'
  const short = second & 0x7f
  const extended = short === 126 ? 2 : short === 127 ? 8 : 0
  const masked = (second & 0x80) !== 0
  const start = 2 + extended + (masked ? 4 : 0)
  if (bytes.length < start) return 'more'
  const length = extended === 0 ? short : extended === 2 ? bytes.readUInt16BE(2) : Number(bytes.readBigUInt64BE(2))
  if (!Number.isSafeInteger(length)) return 'malformed'
  return {
    last: (first & 0x80) !== 0,
    compressed: (first & 0x40) !== 0,
    opcode: first & 15,
    mask: masked ? bytes.subarray(start - 4, start) : null,
    start,
    end: start + length,
  }
}

function unmask(payload: Buffer, mask: Buffer | null): Buffer {
  const out = Buffer.from(payload)
  if (mask !== null) for (let i = 0; i < out.length; i += 1) out[i] = (out[i] ?? 0) ^ (mask[i & 3] ?? 0)
  return out
}

/**
 * What passed after an upgrade without its secrets. Messages of a WebSocket are masked one by one, by themselves, decompressed and
 * unmasked (RFC 6455 §5.3, RFC 7692); a direction that held one is written anew, each message in a frame of its own.
 */
import { createHash } from 'node:crypto'
import type { Exchange, ExchangeBody, PassedAt, UpgradedStream } from '../record/exchange/exchange.ts'
import { readWebSocket, type WebSocketMessage } from '../record/http/read-websocket.ts'
import { maskBody, type BodyMasking } from './mask-body.ts'

const opcodes: Readonly<Record<WebSocketMessage['type'], number>> = { text: 1, binary: 2, close: 8, ping: 9, pong: 10 }

/** @param changed told the SHA-256 of each message before and after */
export async function maskSocket(
  exchange: Exchange,
  masking: BodyMasking,
  changed: (before: string, now: string) => void,
): Promise<UpgradedStream | null> {
  const { upgraded } = exchange
  if (upgraded === null) return null
  const of = async (direction: 'sent' | 'received'): Promise<{ body: ExchangeBody; marks: readonly PassedAt[] }> => {
    const marks = direction === 'sent' ? upgraded.sent_at : upgraded.received_at
    let times = 0
    if (upgraded.protocol === 'websocket')
      await readWebSocket(exchange, direction, 0, (_message, payload) => {
        times += masking.masker.mask(payload).times
      })
    if (times === 0) return { body: await maskBody({ fields: [], body: upgraded[direction] }, masking), marks }
    return await rewrite(exchange, direction, masking, changed)
  }
  const [sent, received] = [await of('sent'), await of('received')]
  return { ...upgraded, sent: sent.body, received: received.body, sent_at: sent.marks, received_at: received.marks }
}

async function rewrite(
  exchange: Exchange,
  direction: 'sent' | 'received',
  { masker, tally, store }: BodyMasking,
  changed: (before: string, now: string) => void,
): Promise<{ body: ExchangeBody; marks: readonly PassedAt[] }> {
  const marks: PassedAt[] = []
  const { write, finish } = store.begin()
  let offset = 0
  const { damage } = await readWebSocket(exchange, direction, 0, async (message, payload) => {
    const { bytes, times } = masker.mask(payload, tally)
    if (times > 0) changed(message.sha256, createHash('sha256').update(bytes).digest('hex'))
    const frame = frameOf(message.type, bytes, direction === 'sent')
    if (message.at !== null && marks.at(-1)?.at !== message.at) marks.push({ offset, at: message.at })
    offset += frame.length
    await write(frame)
  })
  const { raw, bytes, sha256 } = await finish()
  const before = exchange.upgraded?.[direction]
  const body: ExchangeBody = {
    raw,
    transfer: 'identity',
    wire_bytes: bytes,
    entity_bytes: bytes,
    entity_sha256: sha256,
    wire_sha256: sha256,
    content: { bytes, sha256 },
    // What could not be read after the last whole message is left out: a secret might be in it.
    truncated: before?.truncated ?? (damage === null || damage === 'ends_inside_message' ? null : 'body_incomplete'),
  }
  return { body, marks }
}

/** RFC 6455 §5.2: a whole message. What a client sends is masked; with a key of zeros it can be read as it is. */
function frameOf(type: WebSocketMessage['type'], payload: Buffer, fromClient: boolean): Buffer {
  const { length } = payload
  const extended = length < 126 ? 0 : length < 65_536 ? 2 : 8
  const head = Buffer.alloc(2 + extended + (fromClient ? 4 : 0))
  head[0] = 0x80 | opcodes[type]
  head[1] = (fromClient ? 0x80 : 0) | (extended === 0 ? length : extended === 2 ? 126 : 127)
  if (extended === 2) head.writeUInt16BE(length, 2)
  if (extended === 8) head.writeBigUInt64BE(BigInt(length), 2)
  return Buffer.concat([head, payload])
}

/**
 * `conn-NNNN.bin`: the bytes of one connection as they passed, framed (decision 0020). An 8-byte magic, then frames:
 *
 *   u32  sequence, unique and rising over all connections of the session (order of arrival)
 *   f64  milliseconds since the epoch
 *   u8   kind: 1 bytes from the client, 2 bytes from the server, 3 end of the client's side, 4 end of the server's side,
 *        5 reset by the client, 6 reset by the server
 *   u8×3 zero
 *   u32  length of the bytes that follow; 0 for kinds 3 to 6
 *
 * Numbers are big-endian. A frame is written before its bytes are passed on: an answer never stands before its cause.
 */
import { open } from 'node:fs/promises'
import type { RecordedChunk, RecordedConnection } from '../record/exchange/recorded-connection.ts'
import type { ConnectionRecord } from './connection-record.ts'

export const recordMagic = Buffer.from('PBTCONN1', 'latin1')
export const frameHeadBytes = 20

export type FrameKind = 'client' | 'server' | 'client_end' | 'server_end' | 'client_reset' | 'server_reset'
export const frameKinds: readonly FrameKind[] = ['client', 'server', 'client_end', 'server_end', 'client_reset', 'server_reset']

export type RecordFrame = {
  readonly sequence: number
  /** Milliseconds since the epoch. */
  readonly at: number
  readonly kind: FrameKind
  readonly bytes: Uint8Array
}

export function encodeFrameHead(sequence: number, at: number, kind: FrameKind, length: number): Buffer {
  const head = Buffer.alloc(frameHeadBytes)
  head.writeUInt32BE(sequence, 0)
  head.writeDoubleBE(at, 4)
  head.writeUInt8(frameKinds.indexOf(kind) + 1, 12)
  head.writeUInt32BE(length, 16)
  return head
}

/** A frame is never larger than this: the tunnel writes what one read of a socket gave it. */
const maxFrameBytes = 16 * 1024 * 1024
/** Most files end within the first read; what goes on is read in larger parts, each of which costs about the same. */
const firstReadBytes = 64 * 1024
const readBytes = 1024 * 1024

/**
 * Frames of a record file in order, in bounded memory.
 * @throws RangeError when the file is damaged. A last frame cut short (the process was killed) ends the iteration.
 */
export async function* readRecordFile(file: string): AsyncGenerator<RecordFrame> {
  const handle = await open(file, 'r')
  try {
    let pending = Buffer.alloc(0)
    let started = false
    let reading = firstReadBytes
    for (;;) {
      const wanted = started ? frameHeadBytes : recordMagic.length
      const length = started && pending.length >= frameHeadBytes ? pending.readUInt32BE(16) : 0
      if (length > maxFrameBytes) throw new RangeError(`frame of ${length} bytes`)
      if (pending.length < wanted + length) {
        const buffer = Buffer.allocUnsafe(Math.max(reading, wanted + length - pending.length))
        reading = readBytes
        const { bytesRead } = await handle.read(buffer, 0, buffer.length, null)
        if (bytesRead === 0) return
        pending = pending.length === 0 ? buffer.subarray(0, bytesRead) : Buffer.concat([pending, buffer.subarray(0, bytesRead)])
        continue
      }
      if (!started) {
        if (!pending.subarray(0, wanted).equals(recordMagic)) throw new RangeError('not a connection record')
        started = true
        pending = pending.subarray(wanted)
        continue
      }
      const kind = frameKinds[pending.readUInt8(12) - 1]
      if (kind === undefined) throw new RangeError('unknown kind of frame')
      yield {
        sequence: pending.readUInt32BE(0),
        at: pending.readDoubleBE(4),
        kind,
        bytes: pending.subarray(wanted, wanted + length),
      }
      pending = pending.subarray(wanted + length)
    }
  } finally {
    await handle.close()
  }
}

async function* chunksOf(file: string): AsyncGenerator<RecordedChunk> {
  for await (const { at, kind, bytes } of readRecordFile(file)) {
    if (kind === 'client' || kind === 'server') yield { at, from: kind, bytes }
  }
}

/**
 * The opened connections in the shape that the record is derived from. Refused ones are left out. The end of the session is
 * no cut: a browser that closes does the same, and a message it interrupts shows in the bytes.
 */
export function recordedConnections(records: readonly ConnectionRecord[]): RecordedConnection[] {
  return records.flatMap(({ id, host, port, remote_address, remote_port, opened_at, cut, file }) =>
    file === null || remote_address === null || remote_port === null || opened_at === null
      ? []
      : [
          {
            id,
            host,
            port,
            remote_address,
            remote_port,
            opened_at,
            cut: cut === 'session_closed' ? null : cut,
            chunks: () => chunksOf(file),
          },
        ],
  )
}

/** The session's record as it grows: one file per connection, one order of events, totals, limits and the rolling hash. */
import { createWriteStream } from 'node:fs'
import { join } from 'node:path'
import type { Clock } from '../../../../kernel/clock.ts'
import type { ConnectionRecord, RollingHash, TunnelLimits, TunnelTotals } from './connection-record.ts'
import { encodeFrameHead, recordMagic, type FrameKind } from './record-file.ts'
import { createRollingHasher } from './rolling-hash.ts'

/** A record while it is being made. */
export type LiveRecord = { -readonly [Key in keyof ConnectionRecord]: ConnectionRecord[Key] }

export type ConnectionWriter = {
  /**
   * Keeps bytes before they are passed on. `refused` when a limit forbids them: they are then neither kept nor passed.
   * `wait`: kept, and the caller pauses until `drained` calls back.
   */
  append(
    direction: 'client' | 'server',
    bytes: Buffer,
  ): 'kept' | 'wait' | 'bytes_per_connection' | 'bytes_total' | 'record_failed'
  /** Calls back once when the file has caught up. */
  readonly drained: (callback: () => void) => void
  mark(kind: Exclude<FrameKind, 'client' | 'server'>): void
  /** Resolves when every byte is in the file; `record_failed` is told by the result. */
  finish(): Promise<'whole' | 'record_failed'>
}

export type SessionRecord = {
  readonly records: readonly LiveRecord[]
  readonly now: () => number
  /** A request came in; it gets a record whatever becomes of it. */
  add(request: Pick<ConnectionRecord, 'kind' | 'host' | 'port'>): LiveRecord
  open(record: LiveRecord, onFailure: (error: Error) => void): ConnectionWriter
  readonly totals: () => TunnelTotals
  readonly checkpoint: () => RollingHash
}

/** Bytes that may wait for the disk, per connection. */
const fileHighWaterMark = 512 * 1024

export function createSessionRecord(deps: {
  readonly recordDir: string
  readonly clock: Clock
  readonly limits: TunnelLimits
}): SessionRecord {
  const records: LiveRecord[] = []
  const rolling = createRollingHasher()
  let sequence = 0
  let streams = 0
  let sent = 0
  let received = 0
  const now = (): number => deps.clock.now().getTime()

  const open = (record: LiveRecord, onFailure: (error: Error) => void): ConnectionWriter => {
    const stream = streams
    streams += 1
    record.stream = stream
    record.state = 'open'
    record.opened_at = now()
    record.opened_sequence = sequence
    sequence += 1
    record.file = join(deps.recordDir, `${record.id}.bin`)
    const file = createWriteStream(record.file, { flags: 'wx', mode: 0o600, highWaterMark: fileHighWaterMark })
    let failure: Error | null = null
    file.on('error', (error) => {
      failure ??= error
      onFailure(error)
    })
    file.write(recordMagic)
    const frame = (kind: FrameKind, bytes: Buffer | null): boolean => {
      const head = encodeFrameHead(sequence, now(), kind, bytes?.length ?? 0)
      sequence += 1
      file.cork()
      let room = file.write(head)
      if (bytes !== null) room = file.write(bytes)
      // Uncorked in the next tick so that the frames of one turn go out in one writev.
      process.nextTick(() => file.uncork())
      return room
    }
    return {
      append: (direction, bytes) => {
        if (failure !== null) return 'record_failed'
        if (record.bytes_sent + record.bytes_received + bytes.length > deps.limits.bytesPerConnection)
          return 'bytes_per_connection'
        if (sent + received + bytes.length > deps.limits.bytesTotal) return 'bytes_total'
        if (direction === 'client') {
          record.bytes_sent += bytes.length
          sent += bytes.length
        } else {
          record.bytes_received += bytes.length
          received += bytes.length
        }
        rolling.add(stream, direction, bytes)
        return frame(direction, bytes) ? 'kept' : 'wait'
      },
      drained: (callback) => {
        if (failure !== null || !file.writableNeedDrain) callback()
        else file.once('drain', callback)
      },
      mark: (kind) => {
        if (failure === null) frame(kind, null)
      },
      finish: () =>
        new Promise((resolve) => {
          const end = (): void => resolve(failure === null ? 'whole' : 'record_failed')
          if (file.closed) return end()
          file.once('close', end)
          file.end()
        }),
    }
  }

  return {
    records,
    now,
    add: ({ kind, host, port }) => {
      const record: LiveRecord = {
        id: `conn-${String(records.length + 1).padStart(4, '0')}`,
        stream: null,
        kind,
        state: 'pending',
        host,
        port,
        remote_address: null,
        remote_port: null,
        allowed_exception: false,
        attempts: [],
        requested_at: now(),
        opened_at: null,
        closed_at: null,
        opened_sequence: null,
        bytes_sent: 0,
        bytes_received: 0,
        sni: null,
        sni_mismatch: false,
        refusal: null,
        cut: null,
        ended_by: null,
        file: null,
      }
      records.push(record)
      return record
    },
    open,
    totals: () => ({
      requests: records.length,
      opened: streams,
      refused: records.filter(({ state }) => state === 'refused').length,
      open: records.filter(({ state }) => state === 'open').length,
      bytes_sent: sent,
      bytes_received: received,
    }),
    checkpoint: () => ({ sha256: rolling.digest(), bytes: sent + received, at: now() }),
  }
}

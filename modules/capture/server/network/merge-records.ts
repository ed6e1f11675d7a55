/** The frames of all connections of a session in the order in which they passed, in bounded memory. */
import type { ConnectionRecord } from './connection-record.ts'
import { readRecordFile, type RecordFrame } from './record-file.ts'

export type SessionFrame =
  | { readonly kind: 'open'; readonly record: OpenedRecord; readonly at: number; readonly sequence: number }
  | { readonly kind: 'frame'; readonly record: OpenedRecord; readonly frame: RecordFrame }

export type OpenedRecord = ConnectionRecord & {
  readonly stream: number
  readonly opened_at: number
  readonly opened_sequence: number
  readonly remote_address: string
  readonly remote_port: number
  readonly file: string
}

type Source = { readonly record: OpenedRecord; readonly frames: AsyncGenerator<RecordFrame>; next: RecordFrame }

export function isOpened(record: ConnectionRecord): record is OpenedRecord {
  return (
    record.stream !== null &&
    record.opened_at !== null &&
    record.opened_sequence !== null &&
    record.remote_address !== null &&
    record.remote_port !== null &&
    record.file !== null
  )
}

/**
 * A file is open only between the opening of its connection and its last frame, so that as many are open at a time as there
 * were connections at a time. @throws RangeError on a damaged file.
 */
export async function* mergeRecords(records: readonly ConnectionRecord[]): AsyncGenerator<SessionFrame> {
  const waiting = records.filter(isOpened).sort((a, b) => a.opened_sequence - b.opened_sequence)
  const sources: Source[] = []
  try {
    for (;;) {
      let first: Source | undefined
      for (const source of sources) if (first === undefined || source.next.sequence < first.next.sequence) first = source
      const opening = waiting[0]
      if (opening !== undefined && (first === undefined || opening.opened_sequence < first.next.sequence)) {
        waiting.shift()
        yield { kind: 'open', record: opening, at: opening.opened_at, sequence: opening.opened_sequence }
        const frames = readRecordFile(opening.file)
        const frame = await frames.next()
        if (!frame.done) sources.push({ record: opening, frames, next: frame.value })
        continue
      }
      if (first === undefined) return
      yield { kind: 'frame', record: first.record, frame: first.next }
      const frame = await first.frames.next()
      if (frame.done) sources.splice(sources.indexOf(first), 1)
      else first.next = frame.value
    }
  } finally {
    for (const { frames } of sources) await frames.return(undefined)
  }
}

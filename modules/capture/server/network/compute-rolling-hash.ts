import type { ConnectionRecord } from './connection-record.ts'
import { mergeRecords } from './merge-records.ts'
import { createRollingHasher } from './rolling-hash.ts'

/**
 * The rolling hash as the files give it, over the first `bytes` payload bytes of the session (all by default): equals what
 * the tunnel said when it had passed that many. Lower-case hexadecimal SHA-256.
 */
export async function computeRollingHash(records: readonly ConnectionRecord[], bytes = Infinity): Promise<string> {
  const rolling = createRollingHasher()
  let left = bytes
  for await (const event of mergeRecords(records)) {
    if (event.kind === 'open' || (event.frame.kind !== 'client' && event.frame.kind !== 'server')) continue
    const part = event.frame.bytes.subarray(0, Math.min(left, event.frame.bytes.length))
    rolling.add(event.record.stream, event.frame.kind, part)
    left -= part.length
    if (left <= 0) break
  }
  return rolling.digest()
}

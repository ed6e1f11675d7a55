/**
 * The rolling hash (decision 0022): one SHA-256 over all payload bytes of the session in the order in which they passed.
 * Whoever has the PCAP can compute it again. The input of the hash is a row of runs; a run is a longest stretch of bytes of
 * one connection in one direction:
 *
 *   u32 stream (order of opening, tshark's `tcp.stream`) · u8 direction (1 to the origin, 2 from it) · the bytes · u64 their count
 *
 * Numbers are big-endian. The count stands at the end so that runs can be hashed as they come; read from the end, the row
 * can be cut in one way only.
 */
import { createHash, type Hash } from 'node:crypto'

export type RollingHasher = {
  add(stream: number, direction: 'client' | 'server', bytes: Uint8Array): void
  /** Hash of everything so far; adding goes on. Lower-case hexadecimal. */
  digest(): string
}

export function createRollingHasher(): RollingHasher {
  const hash = createHash('sha256')
  let run: { stream: number; direction: 'client' | 'server'; bytes: number } | null = null
  const end = (target: Hash): void => {
    if (run === null) return
    const count = Buffer.alloc(8)
    count.writeBigUInt64BE(BigInt(run.bytes))
    target.update(count)
  }
  return {
    add: (stream, direction, bytes) => {
      if (bytes.length === 0) return
      if (run === null || run.stream !== stream || run.direction !== direction) {
        end(hash)
        const head = Buffer.alloc(5)
        head.writeUInt32BE(stream)
        head.writeUInt8(direction === 'client' ? 1 : 2, 4)
        hash.update(head)
        run = { stream, direction, bytes: 0 }
      }
      hash.update(bytes)
      run.bytes += bytes.length
    },
    digest: () => {
      const copy = hash.copy()
      end(copy)
      return copy.digest('hex')
    },
  }
}

import { crc32 } from 'node:zlib'

/** RFC 1951 §3.2.4: a stored block holds at most this much. */
const longestBlock = 65_535
/** RFC 1952 §2.3: deflate, no flags, no time, no extra flags, Unix; as zlib writes it. */
const memberHeader = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3])

const trailerBytes = 13
/** Written at once: eight blocks. */
const stageBytes = 8 * (longestBlock + 5)

/**
 * A gzip member whose content is stored, not compressed: what zlib makes at level 0, without a copy of each byte through it. The
 * parts may stand in the same memory, one after the other; so do the bytes given to `write`, which are its own until it resolves.
 * @returns bytes of the member
 */
export async function writeStoredGzip(
  parts: AsyncIterable<Uint8Array>,
  write: (bytes: Uint8Array) => Promise<void>,
): Promise<number> {
  const stage = Buffer.allocUnsafe(stageBytes)
  let [crc, length, used, written] = [0, 0, 0, 0]
  const flush = async (): Promise<void> => {
    await write(stage.subarray(0, used))
    written += used
    used = 0
  }
  stage.set(memberHeader)
  used = memberHeader.length
  for await (const part of parts) {
    crc = crc32(part, crc)
    length += part.length
    for (let at = 0; at < part.length;) {
      if (used + 5 >= stageBytes) await flush()
      const block = part.subarray(at, at + Math.min(longestBlock, stageBytes - used - 5))
      stage.writeUInt8(0, used)
      stage.writeUInt16LE(block.length, used + 1)
      stage.writeUInt16LE(block.length ^ 0xffff, used + 3)
      stage.set(block, used + 5)
      used += 5 + block.length
      at += block.length
    }
  }
  if (used + trailerBytes > stageBytes) await flush()
  // The last block, empty, then checksum and length modulo 2^32 (RFC 1952 §2.3.1).
  stage.set([1, 0, 0, 0xff, 0xff], used)
  stage.writeUInt32LE(crc, used + 5)
  stage.writeUInt32LE(length % 0x1_0000_0000, used + 9)
  used += trailerBytes
  await flush()
  return written
}

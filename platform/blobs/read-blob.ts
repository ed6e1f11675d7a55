import type { BlobStore, ByteRange } from './blob-store.ts'

/** @throws RangeError */
export function assertRange(range: ByteRange | undefined, bytes: number): void {
  if (range === undefined) return
  const { start, end } = range
  if (!Number.isSafeInteger(start) || !Number.isSafeInteger(end) || start < 0 || start > end || end >= bytes) {
    throw new RangeError(`bytes ${start} to ${end} are not inside a blob of ${bytes} bytes`)
  }
}

/** @throws RangeError when the blob is longer than `maxBytes` */
export async function readAtMost(
  sha256: string,
  bytes: number,
  maxBytes: number,
  store: Pick<BlobStore, 'open'>,
): Promise<Buffer> {
  if (bytes > maxBytes) throw new RangeError(`blob ${sha256} has ${bytes} bytes, more than the ${maxBytes} asked for`)
  const chunks: Buffer[] = []
  for await (const chunk of await store.open(sha256)) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks)
}

/** A ZIP whose files are made as they are sent: stored, readable from front to back, of a length that nobody knows before. */
import { Readable } from 'node:stream'
import { crc32 } from 'node:zlib'
import { centralHeader, endOfDirectory, localHeader } from './zip-records.ts'

export type ZipFile = {
  /** `^[A-Za-z0-9._/-]+$`, unique. */
  readonly path: string
  readonly data: Uint8Array
}

/** Lines of the directory that are kept as one buffer. */
const together = 256

/**
 * Memory: one file, and some 130 octets for each that was sent. When `files` fails the stream breaks off, without the directory that makes
 * it an archive. Leaving the stream ends `files`.
 * @param stalledMs how long whoever reads may take nothing, and `longestMs` how long all may take, before the stream is destroyed
 */
export function zipStream(
  files: AsyncIterable<ZipFile>,
  { stalledMs, longestMs }: { readonly stalledMs: number; readonly longestMs: number },
): Readable {
  const end = (why: string) => () => stream.destroy(new Error(why))
  const timers = [
    setTimeout(end('nothing was read for too long'), stalledMs),
    setTimeout(end('it took too long'), longestMs),
  ] as const
  async function* watched(): AsyncGenerator<Uint8Array> {
    for await (const piece of zipped(files)) {
      yield piece
      timers[0].refresh()
    }
  }
  const stream = Readable.from(watched(), { objectMode: false, highWaterMark: 256 * 1024 })
  for (const timer of timers) timer.unref()
  stream.once('close', () => timers.forEach(clearTimeout))
  return stream
}

async function* zipped(files: AsyncIterable<ZipFile>): AsyncGenerator<Uint8Array> {
  let [offset, entries] = [0, 0]
  const directory: Buffer[] = []
  let lines: Buffer[] = []
  for await (const { path, data } of files) {
    const record = { path, bytes: data.length, crc32: crc32(data), offset }
    const header = localHeader(record)
    yield header
    if (data.length > 0) yield data
    offset += header.length + data.length
    entries += 1
    lines.push(centralHeader(record))
    if (lines.length === together) {
      directory.push(Buffer.concat(lines))
      lines = []
    }
  }
  directory.push(Buffer.concat(lines))
  let bytes = 0
  for (const part of directory) {
    bytes += part.length
    yield part
  }
  yield endOfDirectory({ entries, offset, bytes })
}

import { HashFailure } from './hash-failure.ts'

/** As much as Chromium hands over at once. */
const pieceBytes = 2 * 1024 * 1024

/** Chromium collects the stream of a file that nothing but a pending read knows, and that read never ends: what is read is held here. */
const beingRead = new Set<Reader>()

/**
 * Reads a file to its end. A byte stream is read into one buffer again and again, where the browser has that (Streams §3.5): as quick as
 * the file can be read, and nothing to be collected; elsewhere the stream gives pieces of its own.
 * @param size as long as it is taken to be
 * @param step awaited before each piece; what it throws ends the reading
 * @param take is given each piece, which is its own only while it is called
 * @throws HashFailure `unreadable`, or `changed` when the file is not as long as it was
 */
export async function readPieces(
  blob: Blob,
  size: number,
  step: () => Promise<void>,
  take: (piece: Uint8Array) => void,
): Promise<void> {
  const reader = open(blob, size)
  beingRead.add(reader)
  let at = 0
  try {
    for (;;) {
      await step()
      let piece: Uint8Array | null
      try {
        piece = await reader.read()
      } catch (error) {
        throw new HashFailure('unreadable', error)
      }
      if (piece === null) break
      at += piece.length
      if (at > size) break
      take(piece)
    }
  } finally {
    beingRead.delete(reader)
    // Of a stream that has ended or failed there is nothing to let go.
    reader.cancel().catch(() => undefined)
  }
  if (at !== size) throw new HashFailure('changed')
}

type Reader = { readonly read: () => Promise<Uint8Array | null>; readonly cancel: () => Promise<void> }

function open(blob: Blob, size: number): Reader {
  const stream = blob.stream()
  const bytes = byteReader(stream)
  if (bytes === null) {
    const pieces = stream.getReader()
    return { read: async () => (await pieces.read()).value ?? null, cancel: () => pieces.cancel() }
  }
  // One octet more than the file has is asked for at least, so that one that grew is noticed and an empty one can be read.
  let buffer = new ArrayBuffer(Math.min(pieceBytes, size + 1))
  return {
    read: async () => {
      const { done, value } = await bytes.read(new Uint8Array(buffer))
      if (done) return null
      buffer = value.buffer
      return value
    },
    cancel: () => bytes.cancel(),
  }
}

function byteReader(stream: ReadableStream<Uint8Array>): ReadableStreamBYOBReader | null {
  try {
    return stream.getReader({ mode: 'byob' })
  } catch {
    return null
  }
}

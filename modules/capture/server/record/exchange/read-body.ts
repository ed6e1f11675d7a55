/** Reads a spooled body back: as on the wire, without transfer coding, or decoded. Streams; memory is bounded. */
import { createReadStream } from 'node:fs'
import { Readable } from 'node:stream'
import type { Transform } from 'node:stream'
import { createBrotliDecompress, createGunzip, createInflate, createInflateRaw, createZstdDecompress } from 'node:zlib'
import type { ExchangeBody, HeaderField } from './exchange.ts'
import { createChunkedReader } from './read-chunked.ts'

/** The message body exactly as on the wire, chunked framing included. */
export async function* readWireBody(body: ExchangeBody): AsyncGenerator<Buffer> {
  if (body.raw.kind === 'bytes') {
    if (body.raw.bytes.length > 0) yield Buffer.from(body.raw.bytes)
  } else for await (const chunk of createReadStream(body.raw.file, { highWaterMark: 256 * 1024 })) yield chunk as Buffer
}

/** Without chunked framing; still content-encoded. */
export async function* readEntity(body: ExchangeBody): AsyncGenerator<Buffer> {
  if (body.transfer === 'identity') {
    yield* readWireBody(body)
    return
  }
  let parts: Buffer[] = []
  const reader = createChunkedReader(
    (bytes) => parts.push(bytes),
    () => undefined,
  )
  for await (const chunk of readWireBody(body)) {
    reader.push(chunk)
    yield* parts
    parts = []
  }
}

/** Content codings in the order in which they were applied (RFC 9110 §8.4); null when one is not known. */
export function contentCodings(fields: readonly HeaderField[]): string[] | null {
  const codings = fields
    .filter((field) => field.name.toLowerCase() === 'content-encoding')
    .flatMap((field) => field.value.split(',').map((coding) => coding.trim().toLowerCase()))
    .filter((coding) => coding !== '' && coding !== 'identity')
  return codings.every((coding) => ['gzip', 'x-gzip', 'deflate', 'br', 'zstd'].includes(coding)) && codings.length <= 4
    ? codings
    : null
}

function decoderOf(coding: string, firstByte: number): Transform {
  if (coding === 'br') return createBrotliDecompress()
  if (coding === 'zstd') return createZstdDecompress()
  // "deflate" is zlib by the standard and raw by habit; browsers take both (RFC 9110 §8.4.1.2).
  if (coding === 'deflate') return (firstByte & 15) === 8 ? createInflate() : createInflateRaw()
  return createGunzip()
}

/**
 * Decoded content of a message.
 * @throws RangeError past `limitBytes` or on an unknown coding; the decoder's error when the content is damaged.
 */
export async function* readContent(
  message: { readonly fields: readonly HeaderField[]; readonly body: ExchangeBody },
  limitBytes: number,
): AsyncGenerator<Buffer> {
  const codings = contentCodings(message.fields)
  if (codings === null) throw new RangeError('unknown content coding')
  if (codings.length === 0 || message.body.entity_bytes === 0) {
    yield* readEntity(message.body)
    return
  }
  let stream: Readable = Readable.from(readEntity(message.body), { objectMode: true, highWaterMark: 2 })
  const stages: Readable[] = [stream]
  for (const coding of codings.toReversed()) {
    const first = coding === 'deflate' && stages.length === 1 ? await firstByteOf(message.body) : 8
    const decoder = decoderOf(coding, first)
    const source = stream
    source.on('error', (error) => decoder.destroy(error))
    stream = source.pipe(decoder)
    stages.push(stream)
  }
  let total = 0
  try {
    for await (const chunk of stream) {
      const bytes = chunk as Buffer
      total += bytes.length
      if (total > limitBytes) throw new RangeError(`content longer than ${limitBytes} bytes`)
      yield bytes
    }
  } finally {
    for (const stage of stages) stage.destroy()
  }
}

async function firstByteOf(body: ExchangeBody): Promise<number> {
  for await (const chunk of readEntity(body)) if (chunk.length > 0) return chunk[0] ?? 8
  return 8
}

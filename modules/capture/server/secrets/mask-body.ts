/**
 * A message body without its secrets: looked for in what it holds once every coding is taken off, and coded again as it was. Where
 * there is none, the body stays as it is, octet for octet.
 */
import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import {
  createBrotliCompress,
  createBrotliDecompress,
  createDeflate,
  createDeflateRaw,
  createGunzip,
  createGzip,
  createInflate,
  createInflateRaw,
  createZstdCompress,
  createZstdDecompress,
} from 'node:zlib'
import type { ExchangeBody, HeaderField } from '../record/exchange/exchange.ts'
import { contentCodings, readEntity, readWireBody } from '../record/exchange/read-body.ts'
import { createChunkedReader } from '../record/exchange/read-chunked.ts'
import type { SecretMasker, Tally } from './mask-secrets.ts'
import type { BodyStore } from './store-body.ts'

export type BodyMasking = {
  readonly masker: SecretMasker
  readonly tally: Tally
  readonly store: BodyStore
  readonly contentBytes: number
}

type Parts = AsyncIterable<Uint8Array>
type Coding = 'gzip' | 'deflate' | 'deflate-raw' | 'br' | 'zstd'

const decoders = {
  gzip: createGunzip,
  deflate: createInflate,
  'deflate-raw': createInflateRaw,
  br: createBrotliDecompress,
  zstd: createZstdDecompress,
} as const
const encoders = {
  gzip: createGzip,
  deflate: createDeflate,
  'deflate-raw': createDeflateRaw,
  br: createBrotliCompress,
  zstd: createZstdCompress,
} as const

/** Scripts compress by hand what they send, and say nothing of it: so many layers are looked through. */
const mostLayers = 6

export async function maskBody(
  message: { readonly fields: readonly HeaderField[]; readonly body: ExchangeBody },
  { masker, tally, store, contentBytes }: BodyMasking,
): Promise<ExchangeBody> {
  let { body } = message
  if (body.wire_bytes === 0) return body
  const stated = contentCodings(message.fields) ?? []
  const layers = await layersOf(body, stated, contentBytes)

  // The innermost layer first, then what is around it, as it is once that is masked.
  for (let depth = layers.length; depth >= 0; depth -= 1) {
    const own = layers.slice(0, depth)
    let times = 0
    const end = { broken: false }
    await drain(masker.maskStream(decoded(readEntity(body), own, contentBytes, end), (count) => (times = count)))
    if (times === 0) continue
    const masked = masker.maskStream(decoded(readEntity(body), own, contentBytes, end), () => undefined, tally)
    const entity = counted(coded(masked, own))
    const same = depth === 0 && body.transfer === 'chunked'
    const kept = await store.keep(
      body.transfer === 'identity'
        ? entity.parts
        : same
          ? reframed(body, entity.parts, masker)
          : framed(body, entity.parts, masker),
    )
    const next: ExchangeBody = {
      raw: kept.raw,
      transfer: body.transfer,
      wire_bytes: kept.bytes,
      wire_sha256: kept.sha256,
      entity_bytes: entity.bytes(),
      entity_sha256: entity.sha256(),
      content: null,
      // What could not be decoded any more is not there any more.
      truncated: body.truncated ?? (end.broken ? 'content_undecodable' : null),
    }
    const content = decoded(readEntity(next), layers.slice(0, stated.length), contentBytes, { broken: false })
    body = { ...next, content: body.content === null ? null : await accountOf(content) }
  }
  if (body.transfer === 'identity') return body
  // Extensions of chunks and trailers are on the wire only.
  let outside = 0
  await drain(masker.maskStream(readWireBody(body), (count) => (outside = count)))
  if (outside === 0) return body
  const kept = await store.keep(masker.maskStream(readWireBody(body), () => undefined, tally))
  return { ...body, raw: kept.raw, wire_sha256: kept.sha256 }
}

/** The codings that were stated, and those that the content shows by its first octets (RFC 1952 §2.3.1, RFC 1950 §2.2). */
async function layersOf(body: ExchangeBody, stated: readonly string[], limit: number): Promise<readonly Coding[]> {
  const layers: Coding[] = []
  for (const coding of stated.toReversed()) {
    const plain = coding === 'deflate' && (((await headOf(body, layers, limit))[0] ?? 8) & 15) !== 8
    layers.push(plain ? 'deflate-raw' : coding === 'x-gzip' ? 'gzip' : (coding as Coding))
  }
  while (layers.length < stated.length + mostLayers) {
    const [a = 0, b = 0, c = 0, d = 0] = await headOf(body, layers, limit)
    const gzip = a === 0x1f && b === 0x8b && c === 8
    const zlib = (a & 0x8f) === 0x08 && (a * 256 + b) % 31 === 0 && a === 0x78
    const zstd = a === 0x28 && b === 0xb5 && c === 0x2f && d === 0xfd
    if (!gzip && !zlib && !zstd) break
    layers.push(gzip ? 'gzip' : zlib ? 'deflate' : 'zstd')
  }
  return layers
}

async function headOf(body: ExchangeBody, layers: readonly Coding[], limit: number): Promise<Buffer> {
  let head = Buffer.alloc(0)
  for await (const part of decoded(readEntity(body), layers, limit, { broken: false })) {
    head = Buffer.concat([head, part.subarray(0, 4)])
    if (head.length >= 4) break
  }
  return head
}

/** Ends where it cannot be decoded any further, or at the limit: then `end` says that it is broken. */
async function* decoded(
  parts: Parts,
  layers: readonly Coding[],
  limit: number,
  end: { broken: boolean },
): AsyncGenerator<Buffer> {
  let stream: Readable = Readable.from(parts, { objectMode: true, highWaterMark: 2 })
  const stages: Readable[] = [stream]
  for (const layer of layers) {
    const decoder = decoders[layer]()
    stream.on('error', (error) => decoder.destroy(error))
    stream = stream.pipe(decoder)
    stages.push(stream)
  }
  let total = 0
  try {
    for await (const chunk of stream) {
      const part = chunk as Buffer
      total += part.length
      if (total > limit) {
        end.broken = true
        return
      }
      yield part
    }
  } catch (error) {
    // Of a file that cannot be read; a decoder's codes begin otherwise.
    if (layers.length === 0 || (error instanceof Error && 'syscall' in error)) throw error
    end.broken = true
  } finally {
    for (const stage of stages) stage.destroy()
  }
}

function coded(parts: Parts, layers: readonly Coding[]): Parts {
  let stream: Readable = Readable.from(parts, { objectMode: true, highWaterMark: 2 })
  for (const layer of layers.toReversed()) {
    const encoder = encoders[layer]()
    stream.on('error', (error) => encoder.destroy(error))
    stream = stream.pipe(encoder)
  }
  return stream
}

function counted(entity: Parts): { readonly parts: Parts; bytes(): number; sha256(): string } {
  const hash = createHash('sha256')
  let [bytes, digest]: [number, string | null] = [0, null]
  async function* parts(): AsyncGenerator<Uint8Array> {
    for await (const part of entity) {
      hash.update(part)
      bytes += part.length
      yield part
    }
  }
  return { parts: parts(), bytes: () => bytes, sha256: () => (digest ??= hash.digest('hex')) }
}

/** Chunks anew, since lengths are others; trailers as they were. */
async function* framed(body: ExchangeBody, entity: Parts, masker: SecretMasker): AsyncGenerator<Uint8Array> {
  const reader = createChunkedReader(
    () => undefined,
    () => undefined,
  )
  for await (const part of readWireBody(body)) reader.push(part)
  for await (const part of entity)
    if (part.length > 0) yield Buffer.concat([Buffer.from(`${part.length.toString(16)}\r\n`), part, Buffer.from('\r\n')])
  if (reader.done()) yield Buffer.concat([Buffer.from('0\r\n'), masker.mask(reader.trailer()).bytes, Buffer.from('\r\n')])
}

/** The same chunks: what is masked is as long as it was. */
async function* reframed(body: ExchangeBody, entity: Parts, masker: SecretMasker): AsyncGenerator<Uint8Array> {
  const masked = entity[Symbol.asyncIterator]()
  let held: Buffer = Buffer.alloc(0)
  let pieces: { readonly data: boolean; readonly bytes: Buffer }[] = []
  const reader = createChunkedReader(
    (bytes) => pieces.push({ data: true, bytes }),
    (bytes) => pieces.push({ data: false, bytes: Buffer.from(bytes) }),
  )
  for await (const part of readWireBody(body)) {
    reader.push(part)
    for (const { data, bytes } of pieces) {
      if (!data) {
        yield masker.mask(bytes).bytes
        continue
      }
      while (held.length < bytes.length) {
        const next = await masked.next()
        if (next.done === true) break
        held = Buffer.concat([held, next.value])
      }
      yield held.subarray(0, bytes.length)
      held = held.subarray(bytes.length)
    }
    pieces = []
  }
  // To its end, so that it is counted whole.
  while ((await masked.next()).done !== true);
}

async function accountOf(parts: Parts): Promise<{ readonly bytes: number; readonly sha256: string }> {
  const hash = createHash('sha256')
  let bytes = 0
  for await (const part of parts) {
    hash.update(part)
    bytes += part.length
  }
  return { bytes, sha256: hash.digest('hex') }
}

async function drain(parts: Parts): Promise<void> {
  for await (const _part of parts);
}

import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'

/**
 * A piece as it is stored: segments of 64 KiB, the last one shorter, each AES-256-GCM as nonce (random, 96 bits: NIST SP 800-38D §8.2.2),
 * ciphertext, tag. Each is bound to its place, and what is read of one was authenticated first, whatever part of a file is asked for.
 */
export const segmentBytes = 64 * 1024
const nonceBytes = 12
const tagBytes = 16
const sealedBytes = nonceBytes + segmentBytes + tagBytes

/** Stored length of a piece of so many bytes. */
export function sealedLength(bytes: number): number {
  return bytes + Math.ceil(bytes / segmentBytes) * (nonceBytes + tagBytes)
}

/** Where the piece of a copy belongs. Of a slice of it the segments are counted on from those before. */
export type PartPlace = { readonly copyId: string; readonly part: number }

const placeOf = ({ copyId, part }: PartPlace, segment: number) => Buffer.from(JSON.stringify([1, copyId, part, segment]))

export class PartDamaged extends Error {
  override readonly name = 'PartDamaged'
  readonly part: number
  constructor(part: number, cause?: unknown) {
    super(`piece ${String(part)} of a copy is damaged`, cause === undefined ? undefined : { cause })
    this.part = part
  }
}

/** Chunks of whatever length as chunks of that length, the last one shorter. Each is good until the next is asked for: all are one buffer. */
async function* inPieces(chunks: AsyncIterable<Uint8Array>, length: number): AsyncGenerator<Buffer> {
  const piece = Buffer.allocUnsafe(length)
  let bytes = 0
  for await (const chunk of chunks) {
    for (let at = 0; at < chunk.length;) {
      const taken = chunk.subarray(at, at + length - bytes)
      piece.set(taken, bytes)
      bytes += taken.length
      at += taken.length
      if (bytes < length) continue
      yield piece
      bytes = 0
    }
  }
  if (bytes > 0) yield piece.subarray(0, bytes)
}

/** As many segments are written at a time. */
const segmentsAtOnce = 8

/**
 * Some segments of it are in memory at a time. Each chunk is good until the next is asked for: whoever keeps one longer copies it.
 * @param from of a slice: at which byte of the piece it begins, a multiple of a segment
 */
export async function* sealPart(
  key: Uint8Array,
  place: PartPlace,
  clear: AsyncIterable<Uint8Array>,
  from = 0,
): AsyncGenerator<Buffer> {
  const sealed = Buffer.allocUnsafe(segmentsAtOnce * sealedBytes)
  let used = 0
  let segment = from / segmentBytes
  for await (const piece of inPieces(clear, segmentBytes)) {
    const nonce = randomBytes(nonceBytes)
    const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(placeOf(place, segment))
    for (const bytes of [nonce, cipher.update(piece), cipher.final(), cipher.getAuthTag()]) {
      sealed.set(bytes, used)
      used += bytes.length
    }
    segment += 1
    if (used + sealedBytes <= sealed.length) continue
    yield sealed.subarray(0, used)
    used = 0
  }
  if (used > 0) yield sealed.subarray(0, used)
}

/** What is stored of the bytes `start` to `end`, exclusive, of a piece of that length: whole segments. `end` is inclusive, as blobs have it. */
export function sealedRange(length: number, start: number, end: number): { readonly start: number; readonly end: number } {
  const first = Math.floor(start / segmentBytes)
  const last = Math.ceil(end / segmentBytes)
  return { start: first * sealedBytes, end: Math.min(last * sealedBytes, sealedLength(length)) - 1 }
}

/**
 * The clear bytes `start` to `end`, exclusive, from what {@link sealedRange} names.
 * @throws PartDamaged before a byte of a segment that was changed, moved or cut; when the whole is shorter than asked for
 */
export async function* openPart(
  key: Uint8Array,
  place: PartPlace,
  sealed: AsyncIterable<Uint8Array>,
  { start, end }: { readonly start: number; readonly end: number },
): AsyncGenerator<Buffer> {
  let segment = Math.floor(start / segmentBytes)
  for await (const piece of inPieces(sealed, sealedBytes)) {
    const clear = openSegment(key, place, segment, piece)
    const at = segment * segmentBytes
    const wanted = clear.subarray(Math.max(0, start - at), Math.max(0, end - at))
    segment += 1
    if (wanted.length > 0) yield wanted
  }
  if (segment * segmentBytes < end) throw new PartDamaged(place.part)
}

function openSegment(key: Uint8Array, place: PartPlace, segment: number, sealed: Buffer): Buffer {
  if (sealed.length <= nonceBytes + tagBytes) throw new PartDamaged(place.part)
  const decipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(0, nonceBytes), { authTagLength: tagBytes })
    .setAAD(placeOf(place, segment))
    .setAuthTag(sealed.subarray(-tagBytes))
  const clear = decipher.update(sealed.subarray(nonceBytes, -tagBytes))
  try {
    decipher.final()
  } catch (error) {
    throw new PartDamaged(place.part, error)
  }
  return clear
}

import { createByteQueue } from './byte-queue.ts'

/** The stream is not what our encoder writes. */
export class MalformedStream extends Error {
  override readonly name = 'MalformedStream'
}

export type FlvListener = {
  /** AVCDecoderConfigurationRecord (ISO/IEC 14496-15 §5.3.3.1). Once, before the first picture. */
  config(record: Uint8Array): void
  /** `timeMs`: the tag's 32 bits, which wrap. */
  picture(bytes: Uint8Array, timeMs: number, key: boolean): void
}

/** Longest tag taken: a picture of 1280×840 without any compression is under. */
const maxTagBytes = 4 * 1024 * 1024
const tagHeader = 11

/**
 * Reads FLV (Video File Format Specification 10, annex E) with one track of H.264, as it is written. Strict: what our encoder would not write
 * throws.
 */
export function createFlvReader(listener: FlvListener): { push(bytes: Uint8Array): void } {
  const queue = createByteQueue(maxTagBytes + 1024 * 1024)
  let state: 'header' | 'tag' = 'header'
  let configured = false

  const readTag = (tag: Uint8Array): void => {
    const view = new DataView(tag.buffer, tag.byteOffset, tag.byteLength)
    const size = tag.length - tagHeader - 4
    if (view.getUint32(tag.length - 4) !== size + tagHeader) throw new MalformedStream('FLV: size after a tag')
    if (view.getUint32(7) >>> 8 !== 0) throw new MalformedStream('FLV: stream id')
    const type = view.getUint8(0)
    // Script data: what the file is made of. Nothing is taken from it.
    if (type === 18) return
    if (type !== 9) throw new MalformedStream(`FLV: tag of type ${String(type)}`)
    if (size < 5) throw new MalformedStream('FLV: short video tag')
    const frame = view.getUint8(tagHeader)
    if ((frame & 15) !== 7) throw new MalformedStream('FLV: not H.264')
    const packet = view.getUint8(tagHeader + 1)
    const body = tag.subarray(tagHeader + 5, tag.length - 4)
    if (packet === 0) {
      if (configured || body.length < 7 || body[0] !== 1 || (body[4] ?? 0) !== 0xff)
        throw new MalformedStream('FLV: configuration of the decoder')
      configured = true
      return listener.config(body)
    }
    // The end of the stream.
    if (packet === 2) return
    if (packet !== 1 || !configured) throw new MalformedStream('FLV: picture before its configuration')
    if (view.getUint32(tagHeader + 1) << 8 !== 0) throw new MalformedStream('FLV: pictures out of order')
    checkUnits(body)
    const kind = frame >> 4
    if (kind !== 1 && kind !== 2) throw new MalformedStream('FLV: kind of picture')
    listener.picture(body, ((view.getUint8(7) << 24) | (view.getUint32(4) >>> 8)) >>> 0, kind === 1)
  }

  return {
    push: (bytes) => {
      queue.push(bytes)
      for (;;) {
        if (state === 'header') {
          const head = queue.peek(13)
          if (head === null) return
          if (String.fromCharCode(...head.subarray(0, 3)) !== 'FLV' || head[3] !== 1) throw new MalformedStream('FLV: signature')
          if (head[8] !== 9) throw new MalformedStream('FLV: length of the header')
          queue.take(13)
          state = 'tag'
        }
        const head = queue.peek(tagHeader)
        if (head === null) return
        const size = ((head[1] ?? 0) << 16) | ((head[2] ?? 0) << 8) | (head[3] ?? 0)
        if (size > maxTagBytes) throw new MalformedStream('FLV: a tag is too long')
        const tag = queue.take(tagHeader + size + 4)
        if (tag === null) return
        readTag(tag)
      }
    },
  }
}

/** Units with four octets of length before each fill the picture exactly, and there is one. */
function checkUnits(body: Uint8Array): void {
  const view = new DataView(body.buffer, body.byteOffset, body.byteLength)
  let at = 0
  while (at < body.length) {
    if (at + 4 > body.length) throw new MalformedStream('H.264: a cut length')
    const length = view.getUint32(at)
    if (length === 0 || at + 4 + length > body.length) throw new MalformedStream('H.264: length of a unit')
    at += 4 + length
  }
  if (at === 0) throw new MalformedStream('H.264: an empty picture')
}

/**
 * FLV (Adobe, Video File Format Specification 10.1, annex E): what pictures travel in between this process and ffmpeg. A
 * picture is whole as soon as its bytes are there, on both sides; other containers wait for the next one.
 */
import type { MediaSample } from '../../../../../platform/display/recorded-display.ts'

const largestTag = 8 << 20
const videoTag = 9
const avc = 7

/** Begins a stream of pictures that are decoded with this AVCDecoderConfigurationRecord. */
export function flvHead(avcC: Uint8Array): Buffer {
  const header = Buffer.from([0x46, 0x4c, 0x56, 1, 1, 0, 0, 0, 9, 0, 0, 0, 0])
  return Buffer.concat([header, tag(avcC, 0, true, 0)])
}

export function flvPicture({ bytes, key, timeUs }: MediaSample): Buffer {
  return tag(bytes, Math.floor(timeUs / 1000), key, 1)
}

function tag(bytes: Uint8Array, ms: number, key: boolean, packet: 0 | 1): Buffer {
  const out = Buffer.alloc(11 + 5 + bytes.length + 4)
  out.writeUInt8(videoTag, 0)
  out.writeUIntBE(5 + bytes.length, 1, 3)
  out.writeUIntBE(ms & 0xffffff, 4, 3)
  out.writeUInt8((ms >>> 24) & 0x7f, 7)
  out.writeUInt8((key ? 0x10 : 0x20) | avc, 11)
  out.writeUInt8(packet, 12)
  out.set(bytes, 16)
  out.writeUInt32BE(out.length - 4, out.length - 4)
  return out
}

export type FlvPart = { readonly config: boolean; readonly key: boolean; readonly bytes: Buffer }

/** Takes the stream in any pieces; memory is bounded by one picture. @throws RangeError when it is no such stream */
export function flvReader(onPart: (part: FlvPart) => void): (piece: Buffer) => void {
  let held: Buffer = Buffer.alloc(0)
  let begun = false
  return (piece) => {
    held = held.length === 0 ? piece : Buffer.concat([held, piece])
    if (!begun) {
      if (held.length < 13) return
      if (held.toString('latin1', 0, 3) !== 'FLV') throw new RangeError('not FLV')
      held = held.subarray(13)
      begun = true
    }
    while (held.length >= 11) {
      const size = held.readUIntBE(1, 3)
      if (size > largestTag) throw new RangeError('too long')
      if (held.length < 15 + size) return
      const body = held.subarray(11, 11 + size)
      if (held.readUInt8(0) === videoTag && size > 5 && (body.readUInt8(0) & 15) === avc && body.readUInt8(1) < 2)
        onPart({ config: body.readUInt8(1) === 0, key: body.readUInt8(0) >> 4 === 1, bytes: Buffer.from(body.subarray(5)) })
      held = held.subarray(15 + size)
    }
  }
}

/**
 * FLV (Adobe, Video File Format Specification 10.1, annex E): what pictures travel in to an ffmpeg and back. A picture is whole
 * as soon as its bytes are there; other containers wait for the next one.
 */
import type { MediaSample } from '../../../../../platform/display/recorded-display.ts'

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

/** Writes what the display gave to files that other programs read. For tests. */
import type { MediaConfig, MediaSample } from '../platform/display/recorded-display.ts'

/** FLV with the pictures, as ffmpeg reads it: its packets are the samples' bytes. */
export function flvOf(config: Pick<MediaConfig, 'video'>, samples: readonly MediaSample[]): Buffer {
  const tag = (packet: number, key: boolean, timeMs: number, body: Uint8Array): Buffer => {
    const head = Buffer.alloc(16)
    const size = body.length + 5
    head.writeUInt8(9, 0)
    head.writeUIntBE(size, 1, 3)
    head.writeUIntBE(timeMs & 0xff_ff_ff, 4, 3)
    head.writeUInt8(timeMs >>> 24, 7)
    head.writeUInt8(key ? 0x17 : 0x27, 11)
    head.writeUInt8(packet, 12)
    const after = Buffer.alloc(4)
    after.writeUInt32BE(size + 11)
    return Buffer.concat([head, body, after])
  }
  const pictures = samples.filter(({ kind }) => kind === 'video')
  return Buffer.concat([
    Buffer.from([0x46, 0x4c, 0x56, 1, 1, 0, 0, 0, 9, 0, 0, 0, 0]),
    tag(0, true, Math.round((pictures[0]?.timeUs ?? 0) / 1000), config.video),
    ...pictures.map((one) => tag(1, one.key, Math.round(one.timeUs / 1000), one.bytes)),
  ])
}

/** Ogg with the sound (RFC 3533, RFC 7845), a packet on each page. */
export function oggOf(config: Pick<MediaConfig, 'audio'>, samples: readonly MediaSample[]): Buffer {
  const pages: Buffer[] = []
  const page = (packet: Uint8Array, position: bigint, flags: number): void => {
    const lacing = [...Array.from({ length: Math.floor(packet.length / 255) }, () => 255), packet.length % 255]
    const head = Buffer.alloc(27 + lacing.length)
    head.write('OggS', 'latin1')
    head.writeUInt8(flags, 5)
    head.writeBigUInt64LE(position, 6)
    head.writeUInt32LE(1, 14)
    head.writeUInt32LE(pages.length, 18)
    head.writeUInt8(lacing.length, 26)
    head.set(lacing, 27)
    const whole = Buffer.concat([head, packet])
    whole.writeUInt32LE(oggSum(whole), 22)
    pages.push(whole)
  }
  page(config.audio ?? new Uint8Array(0), 0n, 2)
  page(Buffer.from('OpusTags\u0004\0\0\0none\0\0\0\0', 'latin1'), 0n, 0)
  let position = 0n
  for (const one of samples.filter(({ kind }) => kind === 'audio')) {
    position += BigInt(Math.round((one.durationUs * 48) / 1000))
    page(one.bytes, position, 0)
  }
  return Buffer.concat(pages)
}

function oggSum(bytes: Uint8Array): number {
  let sum = 0
  for (const byte of bytes) {
    sum ^= byte << 24
    for (let bit = 0; bit < 8; bit += 1) sum = (sum << 1) ^ ((sum & 0x80_00_00_00) === 0 ? 0 : 0x04_c1_1d_b7)
  }
  return sum >>> 0
}

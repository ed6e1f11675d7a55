import { expect, test } from 'vitest'
import { liveFrame, liveFrameHead } from '../../contract/live.ts'
import { h264Codec, opusChannels, readFrame, uploadChunk } from './codec.ts'

test('the name of a codec is read from its configuration record', () => {
  expect(h264Codec(Uint8Array.of(1, 0x42, 0xc0, 0x1f, 0xff, 0xe1, 0))).toBe('avc1.42c01f')
  expect(h264Codec(Uint8Array.of(1, 0x64, 0x00, 0x0a, 0xff, 0xe1, 0))).toBe('avc1.64000a')
  expect(h264Codec(Uint8Array.of(0, 0, 0, 1, 0x67, 0, 0))).toBeNull()
  expect(h264Codec(new Uint8Array(3))).toBeNull()
})

test('one or two channels of Opus, nothing else', () => {
  const opus = (channels: number) => {
    const bytes = new Uint8Array(19)
    bytes.set(new TextEncoder().encode('OpusHead'))
    bytes[8] = 1
    bytes[9] = channels
    return bytes
  }
  expect(opusChannels(opus(2))).toBe(2)
  expect(opusChannels(opus(6))).toBeNull()
  expect(opusChannels(new Uint8Array(19))).toBeNull()
})

test('a binary message is taken apart as the contract lays it out', () => {
  const message = new Uint8Array(liveFrameHead + 3)
  const view = new DataView(message.buffer)
  view.setUint8(0, liveFrame.video)
  view.setUint8(1, 3)
  view.setUint32(2, 4_000_000_000)
  view.setBigUint64(6, 5_000_000_000_123n)
  message.set([7, 8, 9], liveFrameHead)
  expect(readFrame(message.buffer)).toEqual({
    kind: liveFrame.video,
    key: true,
    repeated: true,
    number: 4_000_000_000,
    time: 5_000_000_000_123,
    bytes: Uint8Array.of(7, 8, 9),
  })
  expect(readFrame(new ArrayBuffer(liveFrameHead - 1))).toBeNull()
})

test('a piece of an upload says whose it is', () => {
  const chunk = uploadChunk(liveFrame.upload, 70_000, 3, Uint8Array.of(1, 2))
  expect([...chunk]).toEqual([32, 0, 1, 17, 112, 0, 3, 1, 2])
})

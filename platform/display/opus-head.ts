import { boxes, type Box } from './read-fragments.ts'
import { MalformedStream } from './read-flv.ts'

/**
 * OpusHead (RFC 7845 §5.1) from the sample entry of a track in MP4 (Encapsulation of Opus in ISO BMFF §4.3.2): the same fields, the numbers
 * big-endian there and little-endian here.
 */
export function opusHeadOf(entry: Box): Uint8Array {
  if (entry.type !== 'Opus') throw new MalformedStream(`MP4: sound as "${entry.type}"`)
  // AudioSampleEntry: 28 bytes, then boxes.
  const dops = boxes(entry.body.subarray(28)).find(({ type }) => type === 'dOps')?.body
  if (dops === undefined || dops.length !== 11 || dops[0] !== 0 || dops[10] !== 0) throw new MalformedStream('MP4: dOps')
  const from = new DataView(dops.buffer, dops.byteOffset, dops.byteLength)
  const head = new Uint8Array(19)
  const to = new DataView(head.buffer)
  head.set(new TextEncoder().encode('OpusHead'))
  to.setUint8(8, 1)
  to.setUint8(9, from.getUint8(1))
  to.setUint16(10, from.getUint16(2), true)
  to.setUint32(12, from.getUint32(4), true)
  to.setInt16(16, from.getInt16(8), true)
  to.setUint8(18, 0)
  return head
}

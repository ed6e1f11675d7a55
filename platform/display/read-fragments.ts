import { createByteQueue } from './byte-queue.ts'
import { MalformedStream } from './read-flv.ts'

export type FragmentListener = {
  /** The sample description of the one track, as a box (ISO/IEC 14496-12 §8.5.2), and its time scale. */
  track(entry: Box, timescale: number): void
  /** Times in the track's time scale. */
  sample(bytes: Uint8Array, time: number, duration: number): void
}

export type Box = { readonly type: string; readonly body: Uint8Array }

/** Longest box taken. */
const maxBoxBytes = 1024 * 1024

/**
 * Reads fragmented MP4 (ISO/IEC 14496-12 §8.8) with one track, one sample in each fragment, as it is written. Strict: what our encoder would
 * not write throws.
 */
export function createFragmentReader(listener: FragmentListener): { push(bytes: Uint8Array): void } {
  const queue = createByteQueue(2 * maxBoxBytes)
  let track: { readonly id: number; readonly duration: number | null; readonly size: number | null } | null = null
  let fragment: { readonly size: number; readonly time: number; readonly duration: number; readonly offset: number } | null = null
  let lastTime = -1

  const readMoov = (moov: Uint8Array): void => {
    if (track !== null) throw new MalformedStream('MP4: a second moov')
    const trak = one(moov, 'trak').body
    const mdhd = fullBox(one(one(trak, 'mdia').body, 'mdhd').body)
    const timescale = mdhd.view.getUint32(mdhd.version === 1 ? 20 : 12)
    const minf = one(one(trak, 'mdia').body, 'minf').body
    const stsd = one(one(minf, 'stbl').body, 'stsd').body
    const entries = boxes(stsd.subarray(8))
    const [entry] = entries
    if (entries.length !== 1 || entry === undefined || timescale === 0) throw new MalformedStream('MP4: description of the track')
    const trex = fullBox(one(one(moov, 'mvex').body, 'trex').body).view
    track = { id: trex.getUint32(4), duration: trex.getUint32(12), size: trex.getUint32(16) }
    listener.track(entry, timescale)
  }

  const readMoof = (moof: Uint8Array, boxBytes: number): void => {
    if (track === null || fragment !== null) throw new MalformedStream('MP4: a fragment out of place')
    const traf = one(moof, 'traf').body
    const tfhd = fullBox(one(traf, 'tfhd').body)
    if (tfhd.view.getUint32(4) !== track.id) throw new MalformedStream('MP4: a foreign track')
    // Base of data offsets: the moof (0x020000). Fields in the order of their flags.
    if ((tfhd.flags & 0x02_00_00) === 0 || (tfhd.flags & 1) !== 0) throw new MalformedStream('MP4: base of offsets')
    let at = 8 + ((tfhd.flags & 2) !== 0 ? 4 : 0)
    let { duration, size } = track
    if ((tfhd.flags & 8) !== 0) {
      duration = tfhd.view.getUint32(at)
      at += 4
    }
    if ((tfhd.flags & 16) !== 0) size = tfhd.view.getUint32(at)
    const tfdt = fullBox(one(traf, 'tfdt').body)
    const time = tfdt.version === 1 ? Number(tfdt.view.getBigUint64(4)) : tfdt.view.getUint32(4)
    const trun = fullBox(one(traf, 'trun').body)
    if (trun.view.getUint32(4) !== 1) throw new MalformedStream('MP4: not one sample in a fragment')
    if ((trun.flags & 1) === 0) throw new MalformedStream('MP4: no offset of data')
    const offset = trun.view.getInt32(8)
    at = 12 + ((trun.flags & 4) !== 0 ? 4 : 0)
    if ((trun.flags & 0x1_00) !== 0) {
      duration = trun.view.getUint32(at)
      at += 4
    }
    if ((trun.flags & 0x2_00) !== 0) size = trun.view.getUint32(at)
    if (duration === null || size === null || size === 0) throw new MalformedStream('MP4: size of a sample')
    if (!Number.isSafeInteger(time) || time <= lastTime) throw new MalformedStream('MP4: time goes back')
    // After the moof there is the head of the mdat.
    if (offset !== boxBytes + 8) throw new MalformedStream('MP4: place of the data')
    lastTime = time
    fragment = { size, time, duration, offset }
  }

  const readBox = ({ type, body }: Box, boxBytes: number): void => {
    try {
      if (type === 'moov') readMoov(body)
      else if (type === 'moof') readMoof(body, boxBytes)
      else if (type === 'mdat') {
        if (fragment === null || fragment.size !== body.length) throw new MalformedStream('MP4: data without its fragment')
        const { time, duration } = fragment
        fragment = null
        listener.sample(body, time, duration)
      } else if (type !== 'ftyp' && type !== 'mfra') throw new MalformedStream(`MP4: a box "${type}"`)
    } catch (error) {
      // A field past the end of its box.
      if (error instanceof RangeError) throw new MalformedStream(`MP4: a short box "${type}"`)
      throw error
    }
  }

  return {
    push: (bytes) => {
      queue.push(bytes)
      for (;;) {
        const head = queue.peek(8)
        if (head === null) return
        const size = new DataView(head.buffer, head.byteOffset, 8).getUint32(0)
        if (size < 8 || size > maxBoxBytes) throw new MalformedStream('MP4: size of a box')
        const box = queue.take(size)
        if (box === null) return
        readBox({ type: typeOf(box), body: box.subarray(8) }, size)
      }
    },
  }
}

/** The boxes that fill a body exactly. */
export function boxes(body: Uint8Array): readonly Box[] {
  const view = new DataView(body.buffer, body.byteOffset, body.byteLength)
  const found: Box[] = []
  for (let at = 0; at < body.length;) {
    if (at + 8 > body.length) throw new MalformedStream('MP4: a cut box')
    const size = view.getUint32(at)
    if (size < 8 || at + size > body.length) throw new MalformedStream('MP4: size of a box')
    found.push({ type: typeOf(body.subarray(at)), body: body.subarray(at + 8, at + size) })
    at += size
  }
  return found
}

function one(body: Uint8Array, type: string): Box {
  const [found, ...more] = boxes(body).filter((box) => box.type === type)
  if (found === undefined || more.length > 0) throw new MalformedStream(`MP4: not one "${type}"`)
  return found
}

const typeOf = (box: Uint8Array): string => String.fromCharCode(...box.subarray(4, 8))

function fullBox(body: Uint8Array): { readonly version: number; readonly flags: number; readonly view: DataView } {
  const view = new DataView(body.buffer, body.byteOffset, body.byteLength)
  const head = view.getUint32(0)
  return { version: head >>> 24, flags: head & 0xff_ff_ff, view }
}

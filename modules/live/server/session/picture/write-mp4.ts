/**
 * The head of an MP4 file (ISO/IEC 14496-12, -14, -15; Opus in ISOBMFF) over samples that stand one after the other in the
 * order in which they were encoded. Nothing is re-encoded or re-framed: the samples are the recording's own octets. Written by
 * us because a tool that copies would choose times and order of its own.
 */
import { audioTimescale, videoTimescale } from '../../../../verification/server/index.ts'
import type { IndexedSample, RecordedConfig, RecordingIndex } from './sample-index.ts'

/** @returns everything of the file before the first sample. @throws RangeError without any picture */
export function mp4Head({ configs, samples, bytes }: RecordingIndex): Buffer {
  const ftyp = box('ftyp', ascii('isom'), u32(0x200), ascii('isom'), ascii('iso2'), ascii('avc1'), ascii('mp41'))
  const mdat = Buffer.concat([u32(1), ascii('mdat'), u64(16 + bytes)])
  // The places of the samples depend on the length of what says them, which does not depend on the places.
  const length = ftyp.length + moov(configs, samples, 0).length + mdat.length
  return Buffer.concat([ftyp, moov(configs, samples, length), mdat])
}

/** Contents of `dOps` from OpusHead (RFC 7845 §5.1): the same values, big-endian, version 0. @throws RangeError */
export function opusBox(opusHead: Uint8Array): Buffer {
  const head = Buffer.from(opusHead)
  if (head.length < 19 || head.toString('latin1', 0, 8) !== 'OpusHead' || head.readUInt8(18) !== 0)
    throw new RangeError('not an OpusHead of mapping family 0')
  return Buffer.concat([
    Buffer.of(0, head.readUInt8(9)),
    u16(head.readUInt16LE(10)),
    u32(head.readUInt32LE(12)),
    Buffer.from(head.subarray(16, 18)).swap16(),
    Buffer.of(0),
  ])
}

type Track = {
  readonly id: number
  readonly kind: 'video' | 'audio'
  readonly timescale: number
  readonly samples: readonly IndexedSample[]
  readonly entries: readonly Buffer[]
  /** Runs of samples of this track that follow each other in the file. */
  readonly chunks: readonly { readonly at: number; readonly samples: number; readonly config: number }[]
  readonly width: number
  readonly height: number
}

function moov(configs: readonly RecordedConfig[], samples: readonly IndexedSample[], first: number): Buffer {
  const [config] = configs
  if (config === undefined || !samples.some(({ kind }) => kind === 'video')) throw new RangeError('no picture')
  const tracks = (['video', 'audio'] as const).flatMap((kind, i): Track[] => {
    const own = samples.filter((sample) => sample.kind === kind)
    if (own.length === 0) return []
    const entries = configs.map((each) => (kind === 'video' ? avc1(each) : opus(each)))
    const timescale = kind === 'video' ? videoTimescale : audioTimescale
    const [width, height] = kind === 'video' ? [config.width, config.height] : [0, 0]
    return [{ id: i + 1, kind, timescale, samples: own, entries, chunks: chunksOf(kind, samples, first), width, height }]
  })
  const duration = Math.max(...tracks.map((track) => movieTime(track, lengthOf(track))))
  const mvhd = fullBox(
    'mvhd', 1, 0,
    u64(0), u64(0), u32(videoTimescale), u64(duration), u32(0x10000), u16(0x100), Buffer.alloc(10), matrix, Buffer.alloc(24), u32(3),
  ) // prettier-ignore
  return box('moov', mvhd, ...tracks.map((track) => trak(track)))
}

function chunksOf(kind: 'video' | 'audio', samples: readonly IndexedSample[], first: number): Track['chunks'] {
  const chunks: { at: number; samples: number; config: number }[] = []
  let [at, before] = [first, '']
  for (const sample of samples) {
    const run = `${sample.kind} ${sample.config}`
    const last = chunks.at(-1)
    if (sample.kind === kind) {
      if (run === before && last !== undefined) last.samples += 1
      else chunks.push({ at, samples: 1, config: sample.config })
    }
    before = run
    at += sample.size
  }
  return chunks
}

/** From time 0 to the end of the last sample, in units of the track. */
function lengthOf({ samples }: Track): number {
  const last = samples.at(-1)
  return last === undefined ? 0 : last.time + last.duration
}

const movieTime = ({ timescale }: Track, time: number): number => Math.round((time * videoTimescale) / timescale)

function trak(track: Track): Buffer {
  const { id, kind, timescale, samples, width, height } = track
  const start = samples[0]?.time ?? 0
  const length = lengthOf(track)
  const isSound = kind === 'audio'
  const tkhd = fullBox(
    'tkhd', 1, 3,
    u64(0), u64(0), u32(id), u32(0), u64(movieTime(track, length)), Buffer.alloc(8), u16(0), u16(0), u16(isSound ? 0x100 : 0), u16(0),
    matrix, u32(width * 0x10000), u32(height * 0x10000),
  ) // prettier-ignore
  // A track that begins later than the recording says so by an empty edit (ISO/IEC 14496-12 §8.6.6).
  const elst = fullBox(
    'elst', 1, 0,
    u32(2), u64(movieTime(track, start)), u64(2n ** 64n - 1n), u32(0x10000), u64(movieTime(track, length - start)), u64(0), u32(0x10000),
  ) // prettier-ignore
  const mdhd = fullBox('mdhd', 1, 0, u64(0), u64(0), u32(timescale), u64(length - start), u16(0x55c4), u16(0))
  const hdlr = fullBox('hdlr', 0, 0, u32(0), ascii(isSound ? 'soun' : 'vide'), Buffer.alloc(12), ascii('probant\0'))
  const media = isSound ? fullBox('smhd', 0, 0, u32(0)) : fullBox('vmhd', 0, 1, Buffer.alloc(8))
  const dinf = box('dinf', fullBox('dref', 0, 0, u32(1), fullBox('url ', 0, 1)))
  return box(
    'trak',
    tkhd,
    ...(start === 0 ? [] : [box('edts', elst)]),
    box('mdia', mdhd, hdlr, box('minf', media, dinf, stbl(track))),
  )
}

function stbl({ kind, samples, entries, chunks }: Track): Buffer {
  const deltas: [count: number, delta: number][] = []
  for (const [i, { time, duration }] of samples.entries()) {
    // Until the next begins: where nothing was recorded the last picture stands.
    const delta = (samples[i + 1]?.time ?? time + duration) - time
    const last = deltas.at(-1)
    if (last?.[1] === delta) last[0] += 1
    else deltas.push([1, delta])
  }
  const runs: [first: number, samples: number, entry: number][] = []
  for (const [i, { samples: count, config }] of chunks.entries()) {
    const last = runs.at(-1)
    if (last?.[1] !== count || last[2] !== config + 1) runs.push([i + 1, count, config + 1])
  }
  const keys = samples.flatMap(({ key }, i) => (key ? [i + 1] : []))
  return box(
    'stbl',
    fullBox('stsd', 0, 0, u32(entries.length), ...entries),
    fullBox('stts', 0, 0, table(deltas)),
    ...(kind === 'video' ? [fullBox('stss', 0, 0, table(keys.map((key) => [key])))] : []),
    fullBox('stsc', 0, 0, table(runs)),
    fullBox('stsz', 0, 0, u32(0), table(samples.map(({ size }) => [size]))),
    fullBox('co64', 0, 0, u32(chunks.length), ...chunks.map(({ at }) => u64(at))),
  )
}

function avc1({ width, height, avcC }: RecordedConfig): Buffer {
  return box(
    'avc1',
    Buffer.alloc(6), u16(1), Buffer.alloc(16), u16(width), u16(height), u32(0x480000), u32(0x480000), u32(0), u16(1),
    Buffer.alloc(32), u16(24), u16(0xffff), box('avcC', avcC),
  ) // prettier-ignore
}

function opus({ dOps }: RecordedConfig): Buffer {
  const contents = dOps ?? Buffer.alloc(11)
  return box(
    'Opus',
    Buffer.alloc(6), u16(1), Buffer.alloc(8), u16(contents.readUInt8(1)), u16(16), u32(0), u32(audioTimescale * 0x10000),
    box('dOps', contents),
  ) // prettier-ignore
}

const matrix = Buffer.concat([0x10000, 0, 0, 0, 0x10000, 0, 0, 0, 0x40000000].map((value) => u32(value)))

function table(rows: readonly (readonly number[])[]): Buffer {
  const width = rows[0]?.length ?? 0
  const bytes = Buffer.alloc(4 + rows.length * width * 4)
  bytes.writeUInt32BE(rows.length, 0)
  let at = 4
  for (const row of rows) for (const value of row) at = bytes.writeUInt32BE(value, at)
  return bytes
}

function box(type: string, ...contents: readonly Buffer[]): Buffer {
  const body = Buffer.concat(contents)
  return Buffer.concat([u32(8 + body.length), ascii(type), body])
}

function fullBox(type: string, version: number, flags: number, ...contents: readonly Buffer[]): Buffer {
  return box(type, u32(version * 0x1000000 + flags), ...contents)
}

const ascii = (text: string): Buffer => Buffer.from(text, 'latin1')
function u16(value: number): Buffer {
  const bytes = Buffer.alloc(2)
  bytes.writeUInt16BE(value)
  return bytes
}
function u32(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(value)
  return bytes
}
function u64(value: number | bigint): Buffer {
  const bytes = Buffer.alloc(8)
  bytes.writeBigUInt64BE(BigInt(value))
  return bytes
}

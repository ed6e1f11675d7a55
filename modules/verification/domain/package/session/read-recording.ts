/**
 * A strict reader of `capture/session.mp4` (ISO/IEC 14496-12) as the recorder writes it: `ftyp`, `moov`, `mdat` and nothing else, and
 * samples that fill `mdat` without a gap. It shares no code with the writer. Only the head is held, at most 16 MiB of it.
 */
import { malformed } from '../../encoding/der.ts'
import { portableSha256 } from '../../hash/running-hash.ts'
import { slicesOf, VerificationStopped, type Readable } from '../../file/readable.ts'
import { type VerifyDeps } from '../../known/verify-deps.ts'

const largestHead = 16 << 20
/** Ten minutes have some 45,000. */
const mostSamples = 500_000

export type RecordedTrack = {
  readonly kind: 'video' | 'audio'
  /** Units of time in a second. */
  readonly timescale: number
  readonly sizes: Uint32Array
  /** When each sample begins, in those units since the recording began. */
  readonly times: readonly number[]
  /** Which of `configs` each is decoded with, from 0. */
  readonly entries: readonly number[]
  /** Contents of `avcC` or `dOps`. */
  readonly configs: readonly Uint8Array[]
  /** Numbers of the samples that stand by themselves, from 0. */
  readonly keys: readonly number[]
}
type Chunk = { readonly at: number; readonly samples: number; readonly track: number }
export type Recording = {
  readonly tracks: readonly RecordedTrack[]
  readonly chunks: readonly Chunk[]
  /** Where the first sample stands. */
  readonly dataAt: number
}

type Box = { readonly type: string; readonly body: Uint8Array }

/** @throws MalformedError */
export async function readRecording(file: Readable): Promise<Recording> {
  const ftyp = await boxHead(file, 0, 'ftyp')
  const moov = await boxHead(file, ftyp, 'moov')
  if (moov - ftyp > largestHead) malformed('head')
  const mdat = moov + 16 <= file.size ? await file.read(moov, 16) : malformed('mdat')
  if (typeAt(mdat, 0) !== 'mdat' || u32(mdat, 0) !== 1 || u64(mdat, 8) !== file.size - moov) malformed('mdat')
  const [mvhd, ...traks] = boxes(await file.read(ftyp + 8, moov - ftyp - 8))
  if (mvhd?.type !== 'mvhd' || traks.length === 0 || traks.length > 2) malformed('moov')
  const chunks: Chunk[] = []
  const tracks = traks.map(({ type, body }, i) => (type === 'trak' ? readTrack(body, i, chunks) : malformed('moov')))
  if (tracks[0]?.kind !== 'video' || tracks[1]?.kind === 'video') malformed('tracks')
  return { tracks, chunks: chunks.toSorted((a, b) => a.at - b.at), dataAt: moov + 16 }
}

/** End of the box that begins there. */
async function boxHead(file: Readable, at: number, type: string): Promise<number> {
  const head = at + 8 <= file.size ? await file.read(at, 8) : malformed(type)
  const end = at + u32(head, 0)
  return typeAt(head, 0) === type && u32(head, 0) >= 8 && end <= file.size ? end : malformed(type)
}

function boxes(bytes: Uint8Array): Box[] {
  const found: Box[] = []
  for (let at = 0; at < bytes.length;) {
    const size = at + 8 <= bytes.length ? u32(bytes, at) : 0
    if (size < 8 || at + size > bytes.length || found.length === 64) malformed('box')
    found.push({ type: typeAt(bytes, at), body: bytes.subarray(at + 8, at + size) })
    at += size
  }
  return found
}

/** The bodies of exactly these boxes, in this order; one with a question mark may be absent, and is empty then. */
function exactly(bytes: Uint8Array, types: string): Uint8Array[] {
  const found = boxes(bytes)
  const bodies = types.split(' ').map((type) => {
    if (found[0]?.type === type.slice(0, 4)) return found.shift()?.body ?? malformed(type)
    return type.length > 4 ? new Uint8Array() : malformed(type)
  })
  return found.length === 0 ? bodies : malformed('box')
}

function readTrack(trak: Uint8Array, track: number, chunks: Chunk[]): RecordedTrack {
  const [, edts, mdia] = exactly(trak, 'tkhd edts? mdia') as [Uint8Array, Uint8Array, Uint8Array]
  const [mdhd, hdlr, minf] = exactly(mdia, 'mdhd hdlr minf') as [Uint8Array, Uint8Array, Uint8Array]
  const kind = typeAt(hdlr, 4) === 'vide' ? 'video' : typeAt(hdlr, 4) === 'soun' ? 'audio' : malformed('hdlr')
  const stbl = exactly(minf, kind === 'video' ? 'vmhd dinf stbl' : 'smhd dinf stbl')[2] as Uint8Array
  const [stsd, stts, stss, stsc, stsz, co64] = exactly(stbl, 'stsd stts stss? stsc stsz co64') as [
    Uint8Array,
    Uint8Array,
    Uint8Array,
    Uint8Array,
    Uint8Array,
    Uint8Array,
  ]
  const timescale = u32(mdhd, 20)
  const sizes = u32(stsz, 4) === 0 ? table(stsz.subarray(4), 1) : malformed('stsz')
  if (sizes.length > mostSamples) malformed('stsz')

  const times: number[] = []
  let time = startOf(edts, timescale)
  const durations = table(stts, 2)
  for (let i = 0; i < durations.length; i += 2) {
    const count = durations[i] as number
    if (times.length + count > sizes.length) malformed('stts')
    for (let n = 0; n < count; n += 1, time += durations[i + 1] as number) times.push(time)
  }

  const entries: number[] = []
  const runs = table(stsc, 3)
  const offsets = table(co64, 2)
  let run = -3
  for (let i = 0; i < offsets.length; i += 2) {
    if (runs[run + 3] === i / 2 + 1) run += 3
    const [samples = 0, entry = 0] = [runs[run + 1], runs[run + 2]]
    if (samples === 0 || entries.length + samples > sizes.length) malformed('stsc')
    for (let n = 0; n < samples; n += 1) entries.push(entry - 1)
    chunks.push({ at: (offsets[i] as number) * 0x1_0000_0000 + (offsets[i + 1] as number), samples, track })
  }
  if (times.length !== sizes.length || entries.length !== sizes.length || run !== runs.length - 3) malformed('stbl')

  const count = u32(stsd, 4)
  const configs = boxes(stsd.subarray(8)).map(({ type, body }) => {
    if (type !== (kind === 'video' ? 'avc1' : 'Opus')) malformed('stsd')
    return kind === 'video' ? exactly(body.subarray(78), 'avcC')[0] : exactly(body.subarray(28), 'dOps')[0]
  }) as Uint8Array[]
  if (configs.length !== count || entries.some((entry) => configs[entry] === undefined)) malformed('stsd')
  const keys = stss.length === 0 ? [] : [...table(stss, 1)].map((key) => key - 1)
  return { kind, timescale, sizes, times, entries, configs, keys }
}

/** A track that begins later says so by an empty edit (§8.6.6), then the whole of it. */
function startOf(edts: Uint8Array, timescale: number): number {
  if (edts.length === 0) return 0
  const elst = exactly(edts, 'elst')[0] as Uint8Array
  const isPlain = elst.length === 48 && u32(elst, 4) === 2 && u32(elst, 16) === 0xffffffff && u64(elst, 36) === 0
  return isPlain ? Math.round((u64(elst, 8) * timescale) / 1_000_000) : malformed('elst')
}

/** The numbers of a table, so many to a row, which fill it. */
function table(body: Uint8Array, width: number): Uint32Array {
  const count = u32(body, 4) * width
  if (body.length !== 8 + count * 4) malformed('table')
  return Uint32Array.from({ length: count }, (_, i) => u32(body, 8 + i * 4))
}

/**
 * Hashes every sample, in the order of the file.
 * @throws MalformedError when they do not fill the file; VerificationStopped
 */
export async function hashSamples(
  file: Readable,
  { tracks, chunks, dataAt }: Recording,
  deps: Pick<VerifyDeps, 'sha256' | 'signal' | 'pause'>,
  onSample: (track: number, number: number, sha256: Uint8Array) => void,
): Promise<void> {
  const next = tracks.map(() => 0)
  const ends = samplesInOrder()
  let current = ends.next()
  let hasher = deps.sha256?.() ?? portableSha256()
  let at = dataAt
  for await (const slice of slicesOf(file, { offset: dataAt, length: file.size - dataAt }, 1 << 20)) {
    if (deps.signal?.aborted === true) throw new VerificationStopped('stopped')
    for (let from = 0; from < slice.length;) {
      if (current.done === true) malformed('octets after the last sample')
      const { track, end } = current.value
      const until = Math.min(slice.length, from + end - at)
      hasher.update(slice.subarray(from, until))
      at += until - from
      from = until
      if (at < end) continue
      onSample(track, (next[track] as number)++, hasher.digest())
      hasher = deps.sha256?.() ?? portableSha256()
      current = ends.next()
    }
    await deps.pause?.()
  }
  if (current.done !== true) malformed('a sample is cut')

  function* samplesInOrder(): Generator<{ track: number; end: number }> {
    const reached = tracks.map(() => 0)
    let end = dataAt
    for (const { at: begins, samples, track } of chunks) {
      if (begins !== end) malformed('samples do not follow each other')
      for (let n = 0; n < samples; n += 1) {
        const size = tracks[track]?.sizes[(reached[track] as number)++] ?? 0
        if (size === 0) malformed('an empty sample')
        end += size
        yield { track, end }
      }
    }
  }
}

function typeAt(bytes: Uint8Array, at: number): string {
  return String.fromCharCode(...bytes.subarray(at + 4, at + 8))
}
function u32(bytes: Uint8Array, at: number): number {
  if (at + 4 > bytes.length) malformed('cut')
  return (
    (bytes[at] as number) * 0x1000000 +
    (((bytes[at + 1] as number) << 16) | ((bytes[at + 2] as number) << 8) | (bytes[at + 3] as number))
  )
}
function u64(bytes: Uint8Array, at: number): number {
  return u32(bytes, at) * 0x1_0000_0000 + u32(bytes, at + 4)
}

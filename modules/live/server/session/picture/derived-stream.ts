/**
 * A stream that is made from the recorded pictures by one ffmpeg, for all viewers that need it: at most every third picture, encoded smaller
 * or as JPEG. It runs while somebody needs it. What it shows is decoded from what is recorded, and never recorded itself.
 */
import type { Log } from '../../../../../platform/log/log.ts'
import { createFlvReader } from '../../../../../platform/display/read-flv.ts'
import type { MediaSample } from '../../../../../platform/display/recorded-display.ts'
import { mpjpegReader } from './mpjpeg.ts'
import { pictureStream, type PictureStream, type StreamPicture } from './picture-stream.ts'
import { runFfmpeg, type PictureProcess } from './run-ffmpeg.ts'

export type DerivedKind = 'fewer_frames' | 'coarser' | 'jpeg'
/** Of how many pictures one is kept, where they come one after the other. */
export const keptPicture = 3
/** By their times: where nothing changed for a while, the picture that shows a change is kept. While the page moves they come each 40 ms, a little late or early. */
const keptMs = 100
const every = ['-vf', String.raw`select=isnan(prev_selected_pts)+gte(pts-prev_selected_pts\,${keptMs})`, '-threads', '1']
const x264 = [...every, ...'-c:v libx264 -preset veryfast -tune zerolatency -bf 0 -g 25'.split(' ')]
const asFlv = ['-flvflags', 'no_duration_filesize', '-f', 'flv']
const outputs: Readonly<Record<DerivedKind, readonly string[]>> = {
  fewer_frames: [...x264, ...'-crf 28 -maxrate 1200k -bufsize 600k'.split(' '), ...asFlv],
  coarser: [...x264, ...'-crf 34 -maxrate 350k -bufsize 350k'.split(' '), ...asFlv],
  jpeg: [...every, '-c:v', 'mjpeg', '-q:v', '6', '-f', 'mpjpeg'],
}
/** A decoder that ends by itself this often on pictures of our own encoder will not do better. */
const mostStarts = 5
/** Pictures that went in and did not come out: it is nine seconds late, and begins again with the present. */
const mostInside = 75
/** Pictures after which it is believed to work. */
const provenBy = 250

export type DerivedStream = PictureStream & {
  /** Pictures of the encoder, in order; the first stands by itself. */
  feed(sample: MediaSample): void
  stop(): Promise<void>
  readonly processes: number
}

export function deriveStream(deps: {
  readonly kind: DerivedKind
  readonly avcC: Uint8Array
  /** What was encoded so far of the group that is not over. */
  readonly group: readonly StreamPicture[]
  readonly log: Log
  readonly onPicture: (picture: StreamPicture) => void
  /** It will give no more. */
  readonly onFailed: (reason: string) => void
}): DerivedStream {
  const stream = pictureStream()
  let running: PictureProcess | null = null
  let inside: number[] = []
  let [put, starts] = [0, 0]
  /** Of the last one that is kept, in milliseconds; null: of none yet. */
  let keptAt: number | null = null
  let stopped = false
  let ended: Promise<unknown> = Promise.resolve()
  /** Something was left out: nothing follows from what went in. */
  let waitsForKey = true

  const show = (bytes: Uint8Array, key: boolean): void => {
    const timeUs = inside.shift()
    if (timeUs === undefined) throw new RangeError('more pictures out than in')
    put += 1
    if (put === provenBy) starts = 1
    const picture = { bytes, timeUs, key }
    stream.add(picture)
    deps.onPicture(picture)
  }
  const start = (): void => {
    starts += 1
    ;[put, keptAt] = [0, null]
    inside = []
    waitsForKey = true
    stream.interrupt()
    const flv = createFlvReader({
      config: (record) => {
        stream.config = record
      },
      picture: (bytes, _, key) => show(bytes, key),
    })
    const read = deps.kind === 'jpeg' ? mpjpegReader((jpeg) => show(jpeg, true)) : (bytes: Buffer) => flv.push(bytes)
    const own = runFfmpeg(deps.avcC, outputs[deps.kind], read)
    running = own
    ended = own.ended.then((reason) => {
      if (running === own) running = null
      if (stopped) return
      deps.log.warn({ kind: deps.kind, reason }, 'pictures for a slower line ended')
      stream.interrupt()
      if (starts < mostStarts) start()
      else deps.onFailed(reason ?? 'ended')
    })
  }
  const feed = ({ bytes, timeUs, key }: StreamPicture): void => {
    if (running === null || inside.length > mostInside) {
      waitsForKey = true
      if (inside.length > mostInside) running?.kill()
      return
    }
    if (waitsForKey && !key) return
    waitsForKey = !running.feed({ kind: 'video', bytes, timeUs, durationUs: 0, key })
    if (waitsForKey) return
    // `select` reads the times that were written, and we alike: the time of what comes out is that of what went in.
    const ms = Math.floor(timeUs / 1000)
    if (keptAt !== null && ms - keptAt < keptMs) return
    inside.push(timeUs)
    keptAt = ms
  }
  start()
  for (const picture of deps.group) feed(picture)

  return Object.assign(stream, {
    feed,
    stop: async () => {
      stopped = true
      running?.kill()
      await ended
    },
    get processes() {
      return running === null ? 0 : 1
    },
  })
}

import type { Duplex } from 'node:stream'
import { framesPerSecond } from './encoder-arguments.ts'
import { opusHeadOf } from './opus-head.ts'
import { createFlvReader } from './read-flv.ts'
import { createLookReader } from './read-looks.ts'
import { createFragmentReader } from './read-fragments.ts'
import type { EncoderSink, MediaConfig } from './recorded-display.ts'
import { stage } from './stage-script.ts'

/** The encoder did not come up, or there may be no more of them. */
export class EncoderFailed extends Error {
  override readonly name = 'EncoderFailed'
}

export type EncoderRun = {
  /** Settles with the first picture. @throws EncoderFailed */
  readonly config: Promise<MediaConfig>
  /** Settles when both pipes ended: nothing comes after it. */
  readonly over: Promise<void>
  /** Asks ffmpeg to write what it has and to end; settles when it has. */
  stop(): Promise<void>
  /** Ends it at once. */
  abandon(reason: string): void
}

/** Between two pictures an encoder that works never takes as long: also on a machine that is busy. */
const stalledMs = 15_000
/** How far the clock of the machine may move against its monotonic one before times can no longer be believed. */
const clockToleranceMs = 1_000
const stopMs = 5_000

/**
 * Reads one encoder: its pipes to samples on the clock of the recording. `originMs` is the moment of the recording's first picture,
 * on the monotonic clock (`performance.now`); null: this run begins the recording.
 */
export function runEncoder(options: {
  readonly stdin: Duplex
  readonly video: Duplex
  readonly audio: Duplex
  /** What it says of its looks at the screen. */
  readonly looks: Duplex
  /** Unix seconds that time stamps count from. */
  readonly origin: number
  readonly sound: boolean
  readonly originMs: number | null
  /** Nothing before this is taken: what an earlier run ended with. */
  readonly afterUs: number
  readonly sink: EncoderSink
  /** Ends the process when its pipes alone do not. */
  readonly kill: () => void
  /** Why the process ended, as far as that is known when both pipes have ended. */
  readonly status: () => string | null
}): EncoderRun {
  const { sink, origin } = options
  const wallAheadMs = readClocks()
  let originMs = options.originMs
  let video: Uint8Array | null = null
  let audio: Uint8Array | null = options.sound ? null : new Uint8Array(0)
  let reason: string | null = null
  let asked = false
  let configured = false
  let last = { video: options.afterUs, audio: options.afterUs }
  let pending: (() => void)[] | null = []
  let watch: NodeJS.Timeout | undefined

  const { promise: config, resolve, reject } = Promise.withResolvers<MediaConfig>()
  config.catch(() => undefined)
  const { promise: over, resolve: ended } = Promise.withResolvers<void>()

  const abandon = (why: string): void => {
    reason ??= why
    options.stdin.destroy()
    options.video.destroy()
    options.audio.destroy()
    options.looks.destroy()
    options.kill()
  }
  const alive = (): void => {
    clearTimeout(watch)
    watch = setTimeout(() => abandon('no picture came'), stalledMs)
  }
  alive()

  /** Microseconds of the recording at a moment of the machine's clock, in milliseconds after `origin`. */
  const timeOf = (sinceOriginMs: number): number =>
    Math.round((origin * 1000 + sinceOriginMs - wallAheadMs - (originMs ?? 0)) * 1000)

  const settle = (): void => {
    if (pending === null || video === null || audio === null || originMs === null) return
    resolve({
      video,
      codec: `avc1.${[...video.subarray(1, 4)].map((octet) => octet.toString(16).padStart(2, '0')).join('')}`,
      width: stage.width,
      height: stage.height,
      audio: options.sound ? audio : null,
      originMs,
    })
    if (configured) return
    configured = true
    // Whoever started it knows the configuration before the first sample comes: in a later turn, after all that awaits it.
    setImmediate(() => {
      const waiting = pending ?? []
      pending = null
      for (const one of waiting) one()
    })
  }
  const emit = (one: () => void): void => {
    if (pending === null) one()
    else pending.push(one)
    settle()
  }

  const flv = createFlvReader({
    config: (record) => {
      video = record.slice()
    },
    picture: (bytes, timeMs, key) => {
      alive()
      const nowMs = performance.now()
      const takenMs = origin * 1000 + timeMs - wallAheadMs
      if (takenMs > nowMs + clockToleranceMs) throw new RangeError('the clock of the machine was moved')
      originMs ??= takenMs
      const timeUs = timeOf(timeMs)
      if (timeUs <= last.video) return
      last = { ...last, video: timeUs }
      emit(() => sink.sample({ kind: 'video', bytes, timeUs, durationUs: 1e6 / framesPerSecond, key }))
    },
  })
  let timescale = 48_000
  const fragments = createFragmentReader({
    track: (entry, scale) => {
      timescale = scale
      audio = opusHeadOf(entry)
      settle()
    },
    sample: (bytes, time, duration) => {
      const take = (): void => {
        const timeUs = timeOf((time / timescale) * 1000)
        // Sound from before the first picture.
        if (timeUs < 0 || timeUs <= last.audio) return
        last = { ...last, audio: timeUs }
        sink.sample({ kind: 'audio', bytes, timeUs, durationUs: Math.round((duration / timescale) * 1e6), key: true })
      }
      emit(take)
    },
  })
  const read = (stream: Duplex, reader: { push(bytes: Uint8Array): void }): Promise<void> =>
    new Promise((done) => {
      // The jail may have ended while this encoder was asked for: what is closed does not close again.
      if (stream.destroyed) return done()
      stream.on('data', (data: Buffer) => {
        if (reason !== null) return
        try {
          reader.push(data)
        } catch (error) {
          abandon((error as Error).message)
        }
      })
      stream.on('error', () => undefined)
      stream.once('close', done)
      stream.once('end', () => stream.destroy())
    })
  options.stdin.on('error', () => undefined)

  const looks = createLookReader({ everyUs: 1e6 / framesPerSecond, missed: (count) => sink.missed(count) })

  void Promise.all([read(options.video, flv), read(options.audio, fragments), read(options.looks, looks)]).then(() => {
    // What the first process said of the end was written before the pipes closed: it is read by now, or in this turn.
    setImmediate(() => {
      clearTimeout(watch)
      options.stdin.destroy()
      const why = reason ?? options.status() ?? 'it ended'
      reject(new EncoderFailed(why))
      if (configured && !asked) sink.ended(why)
      ended()
    })
  })
  return {
    config,
    over,
    abandon,
    stop: async () => {
      asked = true
      options.stdin.write('q')
      const late = setTimeout(() => abandon('it did not end when asked'), stopMs)
      await over
      clearTimeout(late)
    },
  }
}

/**
 * How far the machine's clock is ahead of the monotonic one, in milliseconds: at a tick of `Date.now`, between two readings of the other. Of
 * several the closest: this process may be set aside between any two.
 */
function readClocks(): number {
  let best = { within: Infinity, ahead: 0 }
  for (let tries = 0; tries < 20 && best.within > 0.05; tries += 1) {
    const before = Date.now()
    for (let wall = before; wall === before;) {
      const from = performance.now()
      wall = Date.now()
      const to = performance.now()
      if (wall !== before && to - from < best.within) best = { within: to - from, ahead: wall - (from + to) / 2 }
    }
  }
  return best.ahead
}

import type { Duplex } from 'node:stream'
import { encoderArguments } from './encoder-arguments.ts'
import type { EncoderSink, MediaConfig } from './recorded-display.ts'
import { EncoderFailed, runEncoder, type EncoderRun } from './run-encoder.ts'
import { encoderDescriptors, encoderRuns } from './stage-script.ts'

/** A program that has not looked at the screen yet: it waits for the end of what it reads first. */
type WaitingEncoder = { readonly number: number; readonly origin: number; readonly sound: boolean }

export type Encoders = {
  /** Starts one that waits, so that the first picture need not wait for a program to be loaded. It sees and hears nothing until then. */
  ready(): Promise<void>
  /** @throws EncoderFailed; its message says why */
  start(sink: EncoderSink): Promise<MediaConfig>
  stop(): Promise<void>
  /** After the end of the jail. */
  close(): Promise<void>
}

/** The encoders of a display, one at a time; the recording's clock goes on from each to the next. */
export function openEncoders(deps: {
  readonly pipe: (descriptor: number) => Duplex
  readonly command: (line: string) => void
  /** A file that the jail reads. */
  readonly write: (name: string, text: string) => Promise<void>
  /** Whether there is sound, at this moment. */
  readonly sound: () => boolean
  /** Status of the process, when it has ended. */
  readonly statusOf: (number: number) => string | undefined
  /** Ends every encoder of the jail. */
  readonly kill: () => Promise<void>
}): Encoders {
  const { pipe, statusOf } = deps
  let runs = 0
  let waiting: WaitingEncoder | null = null
  let making: Promise<void> = Promise.resolve()
  let current: EncoderRun | null = null
  let starting = false
  let originMs: number | null = null
  let lastUs = -1

  const load = async (): Promise<WaitingEncoder> => {
    if (runs === encoderRuns) throw new EncoderFailed(`${String(encoderRuns)} encoders were started in this session`)
    const one = { number: runs, origin: Math.floor(Date.now() / 1000) - 1, sound: deps.sound() }
    runs += 1
    const { video, audio, looks } = encoderDescriptors(one.number)
    await deps.write(`encoder-${String(one.number)}`, encoderArguments({ video, audio, looks, ...one }).join('\n'))
    deps.command(`encoder ${String(one.number)}`)
    return one
  }
  const forget = ({ number }: WaitingEncoder): void => {
    for (const descriptor of Object.values(encoderDescriptors(number))) pipe(descriptor).destroy()
  }
  /** The one that waits, if it still does and there is the sound that it was made for; else another. */
  const take = async (): Promise<WaitingEncoder> => {
    await making
    const one = waiting
    waiting = null
    if (one !== null && one.sound === deps.sound() && statusOf(one.number) === undefined) return one
    if (one !== null) {
      await deps.kill()
      forget(one)
    }
    return await load()
  }
  const begin = ({ number, origin, sound }: WaitingEncoder, sink: EncoderSink): EncoderRun => {
    const { stdin, video, audio, looks } = encoderDescriptors(number)
    const run = runEncoder({
      stdin: pipe(stdin),
      video: pipe(video),
      audio: pipe(audio),
      looks: pipe(looks),
      origin,
      sound,
      originMs,
      afterUs: lastUs,
      sink: {
        sample: (sample) => {
          lastUs = Math.max(lastUs, sample.timeUs)
          sink.sample(sample)
        },
        missed: (count) => sink.missed(count),
        ended: (why) => {
          // Whoever is told may ask for the next at once.
          current = null
          sink.ended(why)
        },
      },
      kill: () => void deps.kill(),
      status: () => {
        const status = statusOf(number)
        return status === undefined ? null : `status ${status}`
      },
    })
    // What it waits for: see encoderArguments.
    if (!pipe(video).destroyed) pipe(video).end()
    return run
  }

  return {
    ready: async () => {
      const work = making.then(async () => {
        waiting ??= await load()
      })
      making = work.catch(() => undefined)
      await work
    },
    start: async (sink) => {
      if (current !== null || starting) throw new EncoderFailed('the encoder runs already')
      starting = true
      const run = await take()
        .then((one) => begin(one, sink))
        .finally(() => (starting = false))
      current = run
      void run.over.then(() => {
        if (current === run) current = null
      })
      const config = await run.config
      originMs = config.originMs
      return config
    },
    stop: async () => {
      await current?.stop()
    },
    close: async () => {
      await making
      await current?.over
      if (waiting !== null) forget(waiting)
      for (let number = runs; number < encoderRuns; number += 1) forget({ number, origin: 0, sound: false })
    },
  }
}

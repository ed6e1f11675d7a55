/**
 * The picture and the sound of a live session: encoded once, recorded, and sent to whoever looks on. The session gives viewers
 * and hears of groups, gaps and the loss of the picture; the rest is in here.
 */
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { EncoderSink, MediaConfig, RecordedDisplay } from '../../../../../platform/display/recorded-display.ts'
import type { Log } from '../../../../../platform/log/log.ts'
import type { PictureGroup } from '../../../../verification/server/index.ts'
import type { SlowSide } from '../../../domain/slow-side.ts'
import type { Viewer } from '../viewers/viewer.ts'
import { assembleRecording } from './assemble-recording.ts'
import { openFanOut, type FanOut } from './fan-out.ts'
import { recordSamples, type GapReason, type PictureGap, type RecorderPosition } from './record-samples.ts'
import type { RecordingIndex } from './sample-index.ts'
import { showPictures, type ShownPicture } from './show-pictures.ts'
import type { Level } from './viewer-lane.ts'

export type Picture = Pick<FanOut, 'join' | 'leave' | 'acknowledge' | 'hear'> & {
  readonly config: MediaConfig
  position(): RecorderPosition
  /** False while pictures are not recorded, for whatever reason. */
  readonly recording: () => boolean
  /** Ends the encoder in order and makes the file. Viewers are sent nothing more. Call once. @throws what the disk says */
  finish(): Promise<FinishedPicture | null>
  /** Ends everything that it runs. Idempotent; never throws. What is on disk stays in `folder`. */
  release(): Promise<void>
}

/** As `InteractiveFacts.video` has it; `null` above when not one picture was recorded. */
export type FinishedPicture = {
  readonly file: string
  readonly media_type: 'video/mp4'
  readonly width: number
  readonly height: number
  readonly codec: string
  readonly frames: number
  readonly duration_ms: number
  readonly chain: string
  readonly sound: { readonly codec: string; readonly packets: number } | null
  readonly gaps: readonly { readonly from_ms: number; readonly to_ms: number; readonly reason: string }[]
  /** Times of the encoder at which it did not look at the screen, outside gaps. */
  readonly frames_dropped: number
  /** JPEG files of what stood at these moments, at most `mostKeyFrames`; see showPictures. */
  keyFrames<T extends { readonly ms: number }>(moments: readonly T[], signal?: AbortSignal): Promise<ShownPicture<T>[]>
}

export const mostKeyFrames = 40
/** An encoder that ends by itself is started again; one that does so this often is not. */
const mostRestarts = 10

export type PictureDeps = {
  readonly display: Pick<RecordedDisplay, 'startEncoder' | 'stopEncoder'>
  /** Its own; made when it is not there. */
  readonly folder: string
  /** Monotonic, in milliseconds: the clock of `MediaConfig.originMs`. */
  readonly now: () => number
  readonly log: Log
  /** A line `video` of the timeline: `{ group }`. */
  readonly onGroup: (group: PictureGroup) => void
  /** A line `video` of the timeline: `{ gap }`. Told when it is over. */
  readonly onGap: (gap: PictureGap) => void
  /** The picture stops and is tried again (`recovered` when it goes on), or is lost for good. */
  readonly onInterrupted?: (reason: GapReason, detail: string) => void
  readonly onRecovered?: () => void
  readonly onLost: (reason: GapReason, detail: string) => void
  readonly onLevel?: (viewer: Viewer, level: Level, side: SlowSide) => void
}

/** Settles with the first picture. @throws what the encoder says when it does not start; nothing is left then */
export async function startPicture(deps: PictureDeps): Promise<Picture> {
  const { display, folder, log } = deps
  await mkdir(folder, { recursive: true })
  const gaps: PictureGap[] = []
  /** Of each encoder, as far as it told. */
  const missed: number[] = []
  let [restarts, ending, lost] = [0, false, false]
  const lose = (reason: GapReason, detail: string): void => {
    if (lost || ending) return
    lost = true
    deps.onLost(reason, detail)
  }
  const recorder = await recordSamples({
    folder: join(folder, 'recording'),
    now: deps.now,
    onGroup: deps.onGroup,
    onGap: (gap) => {
      gaps.push(gap)
      deps.onGap(gap)
    },
    onFailed: lose,
  })
  const fanOut = openFanOut({ now: deps.now, log, ...(deps.onLevel === undefined ? {} : { onLevel: deps.onLevel }) })

  /** When the recording began, by our clock. */
  let beganAt: number | null = null
  let restarting: Promise<unknown> = Promise.resolve()
  const start = async (): Promise<MediaConfig> => {
    let configured: Promise<void> | null = null
    let early: Parameters<EncoderSink['sample']>[0][] = []
    const take = (sample: Parameters<EncoderSink['sample']>[0]): void => {
      if (recorder.sample(sample)) fanOut.sample(sample)
      // What is not recorded nobody is shown, nor what would follow from it.
      else if (sample.kind === 'video') fanOut.interrupt()
    }
    const run = missed.push(0) - 1
    const config = await display.startEncoder({
      sample: (sample) => {
        // Samples come before the configuration is on disk; they are few.
        if (configured === null) early.push(sample)
        else take(sample)
      },
      missed: (count) => {
        missed[run] = count
      },
      ended: (reason) => {
        if (ending || lost) return
        log.warn({ reason }, 'the encoder ended')
        recorder.interrupt('encoder_ended', reason)
        fanOut.interrupt()
        deps.onInterrupted?.('encoder_ended', reason)
        restarting = restart(reason)
      },
    })
    beganAt ??= config.originMs
    await recorder.configure(config)
    fanOut.configure(config)
    configured = Promise.resolve()
    for (const sample of early) take(sample)
    early = []
    return config
  }
  const restart = async (reason: string): Promise<void> => {
    restarts += 1
    if (restarts > mostRestarts) {
      lose('encoder_ended', reason)
      return
    }
    try {
      await start()
      deps.onRecovered?.()
    } catch (error) {
      lose('encoder_ended', error instanceof Error ? error.message : reason)
    }
  }

  let released: Promise<void> | null = null
  const end = async (): Promise<void> => {
    ending = true
    await restarting.catch(() => undefined)
    await display.stopEncoder().catch((error: unknown) => log.warn({ err: error }, 'the encoder did not end in order'))
    await fanOut.close()
    await recorder.close(beganAt === null ? 0 : (deps.now() - beganAt) * 1000)
  }
  const endOnce = (): Promise<void> => (released ??= end())

  try {
    const config = await start()
    return {
      config,
      join: fanOut.join,
      leave: fanOut.leave,
      acknowledge: fanOut.acknowledge,
      hear: fanOut.hear,
      position: recorder.position,
      recording: recorder.recording,
      finish: async () => {
        await endOnce()
        const file = join(folder, 'session.mp4')
        const index = await assembleRecording(join(folder, 'recording'), file)
        if (index === null) return null
        return finished(index, { folder, file, gaps, missed, chain: recorder.position().chain })
      },
      release: async () => {
        await endOnce().catch((error: unknown) => log.error({ err: error }, 'the recording was not closed in order'))
      },
    }
  } catch (error) {
    await endOnce().catch(() => undefined)
    throw error
  }
}

function finished(
  index: RecordingIndex,
  of: { folder: string; file: string; gaps: readonly PictureGap[]; missed: readonly number[]; chain: string },
): FinishedPicture {
  const { folder, file, gaps, missed, chain } = of
  const pictures = index.samples.filter(({ kind }) => kind === 'video')
  const packets = index.samples.length - pictures.length
  const config = index.configs[0]
  const last = pictures.at(-1)
  return {
    file,
    media_type: 'video/mp4',
    width: config?.width ?? 0,
    height: config?.height ?? 0,
    codec: config?.codec ?? '',
    frames: pictures.length,
    duration_ms: last === undefined ? 0 : (last.time + last.duration) / 1000,
    chain,
    sound: packets === 0 ? null : { codec: 'opus', packets },
    gaps: gaps.map(({ from_us, to_us, reason }) => ({ from_ms: from_us / 1000, to_ms: to_us / 1000, reason })),
    frames_dropped: missed.reduce((sum, count) => sum + count, 0),
    keyFrames: async (moments, signal) =>
      await showPictures(
        { folder: join(folder, 'recording'), index },
        moments.slice(0, mostKeyFrames),
        (frame) => join(folder, `picture-${frame}.jpg`),
        signal,
      ),
  }
}

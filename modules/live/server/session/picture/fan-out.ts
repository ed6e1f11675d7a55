/**
 * Sends what is recorded to whoever looks on: the same bytes, each viewer at its own pace (viewer-lane.ts), the recorder at none but
 * the encoder's.
 */
import type { Log } from '../../../../../platform/log/log.ts'
import type { MediaConfig, MediaSample } from '../../../../../platform/display/recorded-display.ts'
import type { Viewer } from '../viewers/viewer.ts'
import { deriveStream, keptPicture, type DerivedKind, type DerivedStream } from './derived-stream.ts'
import { pictureStream, type StreamPicture } from './picture-stream.ts'
import { recentMost, type SlowSide } from '../../../domain/slow-side.ts'
import { laneLimits, levels, openLane, type Lane, type Level } from './viewer-lane.ts'

export type FanOut = {
  configure(config: MediaConfig): void
  /** A sample that is recorded. */
  sample(sample: MediaSample): void
  /** No picture follows from those before. */
  interrupt(): void
  readonly join: (viewer: Viewer) => void
  readonly leave: (viewer: Viewer) => void
  /** @param heldMs from its arrival at the device to its being drawn */
  readonly acknowledge: (viewer: Viewer, picture: number, heldMs?: number) => void
  /** Whether it is sent the sound from now on. */
  readonly hear: (viewer: Viewer, on: boolean) => void
  /** Ends what it runs. Viewers are not closed. */
  close(): Promise<void>
}

export function openFanOut(deps: {
  /** Monotonic, in milliseconds. */
  readonly now: () => number
  readonly log: Log
  /** A viewer is sent less, or more again, and what was slow. */
  readonly onLevel?: (viewer: Viewer, level: Level, side: SlowSide) => void
}): FanOut {
  const full = pictureStream()
  const lanes = new Map<string, Lane>()
  /** Viewers that want to hear it. */
  const hearing = new Set<string>()
  const derived = new Map<DerivedKind, DerivedStream>()
  /** Kinds that this machine cannot make. */
  const impossible = new Set<DerivedKind>()
  const ending = new Set<Promise<void>>()
  let config: MediaConfig | null = null
  let pictureUs = 40_000
  /** By how much pictures come later than the quickest of them: encoder, screen and event loop are our side. */
  const late = recentMost(laneLimits.recentMs)
  let quickestMs = Infinity

  const framesPerSecond = (kind: DerivedKind | 'full'): number =>
    Math.round(1_000_000 / pictureUs / (kind === 'full' ? 1 : keptPicture))
  const kindOf = (lane: Lane, level: Level): DerivedKind | 'full' =>
    lane.viewer.wants.video === 'jpeg' ? 'jpeg' : level === 'full' ? 'full' : level

  const streamOf = (kind: DerivedKind): DerivedStream | null => {
    const found = derived.get(kind)
    if (found !== undefined || config === null || impossible.has(kind)) return found ?? null
    const made = deriveStream({
      kind,
      avcC: config.video,
      group: full.group,
      log: deps.log,
      onPicture: (picture) => {
        for (const lane of lanes.values()) lane.picture(made, picture)
      },
      onFailed: () => {
        impossible.add(kind)
        for (const lane of lanes.values()) if (lane.uses(made) && kind !== 'jpeg') lane.attach(full, 'full')
        drop(kind, made)
      },
    })
    derived.set(kind, made)
    return made
  }
  const drop = (kind: DerivedKind, stream: DerivedStream): void => {
    if (derived.get(kind) === stream) derived.delete(kind)
    const done = stream.stop().finally(() => ending.delete(done))
    ending.add(done)
  }
  const dropUnused = (): void => {
    for (const [kind, stream] of derived) if (![...lanes.values()].some((lane) => lane.uses(stream))) drop(kind, stream)
  }
  /** Has a lane follow the stream of a level; one that cannot be made is passed over. */
  const follow = (lane: Lane, level: Level, joins: boolean): void => {
    const kind = kindOf(lane, level)
    const stream = kind === 'full' ? full : streamOf(kind)
    if (stream === null || (lane.uses(stream) && !joins && kind !== 'jpeg')) return
    const raises = !joins && levels.indexOf(level) < levels.indexOf(lane.level)
    if (raises) lane.attachNext(stream, level)
    else lane.attach(stream, level)
    dropUnused()
  }
  const rateOf = (level: Level): number | null => (level === 'full' ? full : derived.get(level))?.rate ?? null
  const told = new Map<string, Level>()
  const tell = (lane: Lane): void => {
    const { viewer, level, side } = lane
    if (told.get(viewer.id) === level) return
    told.set(viewer.id, level)
    viewer.send({ type: 'picture_quality', level, frames_per_second: framesPerSecond(kindOf(lane, level)), side })
    deps.onLevel?.(viewer, level, side)
  }

  return {
    configure: (given) => {
      config = given
      full.config = given.video
      full.interrupt()
      for (const [kind, stream] of derived) drop(kind, stream)
      for (const lane of lanes.values()) {
        if (hearing.has(lane.viewer.id) && given.audio !== null) lane.sound('audioConfig', given.audio, 0)
        if (lane.viewer.wants.video !== null) follow(lane, lane.level, true)
      }
    },
    sample: ({ kind, bytes, timeUs, durationUs, key }) => {
      if (kind === 'audio') {
        for (const lane of lanes.values()) if (hearing.has(lane.viewer.id)) lane.sound('audio', bytes, timeUs)
        return
      }
      if (durationUs > 0) pictureUs = durationUs
      const cameMs = deps.now() - timeUs / 1000
      quickestMs = Math.min(quickestMs, cameMs)
      late.add(cameMs - quickestMs, deps.now())
      const picture: StreamPicture = { bytes, timeUs, key }
      full.add(picture)
      for (const stream of derived.values()) stream.feed({ kind, bytes, timeUs, durationUs, key })
      for (const lane of lanes.values()) {
        if (lane.viewer.wants.video === null) continue
        lane.picture(full, picture)
        const wanted = lane.wanted(rateOf)
        if (wanted !== lane.level) follow(lane, wanted, false)
        tell(lane)
      }
      dropUnused()
    },
    interrupt: () => {
      full.interrupt()
      for (const lane of lanes.values()) lane.interrupt(full)
    },
    join: (viewer) => {
      const lane = openLane(viewer, deps.now, () => late.most(deps.now()))
      lanes.set(viewer.id, lane)
      if (viewer.wants.audio) hearing.add(viewer.id)
      if (config === null) return
      if (viewer.wants.audio && config.audio !== null) lane.sound('audioConfig', config.audio, 0)
      if (viewer.wants.video !== null) follow(lane, 'full', true)
    },
    leave: (viewer) => {
      lanes.delete(viewer.id)
      hearing.delete(viewer.id)
      told.delete(viewer.id)
      dropUnused()
    },
    acknowledge: (viewer, picture, heldMs) => {
      lanes.get(viewer.id)?.acknowledge(picture, heldMs)
    },
    hear: (viewer, on) => {
      const lane = lanes.get(viewer.id)
      if (lane === undefined || hearing.has(viewer.id) === on) return
      if (!on) {
        hearing.delete(viewer.id)
        return
      }
      hearing.add(viewer.id)
      if (config !== null && config.audio !== null) lane.sound('audioConfig', config.audio, 0)
    },
    close: async () => {
      lanes.clear()
      dropUnused()
      await Promise.all(ending)
    },
  }
}

/**
 * Writes every sample to disk as it comes, hashes it, and closes a group at each picture that can be decoded by itself
 * (decision 0213). Nothing here waits for anything: an encoder that is slowed down drops pictures. What cannot be written is not
 * recorded, and that is a gap with its reason; no more is held than `mostPending` octets.
 */
import { createHash, type Hash } from 'node:crypto'
import { appendFile, mkdir, open, type FileHandle } from 'node:fs/promises'
import type { MediaConfig, MediaSample } from '../../../../../platform/display/recorded-display.ts'
import { audioTimescale, chainLines, sampleLine, type PictureGroup } from '../../../../verification/server/index.ts'
import { recordingFiles, writeConfigLine, writeIndexRecord, type IndexedSample, type RecordedConfig } from './sample-index.ts'
import { opusBox } from './write-mp4.ts'

/** `disk`: it could not be written. `disk_slow`: not as fast as it came. `too_large`: the recording reached its bound. `clock`: time did not go on. */
export type GapReason = 'encoder_ended' | 'disk' | 'disk_slow' | 'too_large' | 'clock'
export type PictureGap = { readonly from_us: number; readonly to_us: number; readonly reason: GapReason; readonly detail: string }

export type SampleRecorder = {
  /** Of the samples that follow; the group that was open is closed. */
  configure(config: MediaConfig): Promise<void>
  /** @returns whether it is recorded; a viewer is shown nothing else */
  sample(sample: MediaSample): boolean
  /** No sample comes until the next picture that can be decoded by itself. */
  interrupt(reason: GapReason, detail?: string): void
  readonly position: () => RecorderPosition
  /** Whether the picture that comes next is recorded, as far as is known: false before the first and during a gap. */
  readonly recording: () => boolean
  /** Everything is on disk when it settles. A gap that is still open ends at `atUs`. */
  close(atUs: number): Promise<void>
}

export type RecorderPosition = {
  readonly frames: number
  readonly packets: number
  readonly bytes: number
  /** End of the last picture. */
  readonly endUs: number
  readonly chain: string
}

const mostPending = 64 << 20
const mostBytes = 4 * 1024 ** 3
const mostConfigs = 64
/** Between two calls that have the disk keep what it was given. */
const syncMs = 1_000
/** So long, or until there is so much, what came is gathered: fifty packets of sound a second are not fifty calls of the system. */
const gatherMs = 100
const gatherBytes = 256 << 10

type Group = { -readonly [K in 'first_frame' | 'frames' | 'first_packet' | 'packets' | 'from_us' | 'last_us']: number } & {
  video: Hash
  audio: Hash
}

export async function recordSamples(deps: {
  /** Empty, or absent. */
  readonly folder: string
  readonly now: () => number
  readonly onGroup: (group: PictureGroup) => void
  readonly onGap: (gap: PictureGap) => void
  /** Nothing more can be recorded. Called once. */
  readonly onFailed: (reason: GapReason, detail: string) => void
  readonly limits?: { readonly pending?: number; readonly bytes?: number }
}): Promise<SampleRecorder> {
  const files = recordingFiles(deps.folder)
  await mkdir(deps.folder, { recursive: true })
  const [samplesFile, indexFile] = [await open(files.samples, 'wx'), await open(files.index, 'wx')]
  const limits = { pending: mostPending, bytes: mostBytes, ...deps.limits }

  const configs: RecordedConfig[] = []
  let config = -1
  let configHash = ''
  let group: Group | null = null
  let groups = 0
  let chain = ''
  let [frames, packets, bytes] = [0, 0, 0]
  let lastTime = { video: -1, audio: -1 }
  let endUs = 0
  let gap: { from_us: number; reason: GapReason; detail: string } | null = null
  let failed = false
  const writer = startWriter(samplesFile, indexFile, deps.now, (detail) => fail('disk', detail))

  const closeGroup = (): void => {
    if (group === null) return
    const { video, audio, ...counted } = group
    group = null
    const digests = { config: configHash, video: video.digest('hex'), audio: audio.digest('hex') }
    chain = hexOf(chainLines(chain, digests))
    groups += 1
    deps.onGroup({ group: groups, ...counted, ...digests, chain })
  }
  const interrupt = (reason: GapReason, detail = ''): void => {
    closeGroup()
    gap ??= { from_us: endUs, reason, detail }
  }
  const fail = (reason: GapReason, detail: string): void => {
    if (failed) return
    failed = true
    interrupt(reason, detail)
    deps.onFailed(reason, detail)
  }
  const endGap = (to_us: number): void => {
    if (gap !== null && to_us > gap.from_us) deps.onGap({ ...gap, to_us })
    gap = null
  }

  const write = (sample: MediaSample, time: number, duration: number): void => {
    const hash = createHash('sha256').update(sample.bytes).digest()
    const indexed: IndexedSample = {
      kind: sample.kind,
      key: sample.key,
      config,
      size: sample.bytes.length,
      time,
      duration,
      sha256: hash,
    }
    writer.add(sample.bytes, writeIndexRecord(indexed))
    bytes += sample.bytes.length
    lastTime = { ...lastTime, [sample.kind]: time }
    if (group === null) return
    group[sample.kind].update(sampleLine(time, hash.toString('hex')))
  }

  const video = (sample: MediaSample): boolean => {
    if (sample.timeUs <= lastTime.video) {
      interrupt('clock')
      return false
    }
    if (sample.key) {
      if (gap !== null && writer.pending() > limits.pending / 4) return false
      closeGroup()
      endGap(sample.timeUs)
      group = {
        first_frame: frames, frames: 0, first_packet: packets, packets: 0, from_us: sample.timeUs, last_us: sample.timeUs,
        video: createHash('sha256'), audio: createHash('sha256'),
      } // prettier-ignore
    }
    if (group === null) return false
    write(sample, sample.timeUs, sample.durationUs)
    group.frames += 1
    group.last_us = sample.timeUs
    frames += 1
    endUs = sample.timeUs + sample.durationUs
    return true
  }

  const audio = (sample: MediaSample): boolean => {
    const time = toTicks(sample.timeUs)
    // Sound from before the first picture, and of a group that is not recorded, has no place.
    if (group === null || sample.timeUs < 0 || configs[config]?.dOps === null) return false
    if (time <= lastTime.audio) return false
    write(sample, time, toTicks(sample.durationUs))
    group.packets += 1
    packets += 1
    return true
  }

  return {
    configure: async (given) => {
      closeGroup()
      // A file has a track of sound or none: as the first encoder had it. One that is silent later gives no packet of it.
      const [first] = configs
      const dOps =
        first === undefined || (first.dOps !== null && given.audio !== null)
          ? given.audio === null
            ? null
            : opusBox(given.audio)
          : first.dOps
      const next = { codec: given.codec, width: given.width, height: given.height, avcC: Buffer.from(given.video), dOps }
      const line = writeConfigLine(next)
      config = configs.findIndex((each) => writeConfigLine(each) === line)
      if (config === -1) {
        if (configs.length === mostConfigs) throw new RangeError('too many configurations')
        await appendFile(files.configs, line, { flush: true })
        config = configs.push(next) - 1
      }
      configHash = createHash('sha256')
        .update(next.avcC)
        .update(dOps ?? Buffer.alloc(0))
        .digest('hex')
    },
    sample: (sample) => {
      if (failed || config === -1) return false
      if (bytes + sample.bytes.length > limits.bytes) {
        fail('too_large', '')
        return false
      }
      if (writer.pending() + sample.bytes.length > limits.pending) {
        interrupt('disk_slow')
        return false
      }
      return sample.kind === 'video' ? video(sample) : audio(sample)
    },
    interrupt,
    position: () => ({ frames, packets, bytes, endUs, chain }),
    recording: () => group !== null,
    close: async (atUs) => {
      closeGroup()
      endGap(atUs)
      failed = true
      await writer.close()
    },
  }
}

/** Octets first, then the records that speak of them. Errors are told once; what comes after them is dropped. */
function startWriter(samples: FileHandle, index: FileHandle, now: () => number, onError: (detail: string) => void) {
  let data: Uint8Array[] = []
  let records: Buffer[] = []
  let pending = 0
  let broken = false
  let syncedAt = now()
  let running: Promise<void> | null = null
  /** Ends the gathering. */
  let hurry: (() => void) | null = null
  let closing = false

  const gather = async (): Promise<void> => {
    if (closing || pending >= gatherBytes) return
    const { promise, resolve } = Promise.withResolvers<void>()
    const timer = setTimeout(resolve, gatherMs)
    hurry = resolve
    await promise
    clearTimeout(timer)
    hurry = null
  }
  const run = async (): Promise<void> => {
    try {
      while (data.length > 0) {
        await gather()
        const [nowData, nowRecords] = [data, records]
        ;[data, records] = [[], []]
        const size = nowData.reduce((sum, { length }) => sum + length, 0)
        await writeAll(samples, nowData)
        await writeAll(index, nowRecords)
        pending -= size
        if (now() - syncedAt >= syncMs) await sync()
      }
    } catch (error) {
      broken = true
      ;[data, records, pending] = [[], [], 0]
      onError((error as NodeJS.ErrnoException).code ?? 'unknown')
    } finally {
      running = null
    }
  }
  const sync = async (): Promise<void> => {
    syncedAt = now()
    await samples.datasync()
    await index.datasync()
  }
  return {
    add: (bytes: Uint8Array, record: Buffer): void => {
      if (broken) return
      data.push(bytes)
      records.push(record)
      pending += bytes.length
      running ??= run()
      if (pending >= gatherBytes) hurry?.()
    },
    pending: () => pending,
    close: async (): Promise<void> => {
      closing = true
      hurry?.()
      await running
      try {
        if (!broken) await sync()
      } catch (error) {
        onError((error as NodeJS.ErrnoException).code ?? 'unknown')
      } finally {
        await samples.close()
        await index.close()
      }
    },
  }
}

/** writev(2) may write less than it was given, and takes at most 1,024 parts. */
async function writeAll(file: FileHandle, parts: readonly Uint8Array[]): Promise<void> {
  for (let at = 0; at < parts.length; at += 512) {
    const some = parts.slice(at, at + 512)
    const size = some.reduce((sum, { length }) => sum + length, 0)
    const { bytesWritten } = await file.writev(some)
    if (bytesWritten < size) await file.writeFile(Buffer.concat(some).subarray(bytesWritten))
  }
}

const toTicks = (us: number): number => Math.round((us * audioTimescale) / 1_000_000)
const hexOf = (text: string): string => createHash('sha256').update(text).digest('hex')

/** Single pictures of the recording, decoded from it, for the report. */
import { open, writeFile } from 'node:fs/promises'
import { mpjpegReader } from './mpjpeg.ts'
import { runFfmpeg } from './run-ffmpeg.ts'
import { recordingFiles, type IndexedSample, type RecordingIndex } from './sample-index.ts'

export type ShownPicture<T> = T & {
  /** Its number in the recording, from 0, and its own time: the last that begins no later than what was asked for. */
  readonly frame: number
  readonly time_ms: number
  readonly width: number
  readonly height: number
  readonly file: string
}

const longestMs = 20_000

/**
 * JPEG files of the pictures that stood at these moments, one decoder for each group that holds any. Moments without a picture, and
 * those whose group does not decode in time, are left out.
 * @param fileOf where to write the picture of a frame; moments of one picture share it
 */
export async function showPictures<T extends { readonly ms: number }>(
  { folder, index }: { readonly folder: string; readonly index: RecordingIndex },
  moments: readonly T[],
  fileOf: (frame: number) => string,
  signal?: AbortSignal,
): Promise<ShownPicture<T>[]> {
  const pictures = picturesOf(index)
  const wanted = new Map<number, { frame: number; moments: T[] }[]>()
  for (const moment of moments) {
    const frame = pictures.findLastIndex(({ sample }) => sample.time <= moment.ms * 1000)
    const first = pictures.findLastIndex(({ sample }, i) => i <= frame && sample.key)
    if (first === -1) continue
    const group = wanted.get(first) ?? []
    wanted.set(first, group)
    const same = group.find((each) => each.frame === frame)
    if (same === undefined) group.push({ frame, moments: [moment] })
    else same.moments.push(moment)
  }
  const shown: ShownPicture<T>[] = []
  for (const [first, frames] of wanted) {
    signal?.throwIfAborted()
    const sorted = frames.toSorted((a, b) => a.frame - b.frame)
    const last = sorted.at(-1)?.frame ?? first
    const found = await decode(folder, index, pictures.slice(first, last + 1), new Set(sorted.map(({ frame }) => frame - first)))
    for (const [i, { frame, moments: asked }] of sorted.entries()) {
      const [jpeg, picture] = [found[i], pictures[frame]]
      const config = index.configs[picture?.sample.config ?? 0]
      if (jpeg === undefined || picture === undefined || config === undefined) continue
      const file = fileOf(frame)
      await writeFile(file, jpeg)
      const { width, height } = config
      shown.push(...asked.map((moment) => ({ ...moment, frame, time_ms: picture.sample.time / 1000, width, height, file })))
    }
  }
  return shown.toSorted((a, b) => a.ms - b.ms)
}

type Placed = { readonly sample: IndexedSample; readonly at: number }

function picturesOf({ samples }: RecordingIndex): Placed[] {
  const pictures: Placed[] = []
  let at = 0
  for (const sample of samples) {
    if (sample.kind === 'video') pictures.push({ sample, at })
    at += sample.size
  }
  return pictures
}

async function decode(
  folder: string,
  { configs }: RecordingIndex,
  group: readonly Placed[],
  wanted: ReadonlySet<number>,
): Promise<readonly Buffer[]> {
  const [first] = group
  const config = configs[first?.sample.config ?? 0]
  if (first === undefined || config === undefined) return []
  const found: Buffer[] = []
  const select = [...wanted].map((i) => `eq(n\\,${i})`).join('+')
  const decoder = runFfmpeg(
    config.avcC,
    ['-vf', `select=${select}`, '-threads', '1', '-c:v', 'mjpeg', '-q:v', '2', '-f', 'mpjpeg'],
    mpjpegReader((jpeg) => found.push(jpeg)),
  )
  const timer = setTimeout(() => decoder.kill(), longestMs)
  const file = await open(recordingFiles(folder).samples)
  try {
    for (const { sample, at } of group) {
      const bytes = Buffer.alloc(sample.size)
      await file.read(bytes, 0, bytes.length, at)
      if (!decoder.feed({ kind: 'video', bytes, timeUs: sample.time, durationUs: 0, key: sample.key })) await decoder.drained()
    }
    decoder.end()
    await decoder.ended
  } finally {
    clearTimeout(timer)
    decoder.kill()
    await file.close()
  }
  return found
}

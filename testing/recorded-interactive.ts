/** An interactive session, small and made by hand: pictures and packets that nobody need decode, and the timeline that chains them. */
import { createHash } from 'node:crypto'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { assembleRecording } from '../modules/live/server/session/picture/assemble-recording.ts'
import { recordSamples } from '../modules/live/server/session/picture/record-samples.ts'
import { canonicalJson, type PictureGroup, type TimelineHead } from '../modules/verification/server/index.ts'
import type { MediaConfig, MediaSample } from '../platform/display/recorded-display.ts'
import type { SessionPiece } from './recorded-session.ts'

const sha256 = (bytes: Uint8Array | string) => createHash('sha256').update(bytes).digest('hex')

/** What a line says; the rest follows from its place. */
export type Line = { readonly type: string; readonly ms: number; readonly data: Readonly<Record<string, unknown>> }

/** Chains lines as the witness does. */
export function timelineOf(lines: readonly Line[]): { bytes: Buffer; headAfter: (entries: number) => TimelineHead } {
  const heads: (string | null)[] = [null]
  const texts = lines.map(({ type, ms, data }, i) => {
    const at = new Date(Date.UTC(2026, 10, 21, 10) + ms).toISOString()
    const text = canonicalJson({ n: i + 1, ms, at, type, data, previous: heads.at(-1) })
    heads.push(sha256(text))
    return `${text}\n`
  })
  return {
    bytes: Buffer.from(texts.join('')),
    headAfter: (entries) => ({ entries, head: heads[entries] ?? null }),
  }
}

/** 40 ms a picture, five to a group, and two packets of sound with each. */
export function samplesOf(pictures: number): MediaSample[] {
  return Array.from({ length: pictures }, (_, i): MediaSample[] => {
    const sound = (n: number): MediaSample => ({
      kind: 'audio', bytes: Buffer.from(`packet ${2 * i + n}`), timeUs: i * 40_000 + n * 20_000, durationUs: 20_000, key: true,
    }) // prettier-ignore
    const picture = Buffer.from(`picture ${i}`.repeat(20))
    return [{ kind: 'video', bytes: picture, timeUs: i * 40_000, durationUs: 40_000, key: i % 5 === 0 }, sound(0), sound(1)]
  }).flat()
}

const madeUp: MediaConfig = {
  video: Buffer.from('0142c01effe100046742c01e01000468ce3c80', 'hex'),
  codec: 'avc1.42c01e',
  width: 1280,
  height: 840,
  audio: Buffer.from('4f7075734865616401013801c05d0000000000', 'hex'),
  originMs: 0,
}

/** Records samples as the witness does. */
export async function recordingOf(
  samples: readonly MediaSample[],
  config: MediaConfig = madeUp,
): Promise<{ bytes: Buffer; groups: PictureGroup[] }> {
  const folder = await mkdtemp(join(tmpdir(), 'recorded-'))
  try {
    const groups: PictureGroup[] = []
    const recorder = await recordSamples({
      folder: join(folder, 'recording'),
      now: () => 0,
      onGroup: (group) => groups.push(group),
      onGap: () => undefined,
      onFailed: () => undefined,
    })
    await recorder.configure(config)
    for (const sample of samples) recorder.sample(sample)
    await recorder.close(0)
    await assembleRecording(join(folder, 'recording'), join(folder, 'session.mp4'))
    return { bytes: await readFile(join(folder, 'session.mp4')), groups }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** @param digest that the timeline names the download by, when it is not its own */
export async function recordedInteractive(digest?: string): Promise<{
  pieces: SessionPiece[]
  lines: Line[]
  groups: readonly PictureGroup[]
  headAfter: (entries: number) => TimelineHead
}> {
  const download = Buffer.from('a file that the page gave')
  const named = { path: 'capture/downloads/1.bin', sha256: digest ?? sha256(download) }
  const { bytes, groups } = await recordingOf(samplesOf(20))
  const lines: Line[] = [
    { type: 'session', ms: 0, data: { format: 'probant-timeline/1' } },
    ...groups.map((group) => ({ type: 'video', ms: group.last_us / 1000, data: { group } })),
    { type: 'download', ms: 800, data: { name: 'file.bin', pieces: [named] } },
    { type: 'end', ms: 810, data: {} },
  ]
  const timeline = timelineOf(lines)
  return {
    pieces: [
      { path: named.path, role: 'download', bytes: download },
      { path: 'capture/session.mp4', role: 'session_video', bytes },
      { path: 'capture/timeline.jsonl', role: 'timeline', bytes: timeline.bytes },
    ],
    lines,
    groups,
    headAfter: timeline.headAfter,
  }
}

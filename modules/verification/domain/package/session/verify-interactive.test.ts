import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { assert, asyncProperty, integer, nat } from '../../../../../testing/fast-check.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  recordedInteractive,
  recordingOf,
  samplesOf,
  timelineOf,
  type Line,
} from '../../../../../testing/recorded-interactive.ts'
import { encodePictures } from '../../../../live/server/session/picture/encoded-pictures.fixture.ts'
import { timelineCommand, videoCommand } from '../../../../report/server/instructions/verify-commands.ts'
import { interactiveChecks } from './verify-interactive.ts'
import type { Check } from '../../report/package-report.ts'
import type { SessionRecord } from './session-record.ts'
import { hostSha256, type Manifest, type TimelineHead } from '../../../server/index.ts'

const run = promisify(execFile)
type Made = Awaited<ReturnType<typeof recordedInteractive>>
let made: Made
let video: Buffer
let timeline: Buffer
beforeAll(async () => {
  made = await recordedInteractive()
  const of = (path: string): Buffer => Buffer.from(made.pieces.find((piece) => piece.path === path)?.bytes ?? [])
  ;[video, timeline] = [of('capture/session.mp4'), of('capture/timeline.jsonl')]
})

const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')

async function check(given: {
  video?: Uint8Array | null
  timeline?: Uint8Array | null
  without?: string
  dated?: readonly (TimelineHead | undefined)[]
  pure?: boolean
  /** Paths that were sealed; not known unless told. */
  sealed?: readonly string[]
}): Promise<readonly Check[]> {
  const pieces = new Map(made.pieces.map(({ path, bytes }) => [path, bytes]))
  for (const [path, bytes] of [
    ['capture/session.mp4', given.video],
    ['capture/timeline.jsonl', given.timeline],
  ] as const) {
    if (bytes === null) pieces.delete(path)
    else if (bytes !== undefined) pieces.set(path, bytes)
  }
  if (given.without !== undefined) pieces.delete(given.without)
  const entries = new Map(
    [...pieces].map(([path, bytes]) => [
      path,
      {
        path,
        size: bytes.length,
        sha256: sha256(bytes),
        read: async (at: number, length: number) => bytes.subarray(at, at + length),
      },
    ]),
  )
  const session = { checkpoints: (given.dated ?? []).map((each) => ({ statement: { timeline: each } })) }
  const manifest = given.sealed === undefined ? undefined : manifestOf(given.sealed)
  return await interactiveChecks(
    entries,
    manifest,
    { session: given.dated === undefined ? null : (session as unknown as SessionRecord), short: false },
    { now: () => new Date(), ...(given.pure === true ? {} : { sha256: hostSha256 }) },
  )
}

const manifestOf = (paths: readonly string[]): Manifest => ({
  format: 'probant-evidence/1',
  subject: {
    evidence_id: 'one',
    kind: 'interactive',
    requested_url: 'https://example.org/',
    final_url: 'https://example.org/',
    started_at: '2026-11-21T10:00:00.000Z',
    finished_at: '2026-11-21T10:10:00.000Z',
    software: 'probant/0.1.0',
  },
  pieces: paths.map((path) => ({
    path,
    role: 'download',
    media_type: 'application/octet-stream',
    bytes: 1,
    sha256: '0'.repeat(64),
  })),
  root: '0'.repeat(64),
})

const said = (checks: readonly Check[]): string[] =>
  checks.map(({ id, status, data }) => `${id} ${status} ${data['reason'] ?? ''}`.trim())
const allPassed = ['session_timeline passed', 'session_pieces passed', 'session_video passed']

test('a session as it was recorded holds, with any SHA-256', async () => {
  const dated = [made.headAfter(0), made.headAfter(3), made.headAfter(made.lines.length)]
  for (const pure of [false, true]) {
    const checks = await check({ dated, pure })
    expect(said(checks)).toEqual(allPassed)
    expect(checks.map(({ data }) => data)).toEqual([
      { entries: made.lines.length, checkpoints: 3 },
      { pieces: 1 },
      { frames: 20, packets: 40, groups: 4 },
    ])
  }
  expect(said(await check({}))).toEqual(allPassed)
})

test('a line altered, removed, moved, added or cut off is noticed, also when the lines are chained anew', async () => {
  const lines = timeline.toString().trimEnd().split('\n')
  const text = (changed: readonly string[]): Buffer => Buffer.from(changed.map((line) => `${line}\n`).join(''))
  const first = async (bytes: Uint8Array): Promise<string | undefined> => said(await check({ timeline: bytes }))[0]
  const chain = 'session_timeline failed timeline_chain'
  expect(await first(text(lines.with(2, (lines[2] ?? '').replace('"frames":5', '"frames":6'))))).toBe(chain)
  expect(await first(text(lines.toSpliced(2, 1)))).toBe(chain)
  expect(await first(text(lines.toSpliced(0, 1)))).toBe(chain)
  expect(await first(text(lines.with(1, lines[2] ?? '').with(2, lines[1] ?? '')))).toBe(chain)
  expect(await first(text([...lines, lines.at(-1) ?? '']))).toBe(chain)
  expect(await first(text(lines.slice(0, -1)))).toBe('session_timeline failed timeline_end')
  expect(await first(timeline.subarray(0, -1))).toBe('session_timeline failed timeline_end')
  expect(await first(Buffer.alloc(0))).toBe('session_timeline failed timeline_end')
  expect(await first(Buffer.concat([timeline, Buffer.from('{}\n')]))).toBe('session_timeline failed malformed')

  const anew = async (changed: readonly Line[], dated: readonly TimelineHead[]) =>
    said(await check({ timeline: timelineOf(changed).bytes, dated }))[0]
  const dated = [made.headAfter(2), made.headAfter(made.lines.length)]
  expect(await anew(made.lines.with(0, { type: 'session', ms: 5, data: {} }), dated)).toBe(
    'session_timeline failed timeline_dated',
  )
  const last = made.lines.at(-1) as Line
  expect(await anew([...made.lines, last], dated)).toBe('session_timeline failed after_end')
  // Nobody dated how it went on.
  expect(said(await check({ dated: [made.headAfter(2)] }))[0]).toBe('session_timeline failed after_end')
  expect(said(await check({ dated: [undefined] }))[0]).toBe('session_timeline failed after_end')
})

test('pieces that the timeline names are there, and are those', async () => {
  expect(said(await check({ without: 'capture/downloads/1.bin' }))[1]).toBe('session_pieces failed missing')
  expect(said(await check({ timeline: null }))).toEqual(['session_timeline failed missing'])
  expect(said(await check({ video: null }))[2]).toBe('session_video failed missing')
  // Sealed and gone, or never sealed; and an interactive session without any timeline.
  const sealed = ['capture/downloads/1.bin', 'capture/session.mp4']
  expect(said(await check({ video: null, sealed }))[2]).toBe('session_video failed missing')
  expect(said(await check({ video: null, sealed: [] }))[2]).toBe('session_video indeterminate missing')
  expect(said(await check({ without: sealed[0] ?? '', sealed }))[1]).toBe('session_pieces failed missing')
  expect(said(await check({ without: sealed[0] ?? '', sealed: [] }))[1]).toBe('session_pieces indeterminate missing')
  expect(said(await check({ video: null, timeline: null, sealed: [] }))).toEqual(['session_timeline failed missing'])
  expect(await check({ video: null, timeline: null })).toEqual([])
})

test('a picture or packet altered, left out, put in, moved or of another time is noticed', async () => {
  const samples = samplesOf(20)
  const judged = async (changed: Parameters<typeof recordingOf>[0]): Promise<string | undefined> =>
    said(await check({ video: (await recordingOf(changed)).bytes }))[2]
  const altered = (i: number) => samples.with(i, { ...(samples[i] as (typeof samples)[0]), bytes: Buffer.from('another') })
  expect(await judged(samples)).toBe('session_video passed')
  for (const i of [0, 1, 30, 59]) expect(await judged(altered(i))).toBe('session_video failed video_altered')
  for (const i of [3, 4, 31])
    expect(await judged(samples.toSpliced(i, 1))).toMatch(/^session_video failed video_(?:count|groups|times)$/)
  const [a, b] = [samples[6], samples[9]] as [(typeof samples)[0], (typeof samples)[0]]
  const swapped = samples.with(6, { ...a, bytes: b.bytes }).with(9, { ...b, bytes: a.bytes })
  expect(await judged(swapped)).toBe('session_video failed video_altered')
  // Half a picture later, within its group, at its end, of a packet.
  expect(await judged(samples.with(6, { ...a, timeUs: a.timeUs + 20_000 }))).toBe('session_video failed video_altered')
  const end = samples[12] as (typeof samples)[0]
  expect(await judged(samples.with(12, { ...end, timeUs: end.timeUs + 1 }))).toBe('session_video failed video_times')
  const packet = samples[7] as (typeof samples)[0]
  expect(await judged(samples.with(7, { ...packet, timeUs: packet.timeUs + 1_000 }))).toBe('session_video failed video_altered')
  expect(await judged(samples.with(9, { ...b, key: true }))).toBe('session_video failed video_groups')
  expect(await judged(samples.filter(({ kind }) => kind === 'video'))).toBe('session_video failed video_count')
})

test('a file that has anything else than the recording is refused', async () => {
  const judged = async (bytes: Uint8Array): Promise<string | undefined> => said(await check({ video: bytes }))[2]
  const malformed = 'session_video failed malformed'
  expect(await judged(Buffer.concat([video, Buffer.from('\0\0\0\x08free')]))).toBe(malformed)
  expect(await judged(video.subarray(0, -1))).toBe(malformed)
  expect(await judged(Buffer.concat([video.subarray(0, 32), Buffer.from('\0\0\0\x08free'), video.subarray(32)]))).toBe(malformed)
  expect(await judged(Buffer.alloc(0))).toBe(malformed)
  // The decoder is told something else.
  const at = video.indexOf('avcC') + 6
  expect(await judged(video.with(at, (video[at] ?? 0) ^ 1) as Buffer)).toBe('session_video failed video_altered')
})

test('300 damaged recordings and timelines: an answer each time, and never that what was damaged holds', async () => {
  const dataAt = video.indexOf('mdat') + 12
  await assert(
    asyncProperty(nat(video.length - 1), integer({ min: 1, max: 255 }), async (at, by) => {
      const checks = await check({ video: video.with(at, (video[at] ?? 0) ^ by) })
      expect(checks.length).toBe(3)
      // The head also says how a player shows it; every octet of the samples counts.
      if (at >= dataAt) expect(said(checks)[2]).toBe('session_video failed video_altered')
    }),
    { numRuns: 200 },
  )
  await assert(
    asyncProperty(nat(timeline.length - 1), integer({ min: 1, max: 255 }), async (at, by) => {
      const checks = await check({
        timeline: timeline.with(at, (timeline[at] ?? 0) ^ by),
        dated: [made.headAfter(made.lines.length)],
      })
      expect(checks[0]?.status).toBe('failed')
    }),
    { numRuns: 100 },
  )
})

test('counts and lengths that a hostile head states cost no more than its own length', async () => {
  const hostile = (box: string, offset: number, value: number): Buffer => {
    const bytes = Buffer.from(video)
    bytes.writeUInt32BE(value, bytes.indexOf(box) + 4 + offset)
    return bytes
  }
  for (const [box, offset] of [
    ['stts', 4],
    ['stts', 8],
    ['stsz', 8],
    ['stsc', 4],
    ['stsc', 12],
    ['co64', 4],
    ['stss', 4],
    ['stsd', 4],
    ['moov', -8],
    ['mdat', 4],
  ] as const)
    // prettier-ignore
    expect(said(await check({ video: hostile(box, offset, 0xffff_ffff) }))[2]).toBe('session_video failed malformed')
})

test('the commands that the checks give repeat them with tools of others', async () => {
  const dir = await mkdtemp(join(tmpdir(), 'repeat-'))
  afterAll(() => rm(dir, { recursive: true, force: true }))
  await mkdir(join(dir, 'capture'))
  const encoded = await encodePictures(dir, { seconds: 2 })
  const { bytes, groups } = await recordingOf(encoded.samples, encoded.config)
  const lines = [...groups.map((group) => ({ type: 'video', ms: 0, data: { group } })), { type: 'end', ms: 0, data: {} }]
  const sealed = timelineOf(lines).bytes
  await writeFile(join(dir, 'capture/session.mp4'), bytes)
  await writeFile(join(dir, 'capture/timeline.jsonl'), sealed)
  const checks = await check({ video: bytes, timeline: sealed })
  expect(said(checks)).toEqual(['session_timeline passed', 'session_video passed'])
  // As they stand in the report of a verification, and in the package's README.txt.
  const commands = [...checks.map(({ repeat_command }) => repeat_command ?? 'false'), timelineCommand, videoCommand]
  const repeat = async (): Promise<string[]> =>
    await Promise.all(commands.map(async (command) => (await run('sh', ['-c', command], { cwd: dir })).stdout))
  expect(await repeat()).toEqual(['', '', '', ''])
  const other = sealed.toString().replace(groups[1]?.video ?? '', '0'.repeat(64))
  await writeFile(join(dir, 'capture/timeline.jsonl'), other)
  const next = `${other.split('\n')[2]}\n`
  expect(await repeat()).toEqual([next, 'group 2\n', next, 'group 2\n'])
})

import { createHash } from 'node:crypto'
import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { PictureGroup } from '../../../../verification/server/index.ts'
import { assembleRecording } from './assemble-recording.ts'
import { encodePictures, framehash, type Encoded } from './encoded-pictures.fixture.ts'
import { recordSamples, type PictureGap } from './record-samples.ts'

const run = promisify(execFile)
let dir: string
let encoded: Encoded
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'picture-'))
  encoded = await encodePictures(dir, { seconds: 4 })
})
afterAll(() => rm(dir, { recursive: true, force: true }))

const sha256 = (bytes: Uint8Array | string): string => createHash('sha256').update(bytes).digest('hex')

async function record(name: string, samples: Encoded['samples'], limits?: { pending?: number; bytes?: number }) {
  const groups: PictureGroup[] = []
  const gaps: PictureGap[] = []
  const folder = join(dir, name)
  const failures: string[] = []
  const recorder = await recordSamples({
    folder,
    now: () => performance.now(),
    onGroup: (group) => groups.push(group),
    onGap: (gap) => gaps.push(gap),
    onFailed: (reason) => failures.push(reason),
    ...(limits === undefined ? {} : { limits }),
  })
  await recorder.configure(encoded.config)
  const recorded = samples.filter((sample) => recorder.sample(sample))
  return { recorder, groups, gaps, failures, folder, recorded, outFile: join(folder, 'session.mp4') }
}

test('the recording holds every sample bit for bit, with its time, as ffmpeg reads it', async () => {
  const { recorder, groups, gaps, folder, outFile } = await record('whole', encoded.samples)
  await recorder.close(4_000_000)
  await assembleRecording(folder, outFile)
  for (const kind of ['video', 'audio'] as const) {
    const given = encoded.samples.filter((sample) => sample.kind === kind)
    const read = await framehash(outFile, kind === 'video' ? 'v' : 'a')
    const times = given.map(({ timeUs }) => (kind === 'video' ? timeUs : Math.round(timeUs * 0.048)))
    expect(read).toEqual(given.map(({ bytes }, i) => ({ time: times[i], size: bytes.length, sha256: sha256(bytes) })))
  }
  expect(gaps).toEqual([])
  expect(groups.map(({ first_frame, frames }) => [first_frame, frames])).toEqual([0, 25, 50, 75].map((first) => [first, 25]))
  // As docs/package-format.md has anyone repeat it.
  let chain = ''
  const lines = async (track: 'v' | 'a') => (await framehash(outFile, track)).map(({ time, sha256: hash }) => `${time} ${hash}\n`)
  const [video, audio] = [await lines('v'), await lines('a')]
  for (const group of groups) {
    expect(group.video).toBe(sha256(video.slice(group.first_frame, group.first_frame + group.frames).join('')))
    expect(group.audio).toBe(sha256(audio.slice(group.first_packet, group.first_packet + group.packets).join('')))
    chain = sha256(`${chain}\n${group.config}\n${group.video}\n${group.audio}\n`)
    expect(group.chain).toBe(chain)
  }
  expect(recorder.position().chain).toBe(chain)
})

test('the file is a plain MP4: head first, every picture decodes, one clock that only goes on', async () => {
  const { recorder, folder, outFile } = await record('plain', encoded.samples)
  await recorder.close(4_000_000)
  await assembleRecording(folder, outFile)
  const bytes = await readFile(outFile)
  const types: string[] = []
  for (let at = 0; at < bytes.length;) {
    const size = bytes.readUInt32BE(at)
    types.push(bytes.toString('latin1', at + 4, at + 8))
    at += size === 1 ? Number(bytes.readBigUInt64BE(at + 8)) : size
  }
  expect(types).toEqual(['ftyp', 'moov', 'mdat'])
  const decoded = await run('ffmpeg', ['-v', 'error', '-xerror', '-i', outFile, '-f', 'null', '-'])
  expect(decoded.stderr).toBe('')
  const { stdout } = await run('ffprobe', ['-v', 'error', '-count_frames', '-show_entries', 'stream=codec_name,nb_read_frames,start_time,duration:format=duration', '-of', 'json', outFile]) // prettier-ignore
  const { streams, format } = JSON.parse(stdout) as { streams: Record<string, string>[]; format: { duration: string } }
  expect(streams.map(({ codec_name, nb_read_frames }) => [codec_name, nb_read_frames])).toEqual([['h264', '100'], ['opus', expect.any(String)]]) // prettier-ignore
  expect(Number(format.duration)).toBeGreaterThanOrEqual(4)
  expect(Number(streams[0]?.['duration'])).toBe(4)
})

test('where the encoder was gone the last picture stands, and the gap is told', async () => {
  const later = encoded.samples.map((sample) => ({ ...sample, timeUs: sample.timeUs + 6_000_000 }))
  const { recorder, gaps, groups, folder, outFile } = await record('gap', encoded.samples)
  expect(recorder.recording()).toBe(true)
  recorder.interrupt('encoder_ended', 'killed')
  expect(recorder.recording()).toBe(false)
  for (const sample of later) recorder.sample(sample)
  expect(recorder.recording()).toBe(true)
  await recorder.close(10_000_000)
  await assembleRecording(folder, outFile)
  expect(gaps).toEqual([{ from_us: 4_000_000, to_us: 6_000_000, reason: 'encoder_ended', detail: 'killed' }])
  expect(groups.length).toBe(8)
  const read = await framehash(outFile, 'v')
  expect(read.length).toBe(200)
  expect(read[100]?.time).toBe(6_000_000)
  expect((await run('ffmpeg', ['-v', 'error', '-xerror', '-i', outFile, '-f', 'null', '-'])).stderr).toBe('')
})

test('what waits for a slow disk is bounded: the gap has its reason and the file stays whole', async () => {
  const { recorder, recorded, gaps, folder, outFile } = await record('slow', encoded.samples, { pending: 20_000 })
  expect(recorded.length).toBeLessThan(encoded.samples.length)
  await recorder.close(4_000_000)
  await assembleRecording(folder, outFile)
  expect(gaps.map(({ reason, to_us }) => [reason, to_us])).toEqual([['disk_slow', 4_000_000]])
  expect((await framehash(outFile, 'v')).map((each) => each.sha256)).toEqual(
    recorded.filter(({ kind }) => kind === 'video').map(({ bytes }) => sha256(bytes)),
  )
})

test('a recording that reaches its bound ends there, and says so', async () => {
  const { recorder, failures, gaps, folder, outFile } = await record('large', encoded.samples, { bytes: 50_000 })
  await recorder.close(4_000_000)
  expect(failures).toEqual(['too_large'])
  expect(gaps.map(({ reason }) => reason)).toEqual(['too_large'])
  const index = await assembleRecording(folder, outFile)
  expect(index?.bytes).toBeLessThanOrEqual(50_000)
  expect((await framehash(outFile, 'v')).length).toBe(index?.samples.filter(({ kind }) => kind === 'video').length)
})

test('nothing recorded gives no file', async () => {
  const { recorder, folder, outFile } = await record('none', [])
  await recorder.close(1_000_000)
  expect(await assembleRecording(folder, outFile)).toBeNull()
  expect(await assembleRecording(join(dir, 'nowhere'), outFile)).toBeNull()
})

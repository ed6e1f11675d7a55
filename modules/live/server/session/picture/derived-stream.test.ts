import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { isRunning, processTree } from '../../../../../platform/browser/process-tree.ts'
import type { MediaSample } from '../../../../../platform/display/recorded-display.ts'
import { silentLog } from '../../../../../platform/log/log.ts'
import { deriveStream, type DerivedKind } from './derived-stream.ts'
import { encodePictures, type Encoded } from './encoded-pictures.fixture.ts'
import type { StreamPicture } from './picture-stream.ts'

let dir: string
let encoded: Encoded
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'derived-'))
  encoded = await encodePictures(dir, { seconds: 4, group: 50, sound: false })
})
afterAll(() => rm(dir, { recursive: true, force: true }))

function derive(kind: DerivedKind, avcC = encoded.config.video) {
  const pictures: StreamPicture[] = []
  const failed: string[] = []
  const stream = deriveStream({
    kind,
    avcC,
    group: [],
    log: silentLog,
    onPicture: (picture) => pictures.push(picture),
    onFailed: (reason) => failed.push(reason),
  })
  return { stream, pictures, failed }
}

test('each level gives every third picture with its own time, and begins with one that stands by itself', async () => {
  const thirds = encoded.samples.filter((_, i) => i % 3 === 0)
  for (const kind of ['fewer_frames', 'coarser'] as const) {
    const { stream, pictures, failed } = derive(kind)
    for (const sample of encoded.samples) stream.feed(sample)
    await expect.poll(() => pictures.length, { timeout: 60_000 }).toBe(thirds.length)
    expect(pictures.map(({ timeUs }) => timeUs)).toEqual(thirds.map(({ timeUs }) => timeUs))
    expect(pictures[0]?.key).toBe(true)
    // AVCDecoderConfigurationRecord, version 1.
    expect(stream.config?.[0]).toBe(1)
    expect(stream.group.length).toBeGreaterThan(0)
    await stream.stop()
    expect(failed).toEqual([])
  }
})

test('what changes after a while in which nothing did is kept, whatever its number', async () => {
  const { stream, pictures } = derive('coarser')
  // Five a second where nothing changes; a change 40 ms after one of them, and one 120 ms after it.
  const at = [0, 200, 400, 440, 560, 600, 800]
  for (const [i, ms] of at.entries()) stream.feed({ ...(encoded.samples[i] as MediaSample), timeUs: ms * 1000 + 999 })
  await expect.poll(() => pictures.length, { timeout: 60_000 }).toBe(5)
  expect(pictures.map(({ timeUs }) => timeUs)).toEqual([999, 200_999, 400_999, 560_999, 800_999])
  await stream.stop()
})

test('one that joins within a group takes nothing before its first picture that stands by itself', async () => {
  const { stream, pictures } = derive('fewer_frames')
  for (const sample of encoded.samples.slice(7)) stream.feed(sample)
  await expect.poll(() => pictures.length, { timeout: 60_000 }).toBe(17)
  expect(pictures[0]?.timeUs).toBe(2_000_000)
  await stream.stop()
})

test('a decoder that is killed begins again; one that cannot decode is given up', async () => {
  const { stream, pictures } = derive('fewer_frames')
  for (const sample of encoded.samples.slice(0, 50)) stream.feed(sample)
  await expect.poll(() => pictures.length, { timeout: 60_000 }).toBe(17)
  const own = await processTree(process.pid)
  for (const { pid, parent } of own) if (parent === process.pid && pid !== process.pid) process.kill(pid, 'SIGKILL')
  await expect.poll(() => stream.group.length, { timeout: 60_000 }).toBe(0)
  for (const sample of encoded.samples.slice(50)) stream.feed(sample)
  await expect.poll(() => pictures.length, { timeout: 60_000 }).toBe(34)
  expect(pictures[17]?.timeUs).toBe(2_000_000)
  await stream.stop()

  const hopeless = derive('coarser', Buffer.from('not a configuration'))
  let round = 0
  await expect
    .poll(
      () => {
        for (const sample of encoded.samples) hopeless.stream.feed({ ...sample, timeUs: sample.timeUs + round * 4_000_000 })
        round += 1
        return hopeless.failed.length
      },
      { timeout: 60_000 },
    )
    .toBe(1)
  expect(hopeless.pictures).toEqual([])
  await hopeless.stream.stop()
})

test('nothing of it is left when it stops, nor when the process that started it is killed', async () => {
  const before = new Set((await processTree(process.pid)).map(({ pid }) => pid))
  const { stream } = derive('jpeg')
  const during = (await processTree(process.pid)).filter(({ pid }) => !before.has(pid))
  expect(during.length).toBeGreaterThan(0)
  await stream.stop()
  for (const one of during) await expect.poll(() => isRunning(one), { timeout: 60_000 }).toBe(false)

  const program = fileURLToPath(new URL('hold-derived-stream.test-program.ts', import.meta.url))
  const avcC = Buffer.from(encoded.config.video).toString('hex')
  const child = spawn(process.execPath, [program, avcC], { stdio: ['ignore', 'pipe', 'inherit'] })
  await once(child.stdout, 'data')
  const under = await processTree(child.pid ?? 0)
  expect(under.length).toBeGreaterThan(1)
  child.kill('SIGKILL')
  for (const one of under) await expect.poll(() => isRunning(one), { timeout: 60_000 }).toBe(false)
})

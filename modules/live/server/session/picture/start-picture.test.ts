import { createHash } from 'node:crypto'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { silentLog } from '../../../../../platform/log/log.ts'
import type { PictureGroup } from '../../../../verification/server/index.ts'
import { liveClose, liveFlag, liveFrame } from '../../../contract/live.ts'
import { encodePictures, framehash, scriptedDisplay, type Encoded } from './encoded-pictures.fixture.ts'
import type { PictureGap } from './record-samples.ts'
import { viewerOn } from './slow-line.fixture.ts'
import { startPicture, type PictureDeps } from './start-picture.ts'

let dir: string
let encoded: Encoded
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'picture-'))
  encoded = await encodePictures(dir, { seconds: 4, group: 50 })
})
afterAll(() => rm(dir, { recursive: true, force: true }))

const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')

async function begin(name: string, clock: { ms: number }, given: Partial<PictureDeps> = {}) {
  const display = scriptedDisplay(encoded.config)
  const groups: PictureGroup[] = []
  const gaps: PictureGap[] = []
  const lost: string[] = []
  const picture = await startPicture({
    display,
    folder: join(dir, name),
    now: () => clock.ms,
    log: silentLog,
    onGroup: (group) => groups.push(group),
    onGap: (gap) => gaps.push(gap),
    onLost: (reason) => lost.push(reason),
    ...given,
  })
  return { display, picture, groups, gaps, lost }
}

test('a viewer is sent the very bytes that are recorded, and one who joins later the group so far', async () => {
  const clock = { ms: 0 }
  const { display, picture, groups } = await begin('same', clock)
  const [first, late] = [viewerOn(clock, { wants: { audio: true } }), viewerOn(clock, { id: 'late' })]
  picture.join(first.viewer)
  for (const [i, sample] of encoded.samples.entries()) {
    clock.ms = sample.timeUs / 1000
    display.sink?.sample(sample)
    first.arrive(picture.acknowledge)
    if (i === 200) {
      picture.join(late.viewer)
    }
    if (i > 200) late.arrive(picture.acknowledge)
  }
  const finished = await picture.finish()
  if (finished === null) throw new Error('nothing was recorded')
  const sent = (kind: number): string[] => first.received.filter((one) => one.kind === kind).map(({ bytes }) => sha256(bytes))
  expect(sent(liveFrame.video)).toEqual((await framehash(finished.file, 'v')).map((one) => one.sha256))
  expect(sent(liveFrame.audio)).toEqual((await framehash(finished.file, 'a')).map((one) => one.sha256))
  expect(first.received.find(({ kind }) => kind === liveFrame.videoConfig)?.bytes).toEqual(Buffer.from(encoded.config.video))
  expect(first.received.find(({ kind }) => kind === liveFrame.audioConfig)?.bytes).toEqual(encoded.config.audio)
  const pictures = late.received.filter(({ kind }) => kind === liveFrame.video)
  expect(pictures[0]?.flags).toBe(liveFlag.key | liveFlag.repeated)
  expect(pictures.map(({ number }) => number)).toEqual(pictures.map((_, i) => i + 1))
  expect(pictures.map(({ timeUs }) => timeUs)).toEqual(
    encoded.samples
      .filter(({ kind, timeUs }) => kind === 'video' && timeUs >= (pictures[0]?.timeUs ?? 0))
      .map(({ timeUs }) => timeUs),
  )
  expect(finished).toMatchObject({ frames: 100, duration_ms: 4000, gaps: [], frames_dropped: 0, chain: groups.at(-1)?.chain })
  expect(finished.sound?.packets).toBe(sent(liveFrame.audio).length)
})

test('an encoder that ends is started again, and what lies between is a gap', async () => {
  const clock = { ms: 0 }
  const interruptions: string[] = []
  const { display, picture, gaps, lost } = await begin('again', clock, {
    onInterrupted: (_, detail) => interruptions.push(detail),
    onRecovered: () => interruptions.push('recovered'),
  })
  const looks = viewerOn(clock)
  picture.join(looks.viewer)
  const feed = (shiftUs: number): void => {
    for (const sample of encoded.samples) {
      clock.ms = (sample.timeUs + shiftUs) / 1000
      display.sink?.sample({ ...sample, timeUs: sample.timeUs + shiftUs })
      looks.arrive(picture.acknowledge)
    }
  }
  feed(0)
  // Late, and then there after all: what was told last holds.
  for (const count of [3, 2]) display.sink?.missed(count)
  display.sink?.ended('killed')
  await expect.poll(() => interruptions).toEqual(['killed', 'recovered'])
  display.sink?.missed(1)
  feed(7_000_000)
  const finished = await picture.finish()
  expect(display.starts).toBe(2)
  expect(lost).toEqual([])
  expect(gaps).toEqual([{ from_us: 4_000_000, to_us: 7_000_000, reason: 'encoder_ended', detail: 'killed' }])
  expect(finished).toMatchObject({ frames: 200, duration_ms: 11_000, frames_dropped: 3 })
  expect(looks.received.filter(({ kind }) => kind === liveFrame.video).length).toBe(200)
  expect(looks.received.filter(({ kind }) => kind === liveFrame.videoConfig).length).toBe(2)
})

test('an encoder that does not come back is a loss that is told once; what was recorded stays', async () => {
  const clock = { ms: 0 }
  const { display, picture, lost } = await begin('lost', clock)
  for (const sample of encoded.samples) display.sink?.sample(sample)
  display.startEncoder = async () => {
    throw new Error('no display')
  }
  display.sink?.ended('killed')
  await expect.poll(() => lost).toEqual(['encoder_ended'])
  clock.ms = 9_000
  const finished = await picture.finish()
  expect(finished).toMatchObject({ frames: 100, gaps: [{ from_ms: 4000, to_ms: 9000, reason: 'encoder_ended' }] })
})

test('pictures at moments are decoded from the recording, with their numbers', async () => {
  const clock = { ms: 0 }
  const { display, picture } = await begin('moments', clock)
  for (const sample of encoded.samples) display.sink?.sample(sample)
  const finished = await picture.finish()
  const moments = [{ ms: 0, reason: 'start' }, { ms: 1_999, reason: 'a' }, { ms: 2_010, reason: 'b' }, { ms: 2_020, reason: 'c' }, { ms: 99_000, reason: 'end' }] // prettier-ignore
  const shown = (await finished?.keyFrames(moments)) ?? []
  expect(shown.map(({ frame, reason }) => [frame, reason])).toEqual([[0, 'start'], [49, 'a'], [50, 'b'], [50, 'c'], [99, 'end']]) // prettier-ignore
  for (const { file } of shown) expect((await readFile(file)).subarray(0, 3).toString('hex')).toBe('ffd8ff')
  expect(new Set(shown.map(({ file }) => file)).size).toBe(4)
})

test('viewers without H.264 are sent JPEG made of what is recorded, at a third of the pictures', async () => {
  const clock = { ms: 0 }
  const { display, picture } = await begin('jpeg', clock)
  const old = viewerOn(clock, { wants: { video: 'jpeg' } })
  picture.join(old.viewer)
  const pictures = encoded.samples.filter(({ kind }) => kind === 'video')
  for (const sample of pictures) display.sink?.sample(sample)
  await expect
    .poll(() => (old.arrive(picture.acknowledge), old.pictures().length), { timeout: 60_000 })
    .toBe(Math.ceil(pictures.length / 3))
  expect(old.pictures().map(({ timeUs }) => timeUs)).toEqual(pictures.filter((_, i) => i % 3 === 0).map(({ timeUs }) => timeUs))
  for (const { bytes, kind } of old.pictures()) expect([kind, bytes.toString('hex', 0, 3)]).toEqual([liveFrame.jpeg, 'ffd8ff'])
  expect(old.messages).toContainEqual({ side: expect.any(String), type: 'picture_quality', level: 'full', frames_per_second: 8 })
  picture.leave(old.viewer)
  await picture.release()
})

test('a viewer that reads nothing costs a bounded amount and is closed after thirty seconds', async () => {
  const clock = { ms: 0 }
  const { display, picture } = await begin('silent', clock)
  const silent = viewerOn(clock, { perSecond: 0.001 })
  const liar = viewerOn(clock, { perSecond: 0.001, id: 'liar' })
  picture.join(silent.viewer)
  picture.join(liar.viewer)
  for (let round = 0; round < 10; round += 1)
    for (const sample of encoded.samples) {
      const timeUs = sample.timeUs + round * 4_000_000
      clock.ms = timeUs / 1000
      display.sink?.sample({ ...sample, timeUs })
      for (let number = 1; number < 1200; number += 200) picture.acknowledge(liar.viewer, number)
    }
  expect(silent.closed[0]).toBe(liveClose.lost)
  expect(silent.most()).toBeLessThan(2 << 20)
  expect(liar.most()).toBeLessThan(2 << 20)
  const finished = await picture.finish()
  expect(finished?.frames).toBe(1000)
})

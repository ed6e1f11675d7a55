import { createHash } from 'node:crypto'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { silentLog } from '../../../../../testing/keyring.ts'
import type { PictureGroup } from '../../../../verification/server/index.ts'
import { liveClose, liveFlag, liveFrame, liveFrameHead, type LiveOutput } from '../../../contract/live.ts'
import type { Viewer } from '../viewer.ts'
import { encodePictures, framehash, scriptedDisplay, type Encoded } from './encoded-pictures.fixture.ts'
import type { PictureGap } from './record-samples.ts'
import { startPicture, type PictureDeps } from './start-picture.ts'

let dir: string
let encoded: Encoded
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'picture-'))
  encoded = await encodePictures(dir, { seconds: 4, group: 50 })
})
afterAll(() => rm(dir, { recursive: true, force: true }))

const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')

type Received = { kind: number; flags: number; number: number; timeUs: number; bytes: Buffer }

/** A viewer at the other end of a line of so many octets a second, on a clock that the test moves. */
function viewerOn(
  clock: { ms: number },
  options: { perSecond?: number; lineMs?: number; wants?: Partial<Viewer['wants']>; id?: string; acknowledges?: boolean } = {},
) {
  const received: Received[] = []
  const messages: LiveOutput[] = []
  const closed: number[] = []
  const line: { at: number; bytes: Buffer }[] = []
  let freeAt = 0
  let most = 0
  const inLine = (): number => line.reduce((sum, { bytes }) => sum + bytes.length, 0)
  const viewer: Viewer = {
    id: options.id ?? 'one',
    role: 'controller',
    witness: null,
    wants: { video: 'h264', audio: false, touch: false, ...options.wants },
    send: (message) => messages.push(message),
    sendBytes: (bytes) => {
      freeAt = Math.max(freeAt, clock.ms) + (bytes.length / (options.perSecond ?? Infinity)) * 1000
      line.push({ at: freeAt + (options.lineMs ?? 0), bytes: Buffer.from(bytes) })
      most = Math.max(most, inLine())
      return inLine()
    },
    waiting: () => inLine(),
    close: (code) => closed.push(code),
  }
  return {
    viewer, received, messages, closed,
    most: () => most,
    /** What has arrived by now; decoded and acknowledged at once. */
    arrive: (acknowledge: (viewer: Viewer, number: number) => void) => {
      while (line[0] !== undefined && line[0].at <= clock.ms) {
        const { bytes } = line.shift() as { bytes: Buffer }
        const one = {
          kind: bytes.readUInt8(0), flags: bytes.readUInt8(1), number: bytes.readUInt32BE(2),
          timeUs: Number(bytes.readBigUInt64BE(6)), bytes: bytes.subarray(liveFrameHead),
        } // prettier-ignore
        received.push(one)
        const isPicture = one.kind === liveFrame.video || one.kind === liveFrame.jpeg
        if (isPicture && options.acknowledges !== false) acknowledge(viewer, one.number)
      }
    },
  } // prettier-ignore
}

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
      const before = performance.now()
      picture.join(late.viewer)
      late.arrive(picture.acknowledge)
      expect(performance.now() - before).toBeLessThan(150)
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
  display.sink?.ended('killed')
  await expect.poll(() => interruptions).toEqual(['killed', 'recovered'])
  feed(7_000_000)
  const finished = await picture.finish()
  expect(display.starts).toBe(2)
  expect(lost).toEqual([])
  expect(gaps).toEqual([{ from_us: 4_000_000, to_us: 7_000_000, reason: 'encoder_ended', detail: 'killed' }])
  expect(finished).toMatchObject({ frames: 200, duration_ms: 11_000, frames_dropped: 0 })
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

test('a viewer at 1 Mbit/s is sent less, says so, and is never far behind; the recording is whole', async () => {
  const clock = { ms: 0 }
  const { display, picture } = await begin('slow', clock)
  // A noisy page: some 5 Mbit/s.
  const heavy = await encodePictures(dir, { seconds: 12, group: 75, sound: false, size: '640x400', source: 'testsrc2' })
  const slow = viewerOn(clock, { perSecond: 125_000, lineMs: 40 })
  picture.join(slow.viewer)
  const behind: number[] = []
  for (const sample of heavy.samples) {
    clock.ms = sample.timeUs / 1000
    display.sink?.sample(sample)
    slow.arrive(picture.acknowledge)
    // Streams for slower lines are made by a process of its own, in its own time.
    await new Promise(setImmediate)
    const last = slow.received.findLast(({ kind }) => kind === liveFrame.video)
    if (last !== undefined) behind.push(clock.ms - last.timeUs / 1000)
  }
  const finished = await picture.finish()
  expect((await framehash(finished?.file ?? '', 'v')).map((one) => one.sha256)).toEqual(
    heavy.samples.map(({ bytes }) => sha256(bytes)),
  )
  expect(slow.closed).toEqual([])
  expect(behind.length).toBeGreaterThan(0)
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

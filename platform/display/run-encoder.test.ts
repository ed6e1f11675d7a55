import { duplexPair } from 'node:stream'
import { expect, test } from 'vitest'
import { flvOf } from '../../testing/mux-samples.ts'
import type { MediaSample } from './recorded-display.ts'
import { runEncoder } from './run-encoder.ts'

/** A decoder's configuration and pictures of one unit each: what is in them nobody looks at here. */
const video = Uint8Array.from(Buffer.from('01640020ffe100016701000168', 'hex'))
/** Milliseconds. */
const rounding = 5
const picture = (timeMs: number, key = true): MediaSample => ({
  kind: 'video',
  bytes: Uint8Array.of(0, 0, 0, 1, 0x65),
  timeUs: timeMs * 1000,
  durationUs: 40_000,
  key,
})

function start(options: { originMs?: number | null; afterUs?: number; status?: string | null } = {}) {
  const [stdin, toldTo] = duplexPair()
  const [videoIn, videoOut] = duplexPair()
  const [audioIn, audioOut] = duplexPair()
  const [looksIn, looksOut] = duplexPair()
  const origin = Math.floor(Date.now() / 1000) - 1
  const seen: MediaSample[] = []
  const reasons: string[] = []
  const missed: number[] = []
  let killed = 0
  const run = runEncoder({
    stdin,
    video: videoIn,
    audio: audioIn,
    looks: looksIn,
    origin,
    sound: false,
    originMs: options.originMs ?? null,
    afterUs: options.afterUs ?? -1,
    sink: {
      sample: (sample) => void seen.push(sample),
      missed: (count) => void missed.push(count),
      ended: (reason) => void reasons.push(reason),
    },
    kill: () => {
      killed += 1
    },
    status: () => options.status ?? null,
  })
  const now = () => Date.now() - origin * 1000
  const end = () => {
    videoOut.end()
    audioOut.end()
    looksOut.end()
  }
  return { run, videoOut, looksOut, toldTo, seen, missed, reasons, now, end, killed: () => killed }
}

test('the configuration is known before the first picture, whose time is 0 and whose moment is that of its time stamp', async () => {
  const encoder = start()
  const before = performance.now()
  const taken = encoder.now() - 300
  const after = performance.now()
  encoder.videoOut.write(flvOf({ video }, [picture(taken), picture(taken + 40, false)]))
  const config = await encoder.run.config
  expect(encoder.seen).toEqual([])
  // 300 ms before a moment between the two; what the clocks round is allowed for.
  expect(config.originMs).toBeGreaterThan(before - 300 - rounding)
  expect(config.originMs).toBeLessThan(after - 300 + rounding)
  expect(config).toMatchObject({ codec: 'avc1.640020', audio: null })
  encoder.end()
  await encoder.run.over
  expect(encoder.seen.map(({ timeUs, key }) => [timeUs, key])).toEqual([
    [0, true],
    [40_000, false],
  ])
  expect(encoder.reasons).toEqual(['it ended'])
})

test('a run that goes on keeps the clock of the first, and nothing of it lies before what was recorded', async () => {
  const originMs = performance.now() - 500
  const encoder = start({ originMs, afterUs: 100_000, status: 'status 137' })
  const before = performance.now()
  const taken = encoder.now()
  const after = performance.now()
  // The first is from before what was recorded.
  encoder.videoOut.write(flvOf({ video }, [picture(Math.round(taken - (after - originMs))), picture(taken)]))
  expect((await encoder.run.config).originMs).toBe(originMs)
  encoder.end()
  await encoder.run.over
  expect(encoder.seen.length).toBe(1)
  expect(encoder.seen[0]?.timeUs).toBeGreaterThan((before - originMs - rounding) * 1000)
  expect(encoder.seen[0]?.timeUs).toBeLessThan((after - originMs + rounding) * 1000)
  expect(encoder.reasons).toEqual(['status 137'])
})

test('a clock that was moved, and a stream that is none, end the encoder, and it is told', async () => {
  const moved = start()
  moved.videoOut.write(flvOf({ video }, [picture(moved.now())]))
  await moved.run.config
  moved.videoOut.write(flvOf({ video }, [picture(moved.now() + 3_600_000)]).subarray(13 + 16 + video.length + 4))
  await moved.run.over
  expect(moved.reasons).toEqual(['the clock of the machine was moved'])
  expect(moved.killed()).toBe(1)

  const malformed = start()
  malformed.videoOut.write(flvOf({ video }, [picture(malformed.now())]))
  await malformed.run.config
  malformed.videoOut.write(Buffer.alloc(64, 0xff))
  await malformed.run.over
  expect(malformed.reasons).toEqual([expect.stringMatching(/^FLV: /)])
  expect(malformed.seen.length).toBe(1)
})

test('one that never gives a picture is a failure to start, told once', async () => {
  const encoder = start({ status: 'status 1' })
  encoder.end()
  await expect(encoder.run.config).rejects.toThrow('status 1')
  await encoder.run.over
  expect(encoder.reasons).toEqual([])
})

test('asked to stop, it is told in ffmpeg’s own way, and its end is no surprise', async () => {
  const encoder = start()
  encoder.videoOut.write(flvOf({ video }, [picture(encoder.now())]))
  await encoder.run.config
  const told = new Promise<string>((resolve) => encoder.toldTo.once('data', (data: Buffer) => resolve(data.toString())))
  const stopped = encoder.run.stop()
  expect(await told).toBe('q')
  encoder.end()
  await stopped
  expect(encoder.reasons).toEqual([])
  expect(encoder.seen.length).toBe(1)
})

test('looks that are late are not missing, those that were not taken are counted, and one that showed nothing new is none', async () => {
  const encoder = start()
  const look = (number: number, ms: number) =>
    encoder.looksOut.write(
      `frame:${String(number).padEnd(4)} pts:${String(1_795_471_329_820_925 + ms * 1000)} pts_time:1.79547e+09\nlook=1\n`,
    )
  encoder.videoOut.write(flvOf({ video }, [picture(encoder.now())]))
  await encoder.run.config
  look(0, 0)
  look(25, 1_000)
  // 25 ms late; then set aside for four looks, of which one came after all.
  look(50, 2_025)
  look(75, 3_160)
  look(101, 4_160)
  encoder.looksOut.write('frame:126 ')
  encoder.looksOut.write('pts:1795471334860925 pts_time:1.79547e+09\nlook=1\nframe:1')
  encoder.end()
  await encoder.run.over
  expect(encoder.missed).toEqual([0, 0, 0, 4, 3, 0])
  expect(encoder.seen.length).toBe(1)
})

test('words without end about its looks end the encoder', async () => {
  const encoder = start()
  encoder.videoOut.write(flvOf({ video }, [picture(encoder.now())]))
  await encoder.run.config
  encoder.looksOut.write('frame:'.padEnd(2_000, '1'))
  await encoder.run.over
  expect(encoder.reasons).toEqual(['looks: a line is too long'])
  expect(encoder.missed).toEqual([])
})

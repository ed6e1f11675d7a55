import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import * as fc from '../../testing/fast-check.ts'
import { beforeAll, describe, expect, test } from 'vitest'
import { opusHeadOf } from './opus-head.ts'
import { createFlvReader, MalformedStream } from './read-flv.ts'
import { createFragmentReader } from './read-fragments.ts'
import { stripLine } from './strip-line.ts'
import { stripColumns } from './encoder-arguments.ts'
import { share } from '../../testing/sweep.ts'

const run = promisify(execFile)
let flv: Buffer
let mp4: Buffer

/** As our encoder writes them. */
beforeAll(async () => {
  const make = async (...args: string[]) =>
    (await run('ffmpeg', ['-loglevel', 'error', ...args, 'pipe:1'], { encoding: 'buffer', maxBuffer: 64 * 1024 * 1024 })).stdout
  const picture = [
    '-f',
    'lavfi',
    '-i',
    'testsrc=size=320x240:rate=25',
    '-t',
    '2',
    '-c:v',
    'libx264',
    '-pix_fmt',
    'yuv420p',
    '-bf',
    '0',
  ]
  flv = await make(...picture, '-g', '20', '-f', 'flv', '-flvflags', 'no_duration_filesize')
  const sound = ['-f', 'lavfi', '-i', 'sine=frequency=440:sample_rate=48000', '-t', '2', '-ac', '2', '-c:a', 'libopus']
  mp4 = await make(...sound, '-f', 'mp4', '-movflags', '+frag_every_frame+empty_moov+default_base_moof+frag_discont')
})

const readFlv = (pieces: readonly Uint8Array[]) => {
  const seen: { bytes: string; timeMs: number; key: boolean }[] = []
  let config = ''
  const reader = createFlvReader({
    config: (record) => {
      config = Buffer.from(record).toString('hex')
    },
    picture: (bytes, timeMs, key) => void seen.push({ bytes: Buffer.from(bytes).toString('base64'), timeMs, key }),
  })
  for (const piece of pieces) reader.push(piece)
  return { seen, config }
}
const readMp4 = (pieces: readonly Uint8Array[]) => {
  const seen: { bytes: string; time: number; duration: number }[] = []
  let head = ''
  const reader = createFragmentReader({
    track: (entry) => {
      head = Buffer.from(opusHeadOf(entry)).toString('hex')
    },
    sample: (bytes, time, duration) => void seen.push({ bytes: Buffer.from(bytes).toString('base64'), time, duration }),
  })
  for (const piece of pieces) reader.push(piece)
  return { seen, head }
}
const cut = (bytes: Uint8Array, at: readonly number[]): Uint8Array[] => {
  const places = [0, ...at.map((place) => place % bytes.length).toSorted((one, other) => one - other), bytes.length]
  return places.slice(1).map((place, index) => bytes.subarray(places[index] ?? 0, place))
}

describe('what the encoder writes is read as it comes', () => {
  test('in whatever pieces, each picture and packet once, with its time', () => {
    const pictures = readFlv([flv])
    expect(pictures.seen.length).toBe(50)
    expect(pictures.seen.filter(({ key }) => key).length).toBe(3)
    expect(pictures.seen.map(({ timeMs }) => timeMs)).toEqual(Array.from({ length: 50 }, (_, at) => at * 40))
    expect(pictures.config).toMatch(/^01/)
    const sound = readMp4([mp4])
    // RFC 7845 §5.1: version, channels, pre-skip, rate, gain, family.
    expect(sound.head).toBe('4f707573486561640102380180bb0000000000')
    expect(sound.seen.length).toBeGreaterThan(99)
    expect(sound.seen.slice(0, -1).every(({ duration }) => duration === 960)).toBe(true)
    fc.assert(
      fc.property(fc.array(fc.nat(), { maxLength: 40 }), (places) => {
        expect(readFlv(cut(flv, places))).toEqual(pictures)
        expect(readMp4(cut(mp4, places))).toEqual(sound)
      }),
      { numRuns: 50 },
    )
  })

  test('damage is refused or read, in bounded time, and is never anything but a malformed stream', () => {
    const attempt = (read: (pieces: readonly Uint8Array[]) => unknown, bytes: Uint8Array): boolean => {
      try {
        read([bytes])
        return false
      } catch (error) {
        expect(error instanceof MalformedStream || error instanceof RangeError).toBe(true)
        return true
      }
    }
    let refused = 0
    fc.assert(
      fc.property(fc.nat(), fc.integer({ min: 1, max: 255 }), (place, change) => {
        for (const [read, whole] of [
          [readFlv, flv],
          [readMp4, mp4],
        ] as const) {
          // Heads are where damage shows: half of the places are among the first 2,000 bytes.
          const damaged = Uint8Array.from(whole)
          const at = place % (place % 2 === 0 ? 2_000 : damaged.length)
          damaged[at] = (damaged[at] ?? 0) ^ change
          if (attempt(read, damaged)) refused += 1
        }
      }),
      { numRuns: share(1_000) },
    )
    expect(refused).toBeGreaterThan(share(100))
    expect(attempt(readFlv, new Uint8Array(1e6))).toBe(true)
    expect(attempt(readMp4, new Uint8Array(1e6))).toBe(true)
    // A tag that says that it is longer than any picture.
    expect(attempt(readFlv, Buffer.concat([flv.subarray(0, 13), Buffer.from('09ffffff00000000000000', 'hex')]))).toBe(true)
    expect(attempt(readMp4, Buffer.from('7fffffff66747970', 'hex'))).toBe(true)
  })

  test('a fragment of another track, out of its place, or with two samples is refused', () => {
    const twice = Buffer.concat([mp4, mp4])
    expect(() => readMp4([twice])).toThrow('a second moov')
    const moof = mp4.indexOf('moof') - 4
    const length = mp4.readUInt32BE(moof)
    expect(() => readMp4([mp4.subarray(0, moof + length), mp4.subarray(moof)])).toThrow('out of place')
    expect(() => readMp4([mp4.subarray(0, moof), mp4.subarray(moof + length)])).toThrow('without its fragment')
    const many = Buffer.from(mp4)
    many.writeUInt32BE(2, mp4.indexOf('trun') + 8)
    expect(() => readMp4([many])).toThrow('not one sample')
    expect(() => readFlv([Buffer.concat([flv.subarray(0, 13), flv.subarray(flv.length - 200)])])).toThrow(MalformedStream)
  })
})

test('a row of the strip is one row, whatever it is given', () => {
  expect(stripLine('')).toBe(' ')
  expect(stripLine('https://example.org/é?q=%{gmtime}')).toBe('https://example.org/é?q=%{gmtime}')
  expect(stripLine('a\nb\r\u0000\u202Ec\u200B\u2028d')).toBe('a\uFFFDb\uFFFD\uFFFD\uFFFDc\uFFFD\uFFFDd')
  expect(stripLine('\uD800x')).toBe('\uFFFDx')
  fc.assert(
    fc.property(fc.array(fc.nat({ max: 0x10_ff_ff }), { maxLength: 600 }), (points) => {
      const line = stripLine(String.fromCodePoint(...points))
      expect(Array.from(line).length).toBeGreaterThan(0)
      expect(Array.from(line).length).toBeLessThanOrEqual(stripColumns)
      expect(line).not.toMatch(/[\p{Cc}\p{Zl}\p{Zp}\u202A-\u202E\u2066-\u2069]/u)
    }),
  )
})

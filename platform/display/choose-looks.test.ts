import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { chooseLooks, looksPerSecond } from './choose-looks.ts'

const run = promisify(execFile)
let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'looks-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

/** By the clock of the machine, as the grabber stamps them. */
const origin = 1_795_471_320

/** Looks at a square that is drawn by `draw`, through ffmpeg itself. @returns when pictures were taken and times were counted, in milliseconds */
async function look(name: string, seconds: number, draw: readonly string[] = [], rate = looksPerSecond) {
  const counts = join(folder, `${name}.counts`)
  const pictures = join(folder, `${name}.pictures`)
  const source = `color=c=blue:s=64x64:r=${String(rate)}:d=${String(seconds)},format=bgra`
  const filters = [
    ...draw,
    'settb=1/1000000',
    `setpts=PTS+${String(origin)}/TB`,
    ...chooseLooks(counts),
    `metadata=mode=print:key=look:file=${pictures}`,
  ]
  await run('ffmpeg', ['-loglevel', 'error', '-f', 'lavfi', '-i', source, '-copyts', '-vf', filters.join(','), '-vsync', 'passthrough', '-f', 'null', '-']) // prettier-ignore
  const read = async (file: string): Promise<number[]> => {
    const lines = (await readFile(file, 'utf8')).split('\n')
    return lines.flatMap((line) => {
      const us = /^frame:\d+ +pts:(\d+) /.exec(line)?.[1]
      return us === undefined ? [] : [Math.round(Number(us) / 1000 - origin * 1000)]
    })
  }
  return { pictures: await read(pictures), counts: await read(counts) }
}
/** A block of the square is red at these looks. */
const block = (x: number, from: number, to: number) =>
  `drawbox=x=${String(x)}:y=0:w=1:h=1:c=red:t=fill:enable=between(n\\,${String(from)}\\,${String(to)})`

test('what stands still is five pictures a second, each change one with the look that saw it', async () => {
  // From the 33rd look on, for ever: 660 ms, between two times.
  const { pictures, counts } = await look('still', 3, [block(20, 33, 999)])
  expect(pictures).toEqual([0, 200, 400, 600, 660, 840, 1040, 1240, 1440, 1640, 1840, 2040, 2240, 2440, 2640, 2840])
  expect(counts).toEqual([0, 1000, 2000])
})

test('the end of a movement is shown, although its time had a picture', async () => {
  // Changes at 1,200, 1,220 and 1,240 ms; then at 1,640 and 1,660, and no more.
  const { pictures } = await look('end', 2, [block(1, 60, 999), block(3, 61, 999), block(5, 62, 999), block(7, 82, 82)])
  expect(pictures).toEqual([0, 200, 400, 600, 800, 1000, 1200, 1240, 1440, 1640, 1680, 1880])
})

test('what moves always is twenty-five pictures a second, however often it is looked at', async () => {
  for (const rate of [50, 60, 75]) {
    const moving = Array.from(
      { length: 60 },
      (_, x) => `drawbox=x=${String(x)}:y=0:w=1:h=1:c=red:t=fill:enable=eq(mod(n\\,60)\\,${String(x)})`,
    )
    const { pictures } = await look(`moving-${String(rate)}`, 2, moving, rate)
    expect(pictures.length).toBeGreaterThanOrEqual(50)
    expect(pictures.length).toBeLessThanOrEqual(51)
    const gaps = pictures.slice(2).map((at, i) => at - (pictures[i + 1] ?? 0))
    expect(Math.max(...gaps)).toBeLessThan(60)
  }
})

test('times at which nothing was looked at are left out of the count; what was late is counted', async () => {
  // Looks from 1,000 to 1,199 ms are not taken: five times. Then one of 1,560 ms is late by half of its time, and counts.
  const gone = `select=not(between(n\\,50\\,59)+between(n\\,77\\,78))`
  const { counts } = await look('stall', 3, [gone])
  expect(counts).toEqual([0, 1200, 2200])
})

import { mkdtemp, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import jpeg from 'jpeg-js'
import { PNG } from 'pngjs'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { makeThumbnail } from './make-thumbnail.ts'
import { UnreadablePng } from './read-png-rows.ts'

let folder = ''
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'thumbnails-'))
})
afterAll(() => rm(folder, { recursive: true }))

type Colour = readonly [number, number, number]

async function pngOf(width: number, height: number, colour: (x: number, y: number) => Colour): Promise<string> {
  const png = new PNG({ width, height })
  for (let y = 0, at = 0; y < height; y += 1)
    for (let x = 0; x < width; x += 1, at += 4) {
      const [r, g, b] = colour(x, y)
      png.data.writeUInt32BE(((r << 24) | (g << 16) | (b << 8) | 255) >>> 0, at)
    }
  const file = join(folder, `${String(width)}x${String(height)}.png`)
  await writeFile(file, PNG.sync.write(png))
  return file
}

const thumbnailOf = async (file: string, most: { width: number; rows: number }) => {
  const { width, height, data } = jpeg.decode(await makeThumbnail(file, most))
  return { width, height, at: (x: number, y: number) => [...data.subarray((y * width + x) * 4, (y * width + x) * 4 + 3)] }
}
const near = (value: readonly number[], wanted: readonly number[]) =>
  expect(Math.max(...value.map((one, i) => Math.abs(one - (wanted[i] ?? 0))))).toBeLessThan(12)

it('shows the top of a picture, each pixel the mean of those that it stands for', async () => {
  // Left red, right a chequer of black and white: grey from afar. Below the first 400 rows, green.
  const file = await pngOf(641, 1000, (x, y) =>
    y >= 400 ? [0, 255, 0] : x < 320 ? [255, 0, 0] : (x + y) % 2 === 0 ? [0, 0, 0] : [255, 255, 255],
  )
  const top = await thumbnailOf(file, { width: 240, rows: 400 })
  expect([top.width, top.height]).toEqual([240, 150])
  for (const y of [4, 75, 148]) {
    near(top.at(60, y), [255, 0, 0])
    near(top.at(180, y), [128, 128, 128])
  }
  const whole = await thumbnailOf(file, { width: 240, rows: 1000 })
  expect([whole.width, whole.height]).toEqual([240, 374])
  near(whole.at(100, 300), [0, 255, 0])
})

it('makes the same of what was read already, and refuses what is none', async () => {
  const file = await pngOf(641, 400, (x) => (x < 320 ? [255, 0, 0] : [0, 0, 255]))
  const [ofFile, ofBytes] = [
    await makeThumbnail(file, { width: 144, rows: 400 }),
    await makeThumbnail(await readFile(file), { width: 144, rows: 400 }),
  ]
  expect(ofBytes.equals(ofFile)).toBe(true)
  await expect(makeThumbnail(Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'), { width: 144, rows: 9 })).rejects.toThrow(
    UnreadablePng,
  )
})

it('leaves what is small as large as it is, and makes a row of a picture that is flat', async () => {
  const small = await thumbnailOf(await pngOf(20, 10, () => [10, 20, 200]), { width: 240, rows: 800 })
  expect([small.width, small.height]).toEqual([20, 10])
  near(small.at(10, 5), [10, 20, 200])
  const flat = await thumbnailOf(await pngOf(4000, 3, () => [200, 20, 10]), { width: 240, rows: 800 })
  expect([flat.width, flat.height]).toEqual([240, 1])
})

it('reads no further than it shows', async () => {
  // Of noise, which does not compress: most of the file stands below what is shown.
  let seed = 7
  const noise = () => (seed = (seed * 48_271) % 0x7fff_ffff) & 255
  const file = await pngOf(300, 900, () => [noise(), noise(), noise()])
  await truncate(file, Math.floor((await stat(file)).size / 2))
  await expect(makeThumbnail(file, { width: 240, rows: 900 })).rejects.toThrow(UnreadablePng)
  expect((await thumbnailOf(file, { width: 240, rows: 100 })).width).toBe(240)
})

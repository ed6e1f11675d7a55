import { createHash } from 'node:crypto'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PNG } from 'pngjs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readPngRows, readPngSize, UnreadablePng } from '../../../../platform/pictures/read-png-rows.ts'
import { encodeSamplePng, numberedRow } from '../sample-report.test-data.ts'
import { sliceImages } from './slice-images.ts'

let folder = ''
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'slices-'))
})
afterAll(async () => {
  await rm(folder, { recursive: true })
})

async function pngFile(name: string, data: Uint8Array): Promise<string> {
  const file = join(folder, name)
  await writeFile(file, data)
  return file
}

const limits = { aspect: { first: 1.2, next: 1.4 }, maxSlices: 60, losslessBudget: 50_000_000, jpegBudget: 50_000_000 }

/** RGB rows of a PNG, by a decoder that is not ours. */
function rgbOf(png: Buffer): Buffer {
  const { data, width, height } = PNG.sync.read(png)
  const out = Buffer.alloc(width * height * 3)
  for (let i = 0; i < width * height; i += 1) data.copy(out, i * 3, i * 4, i * 4 + 3)
  return out
}

describe('readPngRows', () => {
  it.each([0, 1, 2, 3, 4] as const)('undoes filter %i as another decoder does', async (filter) => {
    const png = encodeSamplePng(37, 29, 3, filter, (y) => numberedRow(y * 7, 37))
    const rows: Buffer[] = []
    for await (const row of readPngRows(await pngFile(`filter-${filter}.png`, png))) rows.push(row)
    expect(Buffer.concat(rows).equals(rgbOf(png))).toBe(true)
  })

  it('reads what pngjs writes with alpha, and puts what is transparent on white', async () => {
    const image = new PNG({ width: 3, height: 2 })
    image.data.set([10, 20, 30, 255, 10, 20, 30, 0, 0, 0, 0, 128])
    const rows: Buffer[] = []
    for await (const row of readPngRows(await pngFile('alpha.png', PNG.sync.write(image)))) rows.push(row)
    expect([...(rows[0] ?? [])]).toEqual([10, 20, 30, 255, 255, 255, 127, 127, 127])
    expect(rows).toHaveLength(2)
  })

  it('names what is wrong with a file that is not such an image', async () => {
    const png = encodeSamplePng(20, 20, 3, 0, (y) => numberedRow(y, 20))
    const cases = [
      ['no.png', Buffer.from('GIF89a'.repeat(10))],
      ['cut.png', png.subarray(0, png.length - 30)],
      ['grey.png', Buffer.concat([png.subarray(0, 25), Buffer.from([0]), png.subarray(26)])],
    ] as const
    for (const [name, data] of cases) {
      const file = await pngFile(name, data)
      await expect(Array.fromAsync(readPngRows(file)), name).rejects.toThrow(UnreadablePng)
    }
    const bent = Buffer.from(png)
    bent.fill(0xff, 45, 60)
    const file = await pngFile('bent.png', bent)
    await expect(Array.fromAsync(readPngRows(file))).rejects.toThrow()
  })

  it('refuses a width that no screenshot has', async () => {
    const png = encodeSamplePng(20, 2, 3, 0, (y) => numberedRow(y, 20))
    png.writeUInt32BE(1_000_000, 16)
    const file = await pngFile('wide.png', png)
    await expect(readPngSize(file)).rejects.toThrow('size')
  })
})

describe('sliceImages', () => {
  it('keeps every row of 41,000 exactly once, across the images that hold them', async () => {
    const width = 64
    const heights = [16_000, 16_000, 9000]
    const files: string[] = []
    for (const [index, height] of heights.entries()) {
      const first = index * 16_000
      files.push(
        await pngFile(
          `tall-${index}.png`,
          encodeSamplePng(width, height, 3, 2, (y) => numberedRow(first + y, width)),
        ),
      )
    }
    const picture = await sliceImages(files, folder, 'tall', { ...limits, aspect: { first: 20, next: 29 } })
    expect(picture).toMatchObject({ rows: 41_000, shownRows: 41_000, encoding: 'png', width })
    expect(picture.slices.reduce((sum, slice) => sum + slice.height, 0)).toBe(41_000)
    let next = 0
    for (const slice of picture.slices) {
      expect(slice.firstRow).toBe(next)
      const rgb = rgbOf(await readFile(join(folder, slice.name)))
      for (let y = 0; y < slice.height; y += 1)
        if (!rgb.subarray(y * width * 3, (y + 1) * width * 3).equals(numberedRow(next + y, width)))
          expect.fail(`row ${next + y} differs in ${slice.name}`)
      expect(slice.rowsSha256).toBe(createHash('sha256').update(rgb).digest('hex'))
      next += slice.height
    }
    expect(next).toBe(41_000)
  })

  it('uses JPEG, and says so, when lossless slices would be too heavy', async () => {
    const noise = (y: number): Buffer =>
      Buffer.concat(Array.from({ length: 8 }, (_, i) => createHash('sha256').update(`${y}/${i}`).digest())).subarray(0, 240)
    const file = await pngFile('noise.png', encodeSamplePng(80, 300, 3, 0, noise))
    const picture = await sliceImages([file], folder, 'noise', { ...limits, losslessBudget: 50_000 })
    expect(picture.encoding).toBe('jpeg')
    expect(picture.slices.map((slice) => slice.height)).toEqual([96, 112, 92])
    const first = await readFile(join(folder, picture.slices[0]?.name ?? ''))
    expect(first.subarray(0, 3).toString('hex')).toBe('ffd8ff')
  })

  it('stops, and says where, when even JPEG is too heavy for a document', async () => {
    const noise = (y: number): Buffer =>
      Buffer.concat(Array.from({ length: 8 }, (_, i) => createHash('sha256').update(`${y}/${i}`).digest())).subarray(0, 240)
    const file = await pngFile('heavy.png', encodeSamplePng(80, 300, 3, 0, noise))
    const picture = await sliceImages([file], folder, 'heavy', { ...limits, losslessBudget: 1000, jpegBudget: 1000 })
    expect(picture).toMatchObject({ encoding: 'jpeg', rows: 300, shownRows: 96 })
  })

  it('says how many rows it shows when there are more than its pages hold', async () => {
    const file = await pngFile(
      'long.png',
      encodeSamplePng(10, 500, 3, 0, (y) => numberedRow(y, 10)),
    )
    const picture = await sliceImages([file], folder, 'long', { ...limits, maxSlices: 3 })
    expect(picture.rows).toBe(500)
    expect(picture.shownRows).toBe(12 + 14 + 14)
    expect(picture.slices).toHaveLength(3)
  })

  it('does not join images of different widths', async () => {
    const a = await pngFile(
      'a.png',
      encodeSamplePng(10, 5, 3, 0, (y) => numberedRow(y, 10)),
    )
    const b = await pngFile(
      'b.png',
      encodeSamplePng(11, 5, 3, 0, (y) => numberedRow(y, 11)),
    )
    await expect(sliceImages([a, b], folder, 'ab', limits)).rejects.toThrow(RangeError)
  })
})

import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { encodeSamplePng, writeSampleFiles } from '../sample-report.test-data.ts'
import { fullSession, writeSessionFiles } from '../sample-session.test-data.ts'
import { type SessionPictureDeps, readSessionPictures } from './session-pictures.ts'

let folder = ''
let files: ReadonlyMap<string, string> = new Map()
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'session-pictures-'))
  files = new Map([...(await writeSampleFiles(folder, 900)), ...(await writeSessionFiles(folder)).files])
})
afterAll(async () => {
  await rm(folder, { recursive: true, force: true })
})

const mega = 1024 * 1024
const limits = { aspect: { first: 1, next: 1 }, losslessBudget: 24 * mega, jpegBudget: 48 * mega }
const deps = async (given: Partial<SessionPictureDeps> = {}): Promise<SessionPictureDeps> => ({
  localFile: async (path) => files.get(path) ?? '',
  held: () => true,
  folder: await mkdtemp(join(folder, 'out-')),
  limits,
  ...given,
})

describe('readSessionPictures', () => {
  it('keeps the numbers of the screenshots, and a picture of the video once for all the moments that it stood', async () => {
    const given = await deps()
    const { pictures, keyFrames, ...left } = await readSessionPictures(fullSession, given)
    expect(pictures.map(({ shot, sliced }) => [shot?.number, sliced.rows, sliced.slices.length])).toEqual([
      [1, 800, 1],
      [2, 960, 1],
      [3, 800, 1],
      [4, 900, 1],
    ])
    expect(keyFrames.map(({ path, shows }) => [path, shows.map(({ ms }) => ms)])).toEqual([
      ['capture/key-frames/001.jpg', [2_400]],
      ['capture/key-frames/002.jpg', [66_300, 67_000]],
      ['capture/key-frames/003.jpg', [598_400]],
    ])
    expect(left).toEqual({ shotsLeftOut: [], keyFramesLeftOut: 0 })
    expect(await readdir(given.folder)).toHaveLength(7)
  })

  it('leaves out by number what is no piece, and what a report has no room for, but never the end', async () => {
    const held = (path: string): boolean => !path.includes('001-viewport') && !path.endsWith('002.jpg')
    const absent = await readSessionPictures(fullSession, await deps({ held }))
    expect([absent.shotsLeftOut, absent.keyFramesLeftOut, absent.keyFrames.length]).toEqual([[1], 1, 2])

    const [first] = fullSession.screenshots
    if (first === undefined) throw new Error('the sample has screenshots')
    const window = join(folder, 'window.png')
    await writeFile(
      window,
      encodeSamplePng(8, 6, 3, 0, () => Buffer.alloc(24, 200)),
    )
    const many = Array.from({ length: 200 }, (_, index) => ({ ...first, number: index + 1, automatic: index === 199 }))
    const crowded = await readSessionPictures(
      { screenshots: many, key_frames: [] },
      await deps({ localFile: async () => window }),
    )
    expect(crowded.pictures).toHaveLength(160)
    expect(crowded.pictures.at(-1)?.shot?.number).toBe(200)
    expect(crowded.shotsLeftOut).toEqual(Array.from({ length: 40 }, (_, index) => 160 + index))
  })

  it('is lossless as far as the room for that goes, then says that it is not', async () => {
    const small = { ...limits, losslessBudget: 1 }
    const screenshots = fullSession.screenshots.slice(0, 1)
    const { pictures } = await readSessionPictures({ screenshots, key_frames: [] }, await deps({ limits: small }))
    expect(new Set(pictures.map(({ sliced }) => sliced.encoding))).toEqual(new Set(['jpeg']))
  })
})

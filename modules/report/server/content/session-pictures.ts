/** Pictures of a live session for its report: the screenshots cut into pages, and single pictures of the recording. */
import { copyFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { CaptureFacts, KeyFrame, Picture } from './report-content.ts'
import { type SliceLimits, sliceImages } from '../pieces/slice-images.ts'

type Session = NonNullable<CaptureFacts['interactive']>
type Limits = Omit<SliceLimits, 'maxSlices'>

/** The whole page at the end takes as many sheets as a page that a robot captures; those on the way, fewer. */
const mostSlices = { all: 160, last: 60, full_page: 12, viewport: 2 } as const
const mostKeyFrameBytes = 24 * 1024 * 1024

export type SessionPictures = {
  readonly pictures: readonly Picture[]
  /** Numbers of the screenshots that are not reproduced: there were too many, or they are no pieces. */
  readonly shotsLeftOut: readonly number[]
  readonly keyFrames: readonly KeyFrame[]
  readonly keyFramesLeftOut: number
}

/** What stands behind the pictures, and where they go. */
export type SessionPictureDeps = {
  readonly localFile: (path: string) => Promise<string>
  /** Whether that is a piece of the package. */
  readonly held: (path: string) => boolean
  /** Files are written there, named after the screenshots. */
  readonly folder: string
  /** Of all the screenshots together. */
  readonly limits: Limits
}

/** @throws as `sliceImages`. */
export async function readSessionPictures(
  { screenshots, key_frames }: Pick<Session, 'screenshots' | 'key_frames'>,
  deps: SessionPictureDeps,
): Promise<SessionPictures> {
  const { limits } = deps
  const pictures: Picture[] = []
  const shotsLeftOut: number[] = []
  let [slices, lossless, lossy] = [0, 0, 0]
  // The end of the session first: it is never what is left out.
  for (const shot of screenshots.toSorted((a, b) => Number(b.automatic) - Number(a.automatic))) {
    const most = shot.automatic ? mostSlices.last : mostSlices[shot.kind]
    const maxSlices = Math.min(most, mostSlices.all - slices)
    const jpegBudget = limits.jpegBudget - lossy
    if (shot.paths.length === 0 || !shot.paths.every(deps.held) || maxSlices <= 0 || jpegBudget <= 0) {
      shotsLeftOut.push(shot.number)
      continue
    }
    const files = await Promise.all(shot.paths.map(async (path) => await deps.localFile(path)))
    const losslessBudget = Math.max(0, limits.losslessBudget - lossless)
    const name = `screenshot-${String(shot.number).padStart(3, '0')}`
    // A window is shown whole, that of a telephone too.
    const aspect = shot.kind === 'viewport' ? { first: 4, next: 4 } : limits.aspect
    const sliced = await sliceImages(files, deps.folder, name, { aspect, maxSlices, losslessBudget, jpegBudget })
    slices += sliced.slices.length
    if (sliced.encoding === 'png') lossless += sliced.bytes
    else lossy += sliced.bytes
    pictures.push({ kind: shot.kind, paths: shot.paths, sliced, shot })
  }
  return {
    pictures: pictures.toSorted((a, b) => (a.shot?.number ?? 0) - (b.shot?.number ?? 0)),
    shotsLeftOut: shotsLeftOut.toSorted((a, b) => a - b),
    ...(await copyKeyFrames(key_frames, deps)),
  }
}

/** JPEG as it was decoded from the recording; several moments may show one picture. */
async function copyKeyFrames(
  frames: Session['key_frames'],
  { localFile, held, folder }: SessionPictureDeps,
): Promise<Pick<SessionPictures, 'keyFrames' | 'keyFramesLeftOut'>> {
  const byPath = Map.groupBy(frames, (frame) => frame.path)
  const keyFrames: KeyFrame[] = []
  let bytes = 0
  for (const [path, [first, ...rest]] of byPath) {
    if (first === undefined || !held(path)) continue
    const file = await localFile(path)
    bytes += (await stat(file)).size
    if (bytes > mostKeyFrameBytes) break
    const name = `key-frame-${String(keyFrames.length + 1).padStart(3, '0')}.jpg`
    await copyFile(file, join(folder, name))
    const shows = [first, ...rest].map(({ ms, reason }) => ({ ms, reason }))
    keyFrames.push({ path, name, width: first.width, height: first.height, shows })
  }
  return { keyFrames, keyFramesLeftOut: byPath.size - keyFrames.length }
}

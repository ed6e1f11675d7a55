/** From facts and sealed pieces to everything that a report may print. */
import { findLines } from '../pieces/find-lines.ts'
import { readCertificates } from '../pieces/read-certificates.ts'
import { readExchanges } from '../pieces/read-exchanges.ts'
import { readLimits } from '../pieces/read-limits.ts'
import { readTimeline } from '../pieces/read-timeline.ts'
import { type SliceLimits, sliceImages } from '../pieces/slice-images.ts'
import { environmentPath, landmarksOf } from './landmarks.ts'
import type { AskedBy, CaptureFacts, Picture, Piece, ReportContent, SealSummary, Subject } from './report-content.ts'
import { readSessionPictures } from './session-pictures.ts'

export type ReportInput = {
  readonly subject: Subject
  readonly facts: CaptureFacts
  /** Absent or null: not known, and nothing is said of it. */
  readonly askedBy?: AskedBy | null
  /** Of the manifest, in its order. */
  readonly pieces: readonly Piece[]
  readonly seal: SealSummary
  /** Where readers elsewhere reach this installation; null when they cannot. */
  readonly siteUrl: string | null
}

export type ReadingDeps = {
  /** Absolute path of a local copy of a piece, by its package path. Asked for images and small text pieces only. */
  readonly localFile: (path: string) => Promise<string>
  /** The slices of pictures are written there. */
  readonly folder: string
  /** Room for a picture on a page. */
  readonly aspect: SliceLimits['aspect']
}

/** 60 pages of picture hold 100,000 rows at 1,280 pixels of width; 24 MB of lossless slices make a report that mail takes. */
const pictureLimits = { maxSlices: 60, losslessBudget: 24 * 1024 * 1024, jpegBudget: 48 * 1024 * 1024 }
/** A window takes a page or two; images of steps are many. */
const windowLimits = { maxSlices: 6, losslessBudget: 6 * 1024 * 1024, jpegBudget: 8 * 1024 * 1024 }
const mostSteps = 24

/** Pieces of the second capture server stand apart. */
const ofSecond = (path: string): boolean => path.startsWith('capture/vantage-2/')

async function pictureOf(
  images: readonly CaptureFacts['images'][number][],
  deps: ReadingDeps,
  prefix: string,
): Promise<Picture | null> {
  const [first] = images
  if (first === undefined) return null
  const sorted = images.toSorted((a, b) => a.index - b.index)
  const files = await Promise.all(sorted.map(async (image) => await deps.localFile(image.path)))
  const limits = { ...(first.kind === 'full_page' ? pictureLimits : windowLimits), aspect: deps.aspect }
  const sliced = await sliceImages(files, deps.folder, prefix, limits)
  return { kind: first.kind, paths: sorted.map((image) => image.path), sliced }
}

type Pictures = Pick<ReportContent, 'pictures' | 'picturesLeftOut' | 'session'>

async function picturesOf(input: ReportInput, deps: ReadingDeps): Promise<Pictures> {
  const { facts } = input
  if (facts.interactive !== null) return await sessionOf(input, facts.interactive, deps)
  const images = facts.images.filter((image) => !ofSecond(image.path))
  const of = (kind: Picture['kind']) => images.filter((image) => image.kind === kind)
  const steps = of('step').toSorted((a, b) => a.index - b.index)
  const shown = steps.slice(0, mostSteps)
  const pictures = [await pictureOf(of('before_banner'), deps, 'before'), await pictureOf(of('viewport'), deps, 'viewport')]
  for (const [index, step] of shown.entries()) pictures.push(await pictureOf([step], deps, `step-${index + 1}`))
  pictures.push(await pictureOf(of('full_page'), deps, 'full-page'))
  return { pictures: pictures.filter((picture) => picture !== null), picturesLeftOut: steps.length - shown.length, session: null }
}

async function sessionOf(
  input: ReportInput,
  facts: NonNullable<CaptureFacts['interactive']>,
  deps: ReadingDeps,
): Promise<Pictures> {
  const { localFile, folder, aspect } = deps
  const paths = new Set(input.pieces.map((piece) => piece.path))
  const held = (path: string): boolean => paths.has(path)
  const { pictures, ...rest } = await readSessionPictures(facts, {
    localFile,
    held,
    folder,
    limits: { ...pictureLimits, aspect },
  })
  const timeline = await readTimeline(await pieceFile(input, deps, 'timeline'), facts)
  return { pictures, picturesLeftOut: 0, session: { facts, timeline, ...rest } }
}

async function secondWindowOf({ pieces }: ReportInput, deps: ReadingDeps): Promise<Picture | null> {
  const piece = pieces.find((one) => ofSecond(one.path) && one.role === 'viewport_screenshot')
  if (piece === undefined) return null
  const file = await deps.localFile(piece.path)
  const sliced = await sliceImages([file], deps.folder, 'second', { ...windowLimits, aspect: deps.aspect })
  return { kind: 'viewport', paths: [piece.path], sliced }
}

async function pieceFile(
  input: ReportInput,
  deps: ReadingDeps,
  role: Piece['role'],
  /** Where several pieces have the role. */
  path?: string,
): Promise<{ path: string; file: string } | null> {
  const piece = input.pieces.find((one) => one.role === role && !ofSecond(one.path) && (path === undefined || one.path === path))
  return piece === undefined ? null : { path: piece.path, file: await deps.localFile(piece.path) }
}

/** What both languages share: the slices, which stay in the folder, and the tables. @throws as `sliceImages` */
export async function readContent(input: ReportInput, deps: ReadingDeps): Promise<Omit<ReportContent, 'locale' | 'preview'>> {
  const environment = await pieceFile(input, deps, 'environment', environmentPath)
  const texts = [await pieceFile(input, deps, 'checklist'), await pieceFile(input, deps, 'action_log'), environment]
  return {
    subject: input.subject,
    facts: input.facts,
    askedBy: input.askedBy ?? null,
    pieces: input.pieces,
    seal: input.seal,
    siteUrl: input.siteUrl,
    ...(await picturesOf(input, deps)),
    secondWindow: await secondWindowOf(input, deps),
    exchanges: await readExchanges(await pieceFile(input, deps, 'har')),
    certificates: await readCertificates(await pieceFile(input, deps, 'certificates')),
    limits: await readLimits(environment),
    lines: await findLines(
      landmarksOf(input.facts),
      new Map(texts.flatMap((one) => (one === null ? [] : [[one.path, one.file] as const]))),
    ),
  }
}

/** The report, from the sealed facts and pieces to the PDF: signed in both languages, or one marked preview. */
import { mkdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { type Locale, locales } from '../../../kernel/locale.ts'
import { finishPdf } from '../../../platform/print/finish-pdf.ts'
import { plainText } from '../../../platform/print/hostile-text.ts'
import { headingsOf } from '../../../platform/print/name-bookmarks.ts'
import { findLines } from './pieces/find-lines.ts'
import { environmentPath, landmarksOf } from './content/landmarks.ts'
import { readCertificates } from './pieces/read-certificates.ts'
import { readExchanges } from './pieces/read-exchanges.ts'
import { readLimits } from './pieces/read-limits.ts'
import { readTimeline } from './pieces/read-timeline.ts'
import { type RenderDeps, renderReport } from './render-report.ts'
import type { AskedBy, CaptureFacts, Picture, Piece, ReportContent, SealSummary, Subject } from './content/report-content.ts'
import type { CaptureWords } from './page/report-page.ts'
import { pictureAspect } from './page/report-style.ts'
import { reportWords } from './words/report-words.ts'
import { readSessionPictures } from './content/session-pictures.ts'
import { sliceImages } from './pieces/slice-images.ts'

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

export type PrintJob = {
  readonly html: string
  /** The document names what stands here as `resources/<name>`. */
  readonly resourcesDir: string
  readonly language: Locale
  readonly outFile: string
  readonly signal: AbortSignal
}

export type PreviewDeps = {
  /** `platform/browser/print-pdf.ts`: tags, bookmarks, the page of the style sheet; no script, no way out. */
  readonly printPdf: (job: PrintJob) => Promise<{ readonly refused: readonly string[] }>
  /** Words of the capture module in a language. */
  readonly captureWords: (locale: Locale) => CaptureWords
  readonly rosette: RenderDeps['rosette']
  /** Absolute path of a local copy of a piece, by its package path. Asked for images and small text pieces only. */
  readonly localFile: (path: string) => Promise<string>
  /** An empty folder, made when absent; what is put there is removed again. */
  readonly workDir: string
  readonly signal: AbortSignal
}

export type ReportDeps = PreviewDeps & {
  readonly signPdf: (pdf: Uint8Array, locale: Locale) => Promise<Uint8Array>
}

export type Reports = Readonly<Record<Locale, Uint8Array>>

/** 60 pages of picture hold 100,000 rows at 1,280 pixels of width; 24 MB of lossless slices make a report that mail takes. */
const pictureLimits = { aspect: pictureAspect, maxSlices: 60, losslessBudget: 24 * 1024 * 1024, jpegBudget: 48 * 1024 * 1024 }
/** A window takes a page or two; images of steps are many. */
const windowLimits = { ...pictureLimits, maxSlices: 6, losslessBudget: 6 * 1024 * 1024, jpegBudget: 8 * 1024 * 1024 }
const mostSteps = 24

/** Pieces of the second capture server stand apart. */
const ofSecond = (path: string): boolean => path.startsWith('capture/vantage-2/')

async function pictureOf(
  images: readonly CaptureFacts['images'][number][],
  deps: PreviewDeps,
  folder: string,
  prefix: string,
): Promise<Picture | null> {
  const [first] = images
  if (first === undefined) return null
  const sorted = images.toSorted((a, b) => a.index - b.index)
  const files = await Promise.all(sorted.map(async (image) => await deps.localFile(image.path)))
  const limits = first.kind === 'full_page' ? pictureLimits : windowLimits
  return { kind: first.kind, paths: sorted.map((image) => image.path), sliced: await sliceImages(files, folder, prefix, limits) }
}

type Pictures = Pick<ReportContent, 'pictures' | 'picturesLeftOut' | 'session'>

async function picturesOf(input: ReportInput, deps: PreviewDeps, folder: string): Promise<Pictures> {
  const { facts } = input
  if (facts.interactive !== null) return await sessionOf(input, facts.interactive, deps, folder)
  const images = facts.images.filter((image) => !ofSecond(image.path))
  const of = (kind: Picture['kind']) => images.filter((image) => image.kind === kind)
  const steps = of('step').toSorted((a, b) => a.index - b.index)
  const shown = steps.slice(0, mostSteps)
  const pictures = [
    await pictureOf(of('before_banner'), deps, folder, 'before'),
    await pictureOf(of('viewport'), deps, folder, 'viewport'),
  ]
  for (const [index, step] of shown.entries()) pictures.push(await pictureOf([step], deps, folder, `step-${index + 1}`))
  pictures.push(await pictureOf(of('full_page'), deps, folder, 'full-page'))
  return { pictures: pictures.filter((picture) => picture !== null), picturesLeftOut: steps.length - shown.length, session: null }
}

async function sessionOf(
  input: ReportInput,
  facts: NonNullable<CaptureFacts['interactive']>,
  deps: PreviewDeps,
  folder: string,
): Promise<Pictures> {
  const { localFile } = deps
  const paths = new Set(input.pieces.map((piece) => piece.path))
  const held = (path: string): boolean => paths.has(path)
  const { pictures, ...rest } = await readSessionPictures(facts, { localFile, held, folder, limits: pictureLimits })
  const timeline = await readTimeline(await pieceFile(input, deps, 'timeline'), facts)
  return { pictures, picturesLeftOut: 0, session: { facts, timeline, ...rest } }
}

async function secondWindowOf({ pieces }: ReportInput, deps: PreviewDeps, folder: string): Promise<Picture | null> {
  const piece = pieces.find((one) => ofSecond(one.path) && one.role === 'viewport_screenshot')
  if (piece === undefined) return null
  const file = await deps.localFile(piece.path)
  return { kind: 'viewport', paths: [piece.path], sliced: await sliceImages([file], folder, 'second', windowLimits) }
}

async function pieceFile(
  input: ReportInput,
  deps: PreviewDeps,
  role: Piece['role'],
  /** Where several pieces have the role. */
  path?: string,
): Promise<{ path: string; file: string } | null> {
  const piece = input.pieces.find((one) => one.role === role && !ofSecond(one.path) && (path === undefined || one.path === path))
  return piece === undefined ? null : { path: piece.path, file: await deps.localFile(piece.path) }
}

/** What both languages share: the slices, which stay in `folder`, and the tables. */
async function readContent(
  input: ReportInput,
  deps: PreviewDeps,
  folder: string,
): Promise<Omit<ReportContent, 'locale' | 'preview'>> {
  const environment = await pieceFile(input, deps, 'environment', environmentPath)
  const texts = [await pieceFile(input, deps, 'checklist'), await pieceFile(input, deps, 'action_log'), environment]
  return {
    subject: input.subject,
    facts: input.facts,
    askedBy: input.askedBy ?? null,
    pieces: input.pieces,
    seal: input.seal,
    siteUrl: input.siteUrl,
    ...(await picturesOf(input, deps, folder)),
    secondWindow: await secondWindowOf(input, deps, folder),
    exchanges: await readExchanges(await pieceFile(input, deps, 'har')),
    certificates: await readCertificates(await pieceFile(input, deps, 'certificates')),
    limits: await readLimits(environment),
    lines: await findLines(
      landmarksOf(input.facts),
      new Map(texts.flatMap((one) => (one === null ? [] : [[one.path, one.file] as const]))),
    ),
  }
}

/** One language, finished but not signed. */
async function makeOne(content: ReportContent, deps: PreviewDeps, folder: string): Promise<Uint8Array> {
  deps.signal.throwIfAborted()
  const { locale, subject, seal } = content
  const words = reportWords(locale)
  const html = await renderReport(content, { captureWords: deps.captureWords(locale), rosette: deps.rosette })
  const outFile = join(deps.workDir, `report.${locale}.pdf`)
  try {
    const { refused } = await deps.printPdf({ html, resourcesDir: folder, language: locale, outFile, signal: deps.signal })
    if (refused.length > 0) throw new Error(`the report asked for what it does not hold: ${refused.join(', ')}`)
    const title = words.t('report.file_title', { id: subject.evidence_id })
    return await finishPdf(await readFile(outFile), {
      title: content.preview ? `${words.t('report.preview.mark')} – ${title}` : title,
      subject: words.t('report.subject', {
        url: plainText(subject.final_url, 500),
        date: words.instant(subject.started_at).utc,
      }),
      language: words.tag,
      creator: subject.software,
      date: new Date(seal.signed_at),
      identity: `${seal.root} ${locale}${content.preview ? ' preview' : ''}`,
      headings: headingsOf(html),
    })
  } finally {
    await rm(outFile, { force: true })
  }
}

async function inFolder<T>(deps: PreviewDeps, work: (folder: string) => Promise<T>): Promise<T> {
  const folder = join(deps.workDir, 'report')
  await mkdir(folder, { recursive: true })
  try {
    return await work(folder)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** @throws what printing and signing throw; UnreadablePng when an image is not what a browser writes. */
export async function makeReports(input: ReportInput, deps: ReportDeps): Promise<Reports> {
  return await inFolder(deps, async (folder) => {
    const content = await readContent(input, deps, folder)
    const made: Partial<Record<Locale, Uint8Array>> = {}
    // One after the other: each print holds a browser.
    for (const locale of locales)
      made[locale] = await deps.signPdf(await makeOne({ ...content, locale, preview: false }, deps, folder), locale)
    const { en, fr } = made
    if (en === undefined || fr === undefined) throw new Error('a report is missing')
    return { en, fr }
  })
}

/** What the report will be, marked as a preview on every page and not signed. @throws as `makeReports`. */
export async function makePreviewReport(input: ReportInput, locale: Locale, deps: PreviewDeps): Promise<Uint8Array> {
  return await inFolder(deps, async (folder) => {
    const content = await readContent(input, deps, folder)
    return await makeOne({ ...content, locale, preview: true }, deps, folder)
  })
}

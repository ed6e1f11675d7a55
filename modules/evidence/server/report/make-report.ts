/** The report in both languages, from the sealed facts and pieces to the signed PDF. */
import { mkdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { type Locale, locales } from '../../../../kernel/locale.ts'
import { finishPdf } from './finish-pdf.ts'
import { plainText } from './hostile-text.ts'
import { headingsOf } from './name-bookmarks.ts'
import { readCertificates } from './read-certificates.ts'
import { readExchanges } from './read-exchanges.ts'
import { type RenderDeps, renderReport } from './render-report.ts'
import type { CaptureFacts, Piece, ReportContent, SealSummary, Subject } from './report-input.ts'
import type { CaptureWords } from './report-page.ts'
import { pictureAspect } from './report-style.ts'
import { reportWords } from './report-words.ts'
import { type SlicedPicture, sliceImages } from './slice-images.ts'

export type ReportInput = {
  readonly subject: Subject
  readonly facts: CaptureFacts
  /** Of the manifest, in its order. */
  readonly pieces: readonly Piece[]
  readonly seal: SealSummary
  /** Where visitors find the verifier of this installation; null when it has no public address. */
  readonly verifierUrl: string | null
}

export type PrintJob = {
  readonly html: string
  /** The document names what stands here as `resources/<name>`. */
  readonly resourcesDir: string
  readonly language: Locale
  readonly outFile: string
  readonly signal: AbortSignal
}

export type ReportDeps = {
  /** `platform/browser/print-pdf.ts`: tags, bookmarks, the page of the style sheet; no script, no way out. */
  readonly printPdf: (job: PrintJob) => Promise<{ readonly refused: readonly string[] }>
  readonly signPdf: (pdf: Uint8Array, locale: Locale) => Promise<Uint8Array>
  /** Words of the capture module in a language. */
  readonly captureWords: (locale: Locale) => CaptureWords
  readonly rosette: RenderDeps['rosette']
  /** Absolute path of a local copy of a piece, by its package path. Asked for images, HAR and certificates only. */
  readonly localFile: (path: string) => Promise<string>
  /** An empty folder, made when absent; what is put there is removed again. */
  readonly workDir: string
  readonly signal: AbortSignal
}

export type Reports = Readonly<Record<Locale, Uint8Array>>

/** 60 pages of picture hold 105,000 rows at 1,280 pixels of width; 24 MB of lossless slices make a report that mail takes. */
const pictureLimits = { aspect: pictureAspect, maxSlices: 60, losslessBudget: 24 * 1024 * 1024, jpegBudget: 48 * 1024 * 1024 }

async function pictureOf(
  input: ReportInput,
  deps: ReportDeps,
  kind: 'viewport' | 'full_page',
  folder: string,
): Promise<SlicedPicture | null> {
  const images = input.facts.images.filter((image) => image.kind === kind).sort((a, b) => a.index - b.index)
  if (images.length === 0) return null
  const files = await Promise.all(images.map(async (image) => await deps.localFile(image.path)))
  return await sliceImages(files, folder, kind.replace('_', '-'), pictureLimits)
}

async function pieceFile(
  input: ReportInput,
  deps: ReportDeps,
  role: Piece['role'],
): Promise<{ path: string; file: string } | null> {
  const piece = input.pieces.find((one) => one.role === role)
  return piece === undefined ? null : { path: piece.path, file: await deps.localFile(piece.path) }
}

/** What both languages share: the slices, which stay in `folder`, and the tables. */
async function readContent(input: ReportInput, deps: ReportDeps, folder: string): Promise<Omit<ReportContent, 'locale'>> {
  return {
    subject: input.subject,
    facts: input.facts,
    pieces: input.pieces,
    seal: input.seal,
    verifierUrl: input.verifierUrl,
    viewport: await pictureOf(input, deps, 'viewport', folder),
    fullPage: await pictureOf(input, deps, 'full_page', folder),
    exchanges: await readExchanges(await pieceFile(input, deps, 'har')),
    certificates: await readCertificates(await pieceFile(input, deps, 'certificates')),
  }
}

/** @throws what printing and signing throw; UnreadablePng when an image is not what a browser writes. */
export async function makeReports(input: ReportInput, deps: ReportDeps): Promise<Reports> {
  const folder = join(deps.workDir, 'report')
  await mkdir(folder, { recursive: true })
  try {
    const content = await readContent(input, deps, folder)
    const make = async (locale: Locale): Promise<Uint8Array> => {
      deps.signal.throwIfAborted()
      const words = reportWords(locale)
      const html = await renderReport({ ...content, locale }, { captureWords: deps.captureWords(locale), rosette: deps.rosette })
      const outFile = join(deps.workDir, `report.${locale}.pdf`)
      try {
        const { refused } = await deps.printPdf({ html, resourcesDir: folder, language: locale, outFile, signal: deps.signal })
        if (refused.length > 0) throw new Error(`the report asked for what it does not hold: ${refused.join(', ')}`)
        const finished = await finishPdf(await readFile(outFile), {
          title: words.t('report.file_title', { id: input.subject.evidence_id }),
          subject: words.t('report.subject', {
            url: plainText(input.subject.final_url, 500),
            date: words.instant(input.facts.navigated_at).utc,
          }),
          language: words.tag,
          creator: input.subject.software,
          date: new Date(input.seal.signed_at),
          identity: `${input.seal.root} ${locale}`,
          headings: headingsOf(html),
        })
        return await deps.signPdf(finished, locale)
      } finally {
        await rm(outFile, { force: true })
      }
    }
    const made: Partial<Record<Locale, Uint8Array>> = {}
    // One after the other: each print holds a browser.
    for (const locale of locales) made[locale] = await make(locale)
    const { en, fr } = made
    if (en === undefined || fr === undefined) throw new Error('a report is missing')
    return { en, fr }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** The report, from the sealed facts and pieces to the PDF: signed in both languages, or one marked preview. */
import { mkdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { type Locale, locales } from '../../../kernel/locale.ts'
import { finishPdf } from '../../../platform/print/finish-pdf.ts'
import { plainText } from '../../../platform/print/hostile-text.ts'
import { headingsOf } from '../../../platform/print/name-bookmarks.ts'
import { type RenderDeps, renderReport } from './render-report.ts'
import { type ReportInput, readContent } from './content/read-content.ts'
import type { ReportContent } from './content/report-content.ts'
import type { CaptureWords } from './page/report-page.ts'
import { pictureAspect } from './page/report-style.ts'
import { reportWords } from './words/report-words.ts'

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
    const content = await readContent(input, { localFile: deps.localFile, folder, aspect: pictureAspect })
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
    const content = await readContent(input, { localFile: deps.localFile, folder, aspect: pictureAspect })
    return await makeOne({ ...content, locale, preview: true }, deps, folder)
  })
}

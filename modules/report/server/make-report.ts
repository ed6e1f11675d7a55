/** The report, from the sealed facts and pieces to the PDF: signed in both languages, or one marked preview. */
import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { type Locale, locales } from '../../../kernel/locale.ts'
import type { PrintedDocument } from '../../../platform/print/document/printed-document.ts'
import { type TypesetOptions, typesetAll } from '../../../platform/print/typeset/typeset.ts'
import { type ComposeDeps, composeReport } from './compose-report.ts'
import { type ReportInput, readContent } from './content/read-content.ts'
import { pictureAspect } from './page/pictures.ts'
import type { CaptureWords } from './page/report-page.ts'

export type PreviewDeps = {
  /** Words of the capture module in a language. */
  readonly captureWords: (locale: Locale) => CaptureWords
  readonly rosette: ComposeDeps['rosette']
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

/** `document` is what the paper says, for a screen. */
export type Preview = { readonly pdf: Uint8Array; readonly document: PrintedDocument }

/** @param each language and whether it is a preview, in the order of what comes back */
async function setReports(
  input: ReportInput,
  each: readonly { readonly locale: Locale; readonly preview: boolean }[],
  deps: PreviewDeps,
): Promise<readonly Preview[]> {
  const folder = join(deps.workDir, 'report')
  const job: TypesetOptions = { folder: join(deps.workDir, 'typeset'), signal: deps.signal }
  deps.signal.throwIfAborted()
  await mkdir(folder, { recursive: true })
  try {
    const content = await readContent(input, { localFile: deps.localFile, folder, aspect: pictureAspect })
    const documents = each.map(({ locale, preview }) =>
      composeReport({ ...content, locale, preview }, { captureWords: deps.captureWords(locale), rosette: deps.rosette, folder }),
    )
    const pdfs = await typesetAll(documents, job)
    return documents.flatMap((document, index) => {
      const pdf = pdfs[index]
      return pdf === undefined ? [] : [{ pdf, document }]
    })
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** @throws what typesetting and signing throw; UnreadablePng when an image is not what a browser writes. */
export async function makeReports(input: ReportInput, deps: ReportDeps): Promise<Reports> {
  const set = await setReports(
    input,
    locales.map((locale) => ({ locale, preview: false })),
    deps,
  )
  const made: Partial<Record<Locale, Uint8Array>> = {}
  for (const [index, locale] of locales.entries()) {
    const pdf = set[index]?.pdf
    if (pdf !== undefined) made[locale] = await deps.signPdf(pdf, locale)
  }
  const { en, fr } = made
  if (en === undefined || fr === undefined) throw new Error('a report is missing')
  return { en, fr }
}

/** What the report will be, marked as a preview on every page and not signed. @throws as `makeReports`. */
export async function makePreviewReport(input: ReportInput, locale: Locale, deps: PreviewDeps): Promise<Preview> {
  const [made] = await setReports(input, [{ locale, preview: true }], deps)
  if (made === undefined) throw new Error('a preview is missing')
  return made
}

/** The report as it goes out: printed by a browser that is opened for it, in the words of this installation, and signed. */
import type { Clock } from '../../../kernel/clock.ts'
import { defaultLocale, type Locale } from '../../../kernel/locale.ts'
import { sealRosette } from '../../../kernel/seal-rosette.ts'
import { openPrinter } from '../../../platform/browser/print-pdf.ts'
import type { PrintedDocument } from '../../../platform/print/document/blocks.ts'
import { createMessages } from '../../../platform/messages/messages.ts'
import { type Keyring, type Timestamper, createEvidenceSource, signPdf } from '../../sealing/server/index.ts'
import type { ReportInput } from './content/read-content.ts'
import { composePreview } from './compose-preview.ts'
import { type Reports, makePreviewReport, makeReports } from './make-report.ts'
import type { CaptureWords } from './page/report-page.ts'
import { reportWords } from './words/report-words.ts'

export type PrintDeps = {
  /** Absolute path of a local copy of a piece, by its package path. Asked for images and small text pieces only. */
  readonly localFile: (path: string) => Promise<string>
  /** An empty folder of this report alone, made when absent. */
  readonly workDir: string
  /** Whether the printing browser needs its jail; `override` only where the operator said so. */
  readonly isolation: 'required' | 'override'
  /** Bounds the time: each of two prints takes seconds, and the tokens what the authorities take. */
  readonly signal: AbortSignal
}

export type PrintAndSignDeps = PrintDeps & {
  readonly keyring: Keyring
  readonly timestampers: readonly Timestamper[]
  readonly clock: Clock
}

/** A sentence whose values do not fit is left to the caller, which prints the values themselves. */
function captureWords(locale: Locale): CaptureWords {
  const messages = createMessages(locale)
  return (id, values) => {
    if (!messages.has(id)) return null
    try {
      return messages.format(id, values)
    } catch {
      return null
    }
  }
}

/** Both languages come out of one browser: starting it costs more than printing. @throws what printing and signing throw */
export async function printReports(input: ReportInput, deps: PrintAndSignDeps): Promise<Reports> {
  const { keyring, timestampers, clock, localFile, workDir, signal } = deps
  // One for both reports: an authority that does not answer is waited for once.
  const evidence = createEvidenceSource({ keyring, clock })
  const printer = await openPrinter({ language: defaultLocale, isolation: deps.isolation, signal })
  try {
    return await makeReports(input, {
      printPdf: async (job) => await printer.print(job),
      signPdf: async (pdf, locale) =>
        await signPdf(pdf, {
          keyring,
          timestampers,
          clock,
          reason: reportWords(locale).t('report.sign_reason'),
          signal,
          evidence,
        }),
      captureWords,
      rosette: sealRosette,
      localFile,
      workDir,
      signal,
    })
  } finally {
    await printer.close()
  }
}

/**
 * The report in one language as it will be, marked as a preview on every page and not signed: what is shown before anyone agrees
 * (C-29). @throws what printing throws.
 */
export async function printPreview(
  input: ReportInput,
  locale: Locale,
  { localFile, workDir, isolation, signal }: PrintDeps,
): Promise<{ readonly pdf: Uint8Array; readonly document: PrintedDocument }> {
  const printer = await openPrinter({ language: locale, isolation, signal })
  try {
    const pdf = await makePreviewReport(input, locale, {
      printPdf: async (job) => await printer.print(job),
      captureWords,
      rosette: sealRosette,
      localFile,
      workDir,
      signal,
    })
    return { pdf, document: composePreview(input, locale) }
  } finally {
    await printer.close()
  }
}

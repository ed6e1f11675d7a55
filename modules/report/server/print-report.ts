/** The report as it goes out: in the words of this installation, and signed. */
import type { Clock } from '../../../kernel/clock.ts'
import type { Locale } from '../../../kernel/locale.ts'
import { sealRosette } from '../../../kernel/seal-rosette.ts'
import { createMessages } from '../../../platform/messages/messages.ts'
import { type Keyring, type Timestamper, createEvidenceSource, signPdf } from '../../sealing/server/index.ts'
import type { ReportInput } from './content/read-content.ts'
import { type Preview, type Reports, makePreviewReport, makeReports } from './make-report.ts'
import type { CaptureWords } from './page/report-page.ts'
import { reportWords } from './words/report-words.ts'

export type PrintDeps = {
  /** Absolute path of a local copy of a piece, by its package path. Asked for images and small text pieces only. */
  readonly localFile: (path: string) => Promise<string>
  /** An empty folder of this report alone, made when absent. */
  readonly workDir: string
  /** Bounds the time: that of the typesetter, and what the authorities take for their tokens. */
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

/** Both languages. @throws what setting and signing throw */
export async function printReports(input: ReportInput, deps: PrintAndSignDeps): Promise<Reports> {
  const { keyring, timestampers, clock, localFile, workDir, signal } = deps
  // One for both reports: an authority that does not answer is waited for once.
  const evidence = createEvidenceSource({ keyring, clock })
  return await makeReports(input, {
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
}

/**
 * The report in one language as it will be, marked as a preview on every page and not signed: what is shown before anyone agrees
 * (C-29). @throws what setting throws.
 */
export async function printPreview(
  input: ReportInput,
  locale: Locale,
  { localFile, workDir, signal }: PrintDeps,
): Promise<Preview> {
  return await makePreviewReport(input, locale, { captureWords, rosette: sealRosette, localFile, workDir, signal })
}

/** From sealed pieces to a package, ready to be streamed: the same for the platform and for the command line. */
import { readFile } from 'node:fs/promises'
import type { Clock } from '../../../../kernel/clock.ts'
import { defaultLocale, type Locale } from '../../../../kernel/locale.ts'
import { sealRosette } from '../../../../kernel/seal-rosette.ts'
import { openPrinter } from '../../../../platform/browser/print-pdf.ts'
import { createMessages } from '../../../../platform/messages/messages.ts'
import {
  type Keyring,
  type SealSummary,
  type Timestamper,
  coverEntries,
  createEvidenceSource,
  signPdf,
} from '../../../sealing/server/index.ts'
import type { Piece, Subject } from '../../../verification/server/index.ts'
import { makePreviewReport, makeReports, type Reports } from '../../../report/server/make-report.ts'
import type { AskedBy, CaptureFacts } from '../../../report/server/content/report-content.ts'
import type { CaptureWords } from '../../../report/server/page/report-page.ts'
import { reportWords } from '../../../report/server/words/report-words.ts'
import { type LaidOutEntry, type PackageLayout, layOutPackage } from './lay-out.ts'
import { makeReadme } from '../../../report/server/instructions/readme.ts'

export type SealedCapture = {
  readonly subject: Subject
  readonly facts: CaptureFacts
  /** Who asked for it, where that is known. */
  readonly askedBy?: AskedBy
  /** Of the manifest, in its order. */
  readonly pieces: readonly (Piece & LaidOutEntry)[]
  readonly seal: SealSummary
  /** `manifest.json` and `seal/…`. */
  readonly sealedFiles: readonly { readonly path: string; readonly media_type: string; readonly bytes: Uint8Array }[]
  /** Where readers elsewhere reach this installation, its verifier and its published keys; null when they cannot. */
  readonly siteUrl: string | null
}

export type AssembleDeps = {
  readonly keyring: Keyring
  readonly timestampers: readonly Timestamper[]
  readonly clock: Clock
  /** Built `verify.html`. */
  readonly verifyHtmlFile: string
  /** Absolute path of a local copy of a piece, by its package path. Asked for images and small text pieces only. */
  readonly localFile: (path: string) => Promise<string>
  /** An empty folder of this package alone, made when absent. */
  readonly workDir: string
  /** Whether the printing browser needs its jail; `override` only where the operator said so. */
  readonly isolation: 'required' | 'override'
  /** Bounds the time: each of two prints takes seconds, and the tokens what the authorities take. */
  readonly signal: AbortSignal
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

/** @throws DomainError of the sealing module; what printing throws. Nothing is kept when it fails. */
export async function assemblePackage(capture: SealedCapture, deps: AssembleDeps): Promise<PackageLayout> {
  const { timestampers, signal } = deps
  const reports = await printReports(capture, deps)
  return await layOutPackage(
    {
      sealedFiles: capture.sealedFiles,
      reports,
      verifyHtml: await readFile(deps.verifyHtmlFile),
      readme: makeReadme(capture),
      pieces: capture.pieces,
    },
    { coverEntries: async (input) => await coverEntries(input, { timestampers, signal }) },
  )
}

/** Both languages come out of one browser: starting it costs more than printing. */
async function printReports(capture: SealedCapture, deps: AssembleDeps): Promise<Reports> {
  const { keyring, timestampers, clock, signal } = deps
  // One for both reports: an authority that does not answer is waited for once.
  const evidence = createEvidenceSource({ keyring, clock })
  const printer = await openPrinter({ language: defaultLocale, isolation: deps.isolation, signal })
  try {
    return await makeReports(capture, {
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
      localFile: deps.localFile,
      workDir: deps.workDir,
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
  capture: Omit<SealedCapture, 'pieces' | 'sealedFiles'> & { readonly pieces: readonly Piece[] },
  locale: Locale,
  deps: Pick<AssembleDeps, 'localFile' | 'workDir' | 'isolation' | 'signal'>,
): Promise<Uint8Array> {
  const { signal } = deps
  const printer = await openPrinter({ language: locale, isolation: deps.isolation, signal })
  try {
    return await makePreviewReport(capture, locale, {
      printPdf: async (job) => await printer.print(job),
      captureWords,
      rosette: sealRosette,
      localFile: deps.localFile,
      workDir: deps.workDir,
      signal,
    })
  } finally {
    await printer.close()
  }
}

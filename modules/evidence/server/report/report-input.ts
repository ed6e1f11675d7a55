import type { Locale } from '../../../../kernel/locale.ts'
import type { CaptureFacts } from '../../../capture/server/index.ts'
import type { SealSummary } from '../../../sealing/server/index.ts'
import type { Piece, Subject } from '../../../verification/server/index.ts'
import type { CertificateList } from './read-certificates.ts'
import type { ExchangeList } from './read-exchanges.ts'
import type { SlicedPicture } from './slice-images.ts'

/** Everything a report may print. What is absent here was not measured, and is printed so or not at all. */
export type ReportContent = {
  readonly locale: Locale
  readonly subject: Subject
  readonly facts: CaptureFacts
  /** As in manifest.json, and in its order. */
  readonly pieces: readonly Piece[]
  readonly seal: SealSummary
  readonly viewport: SlicedPicture | null
  readonly fullPage: SlicedPicture | null
  readonly exchanges: ExchangeList
  readonly certificates: CertificateList | null
  /** Public address of this installation's verifier, when it has one. */
  readonly verifierUrl: string | null
}

export type { CaptureFacts, Locale, Piece, SealSummary, Subject }

import type { Locale } from '../../../../kernel/locale.ts'
import type { CaptureFacts } from '../../../capture/server/index.ts'
import type { SealSummary } from '../../../sealing/server/index.ts'
import type { Piece, Subject } from '../../../verification/server/index.ts'
import type { LineNumbers } from '../pieces/find-lines.ts'
import type { CertificateList } from '../pieces/read-certificates.ts'
import type { ExchangeList } from '../pieces/read-exchanges.ts'
import type { StatedLimits } from '../pieces/read-limits.ts'
import type { TimelineContent } from '../pieces/read-timeline.ts'
import type { SlicedPicture } from '../pieces/slice-images.ts'

/** An account, as its holder named it: text from outside that nobody verified. */
export type AccountAsked = {
  readonly name: string
  /** When its e-mail address was proven to be the holder's. ISO 8601. */
  readonly confirmedAt?: string | null
}

/** Who asked for the capture, as far as the composition knows. */
export type AskedBy =
  | { readonly kind: 'without_account' }
  | { readonly kind: 'command_line' }
  /** The sample that an installation makes of itself. */
  | { readonly kind: 'installation' }
  /** `owner`: for whom, when that is somebody else: «X for Y». */
  | ({ readonly kind: 'account'; readonly owner?: AccountAsked | null } & AccountAsked)
  /** By somebody without account; `owner` took it over later. */
  | { readonly kind: 'claimed'; readonly owner: AccountAsked; readonly at: string }

/** A picture of the capture, cut into slices, with the images it is made of, top to bottom. */
export type Picture = {
  readonly kind: CaptureFacts['images'][number]['kind']
  /** Package paths. */
  readonly paths: readonly string[]
  readonly sliced: SlicedPicture
  /** Of a live session: when it was taken, of what, and by whom. */
  readonly shot?: Session['screenshots'][number]
}

type Session = NonNullable<CaptureFacts['interactive']>

/** A picture of the recording, and the moments at which it stood. */
export type KeyFrame = {
  readonly path: string
  /** File in the folder of the slices. */
  readonly name: string
  readonly width: number
  readonly height: number
  readonly shows: readonly { readonly ms: number; readonly reason: string }[]
}

/** What a report of a live session says besides. */
export type SessionContent = {
  readonly facts: Session
  readonly timeline: TimelineContent
  readonly keyFrames: readonly KeyFrame[]
  readonly keyFramesLeftOut: number
  /** Numbers of the screenshots that are not reproduced: there were too many, or they are no pieces. */
  readonly shotsLeftOut: readonly number[]
}

/** Everything a report may print. What is absent here was not measured, and is printed so or not at all. */
export type ReportContent = {
  readonly locale: Locale
  /** Before anyone agreed: marked on every page, and never signed (decision 0133). */
  readonly preview: boolean
  readonly subject: Subject
  readonly facts: CaptureFacts
  readonly askedBy: AskedBy | null
  /** As in manifest.json, and in its order. */
  readonly pieces: readonly Piece[]
  readonly seal: SealSummary
  /** In the order of the exhibits. */
  readonly pictures: readonly Picture[]
  /** Images that are pieces and are not reproduced, beyond the number that a report holds. */
  readonly picturesLeftOut: number
  /** Window of the second capture server. */
  readonly secondWindow: Picture | null
  /** null: the page was captured by the robot. */
  readonly session: SessionContent | null
  readonly exchanges: ExchangeList
  readonly certificates: CertificateList | null
  readonly limits: StatedLimits | null
  readonly lines: LineNumbers
  /** Where readers elsewhere reach this installation; null when they cannot, as on the command line. */
  readonly siteUrl: string | null
}

export type { CaptureFacts, Locale, Piece, SealSummary, Subject }

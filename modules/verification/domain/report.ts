import type { PieceRole, Subject } from './manifest.ts'
import type { TimestampFacts } from './verify-timestamp.ts'

/** Words of EN 319 102-1 §5.1.3. */
export type Verdict = 'TOTAL-PASSED' | 'INDETERMINATE' | 'TOTAL-FAILED'

export type CheckStatus = 'passed' | 'failed' | 'indeterminate'

export const checkIds = [
  'container',
  'mimetype',
  'manifest',
  'root',
  'piece',
  'pieces',
  'cover',
  'cover_timestamp',
  'signature',
  'signer_trust',
  'time_trust',
  'timestamp',
  'seal_record',
  'time_order',
  'pdf_signature',
  'session_record',
  'session_hash',
  'session_timestamp',
  'session_order',
  'session_timeline',
  'session_pieces',
  'session_video',
  'wacz_signature',
  'log_inclusion',
  'renewal',
  'platform_keys',
  'message_signature',
  'anchor',
  'anchor_header',
  'qualified',
] as const
export type CheckId = (typeof checkIds)[number]

export type Check = {
  readonly id: CheckId
  readonly status: CheckStatus
  /** Path in the package that the check is about. */
  readonly subject?: string
  /** Values its sentence interpolates; `reason` ends the id of a message `verification.reason.…`. Hostile text. */
  readonly data: Readonly<Record<string, string | number>>
  /** Command of a common tool, run in the unpacked folder, that repeats it. */
  readonly repeat_command?: string
  /** Its `indeterminate` does not weigh on the verdict: it adds to what holds without it. */
  readonly supplementary?: true
}

/** `unverified`: present, but the list that would say what it was cannot be read. */
export type PieceState = 'intact' | 'altered' | 'missing' | 'added' | 'withheld' | 'unverified'

export type EntryRole = PieceRole | 'report' | 'seal' | 'manifest' | 'readme' | 'verifier' | 'container' | 'unknown'

export type VerifiedPiece = {
  readonly path: string
  readonly role: EntryRole
  readonly state: PieceState
  readonly bytes: number | null
  /** As computed here, lower-case hexadecimal; null when absent. */
  readonly sha256: string | null
}

/** Someone on whose word the package rests: by the root certificate, SHA-256 of its DER. */
export type Authority = { readonly kind: 'platform' | 'time'; readonly name: string; readonly sha256: string }

export type SealFacts = {
  readonly root: string
  readonly signed_at: string | null
  readonly signer: { readonly name: string; readonly serial: string; readonly sha256: string } | null
  /** SHA-256 of the platform's own authority certificate: what the reader compares with what the operator publishes. */
  readonly platform_authority_sha256: string | null
  readonly timestamps: readonly (TimestampFacts & { readonly file: string })[]
  /** A trusted list says so of a time stamp at its instant (Regulation (EU) 910/2014, articles 22 and 42); never otherwise. */
  readonly qualified: boolean
  /** The list of lists that was consulted; absent when none was. */
  readonly trusted_lists?: { readonly number: number; readonly issued_at: string }
}

/**
 * `pinned`: on a certificate that the reader gave. Else on the one inside the package: `published` by the platform whose keys are at
 * hand, `unpublished` by it (another installation, or whoever passes for this one), or compared with nothing.
 */
export type TrustBasis = 'package' | 'published' | 'unpublished' | 'pinned'

export type VerificationReport = {
  readonly verdict: Verdict
  readonly verified_at: string
  /** Neither a ZIP file nor a folder with a manifest: there was nothing to verify. */
  readonly unusable: boolean
  readonly short: boolean
  readonly subject: Subject | null
  /** Computed from the manifest; null when it cannot be read. */
  readonly root: string | null
  readonly checks: readonly Check[]
  readonly pieces: readonly VerifiedPiece[]
  readonly seal: SealFacts | null
  /** Every authority relied upon: the platform's, then those that date. Fingerprints to compare with published ones. */
  readonly authorities: readonly Authority[]
  /** What the verdict rests on besides mathematics: {@link TrustBasis}. */
  readonly trust: TrustBasis
}

/** A supplementary check that reached no conclusion does not weigh; one that failed does. */
export function verdictOf(all: readonly Pick<Check, 'status' | 'supplementary'>[]): Verdict {
  const checks = all.filter(({ status, supplementary }) => status !== 'indeterminate' || supplementary !== true)
  if (checks.length === 0 || checks.some(({ status }) => status === 'failed')) return 'TOTAL-FAILED'
  return checks.some(({ status }) => status === 'indeterminate') ? 'INDETERMINATE' : 'TOTAL-PASSED'
}

import type { PieceRole, Subject } from '../manifest/manifest.ts'
import type { CheckStatus, Verdict } from './verdict.ts'

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
  /** A part that is there and was not evaluated here: nothing is green over it, whatever it adds to. */
  readonly unevaluated?: true
}

/**
 * `unverified`: present, but the list that would say what it was cannot be read. `system_file`: what an operating system leaves in
 * folders, which is no part of the evidence and takes nothing from it.
 */
export type PieceState = 'intact' | 'altered' | 'missing' | 'added' | 'withheld' | 'unverified' | 'system_file'

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

/** What a time stamp says, as far as it holds. */
export type TimestampFacts = {
  readonly authority: string
  readonly gen_time: string
  readonly serial: string
  readonly policy: string
  /** Half-width stated by the authority, microseconds; null when it states none. */
  readonly accuracy_us: number | null
  /** The platform's own authority, by its policy (decision 0054). */
  readonly embedded: boolean
  readonly signer_sha256: string
  readonly root_sha256: string
  /** Common name of the root, else its organisation. Hostile text. */
  readonly root_name: string
  /** Until when the certificate that signed the token is valid, or an issuer of it that ends before. */
  readonly valid_until: string
}

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
 * `pinned`: on a certificate that the reader gave. `compared`: on one whose fingerprint the reader compared. Else on the one inside the
 * package: `published` by the platform whose keys are at hand, `unpublished` by it (another installation, or whoever passes for this
 * one), or compared with nothing.
 */
export type TrustBasis = 'package' | 'published' | 'unpublished' | 'pinned' | 'compared'

export type VerificationReport = {
  /** Null where there was nothing to verify. */
  readonly verdict: Verdict | null
  readonly verified_at: string
  /** Neither a ZIP file nor a folder with a manifest: there was nothing to verify. */
  readonly unusable: boolean
  readonly short: boolean
  /** The ZIP file is not the platform's own: the same files were packed again. A remark: every check is of the files. */
  readonly remade: boolean
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

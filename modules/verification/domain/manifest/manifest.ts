/**
 * The manifest of an evidence package: format `probant-evidence/1`, see docs/package-format.md.
 * What is written and what is verified share these types, so that they cannot drift apart.
 */

import type { PieceRole } from '../../../../kernel/piece-role.ts'

export type { PieceRole }

/** One sealed file. `bytes` is its length; `sha256` is lower-case hexadecimal. */
export type Piece = {
  readonly path: string
  readonly role: PieceRole
  readonly media_type: string
  readonly bytes: number
  readonly sha256: string
}

/** What the package is evidence of. Instants are ISO 8601 UTC with milliseconds. */
export type Subject = {
  readonly evidence_id: string
  readonly kind: 'static' | 'interactive'
  readonly requested_url: string
  readonly final_url: string
  readonly started_at: string
  readonly finished_at: string
  /** `probant/<version>`. */
  readonly software: string
}

export const manifestFormat = 'probant-evidence/1'

export type Manifest = {
  readonly format: typeof manifestFormat
  readonly subject: Subject
  readonly pieces: readonly Piece[]
  /** Merkle root, lower-case hexadecimal. */
  readonly root: string
}

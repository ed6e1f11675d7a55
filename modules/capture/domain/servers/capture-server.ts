import type { PreflightDifference } from './preflight.ts'

/** A capture server as its living processes make it (decision H-17, migration 0002). */
export type CaptureServerStatus = 'starting' | 'ready' | 'set_aside' | 'drained' | 'stopped' | 'lost'
export type CaptureServerKind = 'public' | 'dedicated'

export type CaptureServerState = {
  readonly id: string
  readonly name: string
  readonly country: string | null
  readonly city: string | null
  readonly kind: CaptureServerKind
  /** Of a dedicated one: the group whose members may ask for it; null: nobody may. */
  readonly ownerGroup: string | null
  readonly status: CaptureServerStatus
  /** While it is set aside: what its process found to differ. */
  readonly differences: readonly PreflightDifference[] | null
  readonly running: number
  readonly capacity: number
  /** Live sessions under way, and how many at a time its ready processes take; `running` and `capacity` are of the others. */
  readonly interactive: { readonly running: number; readonly capacity: number }
  readonly imageDigest: string | null
  readonly manifestSha256: string | null
  readonly browser: string | null
  readonly publicAddress: string | null
  readonly network: { readonly asn: number | null; readonly name: string | null } | null
  readonly preflight: { readonly at: Date; readonly matched: boolean } | null
  readonly seenAt: Date | null
  /** Takes nothing new since; what it has it finishes. */
  readonly drainedAt: Date | null
  /** SHA-256 of its public key (SubjectPublicKeyInfo), in hex: which machine it is. */
  readonly keySha256: string | null
  /** Of the program, as its newest process tells. */
  readonly version: string | null
}

/** What the operator says of his server. Country and city are his word; nothing measures them. */
export type CaptureServerIdentity = {
  readonly id: string
  readonly name: string
  readonly country: string | null
  readonly city: string | null
  readonly kind: CaptureServerKind
}

/** Stable, in addresses and folder names. */
export const serverIdPattern = /^[a-z0-9][a-z0-9-]{0,62}$/

import type { Vault } from '../../../../platform/vault/vault.ts'
import type { DocumentDeps } from '../deposit/deps.ts'

/** What is kept of the files themselves, and for how long; see the settings. */
export type CopyLimits = {
  /** Bytes of the largest file. */
  readonly largestBytes: number
  /** Bytes that one account may have kept, over all its files. */
  readonly accountBytes: number
  /** From the day on which it was compared. */
  readonly days: number
  /** Bytes of the disk that copies leave free. */
  readonly spareBytes: number
}

export type CopyDeps = DocumentDeps & { readonly vault: Vault; readonly copyLimits: CopyLimits }

import type { HostHashes } from '../hash/host-hashes.ts'
import type { Hasher } from '../hash/running-hash.ts'
import type { TrustedLists } from './trusted-lists.ts'

/** A network with money and one without: what is anchored in another one than `main` proves nothing to a court. */
export type BitcoinNetwork = 'main' | 'regtest'

/** A block header and who gave it: `package`, `given`, `node`, `checkpoint`, or the host of an explorer. Hostile until checked. */
export type KnownHeader = { readonly height: number; /** 80 octets. */ readonly header: Uint8Array; readonly source: string }

/** Headers by height; empty when none is known. Several answers come from several sources. */
export type HeaderSource = (height: number) => Promise<readonly KnownHeader[]>

/** What the platform published as its own: compared with, never trusted for being named in a proof. */
export type PlatformKeys = {
  readonly bitcoin: readonly PublishedKey[]
  readonly nano: readonly PublishedKey[]
  /** Verifier keys of the public log and its witnesses, as C2SP signed-note writes them (`name+hash+base64`). */
  readonly log: readonly string[]
  readonly witnesses: readonly string[]
  /** SHA-256 of its authorities' certificates, past ones too; absent when they are not known. */
  readonly authorities?: readonly string[]
  /** The same of the authorities that date for it. */
  readonly timeAuthorities?: readonly string[]
}
/** `until` is null while the key is in force. */
export type PublishedKey = { readonly id: string; readonly since: string; readonly until: string | null }

/** What only the place and the reader know: handed to every verifier. */
export type VerifyDeps = {
  readonly now: () => Date
  /** Faster SHA-256 of the host; the pure one is used when absent. */
  readonly sha256?: () => Hasher
  readonly hashes?: HostHashes
  /** Octets hashed so far, of all. */
  readonly onProgress?: (done: number, total: number) => void
  /** Called between slices: the page lets the screen draw. */
  readonly pause?: () => Promise<void>
  readonly signal?: { readonly aborted: boolean }
  /** Roots that the reader got from elsewhere, PEM: of a package the platform's must be among them, and those that date ought to be. */
  readonly trust?: Uint8Array
  /** SHA-256 of authorities' certificates that the reader compared with what their operators publish; lower-case hexadecimal. */
  readonly fingerprints?: readonly string[]
  /** Keys that the operator publishes, from elsewhere than the package. */
  readonly keys?: PlatformKeys
  /** Bitcoin block headers, from elsewhere than the package or the proof. */
  readonly headers?: HeaderSource
  /** The network that they are measured against; `main` when absent. Another one proves nothing, and that is said. */
  readonly network?: BitcoinNetwork
  /** What the European trusted lists say of authorities that date. */
  readonly trustedLists?: TrustedLists
}

import type { PublishedKey } from '../../../verification/server/index.ts'

/**
 * The public log as the rest of the product sees it. Its tree is RFC 9162's; its files are C2SP `tlog-tiles`, `checkpoint`,
 * `cosignature` and `tlog-proof`. A leaf's entry is the 32 octets of a salted commitment, so that nobody learns a root from it:
 *
 *     entry = SHA-256("probant-log/1\n" ‖ salt(32) ‖ root(32)),  leaf hash = SHA-256(0x00 ‖ entry)
 *
 * The log is also the batch of the Bitcoin anchor: what is anchored is
 *
 *     SHA-256("probant-anchor/1\n" ‖ root hash of the tree(32) ‖ SHA-256(checkpoint note))
 *
 * from which every leaf below the checkpoint's size has a path, and the checkpoint itself too.
 */
export type LoggedRoot = {
  /** What was sealed: 32 octets. */
  readonly root: Uint8Array
  /** 32 random octets, in the package and nowhere public. */
  readonly salt: Uint8Array
  readonly index: number
  readonly loggedAt: Date
}

export type Checkpoint = {
  readonly size: number
  /** 32 octets. */
  readonly rootHash: Uint8Array
  /** The signed note as it was first published, UTF-8: without cosignatures that came later. */
  readonly note: Uint8Array
  readonly at: Date
}

export type PublicLog = {
  /** Puts `root` into the log and signs a checkpoint that covers it. The same root is never a second leaf: asked again, it answers the first. */
  include(root: Uint8Array): Promise<{
    readonly logged: LoggedRoot
    /** C2SP tlog-proof, UTF-8; the salt stands in its `extra` line. */ readonly proof: Uint8Array
  }>
  find(root: Uint8Array): Promise<LoggedRoot | null>
  /** The newest; null while the log is empty. */
  checkpoint(): Promise<Checkpoint | null>
  /** The checkpoint published at exactly that size; null when there was none. */
  checkpointAt(size: number): Promise<Checkpoint | null>
  /** Inclusion path of RFC 9162 §2.1.3 from leaf `index` to the tree of `size` leaves, nearest first; 32 octets each. */
  inclusionPath(index: number, size: number): Promise<readonly Uint8Array[]>
  /** The tlog-proof of a root under the newest checkpoint with the cosignatures known now; null when it is not in the log. */
  proofOf(root: Uint8Array): Promise<Uint8Array | null>
  /** Keys of the witnesses that this log names, each since it first cosigned; those that have not yet, since `asked` if it is told. */
  cosigners?(asked?: Date): Promise<readonly PublishedKey[]>
}

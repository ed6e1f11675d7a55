/** A hash that is fed piece by piece. */
export type RunningHash = {
  update(bytes: Uint8Array): void
  /** Of what was fed; nothing is fed after it. */
  digest(): Uint8Array
  copy(): RunningHash
}

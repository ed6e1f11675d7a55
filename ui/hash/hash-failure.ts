/** `unreadable`: the browser could not read it (moved, locked, or changed); `changed`: it is no longer as long as it was. */
export type HashFailureReason = 'unreadable' | 'changed' | 'no_hashes'

export class HashFailure extends Error {
  override readonly name = 'HashFailure'
  readonly reason: HashFailureReason
  constructor(reason: HashFailureReason, cause?: unknown) {
    super(reason, { cause })
    this.reason = reason
  }
}

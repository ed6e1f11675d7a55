/** One TCP connection as the tunnel recorded it: what the record is derived from, and nothing else. */

export type RecordedChunk = {
  /** Milliseconds since the epoch (may hold a fraction) at which the bytes passed. */
  readonly at: number
  /** Who sent the bytes. */
  readonly from: 'client' | 'server'
  readonly bytes: Uint8Array
}

export type RecordedConnection = {
  readonly id: string
  /** Name and port that the browser asked for. */
  readonly host: string
  readonly port: number
  /** Address and port that were dialled. */
  readonly remote_address: string
  readonly remote_port: number
  /** Milliseconds since the epoch. */
  readonly opened_at: number
  /** Why the record of this connection stops before its end (a limit was met…); null when it is whole. */
  readonly cut: string | null
  /**
   * Bytes of both directions, in the order in which they passed: an answer never stands before the bytes that caused it.
   * Each call starts anew. May throw when the record can't be read.
   */
  chunks(): AsyncIterable<RecordedChunk>
}

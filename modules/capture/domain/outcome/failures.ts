/** Why a capture ended without evidence. Each code has its words in messages/ as `capture.failure.<code>`. */
export const captureFailureCodes = [
  'unparseable_address',
  'unsupported_scheme',
  'credentials_in_address',
  'private_address',
  'port_refused',
  'unknown_host',
  'connection_refused',
  'connection_failed',
  'tls_error',
  'timeout',
  'download',
  'too_many_redirects',
  'too_large',
  'browser_crashed',
  'out_of_memory',
  'empty_response',
  'isolation_unavailable',
  'cancelled',
  'no_server',
  'server_withdrawn',
  'session_lost',
  'internal',
] as const
export type CaptureFailureCode = (typeof captureFailureCodes)[number]

/** Expected end of a capture that yields no evidence. */
export class CaptureFailure extends Error {
  override readonly name = 'CaptureFailure'
  readonly code: CaptureFailureCode
  readonly data: Readonly<Record<string, string | number>>
  constructor(code: CaptureFailureCode, data: Readonly<Record<string, string | number>> = {}, cause?: unknown) {
    super(`${code} ${JSON.stringify(data)}`, cause === undefined ? undefined : { cause })
    this.code = code
    this.data = data
  }
}

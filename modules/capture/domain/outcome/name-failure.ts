import type { CaptureFailureCode } from './failures.ts'

/** Chromium's name of a failed navigation (`net::ERR_…`) as one of ours; null when the tunnel must say which. */
export function failureOfNetworkError(error: string): CaptureFailureCode | null {
  const name = error.replace(/^net::/, '')
  if (name === 'ERR_TOO_MANY_REDIRECTS') return 'too_many_redirects'
  if (name === 'ERR_EMPTY_RESPONSE' || name === 'ERR_INVALID_HTTP_RESPONSE') return 'empty_response'
  if (name === 'ERR_NAME_NOT_RESOLVED') return 'unknown_host'
  if (name === 'ERR_CONNECTION_REFUSED') return 'connection_refused'
  if (name === 'ERR_TIMED_OUT' || name === 'ERR_CONNECTION_TIMED_OUT') return 'timeout'
  if (name === 'ERR_UNSAFE_PORT') return 'port_refused'
  if (
    name === 'ERR_UNKNOWN_URL_SCHEME' ||
    name === 'ERR_DISALLOWED_URL_SCHEME' ||
    name === 'ERR_BLOCKED_BY_ADMINISTRATOR' ||
    name === 'ERR_UNSAFE_REDIRECT'
  ) {
    return 'unsupported_scheme'
  }
  if (name === 'ERR_INVALID_URL' || name === 'ERR_INVALID_REDIRECT') return 'unparseable_address'
  if (name === 'ERR_TUNNEL_CONNECTION_FAILED' || name === 'ERR_PROXY_CONNECTION_FAILED') return null
  if (isCertificateError(name) || name.startsWith('ERR_SSL_') || name.startsWith('ERR_BAD_SSL') || name.startsWith('ERR_ECH_'))
    return 'tls_error'
  return 'connection_failed'
}

/** The connection is encrypted, but the certificate does not hold: such a page can be shown once the error is recorded. */
export function isCertificateError(error: string): boolean {
  return /^(net::)?ERR_CERT_/.test(error) || /^(net::)?ERR_SSL_PINNED_KEY_NOT_IN_CERT_CHAIN$/.test(error)
}

import type { ConnectionRecord } from './network/index.ts'
import type { ObservedRequest } from './observe-browser.ts'

export type AssessedRequests = {
  /** Requests that could reach a network: neither `blob:` nor `about:`. */
  readonly all: readonly ObservedRequest[]
  readonly failed: readonly ObservedRequest[]
  /** Stopped by the browser or refused by the tunnel. */
  readonly blocked: readonly ObservedRequest[]
  /** Connections that were ended because they carried more than a capture takes. */
  readonly cut: readonly ConnectionRecord[]
  /** `ip:port` of the operator's exceptions that were used. */
  readonly allowedAddresses: readonly string[]
}

/** Which of the page's requests brought nothing, and why. Navigations are left to the status of the document. */
export function assessRequests(
  requests: readonly ObservedRequest[],
  documents: readonly ObservedRequest[],
  records: readonly ConnectionRecord[],
): AssessedRequests {
  const all = requests.filter(({ url }) => !url.startsWith('blob:') && !url.startsWith('about:'))
  const refusedHosts = new Set(records.filter((record) => record.refusal !== null).map((record) => record.host))
  const isBlocked = (request: ObservedRequest) =>
    request.blocked !== null ||
    request.headers['probant-refused'] !== undefined ||
    (request.failure !== null && URL.canParse(request.url) && refusedHosts.has(new URL(request.url).hostname))
  return {
    all,
    failed: all.filter(
      (request) =>
        !documents.includes(request) &&
        // The browser asks for it by itself; no page shows that it is missing.
        !request.url.endsWith('/favicon.ico') &&
        !isBlocked(request) &&
        ((request.failure !== null && request.failure !== 'net::ERR_ABORTED') || (request.status ?? 0) >= 400),
    ),
    blocked: all.filter(isBlocked),
    cut: records.filter((record) => record.cut === 'bytes_per_connection' || record.cut === 'bytes_total'),
    allowedAddresses: [
      ...new Set(
        records.filter((record) => record.allowed_exception).map((record) => `${record.remote_address}:${record.remote_port}`),
      ),
    ],
  }
}

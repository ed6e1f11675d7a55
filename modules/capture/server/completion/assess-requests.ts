import type { ConnectionRecord } from '../network/index.ts'
import type { PageObservation } from '../../domain/quality/page-observation.ts'
import { sameSite } from '../../domain/quality/detect-detour.ts'
import type { ObservedRequest } from '../page/observe-browser.ts'

export type AssessedRequests = {
  /** Requests that could reach a network: neither `blob:` nor `about:`. */
  readonly all: readonly ObservedRequest[]
  readonly failed: readonly ObservedRequest[]
  /** Stopped by the browser or refused by the tunnel. */
  readonly blocked: readonly ObservedRequest[]
  /** Of those two: styles, fonts, frames, and scripts and data of the page's own site: what shows when it is missing. */
  readonly failedVisible: number
  /** Requests that were not made, or not listed, because the page had made as many as a capture lets it. */
  readonly overLimit: number
  /** Connections that were ended because they carried more than a capture takes. */
  readonly cut: readonly ConnectionRecord[]
  /** `ip:port` of the operator's exceptions that were used. */
  readonly allowedAddresses: readonly string[]
}

const alwaysVisible = new Set(['Document', 'Stylesheet', 'Font'])
const ofOwnSite = new Set(['Script', 'XHR', 'Fetch'])

/** Which of the page's requests brought nothing, and why. Navigations are left to the status of the document. */
export function assessRequests(
  requests: readonly ObservedRequest[],
  documents: readonly ObservedRequest[],
  records: readonly ConnectionRecord[],
  unlisted: number,
  /** What a visitor saw last: what other pages lack is not missing from it. Absent: there was one page. */
  shown?: ObservedRequest | null,
): AssessedRequests {
  const all = requests.filter(({ url }) => !url.startsWith('blob:') && !url.startsWith('about:'))
  const refusedHosts = new Set(records.filter((record) => record.refusal !== null).map((record) => record.host))
  const isBlocked = (request: ObservedRequest) =>
    request.blocked !== null ||
    request.headers['probant-refused'] !== undefined ||
    (request.failure !== null && URL.canParse(request.url) && refusedHosts.has(new URL(request.url).hostname))
  const own = (shown === undefined ? documents.at(-1) : shown)?.url ?? ''
  const main = new Set(documents)
  // Stopped by ourselves (limit-requests.ts): counted apart, since no site is to blame.
  const overLimit = all.filter(({ blocked }) => blocked === 'inspector')
  const failed = all.filter(
    (request) =>
      !main.has(request) &&
      // The browser asks for it by itself; no page shows that it is missing.
      !request.url.endsWith('/favicon.ico') &&
      !isBlocked(request) &&
      ((request.failure !== null && request.failure !== 'net::ERR_ABORTED') || (request.status ?? 0) >= 400),
  )
  const blocked = all.filter((request) => isBlocked(request) && request.blocked !== 'inspector')
  return {
    all,
    failed,
    blocked,
    failedVisible: [...failed, ...blocked].filter(
      ({ type, url, documentUrl }) =>
        (shown === undefined || documentUrl === own) && (alwaysVisible.has(type) || (ofOwnSite.has(type) && sameSite(url, own))),
    ).length,
    overLimit: overLimit.length + unlisted,
    cut: records.filter((record) => record.cut === 'bytes_per_connection' || record.cut === 'bytes_total'),
    allowedAddresses: [
      ...new Set(
        records.filter((record) => record.allowed_exception).map((record) => `${record.remote_address}:${record.remote_port}`),
      ),
    ],
  }
}

/** Pictures of the page and of its styles, and those that are not shown: broken in the page, or asked for in vain. */
export function countImages(seen: PageObservation, { failed, blocked, all }: AssessedRequests): PageObservation['images'] {
  const inVain = new Set([...failed, ...blocked].filter(({ type }) => type === 'Image').map(({ url }) => url.slice(0, 300)))
  const asked = new Set(all.map(({ url }) => url.slice(0, 300)))
  const listed = new Set(seen.images.missing)
  const backgrounds = seen.backgrounds.filter((url) => asked.has(url) && !listed.has(url))
  return {
    total: seen.images.total + backgrounds.length,
    missing: [...seen.images.missing, ...backgrounds.filter((url) => inVain.has(url))].slice(0, 100),
  }
}

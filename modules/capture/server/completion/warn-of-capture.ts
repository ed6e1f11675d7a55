import { assessQuality } from '../../domain/quality/assess-quality.ts'
import type { CaptureLimits } from '../../domain/outcome/limits.ts'
import type { CaptureFacts } from '../../domain/outcome/outcome.ts'
import type { ObservedRequest } from '../page/observe-browser.ts'
import { viewport, type PageState } from '../page/open-page.ts'
import { warningsOfPreparation } from '../scenario/index.ts'
import type { AssessedRequests } from './assess-requests.ts'
import type { EndedSession } from './ended-session.ts'

/** What anyone should know of a capture before agreeing to it, in a fixed order. */
export function warningsOf(
  { session, shown, arrival, requestedUrl, visited }: EndedSession,
  seen: {
    readonly page: PageState
    readonly requests: AssessedRequests
    readonly document: ObservedRequest | undefined
    readonly images: { readonly total: number; readonly missing: readonly string[] }
    readonly ink: number | null
  },
  { busyMs }: CaptureLimits,
): CaptureFacts['warnings'] {
  const { browser } = session
  const { shots } = shown
  const { page, requests, document } = seen
  const assessed = () =>
    assessQuality({
      // Where a visitor went is no detour of the site's.
      requestedUrl: visited === undefined ? requestedUrl : shown.finalUrl,
      finalUrl: shown.finalUrl,
      status: document?.status ?? null,
      title: shown.seen.title,
      headers: document?.headers ?? {},
      mediaType: document?.mediaType ?? '',
      page: { ...shown.seen, images: seen.images },
      requested: requests.all.map(({ url }) => url),
      ink: seen.ink,
      capturedWidth: viewport.width,
      pageHeight: shots.pageHeight,
      capturedHeight: shots.capturedHeight,
      stillGrowing: shown.stillGrowing,
      resources: {
        total: requests.all.length,
        failed: requests.failed.length + requests.blocked.length,
        failedUrls: [...requests.failed, ...requests.blocked].map((request) => request.url),
        failedVisible: requests.failedVisible,
        overLimit: requests.overLimit,
        cut: requests.cut.map((record) => record.host),
      },
      // Of every page of a visit, not the last alone (`session_certificates`).
      certificateError: visited === undefined ? arrival.certificateError : null,
      documentError: page.documentFailed()?.replace(/^net::/, '') ?? null,
      loadTimedOut: shown.loadTimedOut,
      scriptsEnded: { count: page.scriptsEnded, seconds: Math.round(busyMs / 1000) },
      // A visitor answers the dialogs, and the timeline has the windows that were blocked.
      dialogs: visited === undefined ? page.dialogs : 0,
      popups: visited === undefined ? page.popups : 0,
      navigationsPrevented: page.navigationsPrevented,
      allowedAddresses: requests.allowedAddresses,
      isolation: browser.isolation.kind,
    })
  return [
    ...(visited?.seen === false ? [] : assessed()),
    ...(visited?.warnings ?? []),
    ...shown.missing.map(({ url }) => ({ code: 'artefact_missing' as const, data: { path: url } })),
    ...(visited?.facts.video != null && visited.facts.key_frames.length === 0
      ? [{ code: 'artefact_missing' as const, data: { path: 'capture/key-frames/001.jpg' } }]
      : []),
    ...warningsOfPreparation(shown.prepared),
  ]
}

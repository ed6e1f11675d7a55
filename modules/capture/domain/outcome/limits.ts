/** Bounds of one capture: it ends within them, whatever the page does. */
export type CaptureLimits = {
  /** Whole capture. */
  readonly totalMs: number
  /** Until the first byte of the document, redirects included. */
  readonly navigateMs: number
  /** Meanwhile, for which no byte comes or goes at most: whoever never answers frees its place sooner than whoever is slow. */
  readonly silentMs: number
  /** Until the load event. */
  readonly loadMs: number
  /** Quiet network is waited for this long at most, each time. */
  readonly settleMs: number
  /** A page that answers nothing for so long has its running script ended. */
  readonly busyMs: number
  /** Scrolling through the page. */
  readonly scrollMs: number
  /** CSS pixels photographed at most; a taller page is cut and the report says so. */
  readonly maxHeight: number
  /** Largest body of a resource. */
  readonly bodyBytes: number
  /** Largest document. */
  readonly documentBytes: number
  readonly totalBytes: number
  readonly requests: number
  /** Memory of the browser's processes together. */
  readonly memoryBytes: number
}

const mebibyte = 1024 * 1024

export const defaultCaptureLimits: CaptureLimits = {
  totalMs: 180_000,
  navigateMs: 30_000,
  silentMs: 15_000,
  loadMs: 30_000,
  settleMs: 10_000,
  busyMs: 10_000,
  scrollMs: 15_000,
  maxHeight: 100_000,
  bodyBytes: 200 * mebibyte,
  documentBytes: 64 * mebibyte,
  totalBytes: 500 * mebibyte,
  requests: 5_000,
  memoryBytes: 3_072 * mebibyte,
}

/** Limits for an operator's settings; the steps get their share of the whole. */
export function captureLimitsFrom(settings: {
  readonly timeoutSeconds: number
  readonly bodyBytes: number
  readonly totalBytes: number
  readonly heightPixels: number
  readonly resources: number
}): CaptureLimits {
  const totalMs = settings.timeoutSeconds * 1000
  const share = (part: number, most: number) => Math.min(most, Math.floor(totalMs * part))
  return {
    ...defaultCaptureLimits,
    totalMs,
    navigateMs: share(0.25, defaultCaptureLimits.navigateMs),
    silentMs: share(0.12, defaultCaptureLimits.silentMs),
    loadMs: share(0.2, defaultCaptureLimits.loadMs),
    settleMs: share(0.06, defaultCaptureLimits.settleMs),
    busyMs: share(0.06, defaultCaptureLimits.busyMs),
    scrollMs: share(0.1, defaultCaptureLimits.scrollMs),
    maxHeight: settings.heightPixels,
    bodyBytes: settings.bodyBytes,
    documentBytes: Math.min(defaultCaptureLimits.documentBytes, settings.bodyBytes),
    totalBytes: settings.totalBytes,
    requests: settings.resources,
  }
}

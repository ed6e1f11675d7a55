import type { QualityFacts } from './outcome.ts'
import type { CaptureWarning, CaptureWarningCode } from './warnings.ts'

/** Signs that what was captured is not the page that was asked for. */
const poor: readonly CaptureWarningCode[] = ['bot_wall', 'login_wall', 'blank_page', 'http_error']
/** Signs that part of the page is missing or covered. */
const doubtful: readonly CaptureWarningCode[] = [
  'cookie_banner',
  'missing_images',
  'height_cut',
  'certificate_error',
  'redirected_elsewhere',
  'load_timeout',
  'resources_failed',
  'body_truncated',
  'navigation_prevented',
  'script_ended',
  'artefact_missing',
]

/** The gate before anyone agrees (design/capture.md §4, decision H-47). Heights in CSS pixels. Pure. */
export function gradeQuality(
  warnings: readonly CaptureWarning[],
  page: {
    readonly pageHeight: number
    readonly capturedHeight: number
    readonly stillGrowing: boolean
    readonly images: { readonly total: number; readonly missing: readonly string[] }
  },
): QualityFacts {
  const codes = new Set(warnings.map(({ code }) => code))
  const verdict = poor.some((code) => codes.has(code)) ? 'poor' : doubtful.some((code) => codes.has(code)) ? 'doubtful' : 'good'
  const share = page.pageHeight <= 0 ? 100 : Math.floor((page.capturedHeight * 100) / page.pageHeight)
  // A page that was still growing has more rows than anybody counted.
  const percent = Math.max(0, Math.min(page.stillGrowing ? 99 : 100, share))
  const advice: QualityFacts['advice'][number][] = []
  if (verdict !== 'good') advice.push('retry')
  if (codes.has('bot_wall') || codes.has('login_wall')) advice.push('interactive')
  if (codes.has('cookie_banner')) advice.push('cookie_option')
  return {
    verdict,
    advice,
    coverage: {
      percent,
      captured_height: page.capturedHeight,
      page_height: page.pageHeight,
      missing_images: page.images.missing.length,
      images: page.images.total,
    },
  }
}

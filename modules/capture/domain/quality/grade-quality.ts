import type { QualityFacts } from '../outcome/outcome.ts'
import type { CaptureWarning, CaptureWarningCode } from '../outcome/warnings.ts'

type Grade = 'poor' | 'doubtful'
type Rule = Grade | null | ((data: CaptureWarning['data']) => Grade | null)

/**
 * What each warning is worth (decision 0119). `poor`: what was captured is very likely not the page that was asked for; `doubtful`: part
 * of it is missing or covered; null: said, but no reason to doubt the capture.
 */
const worth: Readonly<Record<CaptureWarningCode, Rule>> = {
  http_error: 'poor',
  soft_error: 'poor',
  bot_wall: 'poor',
  login_wall: 'poor',
  consent_page: 'poor',
  blank_page: 'poor',
  still_loading: ({ characters }) => (Number(characters) < 200 ? 'poor' : 'doubtful'),
  paywall: 'doubtful',
  cookie_banner: 'doubtful',
  missing_images: 'doubtful',
  height_cut: 'doubtful',
  inner_scroll: 'doubtful',
  width_cut: 'doubtful',
  document_incomplete: 'doubtful',
  certificate_error: 'doubtful',
  redirected_elsewhere: 'doubtful',
  redirected_home: 'doubtful',
  other_language: 'doubtful',
  load_timeout: 'doubtful',
  // Nearly every page asks for something that does not answer; what shows is what counts.
  resources_failed: ({ visible }) => (Number(visible) > 0 ? 'doubtful' : null),
  requests_limited: 'doubtful',
  body_truncated: 'doubtful',
  navigation_prevented: 'doubtful',
  script_ended: 'doubtful',
  artefact_missing: 'doubtful',
  cookie_banner_kept: 'doubtful',
  scenario_incomplete: 'doubtful',
  shown_by_viewer: null,
  dialogs_dismissed: null,
  popups_blocked: null,
  allowed_private_address: null,
  isolation_override: null,
  session_ended: ({ why }) => (why === 'browser_gone' ? 'doubtful' : null),
  recording_missing: ({ seen }) => (Number(seen) > 0 ? 'doubtful' : 'poor'),
  recording_gaps: 'doubtful',
  page_crashed: ({ unrecovered }) => (Number(unrecovered) > 0 ? 'doubtful' : null),
  sound_lost: 'doubtful',
  timeline_full: 'doubtful',
  visitor_absent: null,
  session_certificates: ({ passed }) => (Number(passed) > 0 ? 'doubtful' : null),
  session_refused: null,
}

/** Where the visitor went is what was to be captured, a page that asks to log in included. */
const asVisited: ReadonlySet<CaptureWarningCode> = new Set<CaptureWarningCode>(['login_wall', 'cookie_banner', 'shown_by_viewer'])

/** What another try may mend. */
const passing: ReadonlySet<CaptureWarningCode> = new Set<CaptureWarningCode>([
  'bot_wall',
  'blank_page',
  'still_loading',
  'missing_images',
  'document_incomplete',
  'load_timeout',
  'resources_failed',
  'body_truncated',
  'navigation_prevented',
  'script_ended',
  'artefact_missing',
  'scenario_incomplete',
  'certificate_error',
  'recording_missing',
  'recording_gaps',
  'sound_lost',
])
const wrongAddress: ReadonlySet<CaptureWarningCode> = new Set<CaptureWarningCode>([
  'soft_error',
  'redirected_elsewhere',
  'redirected_home',
  'other_language',
])
const needsVisitor: ReadonlySet<CaptureWarningCode> = new Set<CaptureWarningCode>([
  'bot_wall',
  'login_wall',
  'paywall',
  'consent_page',
  'inner_scroll',
])
/** 4xx that say "not now" rather than "no such page". */
const passingStatus = new Set([408, 409, 423, 425, 429])

/** The gate before anyone agrees (design/capture.md §4, decision H-47). Heights in CSS pixels. Pure. */
export function gradeQuality(
  warnings: readonly CaptureWarning[],
  page: {
    readonly pageHeight: number
    readonly capturedHeight: number
    readonly stillGrowing: boolean
    readonly images: { readonly total: number; readonly missing: readonly string[] }
    /** Box that scrolls by itself: its rows outside the window were not photographed. */
    readonly innerScroll: { readonly visible: number; readonly height: number }
    /** Wire, browser and archive agree on every exchange: a record with a loss is never called good. */
    readonly complete: boolean
    /** The banner was to be dismissed already: nobody is told to ask for it again. */
    readonly cookieOptionUsed?: boolean
    /** A visitor chose the pages (decision 0231): the last of them is judged as what it is, never for not being the first. */
    readonly visited?: boolean
  },
): QualityFacts {
  const codes = new Set(warnings.map(({ code }) => code))
  const visited = page.visited === true
  const grades = warnings.map(({ code, data }) => {
    const rule = visited && asVisited.has(code) ? null : worth[code]
    const grade = typeof rule === 'function' ? rule(data) : rule
    // What came before the last page is in the record all the same.
    return { code, data, grade: visited && grade === 'poor' && code !== 'recording_missing' ? ('doubtful' as const) : grade }
  })
  const worst = (grade: Grade) => grades.some((one) => one.grade === grade)
  const verdict = worst('poor') ? 'poor' : worst('doubtful') || !page.complete ? 'doubtful' : 'good'
  const rows = page.pageHeight + Math.max(0, page.innerScroll.height - page.innerScroll.visible)
  // Of a visitor's page that could not be photographed nothing is covered.
  const share = rows <= 0 ? (visited ? 0 : 100) : Math.floor((page.capturedHeight * 100) / rows)
  // A page that was still growing has more rows than anybody counted.
  const percent = Math.max(0, Math.min(page.stillGrowing ? 99 : 100, share))
  const status = Number(warnings.find(({ code }) => code === 'http_error')?.data['status'] ?? 0)
  const serverFault = status >= 500 || passingStatus.has(status)
  const counted = grades.filter(({ grade }) => grade !== null)
  const advice: QualityFacts['advice'][number][] = []
  if (serverFault || !page.complete || counted.some(({ code }) => passing.has(code))) advice.push('retry')
  if (!visited && counted.some(({ code }) => needsVisitor.has(code))) advice.push('interactive')
  if (!visited && (codes.has('cookie_banner') || codes.has('consent_page')) && page.cookieOptionUsed !== true)
    advice.push('cookie_option')
  const refused = codes.has('bot_wall') || codes.has('login_wall')
  if (!visited && ((status >= 400 && !serverFault && !refused) || counted.some(({ code }) => wrongAddress.has(code))))
    advice.push('check_address')
  return {
    verdict,
    advice,
    coverage: {
      percent,
      captured_height: page.capturedHeight,
      page_height: rows,
      missing_images: page.images.missing.length,
      images: page.images.total,
    },
  }
}

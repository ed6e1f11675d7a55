/** Quality warnings shown before anyone agrees (design/capture.md §4). Each code has its words in messages/. */
export type CaptureWarningCode =
  | 'http_error'
  | 'bot_wall'
  | 'login_wall'
  | 'blank_page'
  | 'cookie_banner'
  | 'missing_images'
  | 'height_cut'
  | 'certificate_error'
  | 'redirected_elsewhere'
  | 'load_timeout'
  | 'dialogs_dismissed'
  | 'popups_blocked'
  | 'resources_failed'
  | 'allowed_private_address'
  | 'body_truncated'
  | 'isolation_override'
  | 'navigation_prevented'
  | 'script_ended'
  | 'artefact_missing'
  | 'cookie_banner_kept'
  | 'scenario_incomplete'
  /** The page's own words say that there is no such page, under a code of success. */
  | 'soft_error'
  | 'paywall'
  | 'consent_page'
  /** Skeletons or turning wheels stand where content was to come. */
  | 'still_loading'
  /** A box of the page scrolls by itself: what is below in it is in no picture. */
  | 'inner_scroll'
  /** The page can be scrolled sideways: what stands there is in no picture. */
  | 'width_cut'
  /** The document itself did not come whole. */
  | 'document_incomplete'
  | 'redirected_home'
  | 'other_language'
  /** The page made as many requests as a capture lets it. */
  | 'requests_limited'
  /** A bare file (PDF, video…) was shown by the browser: the picture shows the browser's viewer. */
  | 'shown_by_viewer'
  /** Of a live session: ended by something else than its visitor. */
  | 'session_ended'
  /** Not one picture was recorded. */
  | 'recording_missing'
  | 'recording_gaps'
  | 'page_crashed'
  | 'sound_lost'
  | 'timeline_full'
  /** Nobody steered for a time. */
  | 'visitor_absent'
  /** Tabs, windows, files or addresses that a session does not give. */
  | 'session_certificates'
  | 'session_refused'

export type CaptureWarning = {
  readonly code: CaptureWarningCode
  readonly data: Readonly<Record<string, string | number>>
}

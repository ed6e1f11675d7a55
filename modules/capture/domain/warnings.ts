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

export type CaptureWarning = {
  readonly code: CaptureWarningCode
  readonly data: Readonly<Record<string, string | number>>
}

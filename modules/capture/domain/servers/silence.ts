/** What a browser says by itself, as a capture server measured it before it took any page (decision 0300). Pure. */
import type { PreflightDifference } from './preflight.ts'

/** `static`: without a screen, as one page is captured; `live`: on a display, as a visitor steers it. */
export type SilenceKind = 'static' | 'live'

/** A connection that the browser asked for and that was not for the page it was given. */
export type HeardHost = {
  readonly host: string
  readonly port: number
  /** While it showed an empty page, or after it was sent to a page of ours. */
  readonly when: 'idle' | 'page'
}

export type ListenedSession = {
  readonly kind: SilenceKind
  /** How long it was listened to, in seconds: at rest, and from being sent to the page on. */
  readonly idle_seconds: number
  readonly page_seconds: number
  readonly heard: readonly HeardHost[]
}

export type Silence = {
  readonly format: 'probant-silence/1'
  /** SHA-256 over what it holds for: every file of the browser, flags, policies, kinds of session. */
  readonly key: string
  readonly browser: string
  readonly measured_at: string
  readonly sessions: readonly ListenedSession[]
}

/** `failed`: it could not be measured now; the server waits for the next look. Null: this machine gives no jail, and no capture is made. */
export type SilenceFound = Silence | { readonly failed: string } | null

export const isSilent = ({ sessions }: Silence): boolean => sessions.every(({ heard }) => heard.length === 0)

/** Every host that was heard, once: `www.google.com:443`. */
export const heardHosts = ({ sessions }: Silence): readonly string[] => [
  ...new Set(sessions.flatMap(({ heard }) => heard.map(({ host, port }) => `${host}:${String(port)}`))),
]

/** A browser that speaks sets its server aside, with the hosts by name; so does one that could not be listened to. */
export function compareSilence(found: SilenceFound): readonly PreflightDifference[] {
  if (found === null) return []
  const expected = 'no host but that of the page'
  if ('failed' in found) return [{ item: 'silence', expected, measured: `not measured: ${found.failed}` }]
  return isSilent(found) ? [] : [{ item: 'silence', expected, measured: heardHosts(found).join(', ').slice(0, 2_000) }]
}

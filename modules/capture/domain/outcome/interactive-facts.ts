/** What an interactive session measured besides what every capture measures. Times: `ms` since the recording began, on one monotonic clock. */
export type InteractiveFacts = {
  readonly ended_by: 'visitor' | 'time' | 'viewer_gone' | 'browser_gone' | 'operator'
  /** When the recording began, our clock, and how long the visitor had. */
  readonly began_at: string
  readonly duration_ms: number
  readonly device:
    | { readonly kind: 'desktop' }
    | { readonly kind: 'mobile'; readonly name: string; readonly width: number; readonly height: number }
  /** null: nothing could be recorded, and `gaps` of the timeline says why. */
  readonly video: {
    readonly path: string
    readonly media_type: 'video/mp4'
    readonly width: number
    readonly height: number
    /** Rows at the top that are the page's; below them the strip with address, time and session. */
    readonly page_height: number
    readonly codec: string
    readonly frames: number
    readonly duration_ms: number
    /** Head of the chain over every picture and packet, as the timeline has it. Hexadecimal SHA-256. */
    readonly chain: string
    readonly sound: { readonly codec: string; readonly packets: number } | null
    /** When no picture was recorded. */
    readonly gaps: readonly { readonly from_ms: number; readonly to_ms: number; readonly reason: string }[]
    readonly frames_dropped: number
  } | null
  /** `head`: SHA-256 of its last line. */
  readonly timeline: { readonly path: string; readonly entries: number; readonly head: string }
  /** The path followed, in order. */
  readonly navigations: readonly {
    readonly ms: number
    readonly at: string
    readonly tab: number
    readonly url: string
    readonly title: string
    readonly status: number | null
    /** What led there: `address`, `link`, `form`, `back`, `forward`, `reload`, `script`, `opened` (a tab that a page opened). */
    readonly cause: string
  }[]
  readonly screenshots: readonly {
    readonly number: number
    readonly kind: 'viewport' | 'full_page'
    /** Package paths, top to bottom. */
    readonly paths: readonly string[]
    readonly ms: number
    readonly at: string
    readonly tab: number
    readonly url: string
    readonly title: string
    readonly automatic: boolean
    /** When the recorded picture was kept as it stood while the browser drew this one; absent when it drew it without touching what it shows. */
    readonly held?: readonly { readonly from_ms: number; readonly to_ms: number }[]
    /** The picture could not be kept: the recording may show the page laid out otherwise for a moment. */
    readonly disturbed?: true
  }[]
  /** Pictures of the recording at moments that matter, for the report. */
  readonly key_frames: readonly {
    readonly path: string
    readonly ms: number
    readonly reason: string
    readonly width: number
    readonly height: number
  }[]
  readonly downloads: readonly {
    readonly ms: number
    readonly url: string
    readonly name: string
    /** null: it was not kept, and `refused` says why. */
    readonly path: string | null
    readonly bytes: number
    readonly sha256: string | null
    readonly refused: string | null
  }[]
  readonly uploads: readonly {
    readonly ms: number
    readonly url: string
    readonly name: string
    readonly bytes: number
    readonly sha256: string
  }[]
  /** What was masked, where, and how often; never what it was. */
  readonly secrets: readonly {
    readonly ms: number
    readonly kind: 'paste' | 'password_field' | 'credentials'
    readonly url: string
    /** Package paths in which it was replaced. */
    readonly masked_in: readonly { readonly path: string; readonly times: number }[]
  }[]
  /** What is no piece because a secret stands in it that could not be taken out, as `environment/masking.json` has it; absent without secrets. */
  readonly withheld?: readonly { readonly path: string; readonly sha256: string; readonly bytes: number }[]
  /** With secrets: of how many connections the TLS keys are a piece, and of how many they were left out, since they would show one. Absent without secrets, and when no keys were asked for. */
  readonly tls_keys?: { readonly kept: number; readonly left_out: number }
  /** Times without any controller. */
  readonly absences: readonly { readonly from_ms: number; readonly to_ms: number }[]
  /** Devices that took control, in order: 1 is the first. */
  readonly hand_overs: readonly { readonly ms: number; readonly viewer: number }[]
  readonly witnesses: readonly {
    readonly label: string
    readonly watched: readonly { readonly from_ms: number; readonly to_ms: number }[]
    readonly countersigned: { readonly ms: number; readonly at: string; readonly name: string; readonly statement: string } | null
  }[]
  readonly crashes: readonly {
    readonly ms: number
    readonly what: 'page' | 'browser' | 'picture' | 'sound'
    readonly recovered: boolean
  }[]
}

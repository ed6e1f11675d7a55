/**
 * What a capture hands over: the pieces on disk and the facts measured on the way. Everything here was measured; what
 * could not be measured is absent or says `not_measured`, never a default.
 */
import type { PieceRole } from '../../../../kernel/piece-role.ts'
import type { InteractiveFacts } from './interactive-facts.ts'
import type { CaptureWarning } from './warnings.ts'

/** A finished artefact, still a local file. `path` is its place in the package (`capture/…` or `environment/…`). */
export type CapturedFile = {
  readonly path: string
  readonly role: PieceRole
  readonly media_type: string
  /** Absolute path of the local file. */
  readonly file: string
}

export type CapturedImage = {
  readonly path: string
  /** `before_banner`: the window before a cookie banner was dismissed; `step`: after a step of a scenario. */
  readonly kind: 'viewport' | 'full_page' | 'before_banner' | 'step'
  readonly width: number
  readonly height: number
  /** 0-based; a page taller than one image holds several, top to bottom, without overlap or gap. */
  readonly index: number
}

/** One line of the checklist of NF Z67-147, design/capture.md §3. */
export type ChecklistLine = {
  readonly id: string
  readonly result: 'pass' | 'fail' | 'not_measured'
  /** Measured values the sentence of the line interpolates. */
  readonly data: Readonly<Record<string, string | number | boolean | null>>
  /** Package path of the raw evidence, when there is one. */
  readonly evidence_path: string | null
}

/** RFC 3161 token on the rolling hash of the recorded ciphertext, taken while the session ran (design/capture.md §1.3). */
export type SessionTimestamp = {
  readonly reason: 'start' | 'screenshot' | 'end'
  /** When it was asked for, our clock. */
  readonly asked_at: string
  /** Hexadecimal SHA-256: the rolling hash after `bytes` bytes of ciphertext. */
  readonly rolling_hash: string
  readonly bytes: number
  /** Package path of the token, or null when no authority answered: then `error` says why. */
  readonly path: string | null
  readonly ca_path: string | null
  readonly authority: string | null
  readonly gen_time: string | null
  readonly embedded: boolean | null
  readonly error: string | null
}

/** What a scenario did, one entry a step, in order. Texts are hostile. */
export type ScenarioStepOutcome = {
  readonly index: number
  /** `scroll`, `wait`, `expand`, `click`, `type`… */
  readonly kind: string
  readonly target: string | null
  readonly at: string
  /** `skipped`: not begun, because a step before it failed or the time was over. */
  readonly result: 'done' | 'not_found' | 'refused' | 'timed_out' | 'skipped'
  /** Visible text of the element that was touched; of several, one after the other. */
  readonly text: string | null
  /** Why it was not done. */
  readonly reason?: ScenarioStepReason
  /** Elements touched, when there may be several. */
  readonly count?: number
}

export type ScenarioStepReason =
  /** The page wanted to go elsewhere, which the recipe does not say; it was held. */
  | 'would_navigate'
  | 'new_window'
  /** Something else lies over the element. */
  | 'covered'
  /** A field for a password or a payment card. */
  | 'secret_field'
  | 'invalid_selector'
  | 'still_there'
  | 'no_time'
  | 'after_failure'

export type ScenarioFacts = {
  readonly id: string
  readonly version: number
  readonly name: { readonly en: string; readonly fr: string }
  /** SHA-256 of the recipe as it stands in the package at `path`. */
  readonly sha256: string
  readonly path: string
  /** What was filled into the recipe's input fields, by name; hostile text. */
  readonly input?: Readonly<Record<string, string>>
  readonly steps: readonly ScenarioStepOutcome[]
}

/** Decision H-12. `none_found`: the option was on and there was no banner that could be dismissed. */
export type CookieBannerFacts = {
  readonly result: 'refused' | 'closed' | 'accepted' | 'none_found' | 'still_there'
  readonly selector: string | null
  readonly text: string | null
  readonly at: string | null
  readonly before_path: string | null
}

/** The capture server as it stood when the capture was made (decision H-17). */
export type CaptureServerFacts = {
  readonly id: string
  readonly name: string
  readonly kind: 'public' | 'dedicated'
  readonly country: string | null
  readonly city: string | null
  /** SHA-256 of the manifest that the preflight compared with. */
  readonly manifest_sha256: string
  readonly preflight_at: string
  /**
   * The image that the server ran from: the digest in the operator's word, since no image holds its own, and what was measured of its files
   * (image-files.ts). Null: it ran from none of the product's; absent: the capture is of before, and nobody looked.
   */
  readonly image?: {
    readonly digest_as_stated: string | null
    readonly files_sha256: string
    readonly files: number
    readonly measured_at: string
  } | null
  /** Servers that were set aside for this capture, and why: each difference as measured against what was pinned. */
  readonly set_aside: readonly {
    readonly server_id: string
    readonly at: string
    readonly differences: readonly { readonly item: string; readonly expected: string; readonly measured: string }[]
  }[]
}

/** What a second capture server saw of the same address at the same moment. */
export type VantageFacts = {
  readonly server: { readonly id: string; readonly name: string; readonly country: string | null }
  readonly state: 'captured' | 'failed'
  /** `not_met`: it did not come in time to start together; `lost`: its process ended; else a capture's failure code. */
  readonly failure: string | null
  readonly started_at: string | null
  /** Milliseconds between the two departures, on the clock of the database. */
  readonly apart_ms: number | null
  /** Screenshots of the second, by their paths in the package. */
  readonly images: readonly CapturedImage[]
  readonly comparisons: readonly {
    readonly item:
      | 'final_url'
      | 'http_status'
      | 'document_body'
      | 'visible_text'
      | 'certificate'
      | 'server_address'
      | 'image'
      | 'resources'
    readonly result: 'same' | 'different' | 'not_compared'
    readonly first: string | null
    readonly second: string | null
    /** Share that agrees, 0–1, where a share makes sense. */
    readonly share: number | null
  }[]
}

/** design/capture.md §4: what anyone should know before agreeing. */
export type QualityFacts = {
  /** `poor`: the page itself was very likely not captured; `doubtful`: part of it was not, or something covers it. */
  readonly verdict: 'good' | 'doubtful' | 'poor'
  readonly advice: readonly ('retry' | 'interactive' | 'cookie_option' | 'check_address')[]
  readonly coverage: {
    /** 0–100, whole, rounded down: 100 only when every pixel row was captured. */
    readonly percent: number
    readonly captured_height: number
    /** Rows of the page, with those that a box which scrolls by itself hides; CSS pixels. */
    readonly page_height: number
    /** Pictures of the page and of its styles that are not shown, out of all of them. */
    readonly missing_images: number
    readonly images: number
  }
}

export type CaptureFacts = {
  readonly requested_url: string
  readonly final_url: string
  /** Title of the page as the browser reports it; hostile text. */
  readonly title: string
  readonly http_status: number | null
  readonly started_at: string
  readonly navigated_at: string
  readonly finished_at: string
  readonly viewport: { readonly width: number; readonly height: number; readonly device_scale_factor: number }
  readonly page_height: number
  readonly captured_height: number
  readonly images: readonly CapturedImage[]
  readonly resources: { readonly total: number; readonly failed: number; readonly blocked: number; readonly bytes: number }
  readonly redirects: readonly { readonly url: string; readonly status: number }[]
  /** Server address that the page's own document came from, as the tunnel dialled it. */
  readonly server_address: string | null
  readonly certificate: {
    readonly subject: string
    readonly issuer: string
    readonly valid_from: string
    readonly valid_to: string
    readonly sha256: string
    readonly error: string | null
  } | null
  readonly machine: {
    readonly hostname: string
    readonly os: string
    readonly kernel: string
    readonly browser: string
    readonly node: string
    readonly software: string
    readonly virtualisation: string | null
  }
  /** Who runs the machine, as the installation states it and nobody measured; null: not stated; absent in facts of before decision 0347. */
  readonly operator?: string | null
  /** Loopback addresses that the operator allowed for this capture and that it used (PROBANT_ALLOW_ADDRESSES). */
  readonly allowed_addresses_used: readonly string[]
  readonly isolation: 'namespaces' | 'override'
  readonly checklist: readonly ChecklistLine[]
  readonly warnings: readonly CaptureWarning[]
  /** Wire, browser and WARC agree on every exchange; `complete` is impossible with a loss. */
  readonly completeness: {
    readonly state: 'complete' | 'incomplete'
    readonly losses: readonly { readonly url: string; readonly reason: string }[]
  }
  readonly quality: QualityFacts
  /** Empty when the composition gave no authority to the session. */
  readonly timestamps: readonly SessionTimestamp[]
  /** null: none was asked for. */
  readonly scenario: ScenarioFacts | null
  readonly cookie_banner: CookieBannerFacts | null
  /** null: captured by the command line, without a registered server. */
  readonly server: CaptureServerFacts | null
  readonly vantage: VantageFacts | null
  /** null: the page was captured by the robot, without a visitor. */
  readonly interactive: InteractiveFacts | null
}

export type CapturePhase = 'pending' | 'preparing' | 'capturing' | 'completing' | 'finished'

export type CaptureProgress = {
  readonly phase: CapturePhase
  /** Step inside the phase, a message id suffix: `navigate`, `scroll`, `screenshot`, `archive`, `seal`… */
  readonly step: string
  readonly data?: Readonly<Record<string, string | number>>
}

export type CaptureResult = { readonly files: readonly CapturedFile[]; readonly facts: CaptureFacts }

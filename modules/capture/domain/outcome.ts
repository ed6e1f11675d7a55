/**
 * What a capture hands over: the pieces on disk and the facts measured on the way. Everything here was measured; what
 * could not be measured is absent or says `not_measured`, never a default.
 */
import type { PieceRole } from '../../../kernel/piece-role.ts'
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
  readonly kind: 'viewport' | 'full_page'
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
}

export type CapturePhase = 'pending' | 'preparing' | 'capturing' | 'completing' | 'finished'

export type CaptureProgress = {
  readonly phase: CapturePhase
  /** Step inside the phase, a message id suffix: `navigate`, `scroll`, `screenshot`, `archive`, `seal`… */
  readonly step: string
  readonly data?: Readonly<Record<string, string | number>>
}

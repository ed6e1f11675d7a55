import { z } from 'zod'
import { stampQualifications } from '../../../kernel/stamp-qualification.ts'
import { locales } from '../../../kernel/locale.ts'
import { parseWebAddress } from '../../../kernel/web-address.ts'
import { workDone } from '../../../kernel/work-done.ts'
import { captureActions, captureDevices } from '../domain/action.ts'
import { sales } from '../domain/sale.ts'
import { evidenceSession } from './session-review.ts'

/** Life of an evidence (decision H-09; whether it is anchored is a date of its own). */
export const evidenceStatuses = [
  'queued',
  'preparing',
  'capturing',
  'completing',
  'to_validate',
  'awaiting_payment',
  'finalizing',
  'final',
  'rejected',
  'failed',
  'expired',
] as const
export const evidenceStatus = z.enum(evidenceStatuses)
export type EvidenceStatus = z.infer<typeof evidenceStatus>

/** What the visitor sees of the work going on (S-32…S-37). */
export const evidencePhase = z.object({
  name: z.enum(['waiting_environment', 'pending', 'preparing', 'capturing', 'completing', 'finished']),
  /** Only for `waiting_environment` (decision H-11); `lost`: the server that was asked for does not answer (decision 0101). */
  reason: z.enum(['queue', 'starting', 'mismatch', 'drained', 'lost']).nullable(),
  /** 1 = next; only while queued. */
  queue_position: z.int().positive().nullable(),
  /** Message id suffix `capture.step.<step>` with its figures. */
  step: z.string().nullable(),
  data: z.record(z.string(), z.union([z.string(), z.number()])),
  since: z.iso.datetime(),
})
export type EvidencePhase = z.infer<typeof evidencePhase>

const scalar = z.union([z.string(), z.number(), z.boolean(), z.null()])

export const evidencePiece = z.object({
  path: z.string(),
  role: z.string(),
  media_type: z.string(),
  bytes: z.int().nonnegative(),
  sha256: z.string(),
  /** Signed, expiring link. */
  url: z.string(),
})
export type EvidencePiece = z.infer<typeof evidencePiece>

export const evidenceImage = z.object({
  path: z.string(),
  kind: z.enum(['viewport', 'full_page', 'before_banner', 'step']),
  width: z.int().positive(),
  height: z.int().positive(),
  /** A page taller than one image holds several, top to bottom. */
  index: z.int().nonnegative(),
  url: z.string(),
})
export type EvidenceImage = z.infer<typeof evidenceImage>

/** What a second capture server saw of the same address at the same moment (decision 0138). */
export const evidenceVantage = z.object({
  server: z.object({ id: z.string(), name: z.string(), country: z.string().nullable() }),
  state: z.enum(['captured', 'failed']),
  /** `not_met`, `lost`, or the code of a capture's failure. */
  failure: z.string().nullable(),
  started_at: z.iso.datetime().nullable(),
  /** Milliseconds between the two departures. */
  apart_ms: z.number().nullable(),
  comparisons: z.array(
    z.object({
      item: z.enum([
        'final_url',
        'http_status',
        'certificate',
        'server_address',
        'document_body',
        'visible_text',
        'image',
        'resources',
      ]),
      result: z.enum(['same', 'different', 'not_compared']),
      first: z.string().nullable(),
      second: z.string().nullable(),
      /** Share that agrees, 0–1, where a share makes sense. */
      share: z.number().nullable(),
    }),
  ),
  images: z.array(evidenceImage),
})
export type EvidenceVantage = z.infer<typeof evidenceVantage>

/** What was measured; shown before the visitor agrees. */
export const evidencePreview = z.object({
  final_url: z.string(),
  title: z.string(),
  http_status: z.int().nullable(),
  started_at: z.iso.datetime(),
  finished_at: z.iso.datetime(),
  viewport: z.object({ width: z.number(), height: z.number(), device_scale_factor: z.number() }),
  page_height: z.number(),
  captured_height: z.number(),
  images: z.array(evidenceImage),
  /** Signed link to a small picture of what was seen, of a session what was seen last; null: nothing was. */
  thumbnail_url: z.string().nullable(),
  /** null: none was asked for. */
  vantage: evidenceVantage.nullable(),
  page_pdf_url: z.string().nullable(),
  resources: z.object({ total: z.int(), failed: z.int(), blocked: z.int(), bytes: z.number() }),
  redirects: z.array(z.object({ url: z.string(), status: z.int() })),
  server_address: z.string().nullable(),
  certificate: z
    .object({
      subject: z.string(),
      issuer: z.string(),
      valid_from: z.string(),
      valid_to: z.string(),
      sha256: z.string(),
      error: z.string().nullable(),
    })
    .nullable(),
  machine: z.object({ os: z.string(), browser: z.string(), software: z.string() }),
  completeness: z.object({
    state: z.enum(['complete', 'incomplete']),
    losses: z.array(z.object({ url: z.string(), reason: z.string() })),
  }),
  checklist: z.array(
    z.object({
      id: z.string(),
      result: z.enum(['pass', 'fail', 'not_measured']),
      data: z.record(z.string(), scalar),
      evidence_path: z.string().nullable(),
    }),
  ),
  warnings: z.array(z.object({ code: z.string(), data: z.record(z.string(), z.union([z.string(), z.number()])) })),
  /** What anyone should know before agreeing (design/capture.md §4). */
  quality: z.object({
    verdict: z.enum(['good', 'doubtful', 'poor']),
    advice: z.array(z.enum(['retry', 'interactive', 'cookie_option', 'check_address'])),
    /** Heights in CSS pixels. */
    coverage: z.object({
      percent: z.int().min(0).max(100),
      captured_height: z.number(),
      page_height: z.number(),
      missing_images: z.int(),
      images: z.int(),
    }),
  }),
  /** What the robot did before the page was photographed; null: no scenario was asked for. */
  scenario: z
    .object({
      id: z.string(),
      version: z.int(),
      name: z.object({ en: z.string(), fr: z.string() }),
      sha256: z.string(),
      path: z.string(),
      input: z.record(z.string(), z.string()),
      steps: z.array(
        z.object({
          index: z.int().nonnegative(),
          kind: z.string(),
          target: z.string().nullable(),
          at: z.iso.datetime(),
          result: z.enum(['done', 'not_found', 'refused', 'timed_out', 'skipped']),
          text: z.string().nullable(),
          reason: z.string().nullable(),
          count: z.int().nullable(),
        }),
      ),
    })
    .nullable(),
  /** null: the site's cookie banner was to be left alone (decision H-12). */
  cookie_banner: z
    .object({
      result: z.enum(['refused', 'closed', 'accepted', 'none_found', 'still_there']),
      selector: z.string().nullable(),
      text: z.string().nullable(),
      at: z.iso.datetime().nullable(),
      before_path: z.string().nullable(),
    })
    .nullable(),
  /** What a live session adds; null: a capture without visitor. */
  session: evidenceSession.nullable(),
  pieces: z.array(evidencePiece),
})
export type EvidencePreview = z.infer<typeof evidencePreview>

export const evidenceSeal = z.object({
  /** Merkle root of the manifest, hexadecimal. */
  root: z.string(),
  signed_at: z.iso.datetime(),
  signer: z.string(),
  /** Until when a time stamp, or its renewal, speaks for itself; null while that is not calculated yet. */
  stamped_until: z.iso.datetime().nullable(),
  /** E-55: whether authorities outside the installation were to be asked. */
  outside_stamps: z.boolean(),
  timestamps: z.array(
    z.object({
      authority: z.string(),
      gen_time: z.iso.datetime(),
      /** Article 42 eIDAS, by the trusted lists; null: neither was established. */
      qualified: z.boolean().nullable(),
      /** What the trusted lists say of the token at its own instant; `not_measured`: none were asked. */
      qualification: z.enum(stampQualifications),
      embedded: z.boolean(),
    }),
  ),
})
export type EvidenceSeal = z.infer<typeof evidenceSeal>

/** Of the sealed root in the Bitcoin chain. A report is final without it. */
export const evidenceAnchor = z.object({
  /** `anchored`: deep enough in the chain, and the package holds the proofs. */
  state: z.enum(['pending', 'anchored']),
  /** `test`: a network whose coins are free; it proves nothing to outsiders. */
  network: z.enum(['main', 'test']),
  /** While pending: for the next anchor of the log, for a block, or for more blocks on that one. */
  waits_for: z.enum(['anchor', 'block', 'confirmations']).nullable(),
  block: z
    .object({
      height: z.int().nonnegative(),
      /** As explorers write it. */
      hash: z.string(),
      /** What the header says: miners may set it two hours off. */
      time: z.iso.datetime(),
      /** Who gave the header: `node`, or hosts of explorers that agreed. */
      header_sources: z.array(z.string()),
    })
    .nullable(),
  /** What happened to the anchor so far, oldest first; failures that were overcome are not told. */
  history: z.array(
    z.object({
      at: z.iso.datetime(),
      kind: z.enum(['begun', 'submitted', 'sent', 'replaced', 'mined', 'reorganised', 'confirmed', 'given_up']),
      height: z.int().nullable(),
      /** Host of a calendar, or id of a transaction. */
      to: z.string().nullable(),
    }),
  ),
  /** When the package was made anew with the proofs. */
  anchored_at: z.iso.datetime().nullable(),
  /** Signed link to the `.ots` as far as it has come; null while there is none. */
  ots_url: z.string().nullable(),
})
export type EvidenceAnchor = z.infer<typeof evidenceAnchor>

/** An interactive session that can be joined (POST /evidences/{id}/live_ticket/). */
export const evidenceLive = z.object({
  /** When the visitor's time began; null: the browser is being prepared. */
  began_at: z.iso.datetime().nullable(),
  /** Of the visitor's time, when this was answered; null: it has not begun, or the session is being completed. */
  remaining_ms: z.int().nonnegative().nullable(),
})
export type EvidenceLive = z.infer<typeof evidenceLive>

const person = z.object({ id: z.uuid(), name: z.string() })

/** A case reference, or whatever finds it again. */
export const evidenceLabel = z
  .string()
  .trim()
  .max(200, 'too_long')
  .regex(/^[^\p{Cc}]*$/u, 'invalid')

export const evidence = z.object({
  id: z.uuid(),
  /** null: nobody's, its token opens it. */
  owner: person.nullable(),
  /** Who asked for it, in the owner's name when that is somebody else; null: a visitor without account. */
  created_by: person.nullable(),
  label: z.string(),
  /** Thirty days later its files are deleted. */
  trashed_at: z.iso.datetime().nullable(),
  /** When that happened: its fingerprint and its proofs are left. */
  content_deleted_at: z.iso.datetime().nullable(),
  /** E-24: whether the files of its report stay here (decision H-15). */
  store: z.boolean(),
  /** When they are deleted, of a final report whose files do not; null: no such day is set. */
  files_kept_until: z.iso.datetime().nullable(),
  /** E-29: offered for sale, or somebody has a licence of it; then it can be neither thrown away nor deleted. */
  sale: z.enum(sales),
  action: z.enum(captureActions),
  page_url: z.string(),
  locale: z.enum(locales),
  /** E-25, D-03, E-26: what was asked for besides the address. */
  options: z.object({
    /** Id; null: none, which is the normal one. */
    scenario: z.string().nullable(),
    close_cookies: z.boolean(),
    /** null: chosen automatically. */
    server: z.string().nullable(),
    device: z.enum(captureDevices),
  }),
  status: evidenceStatus,
  phase: evidencePhase,
  /** null: static, or not now. */
  live: evidenceLive.nullable(),
  created_at: z.iso.datetime(),
  captured_at: z.iso.datetime().nullable(),
  finalized_at: z.iso.datetime().nullable(),
  /** When a draft that nobody agrees to is deleted. */
  expires_at: z.iso.datetime().nullable(),
  failure: z.object({ code: z.string(), data: z.record(z.string(), z.union([z.string(), z.number()])) }).nullable(),
  /** What it waits for, while it is `awaiting_payment`; null: nothing is to be paid. */
  payment: z
    .object({
      invoice_id: z.uuid(),
      net_cents: z.int().nonnegative(),
      gross_cents: z.int().nonnegative(),
      /** What is left of it to be paid, VAT included. */
      to_pay_cents: z.int().nonnegative(),
      /** `failed`: the last attempt was refused, and another may follow. */
      state: z.enum(['due', 'processing', 'failed']),
    })
    .nullable(),
  /** The evidence that a retry made instead of this one. */
  replaced_by: z.uuid().nullable(),
  preview: evidencePreview.nullable(),
  seal: evidenceSeal.nullable(),
  /** null: not final yet, or never anchored. */
  anchor: evidenceAnchor.nullable(),
  /** Signed, expiring links; present once final. */
  reports: z.object({ en: z.string(), fr: z.string() }).nullable(),
})
export type Evidence = z.infer<typeof evidence>

/**
 * The rule of the address field, alike in the page and on the server (V-24, V-25, V-46). Issues carry the capture failure
 * code as their message. Addresses that the operator allows are only known to the server, which checks again by name.
 */
export const pageAddress = z
  .string()
  .min(1, 'required')
  .max(2000, 'too_long')
  .transform((text, context) => {
    const parsed = parseWebAddress(text)
    if (parsed.ok) return parsed.url
    if (parsed.code === 'private_address') return text.trim()
    context.addIssue({ code: 'custom', message: parsed.code })
    return z.NEVER
  })

export const createEvidenceBody = z.object({
  url: pageAddress,
  /** Static or interactive must be chosen (V-27, decision H-21). */
  action: z.enum(captureActions, { error: 'required' }),
  /** Of the page as it is asked for, and of its mails; absent: what `Accept-Language` asks for. */
  locale: z.enum(locales).optional(),
  /** Id of a scenario of GET /scenarios/; absent: the normal one, which touches nothing (decision H-16). */
  scenario: z.string().max(100).optional(),
  /** Values of the scenario's input fields, by name. They stand in the package: no place for secrets. */
  scenario_input: z.record(z.string().max(30), z.string().max(500)).optional(),
  /**
   * Dismiss the site's cookie banner, before and after captured, the click logged (decision H-12). Absent: as the settings of the account
   * say, of a static capture; off without account.
   */
  close_cookies: z.boolean().optional(),
  /** Id of a capture server of GET /servers/, or `automatic` (decision H-17). Absent: as the settings of the account say; automatic without account. */
  server: z.string().max(100).optional(),
  /** A second server captures the same address at the same moment: its id, or `automatic`; absent: none. */
  second_server: z.string().max(100).optional(),
  /** Of an interactive session alone: `mobile` emulates a phone. */
  device: z.enum(captureDevices).default('desktop'),
  label: evidenceLabel.optional(),
  /** E-24: off, the files of the report are deleted thirty days after it is final. For accounts alone: somebody must be there to be reminded. */
  store: z.boolean().optional(),
  /** Without account, beyond the previews of a day that cost nothing. */
  work: workDone.optional(),
})
export type CreateEvidenceInput = z.input<typeof createEvidenceBody>

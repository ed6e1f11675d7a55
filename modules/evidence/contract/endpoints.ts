import { z } from 'zod'
import { workDone } from '../../../kernel/work-done.ts'
import { endpoint } from '../../../kernel/endpoint.ts'
import { locales } from '../../../kernel/locale.ts'
import { pageOf, pageQuery } from '../../../kernel/page.ts'
import { proofHealth } from '../../../kernel/proof-health.ts'
import { captureActions } from '../domain/action.ts'
import { createEvidenceBody, evidence, evidenceLive, evidencePhase, evidenceStatus } from './evidence.ts'

const byId = z.object({ id: z.uuid() })
/** While it is nobody's, whoever holds its token; then whoever reaches it by an account (decision 0252). */
const holder = ['evidence_token', 'user'] as const
const reading = { access: holder, delegable: 'read', apiScope: 'evidences:read' } as const
/** No key: what it follows would go on for whoever has revoked it. */
const following = { access: holder, delegable: 'read' } as const
const creating = { access: holder, delegable: 'create', apiScope: 'evidences:create' } as const

/** C-34, and what the calls of a live session answer with. */
export const evidenceState = z.object({
  id: z.uuid(),
  status: evidenceStatus,
  phase: evidencePhase,
  live: evidenceLive.nullable(),
})
export type EvidenceState = z.infer<typeof evidenceState>

/**
 * Without account (P-01, C-27) the answer's token is the visitor's only key to the draft; of one that is asked for with an
 * account (C-26) it is null: the account opens it, and nothing else.
 */
export const createEvidence = endpoint({
  method: 'POST',
  path: '/evidences/',
  summary: 'Ask for the capture of a page',
  access: ['open', 'user'],
  delegable: 'create',
  apiScope: 'evidences:create',
  body: createEvidenceBody,
  response: z.object({ evidence, evidence_token: z.string().nullable() }),
  status: 201,
})

export const evidenceListQuery = pageQuery.extend({
  /** E-28: what is still to be decided, what is done, what is gone. */
  category: z.enum(['draft', 'completed', 'trash']).optional(),
  /** By capture, address or label what matches is sorted, which has a bound: see `sortable`. */
  ordering: z
    .enum([
      'created_at',
      '-created_at',
      'status',
      '-status',
      'captured_at',
      '-captured_at',
      'page_url',
      '-page_url',
      'label',
      '-label',
    ])
    .default('-created_at'),
  action: z.enum(captureActions).optional(),
  status: evidenceStatus.optional(),
  /** Id of the scenario that was asked for. */
  scenario: z.string().max(100).optional(),
  /** Asked for at that instant or later; and before that one. */
  created_after: z.iso.datetime({ offset: true }).optional(),
  created_before: z.iso.datetime({ offset: true }).optional(),
  /** Id of the user who asked for it. */
  created_by: z.uuid().optional(),
  /** `true`: what was made within the group, as far as the caller reaches it; `false`: his own, in the group or not; absent: both. */
  group: z.stringbool().optional(),
})

/** C-24, E-58: what the account reaches; else what one token holds (a retry is held with the token of the first). */
export const listEvidences = endpoint({
  method: 'GET',
  path: '/evidences/',
  summary: 'List the evidences held',
  ...reading,
  query: evidenceListQuery,
  /** `count_capped`: there are more than `count`, which goes up to a thousand where something is searched or filtered. */
  response: pageOf(evidence).extend({
    count_capped: z.boolean(),
    /** Whether they are few enough to be ordered by capture, address or label. @throws `evidence.too_many_to_sort` otherwise */
    sortable: z.boolean(),
  }),
})

export const readEvidence = endpoint({
  method: 'GET',
  path: '/evidences/:id/',
  summary: 'Read an evidence',
  ...reading,
  params: byId,
  response: evidence,
})

export const readEvidenceStatus = endpoint({
  method: 'GET',
  path: '/evidences/:id/status/',
  summary: 'Read the status and phase of an evidence',
  ...reading,
  params: byId,
  response: evidenceState,
})

/** What proves it today, until when, and what is done about it next. */
export const readProofHealth = endpoint({
  method: 'GET',
  path: '/evidences/:id/proof_health/',
  summary: 'Read how long the proofs of an evidence hold',
  ...reading,
  params: byId,
  response: proofHealth,
})

/** Server-sent events named `evidence`; each carries the whole evidence, its id is a version for Last-Event-ID. */
export const followEvidence = endpoint({
  method: 'GET',
  path: '/evidences/:id/events/',
  summary: 'Follow an evidence as it changes',
  ...following,
  params: byId,
  response: 'events',
})

/**
 * D-07: the visitor agrees to the preview. What nobody asks money for, or a plan includes, is finalised at once; else it waits for its payment
 * (`awaiting_payment`, S-38), at most until the draft ends. Asked again, the plan is asked again.
 * @throws `evidence.account_needed`, `billing.profile_incomplete` (V-45), `billing.ceiling_reached`, `billing.suspended`
 */
export const agreeEvidence = endpoint({
  method: 'POST',
  path: '/evidences/:id/agree/',
  summary: 'Agree to the preview',
  ...creating,
  params: byId,
  response: evidence,
})

/** Takes the agreement back, while nothing is paid and no payment is under way. @throws `billing.payment_processing` */
export const withdrawEvidence = endpoint({
  method: 'POST',
  path: '/evidences/:id/withdraw/',
  summary: 'Take back the agreement to a preview that is not paid for',
  access: holder,
  delegable: 'create',
  params: byId,
  response: evidence,
})

export const rejectEvidence = endpoint({
  method: 'POST',
  path: '/evidences/:id/reject/',
  summary: 'Reject the preview; its content is deleted',
  access: holder,
  delegable: 'manage',
  params: byId,
  response: evidence,
})

/** Makes a new evidence for the same page, held with the same token; a sealed capture is never overwritten. */
export const retryEvidence = endpoint({
  method: 'POST',
  path: '/evidences/:id/retry/',
  summary: 'Capture the same page again, free',
  ...creating,
  params: byId,
  /** Of a static capture: with the option to dismiss the cookie banner, whatever was asked for before. */
  query: z.object({ close_cookies: z.stringbool().default(false) }),
  /** Of somebody without account, a retry is a preview like another. */
  body: z.object({ work: workDone.optional() }).nullish(),
  response: evidence,
  status: 201,
})

/**
 * C-29: the report of a draft, marked as a preview on every page and not signed. The first call has it printed; the calls that
 * follow say how far it is. `failed` and `late` (nothing was heard of it for five minutes) stay until `again`.
 */
export const previewReport = endpoint({
  method: 'GET',
  path: '/evidences/:id/pdf_preview/',
  summary: 'Get a link to the preview of the report',
  ...reading,
  params: byId,
  query: z.object({ language: z.enum(locales).default('en'), again: z.stringbool().default(false) }),
  response: z.object({
    status: z.enum(['waiting', 'printing', 'ready', 'failed', 'late']),
    since: z.iso.datetime(),
    /** Signed link; of `ready` alone, as is `bytes`. */
    pdf_preview: z.string().nullable(),
    /** Signed link to the same for a screen, as JSON; null too of one that was printed before these were kept. */
    document: z.string().nullable(),
    file_name: z.string(),
    bytes: z.int().nullable(),
  }),
})

/** C-30, E-57. */
export const generateZipArchive = endpoint({
  method: 'GET',
  path: '/evidences/:id/generate_zip_archive/',
  summary: 'Get a link to the package',
  ...reading,
  params: byId,
  query: z.object({ full: z.stringbool().default(true), language: z.enum(locales).default('en') }),
  response: z.object({ zip_archive: z.string(), file_name: z.string(), bytes: z.int() }),
})

const signed = {
  /** The user that the link was made for, and the delegation or key by which he acted: who reaches the evidence no more opens nothing with it. */
  for: z.uuid().optional(),
  delegation: z.uuid().optional(),
  key: z.uuid().optional(),
  expires: z.coerce.number().int(),
  signature: z.string().max(100),
}

export const downloadPiece = endpoint({
  method: 'GET',
  path: '/files/:id/piece/',
  summary: 'Download a piece by signed link',
  access: ['signed_link'],
  params: byId,
  query: z.object({
    path: z.string().regex(/^[^\0]{1,200}$/),
    /** Of a picture: a small one of its top, as JPEG. */
    thumbnail: z.stringbool().default(false),
    ...signed,
  }),
  response: 'stream',
})

export const downloadReport = endpoint({
  method: 'GET',
  path: '/files/:id/report/',
  summary: 'Download the report by signed link',
  access: ['signed_link'],
  params: byId,
  query: z.object({ language: z.enum(locales), ...signed }),
  response: 'stream',
})

export const downloadPreview = endpoint({
  method: 'GET',
  path: '/files/:id/preview/',
  summary: 'Download the preview of the report by signed link',
  access: ['signed_link'],
  params: byId,
  query: z.object({ language: z.enum(locales), ...signed }),
  response: 'stream',
})

/** What a page shows of the preview without its PDF: kernel/document/read-document.ts reads it. */
export const downloadPreviewDocument = endpoint({
  method: 'GET',
  path: '/files/:id/preview_document/',
  summary: 'Download the preview of the report as data by signed link',
  access: ['signed_link'],
  params: byId,
  query: z.object({ language: z.enum(locales), ...signed }),
  response: 'stream',
})

/** The OpenTimestamps proof of the root, pending or not. */
export const downloadAnchor = endpoint({
  method: 'GET',
  path: '/files/:id/anchor/',
  summary: 'Download the OpenTimestamps proof by signed link',
  access: ['signed_link'],
  params: byId,
  query: z.object({ ...signed }),
  response: 'stream',
})

export const downloadPackage = endpoint({
  method: 'GET',
  path: '/files/:id/package/',
  summary: 'Download the package by signed link',
  access: ['signed_link'],
  params: byId,
  query: z.object({ full: z.stringbool(), ...signed }),
  response: 'stream',
})

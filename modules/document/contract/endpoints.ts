import { z } from 'zod'
import { endpoint } from '../../../kernel/endpoint.ts'
import { locales } from '../../../kernel/locale.ts'
import { pageOf, pageQuery } from '../../../kernel/page.ts'
import { proofHealth } from '../../../kernel/proof-health.ts'
import { largestBatch, statuses } from '../domain/status.ts'
import {
  createBatchBody,
  createDocumentBody,
  document,
  documentDescription,
  documentLabel,
  documentName,
  sharedDocument,
} from './document.ts'

const byId = z.object({ id: z.uuid() })
const reading = { access: ['user'], delegable: 'read', apiScope: 'documents:read' } as const
/** No key: what it follows would go on for whoever has revoked it. */
const following = { access: ['user'], delegable: 'read' } as const
const creating = { access: ['user'], delegable: 'create', apiScope: 'documents:create' } as const
const managing = { access: ['user'], delegable: 'manage' } as const

/**
 * C-15. The fingerprint was computed where the file is: the file is not sent. With the `client_id` of an earlier call, that call's
 * deposit is the answer. @throws `document.drafts_exhausted`, `document.replaces_unknown`
 */
export const createDocument = endpoint({
  method: 'POST',
  path: '/documents/',
  summary: 'Deposit the fingerprint of a document',
  ...creating,
  body: createDocumentBody,
  response: document,
  status: 201,
})

/** One Merkle batch under one token; in the answer's order. */
export const createDocuments = endpoint({
  method: 'POST',
  path: '/documents/batches/',
  summary: 'Deposit many fingerprints at once',
  ...creating,
  body: createBatchBody,
  // Ten thousand with both fingerprints, a mark and a name of usual length.
  largestBody: 4 * 1024 * 1024,
  response: z.object({
    documents: z.array(
      z.object({
        id: z.uuid(),
        sha256: z.string(),
        status: z.enum(statuses),
        /** The earliest deposit of the same fingerprint, when there was one. */
        duplicate_of: z.object({ id: z.uuid(), sealed_at: z.iso.datetime().nullable() }).nullable(),
      }),
    ),
  }),
  status: 201,
})

export const documentListQuery = pageQuery.extend({
  category: z.enum(['pending', 'completed', 'trash']).optional(),
  ordering: z.enum(['created_at', '-created_at', 'document_name', '-document_name']).default('-created_at'),
  status: z.enum(statuses).optional(),
  /** Whole, or its beginning from eight digits on. */
  fingerprint: z
    .string()
    .regex(/^[0-9a-fA-F]{8,128}$/)
    .optional(),
  created_after: z.iso.datetime({ offset: true }).optional(),
  created_before: z.iso.datetime({ offset: true }).optional(),
  created_by: z.uuid().optional(),
})

/** C-13. `search` looks in names, labels and descriptions. */
export const listDocuments = endpoint({
  method: 'GET',
  path: '/documents/',
  summary: 'List the deposits',
  ...reading,
  query: documentListQuery,
  /** `count_capped`: there are more than `count`, which goes up to a thousand where something is searched or filtered. */
  response: pageOf(document).extend({ count_capped: z.boolean() }),
})

/** C-14. */
export const readDocument = endpoint({
  method: 'GET',
  path: '/documents/:id/',
  summary: 'Read a deposit',
  ...reading,
  params: byId,
  response: document,
})

/**
 * C-16. `agree` seals a draft, or tries a failed one again; what no plan includes waits for its payment first (`awaiting_payment`). @throws `document.illegal_transition`, `document.copy_of_nothing`,
 * `billing.profile_incomplete`, `billing.ceiling_reached`, `billing.payment_processing`
 */
export const changeDocument = endpoint({
  method: 'PATCH',
  path: '/documents/:id/',
  summary: 'Describe a deposit, agree to it, put it in the trash or take it out',
  ...managing,
  params: byId,
  body: z
    .strictObject({
      label: documentLabel.optional(),
      description: documentDescription.optional(),
      /** Of a draft alone: what was sealed stays. */
      document_name: documentName.nullable().optional(),
      replaces: z.uuid().nullable().optional(),
      /** `false` takes the agreement to what is not paid for back, and to all that would be paid for with it. */
      agree: z.boolean().optional(),
      trashed: z.boolean().optional(),
      /** E-33: wished afterwards; or no longer, which deletes the copy. */
      store: z.boolean().optional(),
    })
    // To seal a draft and to throw it away at once is no wish.
    .refine(({ agree, trashed }) => agree === undefined || trashed === undefined, { error: 'invalid', path: ['trashed'] }),
  response: document,
})

/** H-43. Each by itself: one that cannot be changed keeps no other back. `agree`: one batch of those that can, and one invoice of those that are to be paid. */
export const changeDocuments = endpoint({
  method: 'POST',
  path: '/documents/bulk/',
  summary: 'Agree to deposits, put them in the trash or take them out',
  ...managing,
  body: z.object({
    action: z.enum(['agree', 'trash', 'restore']),
    ids: z.array(z.uuid()).min(1, 'required').max(1000, 'too_long'),
  }),
  response: z.object({
    results: z.array(
      z.object({
        id: z.uuid(),
        code: z.string().nullable(),
        invoice_id: z.uuid().nullable().describe('Invoice that it waits for, agreed to; null: nothing is to be paid.'),
      }),
    ),
  }),
})

/** Who deposited what the account reaches, as far as the lists may be filtered by it: `created_by`. */
export const listDocumentMakers = endpoint({
  method: 'GET',
  path: '/documents/makers/',
  summary: 'List by whom deposits were made',
  ...reading,
  response: z.object({ makers: z.array(z.object({ id: z.uuid(), name: z.string() })) }),
})

/** Kinds of files that the archive of many may be asked for. */
export const proofKinds = ['tsr', 'ers', 'ots', 'chainpoint', 'certificate'] as const

/**
 * One archive (ZIP), a folder for each final deposit, with `deposits.json` first: which folder is whose, and why one has none. As it is sent
 * it is made: its length is not known, and one that broke off lacks its directory. @throws `document.not_found` where none of them is both
 * reached and final, `document.too_many_archives`
 */
export const downloadManyProofs = endpoint({
  method: 'POST',
  path: '/documents/proofs/',
  summary: 'Download the proofs of many deposits at once',
  ...reading,
  body: z.strictObject({
    ids: z.array(z.uuid().toLowerCase()).min(1, 'required').max(largestBatch, 'too_many'),
    /** Absent: all that there is of each. */
    files: z.array(z.enum(proofKinds)).min(1, 'required').max(proofKinds.length, 'too_many').optional(),
  }),
  largestBody: 1024 * 1024,
  response: 'stream',
})

const tally = { current: z.int().nonnegative(), previous: z.int().nonnegative(), total: z.int().nonnegative() }

/** C-17, E-51, E-52: deposits that became final. */
export const readDocumentStats = endpoint({
  method: 'GET',
  path: '/documents/stats/',
  summary: 'Count the final deposits',
  ...reading,
  response: z.object({
    /** `2026-11` */
    month: z.string(),
    global: z.object(tally),
    users: z.array(z.object({ id: z.uuid(), name: z.string(), ...tally })),
    groups: z.array(z.object({ id: z.uuid(), ...tally })),
    /** how many drafts there are, and may be. */
    drafts: z.object({ held: z.int().nonnegative(), most: z.int().nonnegative() }),
  }),
})

/** Measured anew on the proofs. @throws `document.not_final` */
export const readDocumentHealth = endpoint({
  method: 'GET',
  path: '/documents/:id/proof_health/',
  summary: 'Read until when the proofs of a deposit hold',
  ...reading,
  params: byId,
  response: proofHealth,
})

/** C-18, C-76: saved as `deposit_{id}.pdf`. */
export const readCertificate = endpoint({
  method: 'GET',
  path: '/documents/:id/pdf/',
  summary: 'Download the certificate of a deposit',
  ...reading,
  params: byId,
  query: z.object({ language: z.enum(locales).default('en') }),
  response: 'stream',
})

/** Server-sent events named `document`, each with the whole deposit. */
export const followDocument = endpoint({
  method: 'GET',
  path: '/documents/:id/events/',
  summary: 'Follow a deposit as it changes',
  ...following,
  params: byId,
  response: 'events',
})

/** The same address again while it is shared; ended by DELETE. */
export const shareDocument = endpoint({
  method: 'POST',
  path: '/documents/:id/share/',
  summary: 'Share a read-only page of a deposit',
  ...managing,
  params: byId,
  response: document,
})

export const unshareDocument = endpoint({
  method: 'DELETE',
  path: '/documents/:id/share/',
  summary: 'End the sharing of a deposit',
  ...managing,
  params: byId,
  response: document,
})

export const readSharedDocument = endpoint({
  method: 'GET',
  path: '/shared_documents/:token/',
  summary: 'Read a shared deposit',
  access: ['open'],
  params: z.object({ token: z.string().regex(/^[A-Za-z0-9_-]{43}$/) }),
  response: sharedDocument,
})

const signed = {
  for: z.uuid().optional(),
  delegation: z.uuid().optional(),
  key: z.uuid().optional(),
  expires: z.coerce.number().int(),
  signature: z.string().max(100),
}

/** `document.tsr`, `document.ers`, `document.ots`, `document.chainpoint.json`, `deposit_{id}.pdf`, `proofs.zip`. */
export const downloadProof = endpoint({
  method: 'GET',
  path: '/deposits/:id/:file/',
  summary: 'Download a proof by signed link',
  access: ['signed_link'],
  params: byId.extend({ file: z.enum(['tsr', 'ers', 'ots', 'chainpoint', 'certificate', 'proofs', 'copy']) }),
  query: z.object({ language: z.enum(locales).optional(), ...signed }),
  response: 'stream',
})

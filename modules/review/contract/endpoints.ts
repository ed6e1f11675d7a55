import { z } from 'zod'
import { endpoint } from '../../../kernel/endpoint.ts'
import { pageOf, pageQuery } from '../../../kernel/page.ts'
import { documentKinds, largestDocumentBytes, refusalReasons, verificationStates } from '../domain/identity-document.ts'
import { adminUser, adminUserEntry, identityDocument, identityVerification } from './review.ts'

const byId = z.object({ id: z.uuid() })
const pageOfDocument = z.object({ id: z.uuid(), page: z.coerce.number().int().min(1).max(100) })
const reviewers = ['verifier', 'administrator'] as const
const noteField = z
  .string()
  .trim()
  .max(1000, { error: 'too_long' })
  .refine((note) => !note.includes('\0'), { error: 'characters' })
  .optional()

/** E-20, E-21, S-22…S-31. */
export const readIdentityVerification = endpoint({
  method: 'GET',
  path: '/identity_documents/',
  summary: 'Read how the verification of one’s identity stands',
  access: ['user'],
  response: identityVerification,
})

/**
 * The file is the body. A kind that stands ready is replaced, and so is one that was accepted and ends within 90 days, or bears another name than the
 * profile; one that is with the reviewers is not.
 * @throws `review.document_type`, `review.document_too_large`, `review.document_unreadable`, `review.document_animated`, `review.document_encrypted`,
 * `review.document_dimensions`, `review.document_pages`, `review.kind_settled`, `review.kind_of_company`, `review.user_type_missing`, `review.too_many_uploads`, `review.busy`
 */
export const uploadIdentityDocument = endpoint({
  method: 'POST',
  path: '/identity_documents/',
  summary: 'Upload an identity document',
  access: ['user'],
  query: z.object({ kind: z.enum(documentKinds) }),
  bytes: { largest: largestDocumentBytes },
  response: identityDocument,
  status: 201,
})

/** @throws `review.kind_settled` once it was sent */
export const deleteIdentityDocument = endpoint({
  method: 'DELETE',
  path: '/identity_documents/:id/',
  summary: 'Take back an identity document that was not sent yet',
  access: ['user'],
  params: byId,
  response: identityVerification,
})

/** A rendered page, as PNG or JPEG. */
export const readIdentityDocumentPage = endpoint({
  method: 'GET',
  path: '/identity_documents/:id/pages/:page/',
  summary: 'Look at a page of one’s own identity document',
  access: ['user'],
  params: pageOfDocument,
  response: 'stream',
})

/** @throws `review.incomplete` naming kinds and fields */
export const submitIdentityDocuments = endpoint({
  method: 'POST',
  path: '/identity_documents/submit/',
  summary: 'Send one’s identity documents to the reviewers',
  access: ['user'],
  response: identityVerification,
})

/** H-20, P-14. `age`: the longest waiting first. */
export const listUsers = endpoint({
  method: 'GET',
  path: '/admin/users/',
  summary: 'List users, those who wait for a reviewer first',
  access: ['support', 'verifier', 'administrator'],
  query: pageQuery.extend({
    ordering: z.enum(['age', '-age', 'created_at', '-created_at', 'last_name', '-last_name']).default('age'),
    /** `any`: whether or not documents were ever sent. */
    state: z.enum([...verificationStates, 'any']).default('pending'),
    user_type: z.enum(['natural', 'legal']).optional(),
    claimed: z.enum(['own', 'nobody', 'others']).optional(),
    status: z.enum(['unconfirmed', 'active', 'suspended', 'closing']).optional(),
  }),
  response: pageOf(adminUserEntry),
})

export const readUser = endpoint({
  method: 'GET',
  path: '/admin/users/:id/',
  summary: 'Read one user, and to reviewers his documents',
  access: ['support', 'verifier', 'administrator'],
  params: byId,
  response: adminUser,
})

/** For fifteen minutes, renewed by calling again. @throws `review.claimed` naming who holds it, `review.nothing_pending`, `review.own_file` */
export const claimUser = endpoint({
  method: 'POST',
  path: '/admin/users/:id/claim/',
  summary: 'Take a file to decide upon',
  access: reviewers,
  params: byId,
  response: adminUser,
})

export const releaseUser = endpoint({
  method: 'POST',
  path: '/admin/users/:id/release/',
  summary: 'Give a file back to the queue',
  access: reviewers,
  params: byId,
  response: adminUser,
})

/** Each look is written to the record of acts. */
export const readUserDocumentPage = endpoint({
  method: 'GET',
  path: '/admin/users/:id/documents/:document/pages/:page/',
  summary: 'Look at a page of a user’s document',
  access: reviewers,
  params: byId.extend({ document: z.uuid(), page: z.coerce.number().int().min(1).max(100) }),
  response: 'stream',
})

/**
 * Names every pending version. All accepted: success, or with four eyes the first of two agreements; any refused: failure.
 * `missing`: a kind that should have been sent and was not, named in `missing`.
 * @throws `review.not_claimed`, `review.round_changed`, `review.decision_incomplete`, `review.document_expired`, `review.second_person`, `review.own_file`
 */
export const verifyUser = endpoint({
  method: 'POST',
  path: '/admin/users/:id/verify/',
  summary: 'Accept or refuse the documents of a user',
  access: reviewers,
  params: byId,
  body: z.object({
    round: z.int().positive(),
    decisions: z
      .array(
        z.discriminatedUnion('outcome', [
          z.strictObject({
            document_id: z.uuid(),
            outcome: z.literal('accepted'),
            expires_on: z.iso.date().nullable().default(null),
          }),
          z.strictObject({
            document_id: z.uuid(),
            outcome: z.literal('refused'),
            reason: z.enum(refusalReasons),
            note: noteField,
          }),
        ]),
      )
      .min(1)
      .max(20),
    /** Kinds that were not sent and are asked for; refuses the whole (S-29). */
    missing: z.array(z.enum(documentKinds)).max(documentKinds.length).default([]),
    note: noteField,
  }),
  response: adminUser,
})

import { z } from 'zod'
import { endpoint } from '../../../kernel/endpoint.ts'
import { copyEnds, copyPartBytes, copyStates, largestCopyBytes } from '../domain/copy.ts'

const byId = z.object({ id: z.uuid() })

export const copyLimits = z.object({
  /** Largest file that this installation keeps. */
  bytes: z.int().nonnegative(),
  /** Bytes that the account may still have kept. */
  left: z.int().nonnegative(),
  /** For how many days a copy is kept from when it was compared. */
  days: z.int().positive(),
  /** Largest file that there is room for just now; never told beyond `bytes`. */
  room: z.int().nonnegative(),
})
export type CopyLimitsTold = z.infer<typeof copyLimits>

/** Of the file that a deposit is of, where it was asked to be kept (E-33, decision 0290). */
export const documentCopy = z.object({
  state: z.enum(copyStates),
  /** Of this upload; null: none has begun. A piece is sent for it, so that those of two files are never mixed. */
  upload: z.uuid().nullable(),
  bytes: z.int().nonnegative().nullable(),
  part_bytes: z.int().positive(),
  /** How many pieces there are in all, and the numbers, from 0, of those that still have to come. */
  parts: z.int().nonnegative(),
  missing: z.array(z.int().nonnegative()),
  /** Of those, the ones of which slices came: at which byte the slices begin that did not. */
  begun: z.array(z.object({ part: z.int().nonnegative(), from: z.array(z.int().nonnegative()) })),
  /** Bytes of a slice, see `from` of {@link sendDocumentCopyPart}. */
  slice_bytes: z.int().positive(),
  stored_at: z.iso.datetime().nullable(),
  kept_until: z.iso.datetime().nullable(),
  ended_at: z.iso.datetime().nullable(),
  ended_by: z.enum(copyEnds).nullable(),
  /** Of a refused one: the fingerprint of what came. */
  found_sha256: z.string().nullable(),
  /** Its key does not open with the master key that the installation has now: nobody reads it until the former is back. */
  unopened: z.boolean(),
  limits: copyLimits,
})
export type DocumentCopy = z.infer<typeof documentCopy>

/** Before anything is deposited: what may be kept, and for how long. */
export const readCopyLimits = endpoint({
  method: 'GET',
  path: '/documents/copies/',
  summary: 'Read what copies of documents may be kept',
  access: ['user'],
  delegable: 'read',
  apiScope: 'documents:read',
  response: copyLimits,
})

/** Before a byte is sent, and to go on after an interruption. */
export const readDocumentCopy = endpoint({
  method: 'GET',
  path: '/documents/:id/copy/',
  summary: 'Read how far the copy of a document has come',
  access: ['user'],
  delegable: 'read',
  apiScope: 'documents:read',
  params: byId,
  response: documentCopy,
})

/**
 * Begins an upload, or goes on with one of a file of the same length; one of another length begins anew.
 * @throws `document.copy_not_wanted`, `document.copy_there`, `document.copy_too_large`, `document.copies_exhausted`, `document.copy_of_nothing`, `document.copy_no_room`
 */
export const beginDocumentCopy = endpoint({
  method: 'POST',
  path: '/documents/:id/copy/',
  summary: 'Begin to upload the copy of a document, or go on',
  access: ['user'],
  delegable: 'create',
  apiScope: 'documents:create',
  params: byId,
  body: z.strictObject({ bytes: z.int().nonnegative().max(largestCopyBytes) }),
  response: documentCopy,
})

/**
 * The piece is the body, of exactly its length; or with `from` one slice of it, which a line has time for that is too slow for a whole piece.
 * The same one again takes the place of the former. Where the disk has no room nothing is taken, and what came is kept.
 * @throws `document.copy_part_length`, `document.copy_over`, `document.copy_busy`, `document.copy_no_room`
 */
export const sendDocumentCopyPart = endpoint({
  method: 'POST',
  path: '/documents/:id/copy/parts/:part/',
  summary: 'Upload a piece of the copy of a document',
  access: ['user'],
  delegable: 'create',
  apiScope: 'documents:create',
  params: byId.extend({ part: z.coerce.number().int().nonnegative().max(1_000_000) }),
  query: z.object({ upload: z.uuid(), from: z.coerce.number().int().nonnegative().max(copyPartBytes).optional() }),
  bytes: { largest: copyPartBytes },
  response: z.object({ part: z.int().nonnegative() }),
})

/** All pieces are there: its fingerprint is computed, and compared. @throws `document.copy_incomplete`, `document.copy_over` */
export const completeDocumentCopy = endpoint({
  method: 'POST',
  path: '/documents/:id/copy/complete/',
  summary: 'Have the copy of a document compared and kept',
  access: ['user'],
  delegable: 'create',
  apiScope: 'documents:create',
  params: byId,
  body: z.strictObject({ upload: z.uuid() }),
  response: documentCopy,
})

/** At once and for ever, or what has come of it; fingerprint and proofs stay. */
export const deleteDocumentCopy = endpoint({
  method: 'DELETE',
  path: '/documents/:id/copy/',
  summary: 'Delete the copy of a document',
  access: ['user'],
  delegable: 'manage',
  params: byId,
  response: documentCopy,
})

import { z } from 'zod'
import { accountStatuses, staffRoles } from '../../../kernel/actor.ts'
import { locales } from '../../../kernel/locale.ts'
import { documentKinds, documentStates, refusalReasons, verificationStates } from '../domain/identity-document.ts'

const person = z.object({ id: z.uuid(), name: z.string() })

/** One version of a document. */
export const identityDocument = z.object({
  id: z.uuid(),
  kind: z.enum(documentKinds),
  state: z.enum(documentStates),
  /** 1 for the first of its kind. */
  version: z.int().positive(),
  /** Rendered pages that may be looked at; 0: erased by the retention rule. */
  pages: z.int().nonnegative(),
  /** Of the file as it was sent. */
  bytes: z.int().positive(),
  media_type: z.enum(['image/jpeg', 'image/png', 'image/webp', 'application/pdf']),
  uploaded_at: z.iso.datetime(),
  /** Why it was refused, and the reviewer's sentence to the person. */
  reason: z.enum(refusalReasons).nullable(),
  note: z.string().nullable(),
  decided_at: z.iso.datetime().nullable(),
  /** Last day on which it is good, as the reviewer read it; null: it bears none, or was not accepted. */
  expires_on: z.iso.date().nullable(),
  erased_at: z.iso.datetime().nullable(),
})
export type IdentityDocument = z.infer<typeof identityDocument>

/** How the verification of one's identity stands (S-22…S-24). */
export const identityVerification = z.object({
  state: z.enum(verificationStates),
  user_type: z.enum(['natural', 'legal']).nullable(),
  /** Alternatives, each a set of kinds that suffices; empty while the kind of user is not known. */
  needed: z.array(z.array(z.enum(documentKinds))),
  /** What the nearest alternative lacks, refused ones included. */
  missing: z.array(z.enum(documentKinds)),
  /** Kinds that a reviewer asked for besides; those not given yet are in `missing` too. */
  asked: z.array(z.enum(documentKinds)),
  /** Kinds that may be uploaded now: those that are not accepted, and accepted ones whose day comes, or whose name is no longer his. */
  changeable: z.array(z.enum(documentKinds)),
  /** Accepted kinds of which a new version is wanted. */
  due: z.array(z.enum(documentKinds)),
  /** What counts now, whatever is being looked at: since when, and its last day. null: nothing was accepted yet. */
  stands: z.object({ since: z.iso.datetime(), until: z.iso.date().nullable() }).nullable(),
  /** Fields of the profile that a reviewer compares with, and that are empty: with the code of the sentence that asks for each. */
  missing_fields: z.array(z.object({ field: z.string(), code: z.string() })),
  /** Whether it may be sent now. */
  sendable: z.boolean(),
  /** The newest version of each kind, then older ones, newest first. */
  documents: z.array(identityDocument),
  submitted_at: z.iso.datetime().nullable(),
  decided_at: z.iso.datetime().nullable(),
  /** To the person, over the whole. */
  note: z.string().nullable(),
  /** The first of the files are erased then, unless something happens before; null: they are with the reviewers, or there are none. */
  erase_documents_at: z.iso.datetime().nullable(),
})
export type IdentityVerification = z.infer<typeof identityVerification>

/** Who holds a file: nobody else decides on it until then. */
export const claim = z.object({ by: person, own: z.boolean(), until: z.iso.datetime() })

/** A line of `/admin/users/`. */
export const adminUserEntry = z.object({
  id: z.uuid(),
  first_name: z.string(),
  last_name: z.string(),
  email: z.string(),
  status: z.enum(accountStatuses),
  user_type: z.enum(['natural', 'legal']).nullable(),
  company_name: z.string().nullable(),
  country: z.string().nullable(),
  locale: z.enum(locales),
  roles: z.array(z.enum(staffRoles)),
  created_at: z.iso.datetime(),
  verification: z
    .object({
      state: z.enum(verificationStates),
      submitted_at: z.iso.datetime().nullable(),
      /** Versions now before the reviewers. */
      documents: z.int().nonnegative(),
      /** When that was accepted which goes on counting while a new document stands beside it; null: nothing is replaced. */
      stands_since: z.iso.datetime().nullable(),
      /** The first of two agreements was given (four eyes). */
      awaits_second: z.boolean(),
      claim: claim.nullable(),
    })
    .nullable(),
})
export type AdminUserEntry = z.infer<typeof adminUserEntry>

/** What was decided of one document. */
export const documentDecision = z.object({
  document_id: z.uuid(),
  outcome: z.enum(['accepted', 'refused']),
  reason: z.enum(refusalReasons).nullable(),
  note: z.string().nullable(),
  expires_on: z.iso.date().nullable(),
})

/** One past decision upon a sending, with the versions that were looked at. */
export const pastDecision = z.object({
  round: z.int().positive(),
  by: person,
  at: z.iso.datetime(),
  outcome: z.enum(['accepted', 'refused']),
  /** Whether it settled the matter, or awaits (or had) a second person's. */
  final: z.boolean(),
  note: z.string().nullable(),
  /** Kinds that were asked for because they were not sent. */
  missing: z.array(z.enum(documentKinds)),
  decisions: z.array(documentDecision),
})

/** One file, whole: documents beside what the person typed. */
export const adminUser = adminUserEntry.extend({
  confirmed_at: z.iso.datetime().nullable(),
  last_sign_in_at: z.iso.datetime().nullable(),
  suspended_at: z.iso.datetime().nullable(),
  suspended_reason: z.string().nullable(),
  sessions: z.int().nonnegative(),
  second_factor: z.boolean(),
  addresses: z.array(z.object({ email: z.string(), primary: z.boolean(), verified: z.boolean() })),
  /** Which sending the decision will be on; 0: none was made. */
  round: z.int().nonnegative(),
  /** Only to verifiers and administrators; null to support. */
  file: z
    .object({
      /** The profile as it is now, in the order of its form; words of a field are `account.profile.<field>`. Never the bank account. */
      typed: z.array(z.object({ field: z.string(), value: z.string().nullable() })),
      /** H-31: each a list of the same shape. */
      beneficial_owners: z.array(z.array(z.object({ field: z.string(), value: z.string().nullable() }))),
      /** Fields that changed since the sending: the reviewer sees another text than was sent. */
      changed_since: z.array(z.string()),
      documents: z.array(identityDocument),
      /** Versions that the decision must name: all those pending. */
      pending: z.array(z.uuid()),
      history: z.array(pastDecision),
      /** Years of age today, from the typed birth date; null: none typed. */
      age: z.int().nullable(),
    })
    .nullable(),
})
export type AdminUser = z.infer<typeof adminUser>

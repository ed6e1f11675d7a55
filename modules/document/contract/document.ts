import { z } from 'zod'
import { stampQualifications } from '../../../kernel/stamp-qualification.ts'
import { copyStates } from '../domain/copy.ts'
import { largestBatch, statuses } from '../domain/status.ts'

const person = z.object({ id: z.uuid(), name: z.string() })

/** Hexadecimal, in either case: kept in lower case. A wrong length says which was given. */
const fingerprint = (bytes: number, code: string) =>
  z
    .string({ error: 'fingerprint_required' })
    .trim()
    .toLowerCase()
    .min(1, { error: 'fingerprint_required' })
    .regex(/^[0-9a-f]*$/, { error: 'fingerprint_not_hex' })
    .length(bytes * 2, { error: code })

/** A file's name as its depositor declares it: nothing of it is measured. */
export const documentName = z
  .string()
  .trim()
  .max(255, 'too_long')
  .regex(/^[^\p{Cc}\p{Cs}]*$/u, 'name_characters')

export const documentLabel = z
  .string()
  .trim()
  .max(200, 'too_long')
  .regex(/^[^\p{Cc}]*$/u, 'invalid')
export const documentDescription = z
  .string()
  .trim()
  .max(2000, 'too_long')
  .refine((text) => !text.includes('\0'), { error: 'invalid' })

export const deposit = z.strictObject({
  sha256: fingerprint(32, 'sha256_length'),
  sha512: fingerprint(64, 'sha512_length').optional(),
  /** Absent: hidden, or none. */
  document_name: documentName.optional(),
  label: documentLabel.optional(),
  description: documentDescription.optional(),
  /** E-33, decision H-15: the file itself will be uploaded too. */
  store: z.boolean().default(false),
  /** Id of a deposit of the same account that this one declares to replace. */
  replaces: z.uuid().optional(),
  /** The depositor's own mark: the same one again makes no second deposit (a lost answer, a second attempt). */
  client_id: z.uuid().optional(),
})
export type DepositInput = z.input<typeof deposit>

/** C-15: one, as the specification has it. */
export const createDocumentBody = deposit.extend({
  /** Seal at once; otherwise it waits as a draft for 24 hours. */
  agree: z.boolean().default(false),
})

/** Many at once: one batch. */
export const createBatchBody = z.strictObject({
  documents: z.array(deposit).min(1, 'required').max(largestBatch, 'too_many'),
  agree: z.boolean().default(true),
})

const timestamp = z.object({
  authority: z.string(),
  gen_time: z.iso.datetime(),
  /** Article 42 eIDAS, by the trusted lists; null: neither was established. */
  qualified: z.boolean().nullable(),
  /** What the trusted lists say of the token at its own instant; `not_measured`: none were asked. */
  qualification: z.enum(stampQualifications),
  /** Of the installation's own authority. */
  embedded: z.boolean(),
})

export const document = z.object({
  id: z.uuid(),
  owner: person,
  /** In the owner's name, when that is somebody else. */
  created_by: person.nullable(),
  /** Name of the API key that deposited it; null: somebody signed in. */
  api_key: z.string().nullable(),
  /** E-31, as declared; null: not told. */
  document_name: z.string().nullable(),
  label: z.string(),
  description: z.string(),
  /** E-32, as the depositor sent them: the platform saw no file, unless `stored`. */
  sha256: z.string(),
  sha512: z.string().nullable(),
  status: z.enum(statuses),
  category: z.enum(['pending', 'completed', 'trash']),
  /** E-33. */
  store: z.boolean(),
  /** The copy: `stored` once it is whole and its fingerprint was found to be that of the deposit. */
  stored: z
    .object({
      state: z.enum(copyStates),
      bytes: z.int().nonnegative().nullable(),
      received: z.int().nonnegative(),
      kept_until: z.iso.datetime().nullable(),
    })
    .nullable(),
  /** E-34: signed, expiring link to the copy. */
  document_url: z.string().nullable(),
  /** E-35: signed, expiring link to `document.tsr`. */
  eidas: z.string().nullable(),
  /** Likewise; the first two once final, the others as they come. */
  certificates: z.object({ en: z.string(), fr: z.string() }).nullable(),
  proofs_url: z.string().nullable(),
  evidence_record_url: z.string().nullable(),
  ots_url: z.string().nullable(),
  chainpoint_url: z.string().nullable(),
  seal: z
    .object({
      /** Of the batch's hash tree; of a batch of one, the fingerprint itself. */
      root: z.string(),
      signed_at: z.iso.datetime(),
      /** The first is `document.tsr`. */
      timestamps: z.array(timestamp),
      log: z.object({ origin: z.string(), index: z.int().nonnegative(), logged_at: z.iso.datetime() }).nullable(),
      batch: z.object({ id: z.uuid(), size: z.int().positive(), steps: z.int().nonnegative() }),
    })
    .nullable(),
  anchor: z
    .object({
      state: z.enum(['waiting', 'handed_over', 'in_block', 'anchored']),
      block_height: z.int().nullable(),
      anchored_at: z.iso.datetime().nullable(),
    })
    .nullable(),
  /** How long its time stamps hold, as their certificates said when they were read last; null: not final, or never read. */
  health: z
    .object({
      /** `attention`: a renewal is due; `ended`: none stands. The anchor is not counted. */
      state: z.enum(['sound', 'attention', 'ended']),
      /** The last end of a time stamp, through its renewals. */
      stamped_until: z.iso.datetime(),
      /** When the next renewal is made. */
      renew_at: z.iso.datetime().nullable(),
      assessed_at: z.iso.datetime(),
    })
    .nullable(),
  /** What it declares to replace, and which later ones declare to replace it. */
  replaces: z.object({ id: z.uuid(), document_name: z.string().nullable(), sealed_at: z.iso.datetime().nullable() }).nullable(),
  replaced_by: z.array(z.object({ id: z.uuid(), document_name: z.string().nullable(), sealed_at: z.iso.datetime().nullable() })),
  /** The earliest deposit of the same fingerprint that the account reaches. */
  duplicate_of: z.object({ id: z.uuid(), sealed_at: z.iso.datetime().nullable() }).nullable(),
  /** Address of its read-only page; null: not shared. */
  share_url: z.string().nullable(),
  /** What it waits for, while it is `awaiting_payment`, with all that is paid for together; null: nothing is to be paid. */
  payment: z
    .object({
      invoice_id: z.uuid(),
      net_cents: z.int().nonnegative(),
      gross_cents: z.int().nonnegative(),
      to_pay_cents: z.int().nonnegative(),
      /** How many deposits that is for. */
      count: z.int().positive(),
      /** `failed`: the last attempt was refused, and another may follow. */
      state: z.enum(['due', 'processing', 'failed']),
    })
    .nullable(),
  created_at: z.iso.datetime(),
  sealed_at: z.iso.datetime().nullable(),
  /** Of a draft: when it is deleted. */
  expires_at: z.iso.datetime().nullable(),
  failure: z.object({ code: z.string() }).nullable(),
  trashed_at: z.iso.datetime().nullable(),
  /** When its words went with the account that was closed; of the copy of its file, see `stored`. */
  content_deleted_at: z.iso.datetime().nullable(),
})
export type Document = z.infer<typeof document>

/** What stands of a shared deposit for whoever has the address. */
export const sharedDocument = document
  .pick({
    id: true,
    document_name: true,
    description: true,
    sha256: true,
    sha512: true,
    status: true,
    eidas: true,
    certificates: true,
    proofs_url: true,
    evidence_record_url: true,
    ots_url: true,
    chainpoint_url: true,
    seal: true,
    anchor: true,
    health: true,
    sealed_at: true,
  })
  .extend({ owner: z.object({ name: z.string() }) })
export type SharedDocument = z.infer<typeof sharedDocument>

import { z } from 'zod'
import { delegationScopes, staffRoles } from '../../../kernel/actor.ts'
import { locales } from '../../../kernel/locale.ts'
import { bankAccountTypes } from '../domain/bank-account.ts'
import { longestReason } from '../domain/closing.ts'
import { groupRoles } from '../domain/group.ts'
import { civilities, companyTypes, userTypes } from '../domain/profile.ts'

/** Codes of fields, here and in `domain/`, have their words in `account.field.<code>`. */
const value = z.string().nullable()

/** E-03…E-13: null is what was not given yet. Telephone numbers are E.164, countries ISO 3166-1 alpha-2, dates `YYYY-MM-DD`. */
const fields = {
  user_type: z.enum(userTypes).nullable(),
  civility: z.enum(civilities).nullable(),
  first_name: value,
  last_name: value,
  birth_date: value,
  birth_city: value,
  birth_country: value,
  nationality: value,
  address: value,
  zip: value,
  city: value,
  region: value,
  country: value,
  fixed_phone: value,
  mobile_phone: value,
  company_type: z.enum(companyTypes).nullable(),
  company_name: value,
  company_email: value,
  company_number: value,
  company_address: value,
  representative_first_name: value,
  representative_last_name: value,
}

/** H-31. */
export const beneficialOwner = z.object({
  first_name: z.string(),
  last_name: z.string(),
  birth_date: z.string(),
  birth_city: z.string(),
  birth_country: z.string(),
  nationality: z.string(),
  address: z.string(),
  share_percent: z.number(),
})

/** What is shown of a bank account: its numbers are read by nobody but whoever pays into it. */
export const bankAccountSummary = z.object({
  type: z.enum(bankAccountTypes),
  /** Last four characters of the IBAN or the account number. */
  ending: z.string(),
  owner_name: z.string(),
  owner_address: z.string(),
  updated_at: z.iso.datetime(),
})
export type BankAccountSummary = z.infer<typeof bankAccountSummary>

/** What is still to be given, by wire name, with the code of the sentence that asks for it. */
const completeness = z.object({
  complete: z.boolean(),
  missing: z.array(z.object({ field: z.string(), code: z.string() })),
})

export const profile = z.object({
  id: z.uuid(),
  ...fields,
  beneficial_owners: z.array(beneficialOwner),
  bank_account: bankAccountSummary.nullable(),
  /** `payment` (V-45): what an invoice needs; `payout`: what being paid needs besides (decision H-33). */
  completeness: z.object({ payment: completeness, payout: completeness }),
  updated_at: z.iso.datetime().nullable(),
})
export type Profile = z.infer<typeof profile>

/** E-01: the account that the caller acts in, with its profile. */
export const currentUser = profile.extend({
  email: z.string(),
  locale: z.enum(locales),
  referral_code: z.string(),
  /** Name of the partner's logo (L-18); null: the product's own. */
  company_logo: z.string().nullable(),
  /** What stands for that logo in words, in the language asked for; null: there is none to show (any more). */
  company_logo_text: z.string().nullable(),
  created_at: z.iso.datetime(),
  /** Of the user himself, and only in his own account. */
  roles: z.array(z.enum(staffRoles)),
  group: z.object({ id: z.uuid(), name: z.string(), role: z.enum(groupRoles) }).nullable(),
  /** When the account is somebody else's who opened it to the caller. */
  acting: z
    .object({ delegation_id: z.uuid(), scope: z.enum(delegationScopes), user: z.object({ id: z.uuid(), name: z.string() }) })
    .nullable(),
})
export type CurrentUser = z.infer<typeof currentUser>

/** One of the accounts that the caller may see: his own, and those of his group where he manages it. */
export const profileEntry = z.object({
  id: z.uuid(),
  first_name: z.string(),
  last_name: z.string(),
  email: z.string(),
  user_type: z.enum(userTypes).nullable(),
  company_name: z.string().nullable(),
  group_role: z.enum(groupRoles).nullable(),
  own: z.boolean(),
})
export type ProfileEntry = z.infer<typeof profileEntry>

/** Bounds the work; the rules of each field are `domain/`'s. */
const typed = z.string().max(2000, { error: 'too_long' }).nullable().optional()

/** Saved as it is typed: only the fields that are sent are looked at. null or blanks empty a field that is not required. */
export const profileChange = z.strictObject({
  user_type: typed,
  civility: typed,
  first_name: typed,
  last_name: typed,
  birth_date: typed,
  birth_city: typed,
  birth_country: typed,
  nationality: typed,
  address: typed,
  zip: typed,
  city: typed,
  region: typed,
  country: typed,
  fixed_phone: typed,
  mobile_phone: typed,
  company_type: typed,
  company_name: typed,
  company_email: typed,
  company_number: typed,
  company_address: typed,
  representative_first_name: typed,
  representative_last_name: typed,
  /** All of them, whole: they are saved together. */
  beneficial_owners: z
    .array(
      z.strictObject({
        first_name: typed,
        last_name: typed,
        birth_date: typed,
        birth_city: typed,
        birth_country: typed,
        nationality: typed,
        address: typed,
        share_percent: z.number({ error: 'share_range' }).nullable().optional(),
      }),
    )
    .max(20, { error: 'owners_too_many' })
    .optional(),
  /** By field, what the sender has seen of it: one that is another by now is not overwritten. */
  before: z.record(z.string().max(40), z.string().max(2000).nullable()).optional(),
})
export type ProfileChangeBody = z.infer<typeof profileChange>

/** E-14…E-19, whole: the fields of its kind. */
export const bankAccountBody = z.strictObject({
  type: z.enum(bankAccountTypes, { error: 'bank_type_required' }),
  iban: typed,
  bic: typed,
  sort_code: typed,
  aba: typed,
  deposit_type: typed,
  branch_code: typed,
  institution_number: typed,
  account_number: typed,
  bank_name: typed,
  owner_name: typed,
  owner_address: typed,
})

/** V-23. */
export const reasonField = z
  .string({ error: 'reason_required' })
  .trim()
  .min(1, { error: 'reason_required' })
  .max(longestReason, { error: 'too_long' })
  .refine((reason) => !reason.includes('\0'), { error: 'characters' })

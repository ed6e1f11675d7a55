import { z } from 'zod'
import { locales } from '../../../kernel/locale.ts'
import { passwordFaultsOf } from '../domain/password.ts'
import { emailFault, longestPassword } from '../domain/sign-in-faults.ts'
import { personNameFault } from '../../../kernel/person-name.ts'

/** Every `error` below is the code of a field, as the server answers it; its words are `identity.field.<code>`. */
export const emailField = z
  .string({ error: 'email_required' })
  .trim()
  .min(1, { error: 'email_required' })
  .refine((typed) => emailFault(typed) !== 'email_invalid', { error: 'email_invalid' })

/** A password that is being chosen (V-01, V-03, V-04): each rule that it breaks is told. */
export const newPasswordField = z
  .string({ error: 'password_required' })
  .min(1, { error: 'password_required' })
  .superRefine((password, context) => {
    if (password === '') return
    for (const message of passwordFaultsOf(password)) context.addIssue({ code: 'custom', message })
  })

/** A password that is shown to get in: it was chosen under whatever rules held then. */
export const passwordField = z
  .string({ error: 'password_required' })
  .min(1, { error: 'password_required' })
  .max(longestPassword, { error: 'password_wrong' })

const nameField = (required: string) =>
  z
    .string({ error: required })
    .trim()
    .min(1, { error: required })
    .superRefine((name, context) => {
      const fault = name === '' ? null : personNameFault(name)
      if (fault !== null) context.addIssue({ code: 'custom', message: fault })
    })

export const firstNameField = nameField('first_name_required')
export const lastNameField = nameField('last_name_required')

export const termsField = z.boolean({ error: 'terms_required' }).refine((accepted) => accepted, { error: 'terms_required' })

/** Formulas that a visitor may have in mind (V-11): said, never binding. */
export const formulas = ['unit', 'essential', 'comfort', 'custom'] as const

const chosenPassword = { password: newPasswordField, password_confirmation: z.string({ error: 'password_required' }) }

export function sameAsConfirmed(body: { password: string; password_confirmation: string }): boolean {
  return body.password === body.password_confirmation
}
/** The old one chosen again changes nothing, whoever may know it by now. */
export function differsFromOld(body: { old_password: string; password: string }): boolean {
  return body.old_password !== body.password
}
export const unchangedPassword = { error: 'password_unchanged', path: ['password'] }
export const confirmationDiffers = { error: 'password_differs', path: ['password_confirmation'] }

export const registrationBody = z
  .object({
    email: emailField,
    ...chosenPassword,
    first_name: firstNameField,
    last_name: lastNameField,
    terms: termsField,
    /** A wrong one blocks nothing (V-10): it is ignored, and the answer says so. */
    referral_code: z.string().trim().max(60, { error: 'too_long' }).optional(),
    formula: z.enum(formulas).optional(),
    /** Where registrations are by invitation (decision H-39). */
    invitation: z.string().max(200).optional(),
    /** Of its mails and pages; absent: what `Accept-Language` asks for. */
    locale: z.enum(locales).optional(),
    /** Of the partner whose sign the form stood under (decision 0276): a host name and the operator’s own files decide, not this alone. */
    brand: z.string().max(40).optional(),
  })
  .refine(sameAsConfirmed, confirmationDiffers)

/** The same whether the address is new or not: the mail that is sent tells its owner which (design/security.md §5). */
export const registrationAnswer = z.object({
  status: z.literal('confirmation_sent'),
  email: z.string(),
  /** null: none was given. */
  referral_code_known: z.boolean().nullable(),
  /** Names this registration to the calls that confirm it by a code or send that again: others may have named the same address. */
  claim: z.uuid(),
})
export type RegistrationAnswer = z.infer<typeof registrationAnswer>

export const loginBody = z.object({
  email: emailField,
  password: passwordField,
  /** Six digits of the authenticator, or a recovery code; asked for by `identity.second_factor_required`. */
  code: z.string().trim().max(40).optional(),
  /** Kept in the browser across its sessions; here: how long the token lives unused (30 days, else 12 hours). */
  remember_me: z.boolean().default(false),
})

/** E-02. */
export const loginAnswer = z.object({
  access_token: z.string(),
  expires_at: z.iso.datetime(),
  user: z.object({ pk: z.uuid(), first_name: z.string(), last_name: z.string(), email: z.string() }),
})
export type LoginAnswer = z.infer<typeof loginAnswer>

export const verifyEmailBody = z.union([
  /** From the link. */
  z.object({ key: z.string().min(1).max(200) }),
  /** From the mail, typed. */
  z.object({
    email: emailField,
    code: z
      .string()
      .trim()
      .regex(/^\d{6}$/, { error: 'code_invalid' }),
    /** Which registration, or which entry of the list of addresses; without it, a code counts only while a single one waits. */
    claim: z.uuid().optional(),
  }),
])

/** S-43…S-45 as the page of the link shows them before anything is confirmed; `taken`: the mailbox has an account by now. */
export const confirmationState = z.object({
  state: z.enum(['pending', 'confirmed', 'taken', 'failed']),
  /** Only while pending: whose address, and when the account was made or the address added. */
  email: z.string().nullable(),
  created_at: z.iso.datetime().nullable(),
  purpose: z.enum(['account', 'address']).nullable(),
})

export const session = z.object({
  id: z.uuid(),
  created_at: z.iso.datetime(),
  seen_at: z.iso.datetime(),
  expires_at: z.iso.datetime(),
  /** As it was at the start: product and system, never the whole header. */
  browser: z.string(),
  /** Network from which it was last used, cut to a block (IPv4 /24, IPv6 /56). */
  network: z.string(),
  remembered: z.boolean(),
  second_factor: z.boolean(),
  current: z.boolean(),
})
export type Session = z.infer<typeof session>

/** E-49. */
export const emailEntry = z.object({
  id: z.uuid(),
  email: z.string(),
  primary: z.boolean(),
  verified: z.boolean(),
  created_at: z.iso.datetime(),
})
export type EmailEntry = z.infer<typeof emailEntry>

export const secondFactorState = z.object({
  enabled: z.boolean(),
  confirmed_at: z.iso.datetime().nullable(),
  recovery_codes_left: z.int().nonnegative(),
  /** Whether a role of staff demands it. */
  required: z.boolean(),
})

/** One line of the record of acts, as its subject or an administrator reads it. */
export const act = z.object({
  number: z.int().positive(),
  at: z.iso.datetime(),
  /** `module.verb_noun`; words are `<module>.act.<verb_noun>`. */
  action: z.string(),
  actor: z.object({ id: z.uuid(), name: z.string() }).nullable(),
  /** By the staff: who of it is for administrators alone. */
  by_staff: z.boolean(),
  /** In whose name, when that is somebody else: «X for Y». */
  on_behalf_of: z.object({ id: z.uuid(), name: z.string() }).nullable(),
  subject: z.object({ type: z.string(), id: z.string() }).nullable(),
  data: z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()])),
  hash: z.string(),
})
export type Act = z.infer<typeof act>

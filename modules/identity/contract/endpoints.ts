import { z } from 'zod'
import { endpoint } from '../../../kernel/endpoint.ts'
import { locales } from '../../../kernel/locale.ts'
import { pageOf, pageQuery } from '../../../kernel/page.ts'
import {
  act,
  confirmationDiffers,
  confirmationState,
  emailEntry,
  emailField,
  loginAnswer,
  loginBody,
  newPasswordField,
  passwordField,
  registrationAnswer,
  registrationBody,
  sameAsConfirmed,
  differsFromOld,
  unchangedPassword,
  secondFactorState,
  session,
  verifyEmailBody,
} from './identity.ts'

const byId = z.object({ id: z.uuid() })
const done = z.object({ status: z.literal('done') })
/** The answer to whoever names an address: the same for every address. */
const sent = z.object({ status: z.literal('sent') })

/** C-01. @throws `identity.sign_in_failed`, `identity.second_factor_required`, `identity.second_factor_wrong`, `identity.throttled` */
export const login = endpoint({
  method: 'POST',
  path: '/rest-auth/login/',
  summary: 'Sign in',
  access: ['open'],
  body: loginBody,
  response: loginAnswer,
})

export const logout = endpoint({
  method: 'POST',
  path: '/rest-auth/logout/',
  summary: 'End this session',
  access: ['user'],
  response: done,
})

/** What the page of registration must know before it asks for anything. */
export const readRegistrations = endpoint({
  method: 'GET',
  path: '/rest-auth/registration/',
  summary: 'Read whether registrations are open',
  access: ['open'],
  response: z.object({ registrations: z.enum(['open', 'invite', 'closed']) }),
})

/** C-03. @throws `identity.registrations_disabled`, `identity.disposable_address`, `identity.invitation_unknown`, `identity.throttled` */
export const register = endpoint({
  method: 'POST',
  path: '/rest-auth/registration/',
  summary: 'Register',
  access: ['open'],
  body: registrationBody,
  response: registrationAnswer,
  status: 201,
})

export const resendConfirmation = endpoint({
  method: 'POST',
  path: '/rest-auth/registration/resend-email/',
  summary: 'Send the confirmation of a registration again',
  access: ['open'],
  body: z.object({ email: emailField, claim: z.uuid().optional() }),
  response: sent,
})

/** Tells what a link is about; changes nothing, as programs that fetch links ahead would. */
export const readConfirmation = endpoint({
  method: 'POST',
  path: '/rest-auth/registration/confirmation/',
  summary: 'Read what a confirmation link confirms',
  access: ['open'],
  body: z.object({ key: z.string().min(1).max(200) }),
  response: confirmationState,
})

/** C-04. @throws `identity.confirmation_failed` */
export const verifyEmail = endpoint({
  method: 'POST',
  path: '/rest-auth/registration/verify-email/',
  summary: 'Confirm an e-mail address',
  access: ['open'],
  body: verifyEmailBody,
  response: z.object({ status: z.literal('confirmed'), email: z.string() }),
})

/** By the owner of an address that somebody else registered: the account, or the address of an account, is gone. */
export const disownAddress = endpoint({
  method: 'POST',
  path: '/rest-auth/registration/disown/',
  summary: 'Say that one did not ask for a confirmation',
  access: ['open'],
  body: z.object({ key: z.string().min(1).max(200) }),
  response: done,
})

/** C-05. */
export const askPasswordReset = endpoint({
  method: 'POST',
  path: '/rest-auth/password/reset/',
  summary: 'Ask for a link to choose a new password',
  access: ['open'],
  body: z.object({ email: emailField }),
  response: sent,
})

const newPassword = { password: newPasswordField, password_confirmation: z.string({ error: 'password_required' }) }

/** C-06. Ends every session. @throws `identity.reset_link_invalid` */
export const resetPassword = endpoint({
  method: 'POST',
  path: '/rest-auth/password/reset/confirm/',
  summary: 'Choose a new password with the link that was sent',
  access: ['open'],
  body: z
    .object({ uid: z.uuid(), token: z.string().min(1).max(200), ...newPassword })
    .refine(sameAsConfirmed, confirmationDiffers),
  response: done,
})

/** C-07. Ends every other session. @throws `identity.password_wrong` */
export const changePassword = endpoint({
  method: 'POST',
  path: '/rest-auth/password/change/',
  summary: 'Change the password',
  access: ['user'],
  body: z
    .object({ old_password: passwordField, ...newPassword })
    .refine(sameAsConfirmed, confirmationDiffers)
    .refine(differsFromOld, unchangedPassword),
  response: done,
})

/**
 * Who he is, said anew: for ten minutes this session suffices for what protects him (decision 0245). Calls that need it answer
 * `identity.proof_required`. @throws `identity.password_wrong`, `identity.second_factor_required`, `identity.second_factor_wrong`, `identity.throttled`
 */
export const prove = endpoint({
  method: 'POST',
  path: '/rest-auth/prove/',
  summary: 'Prove anew who one is, for a while',
  access: ['user'],
  body: z.object({
    password: passwordField,
    /** Six digits of the authenticator, or a recovery code, where the account has a second factor. */
    code: z.string().trim().max(40).optional(),
  }),
  response: z.object({ proven_until: z.iso.datetime() }),
})

export const listSessions = endpoint({
  method: 'GET',
  path: '/sessions/',
  summary: 'List the sessions that are open',
  access: ['user'],
  response: z.object({ results: z.array(session) }),
})

export const endSession = endpoint({
  method: 'DELETE',
  path: '/sessions/:id/',
  summary: 'End a session',
  access: ['user'],
  params: byId,
  response: done,
})

/** Log out everywhere (decision H-08): this session too. */
export const endAllSessions = endpoint({
  method: 'POST',
  path: '/sessions/end_all/',
  summary: 'End all sessions',
  access: ['user'],
  response: z.object({ ended: z.int().nonnegative() }),
})

export const endOtherSessions = endpoint({
  method: 'POST',
  path: '/sessions/end_others/',
  summary: 'End all sessions but this one',
  access: ['user'],
  response: z.object({ ended: z.int().nonnegative() }),
})

/** C-19. */
export const listEmails = endpoint({
  method: 'GET',
  path: '/emails/',
  summary: 'List e-mail addresses',
  access: ['user'],
  query: pageQuery,
  response: pageOf(emailEntry),
})

/** C-20. */
export const readEmail = endpoint({
  method: 'GET',
  path: '/emails/:id/',
  summary: 'Read an e-mail address',
  access: ['user'],
  params: byId,
  response: emailEntry,
})

/** C-21. @throws `identity.proof_required`, `identity.disposable_address`, `identity.too_many_addresses` */
export const addEmail = endpoint({
  method: 'POST',
  path: '/emails/',
  summary: 'Add an e-mail address, to be confirmed',
  access: ['user'],
  body: z.object({ email: emailField }),
  response: emailEntry,
  status: 201,
})

export const resendEmailConfirmation = endpoint({
  method: 'POST',
  path: '/emails/:id/resend/',
  summary: 'Send the confirmation of an address again',
  access: ['user'],
  params: byId,
  response: sent,
})

const primary = {
  path: '/emails/:id/set_primary/',
  summary: 'Make a confirmed address the primary one',
  access: ['user'],
  params: byId,
  response: emailEntry,
} as const

/** C-22, as the specification has it; idempotent, and only with a bearer token (decision H-44). @throws `identity.proof_required`, `identity.address_unverified` */
export const setPrimaryEmailByGet = endpoint({ method: 'GET', ...primary })
export const setPrimaryEmail = endpoint({ method: 'POST', ...primary })

/** C-23. @throws `identity.proof_required`, `identity.primary_address` */
export const deleteEmail = endpoint({
  method: 'DELETE',
  path: '/emails/:id/',
  summary: 'Delete an e-mail address',
  access: ['user'],
  params: byId,
  response: done,
})

export const readSecondFactor = endpoint({
  method: 'GET',
  path: '/second_factor/',
  summary: 'Read the state of the second factor',
  access: ['user'],
  response: secondFactorState,
})

/** A secret that counts only once a code made from it is given back. */
export const beginSecondFactor = endpoint({
  method: 'POST',
  path: '/second_factor/',
  summary: 'Begin to set up a second factor',
  access: ['user'],
  body: z.object({ password: passwordField }),
  response: z.object({ secret: z.string(), uri: z.string() }),
})

/** This session counts as one with a second factor from then on. */
export const confirmSecondFactor = endpoint({
  method: 'POST',
  path: '/second_factor/confirm/',
  summary: 'Confirm the second factor with a first code',
  access: ['user'],
  body: z.object({
    code: z
      .string()
      .trim()
      .regex(/^\d{6}$/, { error: 'code_invalid' }),
  }),
  response: z.object({ recovery_codes: z.array(z.string()) }),
})

const provenTwice = z.object({
  password: passwordField,
  code: z.string({ error: 'code_required' }).trim().min(1, { error: 'code_required' }).max(40),
})

/** @throws `identity.second_factor_needed` for staff */
export const disableSecondFactor = endpoint({
  method: 'POST',
  path: '/second_factor/disable/',
  summary: 'Give up the second factor',
  access: ['user'],
  body: provenTwice,
  response: done,
})

export const renewRecoveryCodes = endpoint({
  method: 'POST',
  path: '/second_factor/recovery_codes/',
  summary: 'Replace the recovery codes',
  access: ['user'],
  body: provenTwice,
  response: z.object({ recovery_codes: z.array(z.string()) }),
})

/** What is asked of a record of acts; every part may be left out. */
const actFilters = z.object({
  /** `module.verb_noun`, or a module: all of its acts. */
  action: z
    .string()
    .regex(/^[a-z_]{1,40}(?:\.[a-z_]{1,60})?$/)
    .optional(),
  from: z.iso.datetime().optional(),
  /** Excluded. */
  to: z.iso.datetime().optional(),
})

const everyAct = actFilters.extend({
  /** What he did, and what was done in his name or to him. */
  person: z.uuid().optional(),
  /** What he did. */
  actor: z.uuid().optional(),
  subject: z
    .string()
    .regex(/^[\u0021-\u007E]{1,100}$/)
    .optional(),
})

/** Of the words in a file that is made. */
const inLanguage = { language: z.enum(locales).optional() }

export const listOwnActs = endpoint({
  method: 'GET',
  path: '/acts/',
  summary: 'List what was done in and to one’s account',
  access: ['user'],
  query: pageQuery.extend(actFilters.shape),
  response: pageOf(act),
})

/** Is itself an act. */
export const exportOwnActs = endpoint({
  method: 'GET',
  path: '/acts/export/',
  summary: 'Export what was done in and to one’s account, as CSV',
  access: ['user'],
  query: actFilters.extend(inLanguage),
  response: 'stream',
})

export const listActs = endpoint({
  method: 'GET',
  path: '/admin/acts/',
  summary: 'List the record of acts',
  access: ['administrator'],
  query: pageQuery.extend(everyAct.shape),
  response: pageOf(act),
})

/** Is itself an act. */
export const exportActs = endpoint({
  method: 'GET',
  path: '/admin/acts/export/',
  summary: 'Export the record of acts, as CSV',
  access: ['administrator'],
  query: everyAct.extend(inLanguage),
  response: 'stream',
})

/** Some thousand lines at a time; whoever wants more goes on from `to`. */
export const verifyActs = endpoint({
  method: 'POST',
  path: '/admin/acts/verify/',
  summary: 'Recompute a part of the record of acts',
  access: ['administrator'],
  body: z.object({ from: z.int().min(1).max(Number.MAX_SAFE_INTEGER).default(1) }),
  response: z.object({
    from: z.int().positive(),
    /** Last line that follows from those before it. */
    to: z.int().nonnegative(),
    /** Last line of the record. */
    last: z.int().nonnegative(),
    /** Hash of the line `to`; noted elsewhere, it shows later whether the end of the record was cut off. */
    head: z.string(),
    broken: z.object({ number: z.int(), fault: z.enum(['number', 'previous_hash', 'hash']) }).nullable(),
  }),
})

import type { Actor } from '../../kernel/actor.ts'

/** What a caller showed. */
export type Credentials = {
  /** From `Authorization: Bearer …`. */
  readonly bearer: string
  /** Id of a delegation, from `X-Delegation`: the call is made for whoever granted it. */
  readonly delegation: string | undefined
  /** Block of addresses that the call comes from, as the list of sessions shows it. */
  readonly network?: string
  /** Of a call that is under way it is asked again: that is no new use of what was shown. */
  readonly again?: boolean
}

/**
 * Tells who somebody is by the session, and the delegation, that let him in, without what he showed then: for what goes on by them.
 * @throws DomainError as {@link Authenticate}
 */
export type Recall = (by: { readonly session: string; readonly delegation: string | null }) => Promise<Actor>

/**
 * Tells who calls; given by the module that keeps sessions.
 * @throws DomainError `http.session_ended` for a token that opens nothing (never one, expired, revoked, of a suspended user),
 * `http.key_refused` for an API key that opens nothing or is used with a delegation, `http.delegation_ended` for a delegation that is not his, was revoked or has expired
 */
export type Authenticate = (credentials: Credentials) => Promise<Actor>

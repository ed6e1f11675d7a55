import type { FastifyRequest } from 'fastify'
import { scopeSuffices, staffRoles, type Actor, type StaffRole } from '../../kernel/actor.ts'
import type { Clock } from '../../kernel/clock.ts'
import type { Access, Endpoint } from '../../kernel/endpoint.ts'
import { DomainError } from '../../kernel/errors.ts'
import { addressPrefix } from './request/address-prefix.ts'
import type { Authenticate, Credentials } from './authenticate.ts'
import { verifyLink } from './answer/signed-link.ts'

/** The guards that exist. A contract may only name these; one that names another is a defect, and opens nothing. */
const guards: Readonly<Record<Access, true>> = {
  open: true,
  evidence_token: true,
  signed_link: true,
  user: true,
  support: true,
  verifier: true,
  administrator: true,
}

/** 256 bits in base64url are 43 characters; anything far longer is not a token. */
const longestToken = 200

/** Answered as 500 with the specification's own words. */
export class UnknownMiddleware extends Error {
  override readonly name = 'UnknownMiddleware'
  constructor(guard: string) {
    super(`Unknown middleware: ${guard}`)
  }
}

export type Admitted = {
  /** The evidence token, when the call may have one and has; whether it is that of the very evidence is the handler's first question. */
  readonly evidenceToken: string | undefined
  /** Who calls, when a bearer token was sent; never null on a call that is not open to tokens or links. */
  readonly actor: Actor | null
}

const isStaffRole = (access: Access): access is StaffRole => staffRoles.some((role) => role === access)
const header = (value: string | string[] | undefined) =>
  typeof value === 'string' && value !== '' && value.length <= longestToken ? value : undefined

function bearerOf(request: FastifyRequest): string | undefined {
  const { authorization } = request.headers
  if (authorization === undefined) return undefined
  const token = header(/^Bearer +([A-Za-z0-9._~+/-]+=*)$/i.exec(authorization)?.[1])
  if (token === undefined) throw new DomainError('unauthenticated', 'http.session_ended')
  return token
}

/**
 * The outer door, by what the contract declares: nobody without the right kind of credential reaches a handler. A bearer token
 * that is sent must be good, whatever the call: who claims to be somebody is never silently taken for a stranger.
 * A program's key opens the calls that name a scope it has, and no other (decision 0291).
 * @throws DomainError `unauthenticated`, `forbidden`, `gone`; `not_found` where only staff may call and the caller is none
 */
export async function authorize(
  endpoint: Endpoint,
  request: FastifyRequest,
  deps: { secret: string; clock: Clock; authenticate: Authenticate | undefined; again?: boolean },
): Promise<Admitted> {
  const { access } = endpoint
  const unknown = access.find((guard) => !Object.hasOwn(guards, guard))
  if (unknown !== undefined) throw new UnknownMiddleware(unknown)
  const bearer = bearerOf(request)
  const shown = { network: addressPrefix(request.ip), ...(deps.again === true ? { again: true } : {}) }
  const staff = access.filter(isStaffRole)
  if (staff.length > 0)
    return { evidenceToken: undefined, actor: await staffMember(staff, { bearer, ...shown }, deps.authenticate) }

  const evidenceToken = access.includes('evidence_token') ? header(request.headers['x-evidence-token']) : undefined
  if (bearer !== undefined && deps.authenticate !== undefined && access.some((each) => each === 'user' || each === 'open')) {
    const actor = await deps.authenticate({ bearer, delegation: header(request.headers['x-delegation']), ...shown })
    const { delegation, apiKey } = actor
    if (apiKey !== undefined) {
      if (endpoint.apiScope === null) throw new DomainError('forbidden', 'http.not_for_keys')
      if (!apiKey.scopes.has(endpoint.apiScope))
        throw new DomainError('forbidden', 'http.key_lacks_scope', { scope: endpoint.apiScope })
    }
    if (delegation !== null && (endpoint.delegable === null || !scopeSuffices(delegation.scope, endpoint.delegable)))
      throw new DomainError('forbidden', 'http.not_delegated')
    return { evidenceToken, actor }
  }
  if (evidenceToken !== undefined || access.includes('open')) return { evidenceToken, actor: null }
  if (access.includes('signed_link')) {
    // Links are signed in their canonical form, with the slash that H-02 lets callers leave out.
    const url = (request.raw.url ?? '').replace(/^([^?]*[^/?])(?=\?|$)/, '$1/')
    const state = verifyLink(deps.secret, url, deps.clock.now())
    if (state === 'valid') return { evidenceToken, actor: null }
    if (state === 'expired') throw new DomainError('gone', 'http.link_expired')
    if (!access.includes('evidence_token') && !access.includes('user')) throw new DomainError('forbidden', 'http.link_invalid')
  }
  if (access.includes('user')) throw new DomainError('unauthenticated', 'http.sign_in_required')
  throw new DomainError('unauthenticated', 'http.evidence_token_missing')
}

/** To anyone but the staff meant, with a second factor, the call does not exist; a dead token says so, or its holder could never sign in again. */
async function staffMember(
  needed: readonly StaffRole[],
  { bearer, ...shown }: { readonly bearer: string | undefined } & Omit<Credentials, 'bearer' | 'delegation'>,
  authenticate: Authenticate | undefined,
): Promise<Actor> {
  if (bearer !== undefined && authenticate !== undefined) {
    const actor = await authenticate({ bearer, delegation: undefined, ...shown })
    if (actor.secondFactor && needed.some((role) => actor.roles.has(role))) return actor
  }
  throw new DomainError('not_found', 'http.not_found')
}

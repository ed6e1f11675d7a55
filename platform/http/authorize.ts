import type { FastifyRequest } from 'fastify'
import type { Clock } from '../../kernel/clock.ts'
import type { Access, Endpoint } from '../../kernel/endpoint.ts'
import { DomainError } from '../../kernel/errors.ts'
import { verifyLink } from './signed-link.ts'

/** The guards that exist. A contract may only name these; one that names another is a defect, and opens nothing. */
const guards: Readonly<Record<Access, true>> = { open: true, evidence_token: true, signed_link: true, user: true }

/** 256 bits in base64url are 43 characters; anything far longer is not a token. */
const longestToken = 200

/** Answered as 500 with the specification's own words. */
export class UnknownMiddleware extends Error {
  override readonly name = 'UnknownMiddleware'
  constructor(guard: string) {
    super(`Unknown middleware: ${guard}`)
  }
}

/**
 * The outer door, by what the contract declares: nobody without the right kind of credential reaches a handler. Whether the
 * token is that of the very evidence is the handler's first question.
 * @returns the evidence token, when the call has one
 */
export function authorize(
  endpoint: Endpoint,
  request: FastifyRequest,
  deps: { secret: string; clock: Clock },
): string | undefined {
  const unknown = endpoint.access.find((guard) => !Object.hasOwn(guards, guard))
  if (unknown !== undefined) throw new UnknownMiddleware(unknown)
  const sent = request.headers['x-evidence-token']
  const token = typeof sent === 'string' && sent !== '' && sent.length <= longestToken ? sent : undefined
  const { access } = endpoint
  if (access.includes('evidence_token') && token !== undefined) return token
  if (access.includes('open')) return undefined
  if (access.includes('signed_link')) {
    // Links are signed in their canonical form, with the slash that H-02 lets callers leave out.
    const url = (request.raw.url ?? '').replace(/^([^?]*[^/?])(?=\?|$)/, '$1/')
    const state = verifyLink(deps.secret, url, deps.clock.now())
    if (state === 'valid') return undefined
    if (state === 'expired') throw new DomainError('gone', 'http.link_expired')
    if (!access.includes('evidence_token')) throw new DomainError('forbidden', 'http.link_invalid')
  }
  if (access.includes('evidence_token')) throw new DomainError('unauthenticated', 'http.evidence_token_missing')
  throw new DomainError('unauthenticated', 'http.sign_in_required')
}

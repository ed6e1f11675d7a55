import type { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { z } from 'zod'
import type { Actor } from '../../kernel/actor.ts'
import type { BodyOf, Endpoint, ParamsOf, QueryOf } from '../../kernel/endpoint.ts'
import { DomainError } from '../../kernel/errors.ts'
import type { Admission } from '../admission/admissions.ts'

export type HandlerInput<E extends Endpoint> = {
  readonly params: ParamsOf<E>
  readonly query: QueryOf<E>
  readonly body: BodyOf<E>
  /**
   * The body of a call that takes a file, as it flows; null on any other. It fails with a DomainError that may be thrown on, and leaves
   * nothing behind: where the bytes go is the handler's.
   */
  readonly bytes: Readable | null
  /**
   * Of a call that goes on (events, a stream, a file that is sent): it hangs on who calls, and on whatever the handler adds. Of one that is
   * answered at once, {@link answeredAtOnce}.
   */
  readonly admission: Admission
  readonly request: FastifyRequest
  readonly reply: FastifyReply
  /** Value of `X-Evidence-Token` when the endpoint's access includes `evidence_token` and it was sent; not yet verified. */
  readonly evidenceToken: string | undefined
  /** Who calls, when a good bearer token was sent. On a call for users alone it is never null: see {@link signedIn}. */
  readonly actor: Actor | null
  /** Prefix of the caller's address that quotas count by: IPv4 /24, IPv6 /56. */
  readonly addressPrefix: string
}

/** What a handler returns: the response of the contract, or the reply itself for `stream` and `events`. */
export type HandlerOutput<E extends Endpoint> = E['response'] extends z.ZodType ? z.output<E['response']> : FastifyReply

/** What is answered at once hangs on nothing for long. */
export const answeredAtOnce: Admission = {
  signal: new AbortController().signal,
  hangOn: () => undefined,
  release: () => undefined,
}

export type Route = {
  readonly endpoint: Endpoint
  readonly handler: (input: HandlerInput<Endpoint>) => Promise<unknown>
}

/**
 * Binds a contract to what answers it. Input is validated by the endpoint's schemas before the handler runs, output after.
 * @throws Error when the endpoint declares no access: nothing is public by omission (design/security.md §5)
 */
export function route<E extends Endpoint>(endpoint: E, handler: (input: HandlerInput<E>) => Promise<HandlerOutput<E>>): Route {
  if (endpoint.access.length === 0) throw new Error(`${endpoint.method} ${endpoint.path} does not say who may call it`)
  if (!endpoint.path.startsWith('/') || !endpoint.path.endsWith('/')) throw new Error(`${endpoint.path} lacks a slash at one end`)
  return { endpoint, handler }
}

/**
 * The caller of what a session that was left open does not suffice for: he proved anew who he is, a short while ago (decision 0245).
 * @throws DomainError `identity.proof_required`
 */
export function proven(actor: Actor | null): Actor {
  const caller = signedIn(actor)
  if (caller.proven !== true) throw new DomainError('forbidden', 'identity.proof_required')
  return caller
}

/** The caller of an endpoint whose access is `user` or a role of staff. @throws DomainError should the contract leave the call open */
export function signedIn(actor: Actor | null): Actor {
  if (actor === null) throw new DomainError('unauthenticated', 'http.sign_in_required')
  return actor
}

/** The file that an endpoint with `bytes` is sent. @throws Error should its contract take none */
export function sentFile(bytes: Readable | null): Readable {
  if (bytes === null) throw new Error('this call takes no file')
  return bytes
}

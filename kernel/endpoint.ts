import type { z } from 'zod'
import type { ApiScope, DelegationScope, StaffRole } from './actor.ts'

/**
 * One HTTP call, declared once in a module's contract: the server validates with it, the client calls with it, OpenAPI is
 * made from it. Paths are written with a trailing slash and `:name` parameters; the server also answers without the slash
 * (decision H-02).
 */
export type Access =
  /** Anyone. */
  | 'open'
  /** Whoever holds the evidence's token, sent as `X-Evidence-Token`. */
  | 'evidence_token'
  /** Whoever holds a signed, expiring link. */
  | 'signed_link'
  /** A bearer token of a signed-in user. */
  | 'user'
  /** A signed-in user who holds that role, and gave a second factor. To anyone else the call does not exist (decision H-20). */
  | StaffRole

export type Endpoint<
  Params extends z.ZodType | undefined = z.ZodType | undefined,
  Query extends z.ZodType | undefined = z.ZodType | undefined,
  Body extends z.ZodType | undefined = z.ZodType | undefined,
  Response extends z.ZodType | 'stream' | 'events' = z.ZodType | 'stream' | 'events',
> = {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  readonly path: string
  readonly summary: string
  readonly access: readonly Access[]
  /** Least scope with which a delegate may make this call for somebody else; null: nobody may. */
  readonly delegable: DelegationScope | null
  /** Scope of an API key that admits it to this call; null: no key does. */
  readonly apiScope: ApiScope | null
  readonly params: Params
  readonly query: Query
  readonly body: Body
  /**
   * Instead of `body`: the request's body is a file of at most so many bytes, of whatever type; it is streamed, never held whole. `form`: it
   * is what a form sends, which nobody reads (RFC 8058 §3.2).
   */
  readonly bytes: { readonly largest: number; readonly form?: boolean } | null
  /** Bytes of JSON that `body` may have; the server's own limit unless told. */
  readonly largestBody: number | null
  /** A schema; or `stream` for bytes; or `events` for server-sent events. */
  readonly response: Response
  /** Status of success; 200 unless told. */
  readonly status: number
  /** Statuses besides, with the same answer; errors have their own shape, whatever the call. */
  readonly alsoAnswers: readonly number[]
}

export function endpoint<
  const Params extends z.ZodType | undefined = undefined,
  const Query extends z.ZodType | undefined = undefined,
  const Body extends z.ZodType | undefined = undefined,
  const Response extends z.ZodType | 'stream' | 'events' = 'stream',
>(spec: {
  method: Endpoint['method']
  path: `/${string}/`
  summary: string
  access: readonly Access[]
  delegable?: DelegationScope
  apiScope?: ApiScope
  params?: Params
  query?: Query
  body?: Body
  bytes?: { largest: number; form?: boolean }
  largestBody?: number
  response: Response
  status?: number
  alsoAnswers?: readonly number[]
}): Endpoint<Params, Query, Body, Response> {
  return {
    method: spec.method,
    path: spec.path,
    summary: spec.summary,
    access: spec.access,
    delegable: spec.delegable ?? null,
    apiScope: spec.apiScope ?? null,
    params: spec.params as Params,
    query: spec.query as Query,
    body: spec.body as Body,
    bytes: spec.bytes ?? null,
    largestBody: spec.largestBody ?? null,
    response: spec.response,
    status: spec.status ?? 200,
    alsoAnswers: spec.alsoAnswers ?? [],
  }
}

type Inferred<T> = T extends z.ZodType ? z.infer<T> : undefined
type Input<T> = T extends z.ZodType ? z.input<T> : undefined

export type ParamsOf<E extends Endpoint> = Inferred<E['params']>
export type QueryOf<E extends Endpoint> = Inferred<E['query']>
export type BodyOf<E extends Endpoint> = Inferred<E['body']>
export type QueryInputOf<E extends Endpoint> = Input<E['query']>
export type BodyInputOf<E extends Endpoint> = Input<E['body']>
export type ResponseOf<E extends Endpoint> = Inferred<E['response']>

import type { BodyInputOf, Endpoint, ParamsOf, QueryInputOf, ResponseOf } from '../../kernel/endpoint.ts'
import { wireError, type WireError } from '../../kernel/wire-error.ts'
import { apiAddress } from './api-address.ts'
import { ApiError } from './api-error.ts'
import { askToSignIn } from './ask-to-sign-in.ts'
import { connection } from './connection.ts'
import { noteServerDate } from './server-clock.ts'
import { actFor, currentSession, endSession, type Session } from './session.ts'

type Part<Name extends string, T> = [T] extends [undefined] ? { [K in Name]?: undefined } : { [K in Name]: T }
export type CallInput<E extends Endpoint> = Part<'params', ParamsOf<E>> &
  ([QueryInputOf<E>] extends [undefined] ? { query?: undefined } : { query?: QueryInputOf<E> }) &
  Part<'body', BodyInputOf<E>> & {
    /** Key to a draft, sent as `X-Evidence-Token`; null: it belongs to the account that is signed in. */
    evidenceToken?: string | null
    /** Nobody's call, whoever is signed in: one that signs in, say. */
    anonymous?: true
    signal?: AbortSignal
    headers?: Readonly<Record<string, string>>
  }

/** Where a call goes, with its query. */
export function addressOf(endpoint: Endpoint, params: unknown, query: unknown): string {
  const given = (params ?? {}) as Readonly<Record<string, unknown>>
  const path = endpoint.path.replace(/:([a-z_]+)/g, (_, name: string) => encodeURIComponent(String(given[name])))
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries((query ?? {}) as Readonly<Record<string, unknown>>)) {
    if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') search.set(name, String(value))
  }
  return apiAddress(path) + (search.size > 0 ? `?${search}` : '')
}

/** An error that no server told. */
export function silent(code: string, requestId: string): WireError {
  return { code, message: code, fields: {}, data: {}, request_id: requestId }
}

/** What the server said of a failure. */
export async function errorOf(response: Response): Promise<ApiError> {
  const requestId = response.headers.get('x-request-id') ?? ''
  let body: unknown
  try {
    body = await response.json()
  } catch {
    return new ApiError(response.status, silent('ui.error.unreadable', requestId))
  }
  const parsed = wireError.safeParse(body)
  return new ApiError(response.status, parsed.success ? parsed.data : silent('ui.error.unreadable', requestId))
}

/** What anyone may read is read without saying who asks. */
const isPublic = ({ access, method }: Endpoint): boolean =>
  method === 'GET' && access.every((each) => each === 'open' || each === 'signed_link')

/** A session that is over, a call that needs one, and a call that the session alone does not suffice for. */
const reasons = {
  'http.session_ended': 'ended',
  'http.sign_in_required': 'required',
  'identity.proof_required': 'prove',
} as const
const reasonOf = (error: unknown) => (error instanceof ApiError ? (reasons[error.code as keyof typeof reasons] ?? null) : null)

/**
 * Sends one request, in the name of who is signed in. Where that is over, or he has to prove anew who he is, he is asked where he
 * is, and the request is sent again (D-04, H-13): never in the name of somebody else than the one who first sent it.
 * @throws ApiError for every answer that is not a success; DOMException `AbortError` when aborted.
 */
export async function request<E extends Endpoint>(endpoint: E, input: CallInput<E>, accept: string): Promise<Response> {
  return await inSession(endpoint, input.anonymous === true, (session) => send(endpoint, input, accept, session))
}

/** What `request` says of who asks, for whichever way of sending. @param act sends, in the name of that session; may be called twice */
export async function inSession<T>(
  endpoint: Endpoint,
  anonymous: boolean,
  act: (session: Session | null) => Promise<T>,
): Promise<T> {
  const before = anonymous || isPublic(endpoint) ? null : currentSession()
  try {
    return await act(before)
  } catch (error) {
    // Whoever opened his account took that back: the visitor is himself again, and told.
    if (error instanceof ApiError && error.code === 'http.delegation_ended') actFor(null)
    const reason = reasonOf(error)
    if (reason === null || anonymous) throw error
    // Another tab may have signed in anew meanwhile; or another call have found out first, and have asked.
    const now = currentSession()
    if (now === null || now.token === before?.token) {
      const answer = askToSignIn(reason)
      if (before !== null && reason !== 'prove') endSession(before.token)
      if (!(await answer)) throw error
    }
    const after = currentSession()
    if (after === null || (before !== null && after.userId !== before.userId)) throw error
    return await act(after)
  }
}

/** Who asks, and in which language, as every call says it. */
export function headersOf(endpoint: Endpoint, session: Session | null, accept: string): Headers {
  const headers = new Headers({ accept, 'accept-language': document.documentElement.lang || 'en' })
  if (session !== null) headers.set('authorization', `Bearer ${session.token}`)
  // What nobody may do for somebody else, he does in his own account.
  if (session !== null && session.delegation !== null && endpoint.delegable !== null)
    headers.set('x-delegation', session.delegation)
  return headers
}

async function send<E extends Endpoint>(
  endpoint: E,
  input: CallInput<E>,
  accept: string,
  session: Session | null,
): Promise<Response> {
  const headers = headersOf(endpoint, session, accept)
  for (const [name, value] of Object.entries(input.headers ?? {})) headers.set(name, value)
  if (typeof input.evidenceToken === 'string') headers.set('x-evidence-token', input.evidenceToken)
  if (input.body !== undefined) headers.set('content-type', 'application/json')
  let response: Response
  try {
    response = await fetch(addressOf(endpoint, input.params, input.query), {
      method: endpoint.method,
      headers,
      body: input.body === undefined ? null : JSON.stringify(input.body),
      // C-00: no ambient authority; a call carries exactly what is given to it.
      credentials: 'omit',
      cache: 'no-store',
      signal: input.signal ?? null,
    })
  } catch (cause) {
    if (input.signal?.aborted === true) throw cause
    void connection.check()
    throw new ApiError(0, silent('ui.error.network', ''), cause)
  }
  noteServerDate(response.headers.get('date'))
  if (!response.ok) throw await errorOf(response)
  return response
}

/** Calls an endpoint and checks the answer against its schema: what does not fit the contract is an error, not data. */
export async function call<E extends Endpoint>(endpoint: E, input: CallInput<E>): Promise<ResponseOf<E>> {
  const read = readerOf(endpoint)
  return await read(await request(endpoint, input, 'application/json'))
}

/** What checks an answer against the schema of its endpoint. */
export function readerOf<E extends Endpoint>(endpoint: E): (response: Response) => Promise<ResponseOf<E>> {
  const schema = endpoint.response
  if (schema === 'stream' || schema === 'events') throw new TypeError(`${endpoint.path} answers a stream`)
  return async (response) => {
    const requestId = response.headers.get('x-request-id') ?? ''
    let body: unknown
    try {
      body = await response.json()
    } catch (cause) {
      throw new ApiError(502, silent('ui.error.unreadable', requestId), cause)
    }
    const parsed = schema.safeParse(body)
    if (!parsed.success) throw new ApiError(502, silent('ui.error.unreadable', requestId), parsed.error)
    return parsed.data as ResponseOf<E>
  }
}

import type { BodyInputOf, Endpoint, ParamsOf, QueryInputOf, ResponseOf } from '../../kernel/endpoint.ts'
import { wireError, type WireError } from '../../kernel/wire-error.ts'
import { apiAddress } from './api-address.ts'
import { ApiError } from './api-error.ts'
import { noteServerDate } from './server-clock.ts'

type Part<Name extends string, T> = [T] extends [undefined] ? { [K in Name]?: undefined } : { [K in Name]: T }
export type CallInput<E extends Endpoint> = Part<'params', ParamsOf<E>> &
  ([QueryInputOf<E>] extends [undefined] ? { query?: undefined } : { query?: QueryInputOf<E> }) &
  Part<'body', BodyInputOf<E>> & {
    /** Key to a draft, sent as `X-Evidence-Token`. */
    evidenceToken?: string
    signal?: AbortSignal
    headers?: Readonly<Record<string, string>>
  }

function addressOf(endpoint: Endpoint, params: unknown, query: unknown): string {
  const given = (params ?? {}) as Readonly<Record<string, unknown>>
  const path = endpoint.path.replace(/:([a-z_]+)/g, (_, name: string) => encodeURIComponent(String(given[name])))
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries((query ?? {}) as Readonly<Record<string, unknown>>)) {
    if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') search.set(name, String(value))
  }
  return apiAddress(path) + (search.size > 0 ? `?${search}` : '')
}

function silent(code: string, requestId: string): WireError {
  return { code, message: code, fields: {}, data: {}, request_id: requestId }
}

async function errorOf(response: Response): Promise<ApiError> {
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

/** Sends one request. @throws ApiError for every answer that is not a success; DOMException `AbortError` when aborted. */
export async function request<E extends Endpoint>(endpoint: E, input: CallInput<E>, accept: string): Promise<Response> {
  const headers = new Headers({ accept, 'accept-language': document.documentElement.lang || 'en', ...input.headers })
  if (input.evidenceToken !== undefined) headers.set('x-evidence-token', input.evidenceToken)
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
    throw new ApiError(0, silent('ui.error.network', ''), cause)
  }
  noteServerDate(response.headers.get('date'))
  if (!response.ok) throw await errorOf(response)
  return response
}

/** Calls an endpoint and checks the answer against its schema: what does not fit the contract is an error, not data. */
export async function call<E extends Endpoint>(endpoint: E, input: CallInput<E>): Promise<ResponseOf<E>> {
  const schema = endpoint.response
  if (schema === 'stream' || schema === 'events') throw new TypeError(`${endpoint.path} answers a stream`)
  const response = await request(endpoint, input, 'application/json')
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

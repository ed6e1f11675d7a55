import type { HttpServer } from '../platform/http/server.ts'

export type Answered<T> = {
  readonly status: number
  /** Empty when the answer is no JSON. */
  readonly body: T
  readonly raw: Buffer
  readonly headers: Record<string, unknown>
}

/** Calls over a server that a test opens later; `user` is the bearer token, and null nobody. */
export function callsOf(server: () => HttpServer) {
  return async <T>(
    method: 'GET' | 'POST' | 'PATCH' | 'DELETE',
    url: string,
    user: string | null,
    payload?: object | Buffer,
    more: Readonly<Record<string, string>> = {},
  ): Promise<Answered<T>> => {
    const headers = {
      ...more,
      ...(user === null ? {} : { authorization: `Bearer ${user}` }),
      ...(Buffer.isBuffer(payload) ? { 'content-type': 'application/octet-stream' } : {}),
    }
    const answer = await server().inject({ method, url, headers, ...(payload === undefined ? {} : { payload }) })
    const isJson = String(answer.headers['content-type']).startsWith('application/json')
    return {
      status: answer.statusCode,
      body: (isJson ? answer.json() : {}) as T,
      raw: answer.rawPayload,
      headers: answer.headers,
    }
  }
}

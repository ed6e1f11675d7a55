import { createHash } from 'node:crypto'
import type { SiteRequest, SiteResponse } from './page.ts'

export const sha256 = (bytes: Uint8Array | string): string => createHash('sha256').update(bytes).digest('hex')

/** One answer as the server sent it: what a package is checked against. */
export type Sent = {
  readonly method: string
  /** Absolute, as asked. */
  readonly url: string
  readonly protocol: 'http/1.1' | 'h2'
  readonly status: number
  readonly headers: Readonly<Record<string, string | readonly string[]>>
  /** Body without transfer coding, content coding included. */
  readonly bytes: number
  readonly sha256: string
  /** SHA-256 of the content before any content coding. */
  readonly contentSha256: string
  readonly request: { readonly bytes: number; readonly sha256: string }
  readonly trailers: Readonly<Record<string, string>>
  readonly interim: readonly number[]
}

export type Reply = {
  readonly status?: number
  readonly headers?: Readonly<Record<string, string | readonly string[]>>
  /** As sent; `content` is what it decodes to, when they differ. */
  readonly body?: string | Uint8Array
  readonly content?: string | Uint8Array
  /** Sent in parts of this size without a length: chunked in HTTP/1.1. */
  readonly parts?: number
  readonly trailers?: Readonly<Record<string, string>>
  readonly interim?: readonly (100 | 102 | 103)[]
}

/** The whole body of a request. */
export async function bodyOf(request: SiteRequest): Promise<Buffer> {
  const parts: Buffer[] = []
  for await (const part of request) parts.push(part as Buffer)
  return Buffer.concat(parts)
}

/** Sends a reply and writes down what was sent. A body asked for by HEAD, or with a status that has none, is not sent. */
export async function sendLogged(
  log: Sent[],
  asked: { readonly url: string; readonly body: Uint8Array },
  request: SiteRequest,
  response: SiteResponse,
  reply: Reply,
): Promise<void> {
  const status = reply.status ?? 200
  const body = Buffer.from(reply.body ?? '')
  const silent = request.method === 'HEAD' || status === 204 || status === 304
  for (const interim of reply.interim ?? []) {
    if (interim === 100) response.writeContinue()
    else if (interim === 102) response.writeProcessing()
    else response.writeEarlyHints({ link: '</style.css>; rel=preload; as=style' })
  }
  const length = reply.parts === undefined && status !== 204 && status !== 304 ? { 'content-length': String(body.length) } : {}
  const trailer =
    reply.trailers === undefined || request.httpVersionMajor > 1 ? {} : { trailer: Object.keys(reply.trailers).join(', ') }
  const headers = { ...length, ...trailer, ...reply.headers }
  const sent = silent ? Buffer.alloc(0) : body
  log.push({
    method: request.method ?? '',
    url: asked.url,
    protocol: request.httpVersionMajor > 1 ? 'h2' : 'http/1.1',
    status,
    headers,
    bytes: sent.length,
    sha256: sha256(sent),
    contentSha256: silent ? sha256('') : sha256(reply.content ?? body),
    request: { bytes: asked.body.length, sha256: sha256(asked.body) },
    trailers: reply.trailers ?? {},
    interim: reply.interim ?? [],
  })
  response.writeHead(status, headers as Record<string, string>)
  if (silent) {
    response.end()
    return
  }
  if (reply.parts === undefined) {
    response.end(body)
    return
  }
  for (let at = 0; at < body.length; at += reply.parts) {
    response.write(body.subarray(at, at + reply.parts))
    // Each part leaves by itself, so that streams interleave and chunks are many.
    await new Promise((resolve) => setImmediate(resolve))
  }
  if (reply.trailers !== undefined) response.addTrailers(reply.trailers)
  response.end()
}

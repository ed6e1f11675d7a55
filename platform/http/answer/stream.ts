import { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { ByteRange } from '../../blobs/blob-store.ts'
import { parseRange } from './byte-range.ts'
import { contentDisposition } from './content-disposition.ts'

export type StreamedContent = {
  readonly totalBytes: number
  readonly mediaType: string
  readonly disposition: 'inline' | 'attachment'
  readonly fileName?: string
  /** What the bytes are determined by, without quotes: becomes a strong validator. */
  readonly etag: string
  /** Made by a stranger's page: shown without scripts, without its origin's rights. */
  readonly captured: boolean
  /** Opens the bytes asked for, both ends included. */
  open(range: ByteRange): Promise<Readable>
}

/**
 * Captured HTML and SVG may run nothing and load nothing, and sit in an origin of their own. A PDF is shown by the browser's
 * viewer, which has no access to this origin, and which Chromium refuses to start inside a sandboxed document.
 */
function policyOf(content: Pick<StreamedContent, 'mediaType' | 'captured'>): string {
  if (content.mediaType === 'application/pdf')
    return "default-src 'self'; script-src 'none'; style-src 'unsafe-inline'; object-src 'self'; base-uri 'none'; frame-ancestors 'self'"
  const sandbox = content.captured ? 'sandbox; ' : ''
  return `${sandbox}default-src 'none'; img-src 'self' data:; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'self'`
}

/** Answers with bytes: conditional requests and one range (RFC 9110 §13, §14), HEAD without opening anything. */
export async function sendStream(reply: FastifyReply, request: FastifyRequest, content: StreamedContent): Promise<FastifyReply> {
  const etag = `"${content.etag.replaceAll(/[^\x21\x23-\x7e]/g, '_')}"`
  reply.headers({
    'accept-ranges': 'bytes',
    etag,
    'cache-control': 'private, no-cache',
    'content-security-policy': policyOf(content),
    'cross-origin-resource-policy': 'same-origin',
    'content-disposition': contentDisposition(content.disposition, content.fileName),
  })
  const { headers } = request
  if (headers['if-none-match']?.split(',').some((tag) => ['*', etag, `W/${etag}`].includes(tag.trim())) === true)
    return await reply.code(304).send()
  // RFC 9110 §13.1.5: with an If-Range that is not this very representation, the whole is sent.
  const ifRange = headers['if-range']
  const range = ifRange === undefined || ifRange === etag ? parseRange(headers.range, content.totalBytes) : undefined
  if (range === 'unsatisfiable') {
    reply.removeHeader('content-disposition')
    return await reply.code(416).header('content-range', `bytes */${content.totalBytes}`).send()
  }
  const { start, end } = range ?? { start: 0, end: content.totalBytes - 1 }
  if (range !== undefined) reply.code(206).header('content-range', `bytes ${start}-${end}/${content.totalBytes}`)
  reply.header('content-type', content.mediaType).header('content-length', end - start + 1)
  const nothing = request.method === 'HEAD' || end < start
  return await reply.send(nothing ? Readable.from([]) : await content.open({ start, end }))
}

/** Answers with bytes that are made as they are sent: a download of a length that nobody knows, whole or not at all. */
export async function sendGrowing(
  reply: FastifyReply,
  bytes: Readable,
  content: Pick<StreamedContent, 'mediaType'> & { readonly fileName: string },
): Promise<FastifyReply> {
  reply.headers({
    'accept-ranges': 'none',
    'cache-control': 'no-store',
    'content-security-policy': policyOf({ mediaType: content.mediaType, captured: true }),
    'cross-origin-resource-policy': 'same-origin',
    'content-disposition': contentDisposition('attachment', content.fileName),
    'content-type': content.mediaType,
  })
  return await reply.send(bytes)
}

import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import { DomainError, httpStatusOf, type ErrorKind } from '../../kernel/errors.ts'
import type { WireError } from '../../kernel/wire-error.ts'
import type { Log } from '../log/log.ts'
import { createMessages, type MessageId } from '../messages/messages.ts'
import { localeOf } from './request/locale-of.ts'
import type { NoteRefusal } from './request/note-refusal.ts'

/** Words for an expected failure whose code has none of its own. */
const wordsOfKind: Readonly<Record<ErrorKind, MessageId>> = {
  invalid: 'http.invalid_request',
  unauthenticated: 'http.sign_in_required',
  forbidden: 'http.forbidden',
  not_found: 'http.not_found',
  conflict: 'http.conflict',
  gone: 'http.gone',
  too_large: 'http.too_large',
  limited: 'http.limited',
  unavailable: 'http.unavailable',
}

/** Failures that the HTTP server itself finds before any handler runs, by their status. */
const codeOfStatus: Readonly<Record<number, MessageId>> = {
  400: 'http.invalid_request',
  404: 'http.not_found',
  408: 'http.invalid_request',
  413: 'http.too_large',
  414: 'http.too_large',
  415: 'http.unsupported_media_type',
  431: 'http.too_large',
  503: 'http.unavailable',
}

type Issue = NonNullable<FastifyError['validation']>[number]

/**
 * Code of a rejected field: the contract's own word when it gave one (`{ error: 'required' }`), otherwise what zod found.
 */
function fieldCode({ keyword, message = '' }: Issue): string {
  if (/^[a-z][a-z0-9]*(?:[_.][a-z0-9]+)*$/.test(message)) return message
  if (keyword === 'invalid_type' && message.endsWith('received undefined')) return 'required'
  return keyword === 'too_big' || keyword === 'too_small' ? keyword : 'invalid'
}

/** Keyed by the wire name of the field; nested ones with dots, the body as a whole as `body`. */
function fieldsOf(issues: readonly Issue[]): Record<string, string[]> {
  const grouped = Map.groupBy(issues, (issue) => issue.instancePath.slice(1).replaceAll('/', '.') || 'body')
  return Object.fromEntries([...grouped].map(([name, each]) => [name, each.map(fieldCode)]))
}

function describe(error: FastifyError): {
  status: number
  code: string
  kind: ErrorKind | undefined
  fields: WireError['fields']
  data: WireError['data']
} {
  const none = { kind: undefined, fields: {}, data: {} }
  if (error instanceof DomainError) {
    const fields = Object.fromEntries(Object.entries(error.fields).map(([name, codes]) => [name, [...codes]]))
    return { status: httpStatusOf(error), code: error.code, kind: error.kind, fields, data: { ...error.data } }
  }
  if (error.validation !== undefined)
    return { ...none, status: 400, code: 'http.invalid_request', fields: fieldsOf(error.validation) }
  if (error.name === 'UnknownMiddleware') return { ...none, status: 500, code: 'http.unknown_middleware' }
  // Only the HTTP server's own errors name a status: one that a library put on its error is still a defect here.
  const status = (error.code ?? '').startsWith('FST_') ? (error.statusCode ?? 500) : 500
  if (error.code === 'FST_ERR_CTP_INVALID_JSON_BODY' || error.code === 'FST_ERR_CTP_EMPTY_JSON_BODY') {
    return { ...none, status: 400, code: 'http.malformed_json' }
  }
  const code = codeOfStatus[status]
  return code === undefined ? { ...none, status: 500, code: 'http.internal' } : { ...none, status, code }
}

/** Renders whatever was thrown as the one error shape (decision H-06). A defect is logged and shown without any detail. */
export async function sendError(
  error: FastifyError,
  request: FastifyRequest,
  reply: FastifyReply,
  { log, noteRefusal }: { readonly log: Log; readonly noteRefusal: NoteRefusal },
): Promise<FastifyReply> {
  // Whoever hangs up in the middle of his own request is no fault of ours, and reads no answer.
  const hungUp = request.raw.destroyed && !request.raw.complete
  const { status, code, kind, fields, data } = describe(error)
  noteRefusal(request, status, code)
  if (status >= 500 && kind === undefined && !hungUp)
    log.error({ err: error, request_id: request.id, route: request.routeOptions.url }, 'request failed')
  const messages = createMessages(localeOf(request))
  if (!messages.has(code)) log.warn({ code }, 'an error code has no words of its own')
  const words = { ...data, request_id: request.id }
  let message: string
  try {
    message = messages.has(code) ? messages.format(code, words) : messages.format(wordsOfKind[kind ?? 'invalid'])
  } catch (formatError) {
    log.error({ err: formatError, code }, 'message of an error could not be formatted')
    message = messages.format(wordsOfKind[kind ?? 'unavailable'])
  }
  if (typeof data['seconds'] === 'number' && (status === 429 || status === 503))
    reply.header('retry-after', Math.ceil(data['seconds']))
  const body: WireError = { code, message, fields, data, request_id: request.id }
  // Serialised here: the route's own serialiser knows only its success.
  return await reply
    .code(status)
    .header('cache-control', 'no-store')
    .type('application/json; charset=utf-8')
    .serializer(String)
    .send(JSON.stringify(body))
}

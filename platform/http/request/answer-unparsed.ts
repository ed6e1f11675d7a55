import { STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import { defaultLocale } from '../../../kernel/locale.ts'
import type { WireError } from '../../../kernel/wire-error.ts'
import { createMessages, type MessageId } from '../../messages/messages.ts'

const answers: Readonly<Record<string, readonly [status: number, code: MessageId]>> = {
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'http.invalid_request'],
  HPE_HEADER_OVERFLOW: [431, 'http.too_large'],
}

/**
 * Answers what Node's parser refused before there was a request, so that no handler sees it: the one error shape with the headers of
 * every answer, and the connection ends, as what follows on it cannot be told apart from the rest (RFC 9112 §11.2).
 */
export function answerUnparsed(
  error: { readonly code?: string },
  socket: Socket,
  headers: Readonly<Record<string, string>>,
): void {
  if (error.code === 'ECONNRESET' || socket.destroyed) return
  const [status, code] = answers[error.code ?? ''] ?? [400, 'http.invalid_request']
  const message = createMessages(defaultLocale).format(code)
  const body = JSON.stringify({ code, message, fields: {}, data: {}, request_id: crypto.randomUUID() } satisfies WireError)
  const lines = Object.entries({
    ...headers,
    connection: 'close',
    'cache-control': 'no-store',
    'content-type': 'application/json; charset=utf-8',
    'content-length': String(Buffer.byteLength(body)),
  }).map(([name, value]) => `${name}: ${value}`)
  if (socket.writable) socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}\r\n${lines.join('\r\n')}\r\n\r\n${body}`)
  // Whoever does not read it keeps no connection.
  socket.destroySoon()
}

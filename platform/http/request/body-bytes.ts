import type { IncomingMessage, ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import { DomainError } from '../../../kernel/errors.ts'
import { answerUnparsed } from './answer-unparsed.ts'

/** Least pace of an upload, in bytes a second: whoever is slower holds a connection for nothing. */
const leastPace = 64 * 1024
/** For any request's way here, its body aside. */
export const receivingMs = 30_000

/** How long a body of at most so many bytes may take to arrive, in milliseconds. */
export function receivingTime(largest: number): number {
  return receivingMs + Math.ceil((largest / leastPace) * 1000)
}

/**
 * The body of a call that takes a file, as it arrives. Fails with `http.upload_too_large`, before a byte is read when the length is
 * told in advance, with `http.upload_interrupted` when the sender went away, and with what the signal was aborted for.
 */
export function bodyBytes(raw: IncomingMessage, largest: number, signal?: AbortSignal): Readable {
  async function* read(): AsyncGenerator<Buffer> {
    const tooLarge = () => new DomainError('too_large', 'http.upload_too_large', { bytes: largest })
    if (Number(raw.headers['content-length'] ?? 0) > largest) throw tooLarge()
    let taken = 0
    // The connection must live on to carry the answer.
    const chunks = raw.iterator({ destroyOnReturn: false })
    const ended = Promise.withResolvers<never>()
    // Nobody waits for it any more, once the body is read.
    ended.promise.catch(() => undefined)
    signal?.addEventListener('abort', () => ended.reject(signal.reason as Error), { once: true })
    for (;;) {
      signal?.throwIfAborted()
      const coming = chunks.next().catch((cause: unknown) => {
        throw new DomainError('invalid', 'http.upload_interrupted', {}, { cause })
      }) as Promise<IteratorResult<Buffer>>
      const next = await Promise.race([coming, ended.promise])
      if (next.done === true) return
      taken += next.value.length
      if (taken > largest) throw tooLarge()
      yield next.value
    }
  }
  return Readable.from(read(), { objectMode: false })
}

/** What is still on its way after the answer is thrown away, so that the sender gets to read the answer; but not without end. */
export function discardRest(raw: IncomingMessage, most: number): void {
  if (raw.complete || raw.destroyed) return
  let left = most
  raw.on('data', (chunk: Buffer) => {
    left -= chunk.length
    if (left < 0) raw.destroy()
  })
}

/** Ends the connection of a request that has not come whole by then. @param always headers of every answer */
export function boundReceiving(
  raw: IncomingMessage,
  response: ServerResponse,
  ms: number,
  always: Readonly<Record<string, string>> = {},
): void {
  const { socket, headers } = raw
  if (headers['content-length'] === undefined && headers['transfer-encoding'] === undefined) return
  const timer = setTimeout(() => {
    if (raw.complete || socket.destroyed) return
    answerUnparsed({ code: 'ERR_HTTP_REQUEST_TIMEOUT' }, socket, always)
  }, ms).unref()
  raw.once('close', () => clearTimeout(timer))
  // From its answer on, what is still to come is bounded by its size, and by the longest time that the server gives any request.
  response.once('finish', () => clearTimeout(timer))
}

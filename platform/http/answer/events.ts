import type { FastifyReply } from 'fastify'
import type { Admission } from '../../admission/admissions.ts'

/** One server-sent event (WHATWG HTML §9.2). `data` is sent as JSON. */
export type ServerEvent = { readonly id?: string; readonly event?: string; readonly data: unknown }

/** Proxies cut idle connections, often after 30 to 60 s; a comment line keeps them open and shows a dead peer. */
const heartbeatMs = 15_000

function encode(event: ServerEvent): string {
  const line = (text: string) => text.replace(/[\r\n\0]/g, ' ')
  let out = ''
  if (event.id !== undefined) out += `id: ${line(event.id)}\n`
  if (event.event !== undefined) out += `event: ${line(event.event)}\n`
  return `${out}data: ${JSON.stringify(event.data)}\n\n`
}

/**
 * Sends events until the source ends, the client leaves, or what admitted it ends: then nothing more is sent, not even what waits. The signal given to the source is aborted at that moment: a
 * source that waits for the next change ends its wait by it, so that its `finally` runs. A client that reads slowly slows
 * the source (back-pressure) instead of filling memory.
 */
export async function sendEvents(
  reply: FastifyReply,
  admission: Admission,
  source: AsyncIterable<ServerEvent> | ((signal: AbortSignal) => AsyncIterable<ServerEvent>),
  options: { heartbeatMs?: number } = {},
): Promise<FastifyReply> {
  const { raw } = reply
  const leaving = new AbortController()
  const { signal } = leaving
  const left = once(signal)
  const leave = () => leaving.abort()
  raw.once('close', leave)
  raw.once('error', leave)
  const cut = () => {
    leave()
    if (raw.writableLength > 0) raw.destroy()
  }
  admission.signal.addEventListener('abort', cut, { once: true })
  const iterator = (typeof source === 'function' ? source(signal) : source)[Symbol.asyncIterator]()
  reply.hijack()
  for (const [name, value] of Object.entries(reply.getHeaders())) if (value !== undefined) raw.setHeader(name, value)
  raw.writeHead(200, {
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-store, no-transform',
    'x-accel-buffering': 'no',
  })
  // Who left before anybody listened for that is not announced any more.
  if (raw.destroyed || admission.signal.aborted) leave()
  const heartbeat = setInterval(() => {
    if (raw.destroyed) leave()
    else if (raw.writableLength === 0) raw.write(': \n\n')
  }, options.heartbeatMs ?? heartbeatMs)
  try {
    raw.write(': open\n\n')
    while (!signal.aborted) {
      const next = await Promise.race([iterator.next(), left])
      if (signal.aborted || next === undefined || next.done === true) break
      if (!raw.write(encode(next.value))) await Promise.race([drained(raw), left])
    }
  } catch (error) {
    if (!signal.aborted) reply.log.error({ err: error }, 'event source failed')
  } finally {
    clearInterval(heartbeat)
    leave()
    if (!raw.writableEnded) raw.end()
    // Not awaited: a generator waiting inside next() settles its return() only when that next() does.
    void closeSource(iterator, reply)
  }
  return reply
}

async function once(signal: AbortSignal): Promise<undefined> {
  const { promise, resolve } = Promise.withResolvers<undefined>()
  signal.addEventListener('abort', () => resolve(undefined), { once: true })
  return await promise
}

async function drained(raw: FastifyReply['raw']): Promise<undefined> {
  const { promise, resolve } = Promise.withResolvers<undefined>()
  raw.once('drain', () => resolve(undefined))
  return await promise
}

async function closeSource(iterator: AsyncIterator<ServerEvent>, reply: FastifyReply): Promise<void> {
  try {
    await iterator.return?.()
  } catch (error) {
    reply.log.error({ err: error }, 'event source did not close')
  }
}

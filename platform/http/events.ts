import type { FastifyReply } from 'fastify'

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
 * Sends events until the source ends or the client leaves; then the source's iterator is returned, so that its `finally`
 * runs. A client that reads slowly slows the source (back-pressure) instead of filling memory.
 */
export async function sendEvents(
  reply: FastifyReply,
  source: AsyncIterable<ServerEvent>,
  options: { heartbeatMs?: number } = {},
): Promise<FastifyReply> {
  const iterator = source[Symbol.asyncIterator]()
  const { raw } = reply
  reply.hijack()
  for (const [name, value] of Object.entries(reply.getHeaders())) if (value !== undefined) raw.setHeader(name, value)
  raw.writeHead(200, {
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-store, no-transform',
    'x-accel-buffering': 'no',
    connection: 'keep-alive',
  })
  const left = Promise.withResolvers<undefined>()
  let open = true
  const leave = () => {
    open = false
    left.resolve(undefined)
  }
  raw.once('close', leave)
  raw.once('error', leave)
  const heartbeat = setInterval(() => {
    if (raw.writableLength === 0) raw.write(': \n\n')
  }, options.heartbeatMs ?? heartbeatMs)
  try {
    raw.write(': open\n\n')
    while (open) {
      const next = await Promise.race([iterator.next(), left.promise])
      if (next === undefined || next.done === true) break
      if (!raw.write(encode(next.value))) {
        const drained = Promise.withResolvers<void>()
        raw.once('drain', drained.resolve)
        await Promise.race([drained.promise, left.promise])
      }
    }
  } catch (error) {
    reply.log.error({ err: error }, 'event source failed')
  } finally {
    clearInterval(heartbeat)
    if (!raw.writableEnded) raw.end()
    // Not awaited: an iterator blocked inside next() settles its return() only when that next() does.
    iterator.return?.()?.catch((error: unknown) => reply.log.error({ err: error }, 'event source did not close'))
  }
  return reply
}

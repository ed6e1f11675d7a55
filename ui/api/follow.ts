import type { Endpoint } from '../../kernel/endpoint.ts'
import { ApiError } from './api-error.ts'
import { request, type CallInput } from './call.ts'
import { parseServerSentEvents, type ServerSentEvent } from './server-sent-events.ts'

async function* textOf(stream: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  const reader = stream.pipeThrough(new TextDecoderStream() as TransformStream<Uint8Array, string>).getReader()
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return
      yield value
    }
  } finally {
    await reader.cancel().catch(() => undefined)
  }
}

function wait(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer)
      window.removeEventListener('online', done)
      signal.removeEventListener('abort', done)
      resolve()
    }
    const timer = setTimeout(done, milliseconds)
    window.addEventListener('online', done)
    signal.addEventListener('abort', done)
  })
}

/** No answer for this long, not even a heartbeat comment: the connection is taken for dead and made again. */
const silence = 45_000

/**
 * Follows an event stream until `signal` aborts or `onEvent` returns false. Fetch rather than EventSource, since a draft's key
 * travels in a header. Resumes after the last event seen; waits 1, 2, 4 … 30 s between attempts, less when the network is back.
 * @throws ApiError when the server refuses (4xx), which trying again would not change.
 */
export async function follow<E extends Endpoint>(
  endpoint: E,
  input: CallInput<E> & { signal: AbortSignal },
  on: { event: (event: ServerSentEvent) => boolean; connected: (connected: boolean) => void },
): Promise<void> {
  let last = ''
  let failures = 0
  while (!input.signal.aborted) {
    const attempt = new AbortController()
    const stop = () => attempt.abort()
    input.signal.addEventListener('abort', stop)
    let watchdog = setTimeout(stop, silence)
    try {
      const headers: Record<string, string> = last === '' ? {} : { 'last-event-id': last }
      const response = await request(endpoint, { ...input, signal: attempt.signal, headers }, 'text/event-stream')
      if (response.body === null) throw new TypeError('an event stream without a body')
      on.connected(true)
      const chunks = (async function* () {
        for await (const chunk of textOf(response.body as ReadableStream<Uint8Array>)) {
          clearTimeout(watchdog)
          watchdog = setTimeout(stop, silence)
          yield chunk
        }
      })()
      for await (const event of parseServerSentEvents(chunks)) {
        failures = 0
        if (event.id !== '') last = event.id
        if (!on.event(event)) return
      }
    } catch (error) {
      if (error instanceof ApiError && error.status >= 400 && error.status < 500 && error.status !== 429) throw error
    } finally {
      clearTimeout(watchdog)
      input.signal.removeEventListener('abort', stop)
      attempt.abort()
    }
    if (input.signal.aborted) return
    on.connected(false)
    await wait(Math.min(30_000, 1000 * 2 ** failures), input.signal)
    failures += 1
  }
}

import { createSocket } from 'node:dgram'
import { ProbeError } from './probe-error.ts'

/** Datagrams that are no answer are passed over, up to so many: a flood must not hold the probe. */
const maxStrays = 32

/**
 * Sends one datagram and waits for its answer. The socket is connected: the kernel drops what comes from elsewhere and reports
 * a closed port. @returns the first datagram that `accepts` does not answer with null, and the milliseconds it took.
 * @throws ProbeError
 */
export function exchangeDatagram<T>(input: {
  readonly address: string
  readonly port: number
  readonly request: Uint8Array
  readonly timeoutMs: number
  readonly signal: AbortSignal
  /** Null: not an answer to this request. May throw: an answer that settles the matter. */
  accepts(reply: Buffer, elapsedMs: number): T | null
}): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    const socket = createSocket(input.address.includes(':') ? 'udp6' : 'udp4')
    let strays = 0
    let sentAt = 0
    let settled = false
    const settle = (end: () => void): void => {
      if (settled) return
      settled = true
      clearTimeout(timer)
      input.signal.removeEventListener('abort', cancel)
      socket.close()
      end()
    }
    const fail = (reason: string): void => settle(() => reject(new ProbeError(reason)))
    const cancel = (): void => fail('cancelled')
    // What has arrived while the process was busy is read first: timers come before it in the event loop.
    const timer = setTimeout(() => setImmediate(() => fail('timeout')), input.timeoutMs)
    socket.on('error', (error: NodeJS.ErrnoException) => fail(error.code ?? 'failed'))
    socket.on('message', (reply) => {
      const elapsed = performance.now() - sentAt
      try {
        const answer = input.accepts(reply, elapsed)
        if (answer !== null) settle(() => resolve(answer))
        else if ((strays += 1) >= maxStrays) fail('flooded')
      } catch (error) {
        settle(() => reject(error instanceof Error ? error : new ProbeError('malformed')))
      }
    })
    if (input.signal.aborted) return cancel()
    input.signal.addEventListener('abort', cancel, { once: true })
    socket.connect(input.port, input.address, (error?: Error) => {
      if (error !== undefined && error !== null) return fail((error as NodeJS.ErrnoException).code ?? 'failed')
      if (settled) return
      sentAt = performance.now()
      socket.send(input.request)
    })
  })
}

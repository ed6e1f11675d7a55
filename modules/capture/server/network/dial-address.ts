/** Connects to one of several vetted addresses, the way browsers do: "Happy Eyeballs" (RFC 8305 §4, §5). */
import { connect, type Socket } from 'node:net'
import { canonicalIp } from '../../../../kernel/ip-address.ts'
import type { DialAttempt, Refusal } from './connection-record.ts'

/** RFC 8305 §5, Connection Attempt Delay. */
const attemptDelayMs = 250

export type DialResult = { readonly attempts: readonly DialAttempt[] } & (
  | { readonly ok: true; readonly socket: Socket; readonly address: string }
  | { readonly ok: false; readonly refusal: Refusal }
)

/** IPv6 first, families alternating, no address twice. */
export function orderAddresses(addresses: readonly string[]): string[] {
  const unique = [...new Set(addresses)]
  const sixes = unique.filter((address) => address.includes(':'))
  const fours = unique.filter((address) => !address.includes(':'))
  return Array.from({ length: Math.max(sixes.length, fours.length) }, (_, i) => [sixes[i], fours[i]])
    .flat()
    .filter((address) => address !== undefined)
}

/** The socket comes back paused, connected, its peer checked to be the address that was vetted. Never throws. */
export function dialAddress(
  addresses: readonly string[],
  port: number,
  options: { readonly timeoutMs: number; readonly now: () => number; readonly signal: AbortSignal },
): Promise<DialResult> {
  const queue = orderAddresses(addresses)
  const attempts: { address: string; at: number; outcome: string }[] = []
  const pending = new Map<Socket, (typeof attempts)[number]>()

  return new Promise((resolve) => {
    let next: NodeJS.Timeout | undefined
    let finished = false
    const finish = (
      end: { ok: true; socket: Socket; address: string } | { ok: false; refusal: Refusal },
      others: string,
    ): void => {
      if (finished) return
      finished = true
      clearTimeout(next)
      clearTimeout(deadline)
      options.signal.removeEventListener('abort', onAbort)
      for (const [socket, attempt] of pending) {
        attempt.outcome = others
        socket.destroy()
      }
      resolve({ ...end, attempts })
    }
    const giveUp = (): void => {
      const last = attempts.at(-1)
      const codes = attempts.map(({ outcome }) => outcome)
      const reason = last?.outcome ?? 'no_address'
      const code = codes.includes('peer_mismatch')
        ? 'private_address'
        : codes.includes('ECONNREFUSED')
          ? 'connection_refused'
          : codes.includes('ETIMEDOUT')
            ? 'timeout'
            : 'connection_failed'
      finish({ ok: false, refusal: { code, reason, address: last?.address ?? null } }, 'abandoned')
    }
    const onAbort = (): void =>
      finish({ ok: false, refusal: { code: 'connection_failed', reason: 'session_closed', address: null } }, 'abandoned')
    const deadline = setTimeout(
      () =>
        finish(
          { ok: false, refusal: { code: 'timeout', reason: 'connect_timeout', address: attempts.at(-1)?.address ?? null } },
          'timeout',
        ),
      options.timeoutMs,
    )
    const tryNext = (): void => {
      clearTimeout(next)
      if (finished) return
      const address = queue.shift()
      if (address === undefined) {
        if (pending.size === 0) giveUp()
        return
      }
      const attempt = { address, at: options.now(), outcome: 'pending' }
      attempts.push(attempt)
      // An address, never a name: nothing is resolved here.
      const socket = connect({
        host: address,
        port,
        family: address.includes(':') ? 6 : 4,
        allowHalfOpen: true,
        noDelay: true,
        autoSelectFamily: false,
      })
      pending.set(socket, attempt)
      const onError = (error: NodeJS.ErrnoException): void => {
        pending.delete(socket)
        if (finished) return
        attempt.outcome = error.code ?? 'failed'
        tryNext()
      }
      socket.on('error', onError)
      socket.once('connect', () => {
        pending.delete(socket)
        if (finished) return
        if (canonicalIp(socket.remoteAddress ?? '') !== address || socket.remotePort !== port) {
          attempt.outcome = 'peer_mismatch'
          socket.destroy()
          giveUp()
          return
        }
        attempt.outcome = 'connected'
        socket.off('error', onError)
        socket.pause()
        finish({ ok: true, socket, address }, 'abandoned')
      })
      next = setTimeout(tryNext, attemptDelayMs)
    }
    if (options.signal.aborted) onAbort()
    else {
      options.signal.addEventListener('abort', onAbort, { once: true })
      tryNext()
    }
  })
}

/** One connection of the browser to the tunnel, from its first request to its end. */
import type { EventEmitter } from 'node:events'
import type { Socket } from 'node:net'
import type { Log } from '../../../../platform/log/log.ts'
import type { Refusal, TunnelLimits } from './connection-record.ts'
import { dialAddress } from './dial-address.ts'
import { hostText, type RequestHead } from './parse-request-head.ts'
import type { LiveRecord, SessionRecord } from './record-session.ts'
import { relayBytes, type Relay } from './relay-bytes.ts'
import type { NameBook } from './resolve-names.ts'
import { createRequestSplitter, type RequestEvent } from './split-requests.ts'
import type { TunnelEvents } from './tunnel-events.ts'
import { vetTarget } from './vet-target.ts'

export type ClientInput = {
  /** Paused, half-open allowed. */
  readonly browser: Socket
  readonly session: SessionRecord
  readonly names: NameBook
  readonly events: EventEmitter<TunnelEvents>
  readonly limits: TunnelLimits
  readonly allow: readonly string[]
  readonly own: readonly string[]
  readonly log: Log
  readonly signal: AbortSignal
}

/** Resolves when the connection is over and its record whole. */
export async function serveClient(input: ClientInput): Promise<void> {
  const { browser, session, limits, signal } = input
  const splitter = createRequestSplitter(limits.headBytes)
  const first = await firstRequest(browser, splitter, limits, signal)
  if (first === null) {
    browser.destroy()
    return
  }
  const [opening, ...rest] = first
  if (opening === undefined || opening.kind === 'body') {
    browser.destroy()
    return
  }
  if (opening.kind === 'malformed') {
    const record = session.add({ kind: 'http', host: '', port: 0 })
    refuseRequest(input, record, { code: 'unparseable_address', reason: opening.reason, address: null })
    return
  }
  const { head } = opening
  const record = session.add({ kind: head.kind, host: hostText(head.host), port: head.port })
  const dialled = await reach(input, head, record)
  if (!dialled.ok) {
    refuseRequest(input, record, dialled.refusal)
    return
  }

  const origin = dialled.socket
  record.remote_address = dialled.address
  record.remote_port = head.port
  let relay: Relay | undefined
  const writer = session.open(record, (error) => {
    input.log.error({ err: error, connection: record.id }, 'a connection could not be recorded')
    relay?.cut('record_failed')
  })
  relay = relayBytes({ browser, origin, writer, record, idleTimeoutMs: limits.idleTimeoutMs })
  const { cut, send, endSending, start, closed } = relay
  const onAbort = (): void => cut('session_closed')
  if (signal.aborted) onAbort()
  else signal.addEventListener('abort', onAbort, { once: true })
  input.events.emit('opened', record)

  const take = (events: readonly RequestEvent[]): void => {
    for (const event of events) {
      if (event.kind === 'malformed') return cut('request_malformed')
      if (event.kind === 'body') {
        if (!send(event.bytes)) return
        continue
      }
      // One client connection serves one origin: a request to another one ends it, and browsers then ask anew.
      if (event.head.kind !== 'http' || hostText(event.head.host) !== record.host || event.head.port !== record.port)
        return cut('origin_changed')
      if (!send(event.head.forward)) return
    }
  }
  if (head.kind === 'connect') browser.write('HTTP/1.1 200 Connection Established\r\n\r\n')
  else send(head.forward)
  take(rest)
  // Unused until now: a paused socket hands its data over only from here on.
  browser.on('data', (chunk: Buffer) => take(splitter.push(chunk)))
  browser.on('end', endSending)
  browser.setTimeout(0)
  start()

  await closed
  signal.removeEventListener('abort', onAbort)
  if ((await writer.finish()) === 'record_failed') record.cut = 'record_failed'
  record.state = 'closed'
  record.closed_at = session.now()
  input.events.emit('closed', record)
}

/** Events of the bytes up to the first complete request head; null when the client leaves, dawdles or the session ends. */
function firstRequest(
  browser: Socket,
  splitter: ReturnType<typeof createRequestSplitter>,
  limits: TunnelLimits,
  signal: AbortSignal,
): Promise<readonly RequestEvent[] | null> {
  return new Promise((resolve) => {
    const finish = (events: readonly RequestEvent[] | null): void => {
      browser.pause()
      browser.off('data', onData)
      browser.off('end', onGone)
      browser.off('close', onGone)
      browser.off('timeout', onGone)
      signal.removeEventListener('abort', onGone)
      resolve(events)
    }
    const onGone = (): void => finish(null)
    const onData = (chunk: Buffer): void => {
      const events = splitter.push(chunk)
      if (events.length > 0) finish(events)
    }
    if (signal.aborted) return onGone()
    browser.on('data', onData)
    browser.once('end', onGone)
    browser.once('close', onGone)
    browser.setTimeout(limits.idleTimeoutMs, onGone)
    signal.addEventListener('abort', onGone, { once: true })
    browser.resume()
  })
}

type Reached =
  | { readonly ok: true; readonly socket: Socket; readonly address: string }
  | { readonly ok: false; readonly refusal: Refusal }

async function reach(input: ClientInput, head: RequestHead, record: LiveRecord): Promise<Reached> {
  const { session, limits, signal } = input
  const tooMany = (reason: string): Reached => ({ ok: false, refusal: { code: 'too_large', reason, address: null } })
  if (session.records.length > limits.requests) return tooMany('requests')
  const vetting = await vetTarget(input, head)
  if (!vetting.ok) return vetting
  const { bytes_sent, bytes_received } = session.totals()
  if (bytes_sent + bytes_received >= limits.bytesTotal) return tooMany('bytes_total')
  record.allowed_exception = vetting.exception
  const dialled = await dialAddress(vetting.addresses, head.port, {
    timeoutMs: limits.connectTimeoutMs,
    now: session.now,
    signal,
  })
  record.attempts = dialled.attempts
  return dialled
}

/**
 * Says 403 with the reason in a field of its own. For CONNECT the body repeats it (browsers never show it); for plain HTTP
 * the body is empty, so that a page can never show words that no origin served.
 */
function refuseRequest(input: ClientInput, record: LiveRecord, refusal: Refusal): void {
  record.state = 'refused'
  record.refusal = refusal
  record.closed_at = input.session.now()
  const body = record.kind === 'connect' ? `${JSON.stringify({ code: refusal.code, reason: refusal.reason })}\n` : ''
  const { browser } = input
  browser.setTimeout(input.limits.idleTimeoutMs, () => browser.destroy())
  browser.on('data', () => undefined)
  browser.resume()
  browser.end(
    `HTTP/1.1 403 Forbidden\r\nProbant-Refused: ${refusal.code}\r\nProbant-Refused-Reason: ${refusal.reason.replace(/[^\x21-\x7e]/g, '_')}\r\n` +
      `Content-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
  )
  browser.once('finish', () => browser.destroySoon())
  input.events.emit('refused', record)
}

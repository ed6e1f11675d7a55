/**
 * The session's only way out (design: the witness records and never decrypts). A proxy on a Unix socket: CONNECT, and plain
 * HTTP in absolute form. Every name is resolved once, every address vetted, pinned, dialled and checked again; the bytes of
 * both directions are copied unaltered and kept as they pass (decisions 0020 to 0022).
 */
import { EventEmitter } from 'node:events'
import { chmod, mkdir, rm } from 'node:fs/promises'
import { createServer, type Socket } from 'node:net'
import { networkInterfaces } from 'node:os'
import type { Clock } from '../../../../kernel/clock.ts'
import { canonicalIp } from '../../../../kernel/ip-address.ts'
import type { Log } from '../../../../platform/log/log.ts'
import type { ConnectionRecord, DnsRecord, RollingHash, TunnelLimits, TunnelTotals } from './connection-record.ts'
import { createNameBook, type NameResolver } from './resolve-names.ts'
import { createSessionRecord } from './record-session.ts'
import { serveClient } from './serve-client.ts'
import type { TunnelEvents } from './tunnel-events.ts'

export type Tunnel = {
  readonly events: EventEmitter<TunnelEvents>
  /** Every request in order, refused ones included. Records of open connections change until they close. */
  connections(): readonly ConnectionRecord[]
  dnsAnswers(): readonly DnsRecord[]
  totals(): TunnelTotals
  /** Lower-case hexadecimal SHA-256 of everything so far; its definition is in `rolling-hash.ts`. */
  rollingHash(): string
  /** The same with what it covers, for a timestamp taken now. */
  checkpoint(): RollingHash
  /** Ends every connection, waits for the files, removes the socket. Safe to call twice. */
  close(): Promise<void>
}

export type TunnelInput = {
  /** Unix socket to listen on (at most 107 bytes, sun_path), made with mode 0600. */
  readonly socketPath: string
  /** Folder of the `conn-NNNN.bin` files; made when missing. */
  readonly recordDir: string
  readonly resolver: NameResolver
  /** `ip:port` exceptions of the operator. */
  readonly allowAddresses: readonly string[]
  /** Public addresses of this installation, never reached. Those of the machine's interfaces are added. */
  readonly ownAddresses: readonly string[]
  readonly limits: TunnelLimits
  readonly clock: Clock
  readonly log: Log
  /** Closes the tunnel when aborted. */
  readonly signal: AbortSignal
}

export async function startTunnel(input: TunnelInput): Promise<Tunnel> {
  const { limits, clock, log, signal } = input
  signal.throwIfAborted()
  await mkdir(input.recordDir, { recursive: true, mode: 0o700 })
  const machine = Object.values(networkInterfaces()).flatMap((addresses) => (addresses ?? []).map(({ address }) => address))
  const own = [...input.ownAddresses, ...machine].map(canonicalIp).filter((address) => address !== null)
  const ending = new AbortController()
  const names = createNameBook({
    resolver: input.resolver,
    clock,
    own,
    maxNames: limits.names,
    timeoutMs: limits.dnsTimeoutMs,
    signal: ending.signal,
  })
  const session = createSessionRecord({ recordDir: input.recordDir, clock, limits })
  const events = new EventEmitter<TunnelEvents>()
  const clients = new Map<Socket, Promise<void>>()

  const server = createServer({ allowHalfOpen: true, pauseOnConnect: true }, (browser) => {
    browser.on('error', (error) => log.debug({ error: error.message }, 'client of the tunnel failed'))
    if (ending.signal.aborted || clients.size >= limits.concurrent) {
      browser.destroy()
      return
    }
    const served = serveClient({
      browser,
      session,
      names,
      events,
      limits,
      allow: input.allowAddresses,
      own,
      log,
      signal: ending.signal,
    })
      .catch((error: unknown) => {
        log.error({ err: error }, 'the tunnel failed on a connection')
        browser.destroy()
      })
      .finally(() => clients.delete(browser))
    clients.set(browser, served)
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(input.socketPath, () => {
      server.off('error', reject)
      resolve()
    })
  })
  server.on('error', (error) => log.error({ err: error }, 'the tunnel stopped accepting'))
  await chmod(input.socketPath, 0o600)

  let closing: Promise<void> | null = null
  const close = (): Promise<void> => {
    closing ??= (async () => {
      signal.removeEventListener('abort', onAbort)
      const stopped = new Promise<void>((resolve) => server.close(() => resolve()))
      ending.abort(new Error('session_closed'))
      await Promise.all(clients.values())
      await stopped
      await rm(input.socketPath, { force: true })
    })()
    return closing
  }
  const onAbort = (): void => {
    close().catch((error: unknown) => log.error({ err: error }, 'the tunnel could not be closed'))
  }
  signal.addEventListener('abort', onAbort, { once: true })
  if (signal.aborted) onAbort()

  return {
    events,
    connections: () => session.records,
    dnsAnswers: () => names.records(),
    totals: session.totals,
    rollingHash: () => session.checkpoint().sha256,
    checkpoint: session.checkpoint,
    close,
  }
}

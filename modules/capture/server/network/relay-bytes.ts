/**
 * Copies bytes between the browser's side and the origin's, unaltered, each kept before it is passed on. Neither side is
 * read faster than the other side and the disk take the bytes.
 */
import type { Socket } from 'node:net'
import type { CutReason } from './connection-record.ts'
import { readClientHello } from './read-client-hello.ts'
import type { ConnectionWriter, LiveRecord } from './record-session.ts'

export type Relay = {
  /** Passes bytes of the browser on to the origin. False once the connection is over. */
  readonly send: (bytes: Buffer) => boolean
  /** The browser ended its side. */
  readonly endSending: () => void
  readonly cut: (reason: CutReason) => void
  /** Lets both sides flow, once the caller listens to the browser. */
  readonly start: () => void
  /** Resolves when both sides are closed. The file may still be catching up. */
  readonly closed: Promise<void>
}

export function relayBytes(deps: {
  /** Paused or flowing; its data are the caller's to read and to pass to `send`. */
  readonly browser: Socket
  readonly origin: Socket
  readonly writer: ConnectionWriter
  readonly record: LiveRecord
  readonly idleTimeoutMs: number
}): Relay {
  const { browser, origin, writer, record } = deps
  let over = false
  let clientEnded = false
  let serverEnded = false
  let hello: Buffer | null = record.kind === 'connect' ? Buffer.alloc(0) : null

  const endedBy = (who: 'client' | 'server' | 'tunnel'): void => {
    record.ended_by ??= who
  }
  const cut = (reason: CutReason): void => {
    if (over) {
      // The origin is gone already; what the browser has not taken by now it will not take.
      browser.destroy()
      return
    }
    over = true
    // An origin that has said everything is whole, however long the browser kept its side open.
    if (!serverEnded || reason !== 'idle_timeout') record.cut = reason
    endedBy('tunnel')
    if (!clientEnded) writer.mark('client_end')
    clientEnded = true
    origin.destroy()
    browser.destroy()
  }

  const holds = { client: 0, server: 0 }
  const flow = (direction: 'client' | 'server'): void => {
    const source = direction === 'client' ? browser : origin
    if (holds[direction] === 0 && !source.destroyed) source.resume()
  }
  /** Holds a side back until the other side and the file have room again. */
  const holdBack = (direction: 'client' | 'server', whenFree: (release: () => void) => void): void => {
    holds[direction] += 1
    ;(direction === 'client' ? browser : origin).pause()
    whenFree(() => {
      holds[direction] -= 1
      flow(direction)
    })
  }

  const pass = (direction: 'client' | 'server', bytes: Buffer): boolean => {
    if (over) return false
    const kept = writer.append(direction, bytes)
    if (kept !== 'kept' && kept !== 'wait') {
      cut(kept)
      return false
    }
    const sink = direction === 'client' ? origin : browser
    if (sink.writable && !sink.write(bytes)) holdBack(direction, (release) => sink.once('drain', release))
    if (kept === 'wait') holdBack(direction, writer.drained)
    return true
  }

  const watchHello = (bytes: Buffer): void => {
    if (hello === null) return
    hello = Buffer.concat([hello, bytes])
    const reading = readClientHello(hello)
    if (reading.state === 'more') return
    hello = null
    record.sni = reading.sni
    record.sni_mismatch = reading.sni !== null && reading.sni.replace(/\.$/, '') !== record.host
  }

  origin.on('data', (bytes: Buffer) => pass('server', bytes))
  origin.on('end', () => {
    if (over) return
    serverEnded = true
    endedBy('server')
    writer.mark('server_end')
    browser.end()
  })
  origin.on('error', (error: NodeJS.ErrnoException) => {
    if (over) return
    over = true
    endedBy('server')
    // EPIPE and ECONNRESET: the origin is gone. What it had sent before has been passed on and stays so.
    writer.mark(error.code === 'ECONNRESET' || error.code === 'EPIPE' ? 'server_reset' : 'client_end')
    browser.end()
  })
  origin.setTimeout(deps.idleTimeoutMs, () => cut('idle_timeout'))

  const closed = new Promise<void>((resolve) => {
    let open = 2
    const one = (): void => {
      open -= 1
      if (open === 0) resolve()
    }
    origin.once('close', () => {
      over = true
      if (!browser.destroyed) {
        browser.setTimeout(deps.idleTimeoutMs, () => browser.destroy())
        browser.destroySoon()
      }
      one()
    })
    if (browser.destroyed) browserGone()
    else browser.once('close', browserGone)

    function browserGone(): void {
      if (!over && !(clientEnded && serverEnded)) {
        endedBy('client')
        if (!clientEnded) writer.mark('client_end')
        clientEnded = true
        over = true
        origin.destroy()
      }
      one()
    }
  })

  return {
    send: (bytes) => {
      watchHello(bytes)
      return pass('client', bytes)
    },
    endSending: () => {
      if (over || clientEnded) return
      clientEnded = true
      endedBy('client')
      writer.mark('client_end')
      origin.end()
    },
    cut,
    start: () => {
      flow('client')
      flow('server')
    },
    closed,
  }
}

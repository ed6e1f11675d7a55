/** Two WebSockets as one: a viewer's and that of its session, with back-pressure both ways. */
import type { RawData, WebSocket } from 'ws'
import { liveClose } from '../../contract/live.ts'

/** Bytes that may wait for one side before the other is no longer read. */
const highWater = 512 * 1024
const lowWater = 128 * 1024

const ourCodes: ReadonlySet<number> = new Set(Object.values(liveClose))

export type Message = { readonly data: RawData; readonly binary: boolean }

export type Close = { readonly code: number; readonly reason: string }

/** What the viewer may send; more ends the connection as malformed. Bytes. */
export type CarryRules = { readonly longestText: number; readonly longestBinary: number }

/**
 * Carries until either side ends, and then ends the other: the session's own code reaches the viewer, a session that is gone
 * without a word is `lost`. Both must be open.
 * @param early messages that either side sent before they were brought together, in order
 */
export function carryConnection(
  viewer: WebSocket,
  session: WebSocket,
  options: {
    readonly early: { readonly viewer: readonly Message[]; readonly session: readonly Message[] }
    readonly rules: CarryRules
    /** Ends both, at once, with the reason that it is aborted for. */
    readonly ended: { readonly signal: AbortSignal; readonly close: () => Close }
  },
): void {
  const { rules, ended } = options
  let over = false
  const end = (code: number, reason: string) => {
    if (over) return
    over = true
    closeOrDrop(viewer, code, reason)
    // The session learns that its viewer left, and needs no reason.
    closeOrDrop(session, 1000, '')
  }
  const forward = (from: WebSocket, to: WebSocket, data: RawData, binary: boolean) => {
    if (over || to.readyState !== to.OPEN) return
    to.send(data, { binary }, () => {
      if (from.isPaused && to.bufferedAmount < lowWater) from.resume()
    })
    if (to.bufferedAmount > highWater) from.pause()
  }
  const fromViewer = (data: RawData, binary: boolean) => {
    const longest = binary ? rules.longestBinary : rules.longestText
    if ((data as Buffer).length > longest) return end(liveClose.malformed, 'too_long')
    forward(viewer, session, data, binary)
  }
  const letGo = () => {
    const { code, reason } = ended.close()
    end(code, reason)
  }
  ended.signal.addEventListener('abort', letGo, { once: true })
  viewer.on('message', fromViewer)
  session.on('message', (data, binary) => forward(session, viewer, data, binary))
  viewer.once('close', () => end(1000, ''))
  session.once('close', (code, reason) => {
    if (ourCodes.has(code)) end(code, reason.toString('utf8'))
    else end(liveClose.lost, 'lost')
  })
  // A paused side tells nothing, not even that it was closed.
  viewer.once('error', () => end(1000, ''))
  session.once('error', () => end(liveClose.lost, 'lost'))
  for (const { data, binary } of options.early.session) forward(session, viewer, data, binary)
  for (const { data, binary } of options.early.viewer) fromViewer(data, binary)
}

/** Ends a connection in order; one whose peer does not take even that is dropped soon. */
export function closeOrDrop(socket: WebSocket, code: number, reason: string): void {
  if (socket.readyState === socket.CLOSED) return
  if (socket.readyState === socket.CONNECTING) return socket.terminate()
  if (socket.isPaused) socket.resume()
  socket.close(code, reason)
  const timer = setTimeout(() => socket.terminate(), 3_000)
  timer.unref()
  socket.once('close', () => clearTimeout(timer))
}

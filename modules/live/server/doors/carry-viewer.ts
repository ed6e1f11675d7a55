/** One viewer's connection, on the side of the session. */
import type { RawData, WebSocket } from 'ws'
import type { Log } from '../../../../platform/log/log.ts'
import type { LiveSession, Viewer } from '../session/viewers/viewer.ts'
import { liveClose, liveFrame, liveInput, type LiveInput, type LiveOutput } from '../../contract/live.ts'
import { closeOrDrop } from './carry-connection.ts'
import { longestUploadPiece, longestViewerMessage, type ViewerWanted } from './door-protocol.ts'

export type CarryLimits = {
  /** Bytes that may wait to leave for one viewer: past it the viewer does not read, and is let go. */
  readonly waitingBytes: number
  /** Messages that may come at once, and each second from then on. */
  readonly burst: number
  readonly perSecond: number
  /** Bytes of messages that may come at once, and each second from then on: more is read later, not refused. */
  readonly burstBytes: number
  readonly bytesPerSecond: number
  /** Without a sign of life for so long, a connection is dead; it is asked three times within that time. Milliseconds. */
  readonly silenceMs: number
}

export const defaultCarryLimits: CarryLimits = {
  waitingBytes: 16 * 1024 * 1024,
  burst: 2_000,
  perSecond: 600,
  burstBytes: 8 * 1024 * 1024,
  bytesPerSecond: 8 * 1024 * 1024,
  silenceMs: 12_000,
}

export type CarriedViewer = {
  /** He may not be here any more: nothing that he says counts from now on, and what he steered is let go at once. */
  shutOut(code: number, reason: string): void
  /** The session is gone, or its process goes. */
  lose(): void
}

/** What a witness may say: he looks on, and may countersign. */
const witnessSays: ReadonlySet<LiveInput['type']> = new Set(['acknowledge', 'countersign', 'ping', 'release', 'sound'])

/**
 * Lets a viewer into a session, and carries what both say. Each message is checked for its shape before
 * the session sees it; one that has none ends this connection and harms nobody else.
 */
export function carryViewer(
  connection: WebSocket,
  deps: {
    readonly wanted: ViewerWanted
    readonly session: LiveSession
    readonly limits: CarryLimits
    readonly log: Log
  },
): CarriedViewer {
  const { wanted, session, limits, log } = deps
  let closed = false
  let left = false
  const close = (code: number, reason: string) => {
    if (closed) return
    closed = true
    connection.close(code, reason)
    // Whoever does not read does not read this either: what waits for it is thrown away.
    if (connection.bufferedAmount > limits.waitingBytes) connection.terminate()
  }
  const waiting = () => connection.bufferedAmount
  const send = (data: string | Uint8Array) => {
    if (closed || connection.readyState !== connection.OPEN) return
    connection.send(data)
    if (waiting() > limits.waitingBytes) close(liveClose.flooded, 'does_not_read')
  }
  const viewer: Viewer = {
    id: wanted.id,
    role: wanted.role,
    witness: wanted.witness,
    wants: wanted.wants,
    send: (message: LiveOutput) => send(JSON.stringify(message)),
    sendBytes(bytes) {
      send(bytes)
      return waiting()
    },
    waiting,
    close,
  }
  const takes = bucket(limits.burst, limits.perSecond)
  const takesBytes = bucket(limits.burstBytes, limits.bytesPerSecond)
  /** What comes faster than it can be worked on waits with its sender: other sessions share this process. */
  const pace = (bytes: number) => {
    const early = takesBytes(bytes)
    if (early <= 0 || connection.isPaused) return
    connection.pause()
    setTimeout(() => {
      signOfLife()
      connection.resume()
    }, early * 1000).unref()
  }
  const receive = (data: RawData, binary: boolean) => {
    if (closed) return
    const bytes = data as Buffer
    if (takes(1) > 0) return close(liveClose.flooded, 'flooded')
    pace(bytes.length)
    const problem = binary ? receiveBytes(session, viewer, bytes) : receiveText(session, viewer, bytes)
    if (problem !== null) close(liveClose.malformed, problem)
  }
  /** A defect of ours in the face of one viewer ends that one's connection, never this process and its other sessions. */
  const guard = (act: () => void) => {
    try {
      act()
    } catch (error) {
      log.error({ err: error, evidence_id: session.evidenceId }, 'a viewer met a defect')
      close(liveClose.lost, 'defect')
    }
  }
  let alive = performance.now()
  const signOfLife = () => {
    alive = performance.now()
  }
  /** Of the viewer itself: what the protocol answers by itself comes from the process in between. */
  let heard = alive
  connection.on('message', (data, binary) => {
    signOfLife()
    heard = alive
    guard(() => receive(data, binary))
  })
  connection.on('pong', signOfLife)
  const heartbeat = setInterval(() => {
    if (connection.isPaused) signOfLife()
    else if (performance.now() - alive > limits.silenceMs) connection.terminate()
    else if (connection.readyState === connection.OPEN) connection.ping()
  }, limits.silenceMs / 3)
  const leave = (how: { readonly silentMs: number } | { readonly shutOut: true }) => {
    if (left) return
    left = true
    guard(() => session.leave(viewer, how))
  }
  connection.once('close', () => {
    closed = true
    clearInterval(heartbeat)
    leave({ silentMs: performance.now() - heard })
  })
  guard(() => session.join(viewer))
  return {
    shutOut(code, reason) {
      closed = true
      leave({ shutOut: true })
      closeOrDrop(connection, code, reason)
    },
    lose: () => close(liveClose.lost, 'lost'),
  }
}

/** @returns what is wrong with the message; null: nothing */
function receiveText(session: LiveSession, viewer: Viewer, bytes: Buffer): string | null {
  if (bytes.length > longestViewerMessage) return 'too_long'
  let message: unknown
  try {
    message = JSON.parse(bytes.toString('utf8'))
  } catch {
    return 'json'
  }
  const parsed = liveInput.safeParse(message)
  if (!parsed.success) return 'shape'
  const input = parsed.data
  if (input.type === 'hello') return 'hello_again'
  if (viewer.role === 'witness' && !witnessSays.has(input.type)) return 'role'
  if (input.type === 'ping') viewer.send({ type: 'pong', at: input.at })
  else if (viewer.role !== 'witness' || input.type !== 'release') session.receive(viewer, input)
  return null
}

function receiveBytes(session: LiveSession, viewer: Viewer, bytes: Buffer): string | null {
  if (viewer.role === 'witness') return 'role'
  if (bytes.length > longestUploadPiece) return 'too_long'
  if (bytes.length < 7 || bytes[0] !== liveFrame.upload) return 'shape'
  session.receiveBytes(viewer, bytes)
  return null
}

/** @returns what takes tokens, and says how many seconds too early that was; 0: there were enough */
function bucket(burst: number, perSecond: number): (count: number) => number {
  let tokens = burst
  let at = performance.now()
  return (count) => {
    const now = performance.now()
    tokens = Math.min(burst, tokens + ((now - at) / 1000) * perSecond) - count
    at = now
    return tokens >= 0 ? 0 : -tokens / Math.max(perSecond, 1e-9)
  }
}

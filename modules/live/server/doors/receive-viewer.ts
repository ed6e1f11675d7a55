import { randomUUID } from 'node:crypto'
import type { Duplex } from 'node:stream'
import type { RawData, WebSocket } from 'ws'
import type { Admission } from '../../../../platform/admission/admissions.ts'
import { liveClose, liveInput, type LiveInput } from '../../contract/live.ts'
import { carryConnection, closeOrDrop, type Close, type Message } from './carry-connection.ts'
import { dialViewer } from './dial-session.ts'
import { longestUploadPiece, longestViewerMessage, type ViewerWanted } from './door-protocol.ts'
import { closeOf, letIn, type ViewerRights } from './hold-viewer.ts'
import { findSession, type SessionDoor } from './session-store.ts'
import { findWitness } from './witness-store.ts'
import { readTicket } from './live-ticket.ts'

const longestHello = 4_096
/** Sent before the session was reached: no more than an impatient hand can do. */
const mostEarly = 64
const mostEarlyBytes = 256 * 1024
/** The same with what frames it, and a message that is not whole yet. */
const mostEarlyRaw = 2 * mostEarlyBytes
/** Answers to pings that may wait for a peer that does not read them. Bytes. */
const mostPongs = 1024 * 1024

type Hello = Extract<LiveInput, { type: 'hello' }>

/**
 * Brings a new connection to its session: hello, ticket, the session's door, and from then on both ways. Whoever is refused
 * is told why by the code and the reason of the close.
 */
export async function receiveViewer(
  connection: WebSocket,
  deps: { readonly rights: ViewerRights; readonly secret: string },
  options: {
    readonly helloMs: number
    readonly silenceMs: number
    /** What carries the connection: counted, before a message is whole. */
    readonly socket: Duplex
    /** It has said what it wants. */
    readonly greeted: () => void
  },
): Promise<void> {
  const { socket } = options
  watchSilence(connection, options.silenceMs)
  answerPings(connection)
  const early: Message[] = []
  let earlyBytes = 0
  const first = Promise.withResolvers<Buffer | null>()
  const collect = (data: RawData, binary: boolean) => {
    if (connection.readyState !== connection.OPEN) return
    earlyBytes += (data as Buffer).length
    if (early.length >= mostEarly || earlyBytes > mostEarlyBytes) return closeOrDrop(connection, liveClose.flooded, 'flooded')
    early.push({ data, binary })
    if (early.length === 1) first.resolve(binary ? null : (data as Buffer))
  }
  connection.on('message', collect)
  // A message of megabytes would be kept until it is whole: of whom nothing is known, nothing of that length is.
  let raw = 0
  const weigh = (chunk: Buffer) => {
    raw += chunk.length
    if (raw > mostEarlyRaw || (early.length === 0 && raw > longestHello * 2)) connection.terminate()
  }
  socket.on('data', weigh)
  connection.once('close', () => {
    socket.off('data', weigh)
    first.resolve(null)
  })
  const timer = setTimeout(() => first.resolve(null), options.helloMs)
  const text = await first.promise
  clearTimeout(timer)
  if (connection.readyState !== connection.OPEN) return
  const hello = text === null ? null : readHello(text)
  if (hello === null) return closeOrDrop(connection, liveClose.malformed, 'hello')
  early.shift()
  options.greeted()
  const admitted = await admitViewer(deps, hello)
  if ('code' in admitted) return closeOrDrop(connection, admitted.code, admitted.reason)
  const { admission } = admitted
  connection.once('close', admission.release)
  if (connection.readyState !== connection.OPEN) return admission.release()
  const close = () => closeOf(admitted.wanted.ground, admission.signal.reason)
  const letGo = () => closeOrDrop(connection, close().code, close().reason)
  admission.signal.addEventListener('abort', letGo, { once: true })
  const session = dialViewer(admitted.evidenceId, admitted.door, admitted.wanted)
  // The session speaks first, perhaps in the very segment that ends the handshake.
  const heard: Message[] = []
  const hear = (data: RawData, binary: boolean) => heard.push({ data, binary })
  session.on('message', hear)
  const opened = await new Promise<boolean>((resolve) => {
    session.once('open', () => resolve(true))
    session.once('error', () => resolve(false))
    connection.once('close', () => resolve(false))
  })
  session.on('error', () => undefined)
  if (!opened || connection.readyState !== connection.OPEN) {
    session.terminate()
    return closeOrDrop(connection, liveClose.lost, 'unreachable')
  }
  connection.off('message', collect)
  socket.off('data', weigh)
  session.off('message', hear)
  admission.signal.removeEventListener('abort', letGo)
  watchSilence(session, options.silenceMs)
  carryConnection(connection, session, {
    early: { viewer: early, session: heard },
    rules: { longestText: longestViewerMessage, longestBinary: longestUploadPiece },
    ended: { signal: admission.signal, close },
  })
}

function readHello(bytes: Buffer): Hello | null {
  if (bytes.length > longestHello) return null
  try {
    const parsed = liveInput.safeParse(JSON.parse(bytes.toString('utf8')))
    return parsed.success && parsed.data.type === 'hello' ? parsed.data : null
  } catch {
    return null
  }
}

type Admitted = {
  readonly evidenceId: string
  readonly door: SessionDoor
  readonly wanted: ViewerWanted
  readonly admission: Admission
}

async function admitViewer(
  { rights, secret }: { readonly rights: ViewerRights; readonly secret: string },
  hello: Hello,
): Promise<Admitted | Close> {
  const ticket = readTicket(secret, rights.clock.now(), hello.ticket)
  if (ticket === null) return { code: liveClose.refused, reason: 'ticket' }
  const { evidenceId, role, ground, nonce } = ticket
  const admission = await letIn(rights, evidenceId, ground)
  if ('code' in admission) return admission
  const door = await findSession(rights.db, evidenceId)
  const witness = ground.by === 'witness' ? await findWitness(rights.db, { id: ground.witness, evidenceId }) : null
  if (door === null) {
    admission.release()
    return { code: liveClose.refused, reason: 'not_capturing' }
  }
  const { video, audio, touch } = hello
  return {
    evidenceId,
    door,
    admission,
    wanted: {
      id: randomUUID(),
      role,
      witness: witness === null ? null : { id: witness.id, label: witness.label },
      wants: { video, audio, touch },
      ground,
      nonce,
    },
  }
}

/** Ends a connection whose peer gives no sign of life. One that is held back by us cannot give any, and is not blamed. */
function watchSilence(connection: WebSocket, silenceMs: number): void {
  let alive = performance.now()
  const signOfLife = () => {
    alive = performance.now()
  }
  connection.on('message', signOfLife)
  connection.on('pong', signOfLife)
  const timer = setInterval(() => {
    if (connection.isPaused) signOfLife()
    else if (performance.now() - alive > silenceMs) connection.terminate()
    else if (connection.readyState === connection.OPEN) connection.ping()
  }, silenceMs / 3)
  connection.once('close', () => clearInterval(timer))
}

/** As RFC 6455 §5.5.3 asks, but never without bounds: whoever pings and does not read is let go. */
function answerPings(connection: WebSocket): void {
  connection.on('ping', (data: Buffer) => {
    if (connection.bufferedAmount > mostPongs) connection.terminate()
    else if (connection.readyState === connection.OPEN) connection.pong(data)
  })
}

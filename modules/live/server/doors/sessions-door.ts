/**
 * The door of a capture process: where `web` processes, on whatever machine, bring viewers and calls to the sessions that run
 * here. TLS with a pre-shared key (RFC 4279, RFC 7905): each session has a random one, which only this process and the database
 * know. Whoever has shown it has shown that it is a `web` of this installation, and which session it means; what passes, secrets
 * that are pasted among it, is enciphered without any certificate to keep (decision 0220).
 */
import { randomBytes } from 'node:crypto'
import { createServer, type Server } from 'node:https'
import type { AddressInfo } from 'node:net'
import { WebSocketServer, type WebSocket } from 'ws'
import type { Log } from '../../../../platform/log/log.ts'
import type { LiveSession, LiveSessions } from '../session/viewers/viewer.ts'
import { liveClose } from '../../contract/live.ts'
import { answerCall } from './answer-call.ts'
import { closeOrDrop } from './carry-connection.ts'
import { carryViewer, defaultCarryLimits, type CarriedViewer, type CarryLimits } from './carry-viewer.ts'
import {
  keyedByPsk,
  longestSessionMessage,
  readViewerHeader,
  viewerHeader,
  viewerPath,
  type ViewerWanted,
} from './door-protocol.ts'
import { closeOf, letIn, type ViewerRights } from './hold-viewer.ts'
import { deleteSession, insertSession } from './session-store.ts'
import { ticketLifetimeMs } from './live-ticket.ts'

/** A session of this process, from its claim to its end. */
export type HeldSession = {
  /** For the session itself, once it takes viewers. */
  readonly sessions: LiveSessions
  /** Ends every connection to it. Never throws. */
  close(): Promise<void>
}

export type SessionsDoor = {
  /** `host:port` that `web` processes dial. */
  readonly address: string
  hold(claim: { readonly evidenceId: string; readonly fence: number; readonly sessionMs: number }): HeldSession
  /** Connections of viewers, all sessions together. */
  connections(): number
  stop(): Promise<void>
}

type Held = {
  readonly evidenceId: string
  readonly key: Buffer
  session: LiveSession | null
  readonly viewers: Set<CarriedViewer>
  /** Tickets that were used, until no clock takes them for good any more: each opens one connection. */
  readonly used: Map<string, number>
}

const viewersPerSession = 16
/** Sockets at a time, whoever they are of: what comes without a key is let go within seconds. */
const longestQueueOfSockets = 1024
const handshakeMs = 5_000
const registerAgainMs = 500
/** The minute of a ticket is counted by `web` processes, whose clocks may differ from each other. */
const rememberedMs = 10 * ticketLifetimeMs

export async function openSessionsDoor(deps: {
  readonly rights: ViewerRights
  readonly log: Log
  readonly listen: { readonly host: string; readonly port: number }
  /** What to announce instead; port 0: the one that is listened on. */
  readonly announced?: { readonly host: string; readonly port: number } | undefined
  readonly limits?: CarryLimits
}): Promise<SessionsDoor> {
  const { rights, log } = deps
  const { db } = rights
  const limits = deps.limits ?? defaultCarryLimits
  const held = new Map<string, Held>()
  const identities = new WeakMap<object, Held>()
  const server = createServer(
    {
      ...keyedByPsk,
      handshakeTimeout: handshakeMs,
      pskCallback(socket, identity) {
        const one = held.get(identity)
        if (one === undefined) return null
        identities.set(socket, one)
        return one.key
      },
    },
    (request, response) => {
      const one = identities.get(request.socket)
      if (one === undefined) {
        response.destroy()
        return
      }
      void answerCall(one, request, response, log)
    },
  )
  server.maxConnections = longestQueueOfSockets
  server.requestTimeout = 30_000
  const sockets = new WebSocketServer({ noServer: true, perMessageDeflate: false, maxPayload: longestSessionMessage })
  server.on('upgrade', (request, socket, head) => {
    const one = identities.get(request.socket)
    if (one === undefined || request.url !== viewerPath) {
      socket.destroy()
      return
    }
    sockets.handleUpgrade(request, socket, head, (connection) => {
      // The peer is gone without a word, or broke the protocol: `close` follows.
      connection.on('error', () => undefined)
      const wanted = readViewerHeader(request.headers[viewerHeader])
      if (wanted === null) return connection.close(liveClose.malformed, 'malformed')
      // Nothing that he says is heard before this process knows for itself that he may say it.
      connection.pause()
      admit(one, connection, wanted).catch((error: unknown) => {
        log.error({ err: error, evidence_id: one.evidenceId }, 'a viewer could not be let in')
        closeOrDrop(connection, liveClose.lost, 'lost')
      })
    })
  })
  async function admit(one: Held, connection: WebSocket, wanted: ViewerWanted): Promise<void> {
    const admission = await letIn(rights, one.evidenceId, wanted.ground)
    if ('code' in admission) return closeOrDrop(connection, admission.code, admission.reason)
    connection.once('close', admission.release)
    if (connection.readyState !== connection.OPEN) return admission.release()
    const { session } = one
    const refusal = refuse(one, wanted)
    if (refusal !== null || session === null) return closeOrDrop(connection, liveClose.refused, refusal ?? 'not_capturing')
    const carried = carryViewer(connection, { wanted, session, limits, log })
    one.viewers.add(carried)
    connection.once('close', () => one.viewers.delete(carried))
    const letGo = () => {
      const { code, reason } = closeOf(wanted.ground, admission.signal.reason)
      carried.shutOut(code, reason)
    }
    admission.signal.addEventListener('abort', letGo, { once: true })
    connection.resume()
  }
  // A handshake with a wrong key, or a peer that went: the socket is closed, nobody else is concerned.
  server.on('tlsClientError', (error) => log.debug({ err: error }, 'a connection to the door of the sessions was refused'))
  await listen(server, deps.listen)
  const address = addressOf(server.address() as AddressInfo, deps.listen.host, deps.announced)

  return {
    address,
    connections: () => [...held.values()].reduce((sum, one) => sum + one.viewers.size, 0),
    hold({ evidenceId, fence, sessionMs }) {
      const one: Held = {
        evidenceId,
        key: randomBytes(32),
        session: null,
        viewers: new Set(),
        used: new Map(),
      }
      held.set(evidenceId, one)
      const closing = new AbortController()
      let registering: Promise<void> = Promise.resolve()
      const register = async () => {
        while (!closing.signal.aborted) {
          try {
            await insertSession(db, { evidenceId, fence, address, key: one.key, sessionMs })
            return
          } catch (error) {
            log.warn({ err: error, evidence_id: evidenceId }, 'that a session can be joined could not be said yet')
            await new Promise((resolve) => setTimeout(resolve, registerAgainMs))
          }
        }
      }
      return {
        sessions: {
          add(session) {
            one.session = session
            registering = register()
          },
          remove(id) {
            if (id === evidenceId) one.session = null
          },
          find: (id) => (id === evidenceId ? one.session : null),
        },
        async close() {
          closing.abort()
          one.session = null
          if (held.get(evidenceId) === one) held.delete(evidenceId)
          for (const viewer of one.viewers) viewer.lose()
          await registering
          await deleteSession(db, evidenceId, fence).catch((error: unknown) =>
            log.warn(
              { err: error, evidence_id: evidenceId },
              'the entry of a session could not be removed: it ends with its lease',
            ),
          )
        },
      }
    },
    async stop() {
      for (const one of held.values()) for (const viewer of one.viewers) viewer.lose()
      held.clear()
      sockets.close()
      const closing = new Promise<void>((resolve) => server.close(() => resolve()))
      server.closeAllConnections()
      for (const connection of sockets.clients) connection.terminate()
      await closing
    },
  }
}

/** Why a viewer is not let in; null: it is. A ticket is used up by the connection that it opens. */
function refuse(one: Held, { nonce }: ViewerWanted): 'not_capturing' | 'ticket' | 'full' | null {
  if (one.session === null) return 'not_capturing'
  const now = performance.now()
  for (const [before, until] of one.used) if (until <= now) one.used.delete(before)
  if (one.used.has(nonce)) return 'ticket'
  if (one.viewers.size >= viewersPerSession) return 'full'
  one.used.set(nonce, now + rememberedMs)
  return null
}

async function listen(server: Server, { host, port }: { readonly host: string; readonly port: number }): Promise<void> {
  const listening = Promise.withResolvers<void>()
  server.once('error', listening.reject)
  server.listen({ host, port }, listening.resolve)
  await listening.promise
  server.off('error', listening.reject)
}

function addressOf(
  bound: AddressInfo,
  host: string,
  announced: { readonly host: string; readonly port: number } | undefined,
): string {
  const [name, port] = announced === undefined ? [host, bound.port] : [announced.host, announced.port || bound.port]
  return `${name.includes(':') ? `[${name}]` : name}:${String(port)}`
}

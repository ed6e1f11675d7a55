/**
 * Where viewers connect: `/live/` of any `web` process. A connection proves itself by a ticket in its first message, is dialled
 * through to the process that has the session, and carried from then on. Nothing of a session is kept here: when this process
 * ends, the viewer comes back through another one (decision 0221).
 */
import { ServerResponse, type IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { WebSocketServer, type WebSocket } from 'ws'
import { DomainError } from '../../../../kernel/errors.ts'
import { addressPrefix, isLoopback } from '../../../../platform/http/request/address-prefix.ts'
import { createRateLimit } from '../../../../platform/http/request/rate-limit.ts'
import type { Log } from '../../../../platform/log/log.ts'
import { livePath } from '../../contract/endpoints.ts'
import { liveClose } from '../../contract/live.ts'
import { closeOrDrop } from './carry-connection.ts'
import { longestViewerMessage } from './door-protocol.ts'
import type { ViewerRights } from './hold-viewer.ts'
import { receiveViewer } from './receive-viewer.ts'

export type ViewersDoor = {
  /** Registers the route. Before the server listens. */
  register(app: FastifyInstance): void
  connections(): number
  /** Ends every connection: the server can close only then. */
  close(): Promise<void>
}

export type ViewersDoorDeps = {
  readonly rights: ViewerRights
  readonly log: Log
  readonly secret: string
  readonly publicUrl: string
  /** The developer's own machine is no stranger: its connections are not counted. */
  readonly trustLoopback: boolean
  readonly limits?: ViewersDoorLimits
}

export type ViewersDoorLimits = {
  /** Connections at a time of one block of addresses, and of all. */
  readonly perPrefix: number
  readonly all: number
  /** Of those, connections that have not said yet what they want: of one block, and of all. */
  readonly waitingPerPrefix: number
  readonly waiting: number
  /** How long a connection may take to say `hello`, and may be silent afterwards. Milliseconds. */
  readonly helloMs: number
  readonly silenceMs: number
}

const defaultLimits: ViewersDoorLimits = {
  perPrefix: 32,
  all: 4_000,
  waitingPerPrefix: 8,
  waiting: 256,
  helloMs: 5_000,
  silenceMs: 12_000,
}
const connects = { burst: 60, perMinute: 120 }

type Upgrade = { readonly socket: Duplex; readonly head: Buffer }

export function createViewersDoor(deps: ViewersDoorDeps): ViewersDoor {
  const { log } = deps
  const limits = deps.limits ?? defaultLimits
  const sockets = new WebSocketServer({
    noServer: true,
    perMessageDeflate: false,
    maxPayload: longestViewerMessage,
    clientTracking: true,
    autoPong: false,
  })
  const upgrades = new WeakMap<IncomingMessage, Upgrade>()
  const byPrefix = new Map<string, number>()
  /** In the order of their coming, each with its block of addresses. */
  const waiting = new Map<WebSocket, string | null>()
  const rate = createRateLimit(connects)
  let closing = false

  function admit(request: FastifyRequest): string | null {
    if (!isOwnOrigin(request, deps.publicUrl)) throw new DomainError('forbidden', 'live.origin')
    if (closing) throw new DomainError('unavailable', 'live.unreachable')
    if (sockets.clients.size >= limits.all) throw new DomainError('limited', 'live.too_many_connections')
    if (deps.trustLoopback && isLoopback(request.ip)) return null
    const prefix = addressPrefix(request.ip)
    rate.take(prefix, deps.rights.clock.now().getTime())
    if ((byPrefix.get(prefix) ?? 0) >= limits.perPrefix) throw new DomainError('limited', 'live.too_many_connections')
    if ([...waiting.values()].filter((each) => each === prefix).length >= limits.waitingPerPrefix)
      throw new DomainError('limited', 'live.too_many_connections')
    return prefix
  }

  /** A page of ours greets at once: whoever has waited longest makes room for who comes. */
  function expectHello(prefix: string | null, connection: WebSocket): () => void {
    const [longest] = waiting.keys()
    if (longest !== undefined && waiting.size >= limits.waiting) {
      waiting.delete(longest)
      closeOrDrop(longest, liveClose.malformed, 'hello')
    }
    waiting.set(connection, prefix)
    const done = () => void waiting.delete(connection)
    connection.once('close', done)
    return done
  }

  function count(prefix: string | null, connection: WebSocket): void {
    if (prefix === null) return
    byPrefix.set(prefix, (byPrefix.get(prefix) ?? 0) + 1)
    connection.once('close', () => {
      const left = (byPrefix.get(prefix) ?? 1) - 1
      if (left === 0) byPrefix.delete(prefix)
      else byPrefix.set(prefix, left)
    })
  }

  return {
    register(app) {
      // What Node hands out for an upgrade goes the way of every request: address behind proxies, who may call, errors by name.
      app.server.on('upgrade', (raw: IncomingMessage, socket: Duplex, head: Buffer) => {
        upgrades.set(raw, { socket, head })
        const response = new ServerResponse(raw)
        response.assignSocket(socket as never)
        response.once('finish', () => socket.end())
        socket.on('error', () => socket.destroy())
        app.routing(raw, response)
      })
      app.get(
        livePath,
        { config: { access: ['open'] }, exposeHeadRoute: false, schema: { hide: true } },
        async (request, reply) => {
          const upgrade = upgrades.get(request.raw)
          if (upgrade === undefined) throw new DomainError('invalid', 'live.upgrade_required')
          const prefix = admit(request)
          reply.hijack()
          reply.raw.detachSocket(upgrade.socket as never)
          sockets.handleUpgrade(request.raw, upgrade.socket, upgrade.head, (connection) => {
            count(prefix, connection)
            connection.on('error', () => undefined)
            const greeted = expectHello(prefix, connection)
            receiveViewer(connection, deps, { ...limits, socket: upgrade.socket, greeted }).catch((error: unknown) => {
              log.error({ err: error }, 'a viewer could not be brought to its session')
              closeOrDrop(connection, liveClose.lost, 'lost')
            })
          })
          return await reply
        },
      )
    },
    connections: () => sockets.clients.size,
    async close() {
      closing = true
      // 1012: the server starts anew; whoever sees it comes again.
      const gone = [...sockets.clients].map(async (connection) => {
        const closed = new Promise((resolve) => connection.once('close', resolve))
        closeOrDrop(connection, 1012, 'restart')
        await closed
      })
      await Promise.all(gone)
      sockets.close()
    },
  }
}

/** A page of ours sent it: the browser says where from, and no page can make it lie (RFC 6455 §10.2). */
function isOwnOrigin(request: FastifyRequest, publicUrl: string): boolean {
  const { origin } = request.headers
  if (origin === undefined) return false
  const url = URL.parse(origin)
  return url !== null && (url.origin === new URL(publicUrl).origin || url.host === request.headers.host)
}

import { createServer } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import { createSecureServer } from 'node:http2'
import type { ServerHttp2Stream } from 'node:http2'
import type { AddressInfo, Server, Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import type { KeyAndCertificate } from './certificates.ts'
import type { SiteRequest, SiteResponse } from './page.ts'
import { bodyOf, sendLogged, sha256, type Reply, type Sent } from './sent-log.ts'
import { wireCases, wirePage, wireParts, type WireKind } from './wire-cases.ts'

/** Bytes that passed on one HTTP/1 connection, above TLS, as the server's socket gave and took them. */
export type RawConnection = { readonly port: number; readonly sent: Buffer; readonly received: Buffer }

export type WireSite = {
  readonly origin: string
  /** `127.0.0.1:port` */
  readonly address: string
  /** Answers that were sent, in order of their start. */
  sent(): readonly Sent[]
  /** HTTP/1 only. */
  connections(): readonly RawConnection[]
  close(): Promise<void>
}

export type WireHandler = (
  asked: { readonly url: URL; readonly body: Buffer; readonly log: Sent[] },
  request: SiteRequest,
  response: SiteResponse,
) => void | Promise<void>

/**
 * A server of one protocol that writes down everything it sends: plain HTTP/1.1, HTTP/1.1 over TLS, or HTTP/2 over TLS.
 * @param more pages beside those of `wire-cases.ts`, by exact path.
 * @param upgrade takes connections that ask for another protocol; without it they are ended.
 */
export async function startWireSite(
  kind: WireKind,
  options: {
    readonly identity?: KeyAndCertificate
    readonly more?: Readonly<Record<string, WireHandler>>
    readonly upgrade?: (request: SiteRequest, socket: Duplex, head: Buffer) => void
    /** The same over HTTP/2. */
    readonly stream?: (request: SiteRequest, stream: ServerHttp2Stream) => void
  } = {},
): Promise<WireSite> {
  const log: Sent[] = []
  const connections: RawConnection[] = []
  const sockets = new Set<Socket>()
  let origin = ''

  const answer = async (request: SiteRequest, response: SiteResponse): Promise<void> => {
    const host = String(request.headers[':authority'] ?? request.headers.host ?? '')
    const url = new URL(request.url ?? '/', `${kind === 'http' ? 'http' : 'https'}://${host}`)
    const body = await bodyOf(request)
    const asked = { url: url.href, body }
    const more = options.more?.[url.pathname]
    if (more !== undefined) return more({ url, body, log }, request, response)
    const reply = (what: Reply) => sendLogged(log, asked, request, response, what)
    if (url.pathname === '/') return reply({ headers: { 'content-type': 'text/html; charset=utf-8' }, body: wirePage(kind) })
    const part = wireParts[url.pathname]
    if (part !== undefined) return reply(part)
    const found = wireCases.find(
      ({ name, path }) => (path === undefined ? `/${name}` : new URL(path, origin).pathname) === url.pathname,
    )
    if (found === undefined) return reply({ status: 404, headers: { 'content-type': 'text/plain' }, body: 'no such page' })
    if (found.raw === undefined) return reply(typeof found.reply === 'function' ? found.reply(request) : found.reply)
    const { raw } = found
    const entity = raw.entity ?? raw.body
    log.push({
      method: request.method ?? '',
      url: url.href,
      protocol: 'http/1.1',
      status: 200,
      headers: {},
      bytes: Buffer.byteLength(entity),
      sha256: sha256(entity),
      contentSha256: sha256(entity),
      request: { bytes: body.length, sha256: sha256(body) },
      trailers: raw.trailers ?? {},
      interim: [],
    })
    request.socket.end(Buffer.concat([Buffer.from(raw.head, 'latin1'), Buffer.from(raw.body)]))
  }
  const take = (request: SiteRequest, response: SiteResponse): void => {
    // A browser may leave at any moment: then there is nobody to answer.
    answer(request, response).catch(() => request.socket.destroy())
  }
  const watch = (socket: Socket): void => {
    const [sent, received]: [Uint8Array[], Buffer[]] = [[], []]
    connections.push({
      port: socket.remotePort ?? 0,
      get sent() {
        return Buffer.concat(sent)
      },
      get received() {
        return Buffer.concat(received)
      },
    })
    socket.on('data', (bytes: Buffer) => received.push(bytes))
    const write = socket.write.bind(socket) as (...args: unknown[]) => boolean
    const keep = (chunk: unknown, encoding: unknown): void => {
      if (typeof chunk === 'string')
        sent.push(Buffer.from(chunk, typeof encoding === 'string' ? (encoding as BufferEncoding) : 'utf8'))
      else if (chunk instanceof Uint8Array) sent.push(Uint8Array.prototype.slice.call(chunk))
    }
    const end = socket.end.bind(socket) as (...args: unknown[]) => Socket
    socket.write = (...args: unknown[]) => {
      keep(args[0], args[1])
      return write(...args)
    }
    socket.end = (...args: unknown[]) => {
      keep(args[0], args[1])
      return end(...args)
    }
  }

  const h2 = () =>
    createSecureServer({ ...options.identity, settings: { enableConnectProtocol: true } }, (request, response) =>
      take(request as unknown as SiteRequest, response as unknown as SiteResponse),
    )
  const server: Server =
    kind === 'http'
      ? createServer(take).on('connection', watch)
      : kind === 'https1'
        ? createTlsServer({ ...options.identity, ALPNProtocols: ['http/1.1'] }, take).on('secureConnection', watch)
        : h2()
  server.on('connection', (socket: Socket) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket)).on('error', () => {})
  })
  if (kind === 'h2')
    // RFC 8441: a socket is a stream of its own, opened by CONNECT and accepted by 200.
    server.on('connect', (request: SiteRequest, response: SiteResponse) => {
      const { stream } = response as unknown as { stream: ServerHttp2Stream }
      if (options.stream === undefined) stream.close()
      else options.stream(request, stream)
    })
  else
    server.on('upgrade', (request: SiteRequest, socket: Duplex, head: Buffer) =>
      options.upgrade === undefined ? socket.destroy() : options.upgrade(request, socket, head),
    )
  await new Promise<void>((resolve, reject) => void server.once('error', reject).listen(0, '127.0.0.1', resolve))
  const address = `127.0.0.1:${(server.address() as AddressInfo).port}`
  origin = `${kind === 'http' ? 'http' : 'https'}://${address}`
  return {
    origin,
    address,
    sent: () => log,
    connections: () => connections,
    close: async () => {
      const closed = new Promise<void>((resolve) => void server.close(() => resolve()))
      for (const socket of sockets) socket.destroy()
      await closed
    },
  }
}

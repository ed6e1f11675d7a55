import { createServer, type Server } from 'node:http'
import type { Duplex } from 'node:stream'
import { createSecureServer } from 'node:http2'
import type { AddressInfo, Socket } from 'node:net'
import { WebSocketServer } from 'ws'
import { badPages } from './bad-pages.ts'
import { makeCertificates, type FixtureCertificates, type KeyAndCertificate } from './certificates.ts'
import { goodPages } from './good-pages.ts'
import { interactiveHostilePages } from './interactive-hostile-pages.ts'
import { interactivePages } from './interactive-pages.ts'
import { scenarioPages } from './scenario-pages.ts'
import { fixed, html, send, type Page, type SiteContext, type SiteRequest, type SiteResponse } from './page.ts'

export type Hit = {
  readonly method: string
  readonly url: string
  readonly host: string
  readonly protocol: string
  readonly headers: Readonly<Record<string, unknown>>
}

/** An origin served over TLS (HTTP/2 and HTTP/1.1). `address` is `127.0.0.1:port`. */
export type SecureOrigin = { readonly origin: string; readonly address: string }

export type FixtureSite = {
  /** Plain HTTP, `http://127.0.0.1:port`. */
  readonly origin: string
  /** The same pages on another port: another site. */
  readonly otherOrigin: string
  /** `127.0.0.1:port` of each server: what PROBANT_ALLOW_ADDRESSES must list. */
  readonly addresses: readonly string[]
  readonly secure: {
    readonly valid: SecureOrigin
    readonly selfSigned: SecureOrigin
    readonly expired: SecureOrigin
    readonly wrongHost: SecureOrigin
  }
  readonly certificates: FixtureCertificates
  /** Requests received so far, oldest first. */
  hits(): readonly Hit[]
  close(): Promise<void>
}

const pages: readonly Page[] = [...goodPages, ...badPages, ...scenarioPages, ...interactivePages, ...interactiveHostilePages]
const exact = new Map(pages.map((page) => [page.path, page]))
const folders = pages.filter((page) => page.path.startsWith('/asset'))
const index = fixed(
  '/',
  'this list',
  'Probant fixture site',
  `<h1>Fixture site · Site d’essai</h1><ul>${pages.map((page) => `<li><a href="${page.path}">${page.path}</a> ${page.about}</li>`).join('\n')}</ul>`,
)

/** Starts the site on loopback, on ports of the system's choice. */
export async function startFixtureSite(): Promise<FixtureSite> {
  const certificates = await makeCertificates()
  const hits: Hit[] = []
  const sockets = new Set<Socket>()
  const servers: { close(callback: () => void): unknown }[] = []
  let origin = ''
  let otherOrigin = ''

  const answer = (own: () => string) => (request: SiteRequest, response: SiteResponse) => {
    const url = new URL(request.url ?? '/', own())
    const host = String(request.headers[':authority'] ?? request.headers['host'] ?? '')
    hits.push({
      method: request.method ?? '',
      url: request.url ?? '',
      host,
      protocol: `HTTP/${request.httpVersion}`,
      headers: { ...request.headers },
    })
    const context: SiteContext = { origin: own(), otherOrigin: own() === otherOrigin ? origin : otherOrigin, url }
    const page =
      url.pathname === '/' ? index : (exact.get(url.pathname) ?? folders.find((folder) => url.pathname.startsWith(folder.path)))
    if (!page) return send(response, 404, 'text/html; charset=utf-8', html('Not found', '<h1>Not found</h1>'))
    void Promise.try(() => page.answer(context, request, response)).catch(() => request.socket.destroy())
  }
  const listen = async (server: Server | ReturnType<typeof createSecureServer>): Promise<string> => {
    server.on('connection', (socket: Socket) => {
      sockets.add(socket)
      socket.once('close', () => sockets.delete(socket)).on('error', () => {})
    })
    servers.push(server)
    await new Promise<void>((resolve, reject) => void server.once('error', reject).listen(0, '127.0.0.1', resolve))
    return `127.0.0.1:${(server.address() as AddressInfo).port}`
  }
  /** Says back what it is told, at one address; no other speaks WebSocket. */
  const echo = new WebSocketServer({ noServer: true, maxPayload: 1024 * 1024 })
  const upgrade = (request: SiteRequest, socket: Duplex, head: Buffer): void => {
    if (request.url !== '/live/socket') return void socket.destroy()
    echo.handleUpgrade(request, socket, head, (client) => {
      client.on('error', () => client.terminate()).on('message', (data, isBinary) => client.send(data, { binary: isBinary }))
    })
  }
  const plain = async (own: () => string) => {
    const server = createServer(answer(own))
    server.on('upgrade', upgrade)
    return listen(server)
  }
  const secure = async (pair: KeyAndCertificate): Promise<SecureOrigin> => {
    let own = ''
    const server = createSecureServer({ ...pair, allowHTTP1: true }, (request, response) =>
      answer(() => own)(request as unknown as SiteRequest, response as unknown as SiteResponse),
    )
    server.on('upgrade', upgrade)
    const address = await listen(server)
    own = `https://${address}`
    return { origin: own, address }
  }

  const first = await plain(() => origin)
  origin = `http://${first}`
  const second = await plain(() => otherOrigin)
  otherOrigin = `http://${second}`
  const secured = {
    valid: await secure(certificates.valid),
    selfSigned: await secure(certificates.selfSigned),
    expired: await secure(certificates.expired),
    wrongHost: await secure(certificates.wrongHost),
  }
  return {
    origin,
    otherOrigin,
    addresses: [first, second, ...Object.values(secured).map((one) => one.address)],
    secure: secured,
    certificates,
    hits: () => hits,
    close: async () => {
      const closed = servers.map((server) => new Promise<void>((resolve) => void server.close(() => resolve())))
      for (const socket of sockets) socket.destroy()
      await Promise.all(closed)
    },
  }
}

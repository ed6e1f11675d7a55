import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { sha256 } from './sent-log.ts'

/** A whole answer as it was sent: bytes of the body without transfer coding. */
export type SentAnswer = { readonly url: string; readonly status: number; readonly bytes: number; readonly sha256: string }

export type LoggedPage = {
  readonly path: string
  readonly answer: (request: IncomingMessage, response: ServerResponse, url: URL) => void | Promise<void>
}

export type LoggedSite = {
  readonly port: number
  readonly origin: string
  /** `127.0.0.1:port` */
  readonly address: string
  /** Answers that were sent whole, oldest first. */
  readonly sent: readonly SentAnswer[]
  /** Requests that came, answered or not. */
  readonly asked: readonly string[]
  close(): Promise<void>
}

/**
 * Plain HTTP on loopback, whatever the name it is called by; writes down what each answer held once the whole of it is sent. A page
 * is found by its path, then by the part of it before the last `/`.
 */
export async function startLoggedSite(pages: readonly LoggedPage[]): Promise<LoggedSite> {
  const sent: SentAnswer[] = []
  const asked: string[] = []
  const sockets = new Set<Socket>()
  const byPath = new Map(pages.map((page) => [page.path, page]))
  const server = createServer({ maxHeaderSize: 1024 * 1024 }, (request, response) => {
    const url = new URL(request.url ?? '/', `http://${request.headers.host ?? 'site.test'}`)
    asked.push(url.href)
    const parts: Buffer[] = []
    const keep = (chunk: unknown) => {
      if (typeof chunk === 'string' || chunk instanceof Uint8Array) parts.push(Buffer.from(chunk))
    }
    const [write, end] = [response.write.bind(response), response.end.bind(response)]
    response.write = ((chunk: unknown, ...rest: unknown[]) => {
      keep(chunk)
      return (write as (...all: unknown[]) => boolean)(chunk, ...rest)
    }) as typeof response.write
    response.end = ((chunk: unknown, ...rest: unknown[]) => {
      keep(chunk)
      return (end as (...all: unknown[]) => ServerResponse)(chunk, ...rest)
    }) as typeof response.end
    response.on('finish', () => {
      const body = Buffer.concat(parts)
      sent.push({ url: url.href, status: response.statusCode, bytes: body.length, sha256: sha256(body) })
    })
    const page = byPath.get(url.pathname) ?? byPath.get(url.pathname.slice(0, url.pathname.lastIndexOf('/') + 1))
    if (page === undefined) {
      response.writeHead(404, { 'content-type': 'text/plain' }).end('nothing here')
      return
    }
    void Promise.try(() => page.answer(request, response, url)).catch(() => request.socket.destroy())
  })
  server.on('connection', (socket: Socket) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket)).on('error', () => {})
  })
  server.on('upgrade', (_request, socket) => socket.destroy())
  await new Promise<void>((resolve, reject) => void server.once('error', reject).listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    port,
    origin: `http://127.0.0.1:${port}`,
    address: `127.0.0.1:${port}`,
    sent,
    asked,
    close: async () => {
      const closed = new Promise<void>((resolve) => void server.close(() => resolve()))
      for (const socket of sockets) socket.destroy()
      await closed
    },
  }
}

import { createServer, type AddressInfo, type Socket } from 'node:net'
import { fightingPages } from './fighting-pages.ts'

export type FightingSite = {
  readonly origin: string
  /** `127.0.0.1:port` */
  readonly address: string
  /** Requests that came: path and query. */
  readonly asked: readonly string[]
  /** Bytes written to the sockets on which a path, without its query, was the last that was asked for. */
  sent(path: string): number
  close(): Promise<void>
}

/** Speaks to browsers over bare sockets: what is answered is what the page wrote, good HTTP or not. */
export async function startFightingSite(): Promise<FightingSite> {
  const byPath = new Map(fightingPages.map((page) => [page.path, page]))
  const sockets = new Set<Socket>()
  const asked: string[] = []
  const written = new Map<string, number>()
  const server = createServer({ noDelay: true }, (socket) => {
    sockets.add(socket)
    let head = ''
    socket.on('error', () => {})
    let last = ''
    socket.once('close', () => {
      sockets.delete(socket)
      written.set(last, (written.get(last) ?? 0) + socket.bytesWritten)
    })
    socket.on('data', (bytes) => {
      head += bytes.toString('latin1')
      for (let end = head.indexOf('\r\n\r\n'); end >= 0; end = head.indexOf('\r\n\r\n')) {
        const target = /^\S+ (\S+)/.exec(head)?.[1] ?? '/'
        head = head.slice(end + 4)
        const url = new URL(target, 'http://site.test')
        asked.push(target)
        last = url.pathname
        const page = byPath.get(url.pathname)
        if (page === undefined) socket.end('HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\nConnection: close\r\n\r\n')
        else page.answer(socket, url)
      }
    })
  })
  await new Promise<void>((resolve, reject) => void server.once('error', reject).listen(0, '127.0.0.1', resolve))
  const address = `127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    origin: `http://${address}`,
    address,
    asked,
    sent: (path) => written.get(path) ?? 0,
    close: async () => {
      const closed = new Promise<void>((resolve) => void server.close(() => resolve()))
      for (const socket of sockets) socket.destroy()
      await closed
    },
  }
}

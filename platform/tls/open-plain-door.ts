import { createServer, type Server } from 'node:http'
import type { Db } from '../db/database.ts'
import { addressBy } from '../http/request/own-hosts.ts'
import type { Log } from '../log/log.ts'
import { findAnswer } from './tls-store.ts'

export type PlainDoor = { readonly port: number; close(): Promise<void> }

const challenge = /^\/\.well-known\/acme-challenge\/([A-Za-z0-9_-]{1,200})$/

/**
 * What is answered without TLS: an authority's proof (RFC 8555 §8.3), and to everybody else where the installation is. Whoever sends anything is
 * refused, not led on: it was read on the way already, and who sent it must notice.
 */
export async function openPlainDoor(deps: {
  readonly host: string
  readonly port: number
  readonly publicUrl: string
  readonly ownsHost: (host: string) => boolean
  readonly db: Db
  readonly log: Log
}): Promise<PlainDoor> {
  const { db, log, publicUrl } = deps
  const answer = async (method: string, target: string, host: string): Promise<[number, string, Record<string, string>]> => {
    const token = challenge.exec(target)?.[1]
    if (token !== undefined && (method === 'GET' || method === 'HEAD')) {
      const found = await findAnswer(db, token)
      return found === null ? [404, 'Nothing is asked by this token.\n', {}] : [200, found, {}]
    }
    if (!deps.ownsHost(host)) return [421, 'This installation has another name.\n', {}]
    const there = addressBy(publicUrl, host)
    if (method !== 'GET' && method !== 'HEAD') return [403, `Send it enciphered: ${there}\n`, {}]
    if (!/^\/[\x21-\x7e]*$/.test(target)) return [400, 'This is no address of a page.\n', {}]
    return [308, `${there}${target}\n`, { location: `${there}${target}` }]
  }
  const server: Server = createServer(
    { headersTimeout: 15_000, requestTimeout: 15_000, keepAliveTimeout: 5_000, maxHeaderSize: 16_384 },
    (request, response) => {
      const [method, target, host] = [request.method ?? '', request.url ?? '', request.headers.host ?? '']
      answer(method, target, host)
        .catch((error: unknown): [number, string, Record<string, string>] => {
          log.error({ err: error }, 'no answer without TLS')
          return [503, 'Not now.\n', {}]
        })
        .then(([status, text, headers]) => {
          request.resume()
          response.writeHead(status, { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-store', ...headers })
          response.end(method === 'HEAD' ? undefined : text)
        })
        .catch((error: unknown) => log.error({ err: error }, 'no answer without TLS'))
    },
  )
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(deps.port, deps.host, () => resolve())
  })
  const address = server.address()
  return {
    port: typeof address === 'object' && address !== null ? address.port : deps.port,
    async close() {
      const closed = new Promise<void>((resolve) => {
        server.close(() => resolve())
      })
      server.closeAllConnections()
      await closed
    },
  }
}

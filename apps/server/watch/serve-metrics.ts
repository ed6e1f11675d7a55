import { createServer } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import type { HostPort } from '../../../kernel/host-port.ts'

export type ServedMetrics = { readonly port: number; close(): Promise<void> }

/**
 * `/metrics`, and for whoever runs the process `/livez` (it answers at all) and `/readyz` (200 while it can do its work, else 503), at an
 * address of its own: no visitor's door leads here.
 */
export async function serveMetrics(
  at: HostPort,
  {
    contentType,
    write,
    isReady,
  }: { readonly contentType: string; readonly write: () => Promise<string>; readonly isReady: () => boolean },
): Promise<ServedMetrics> {
  const server = createServer({ headersTimeout: 5_000, requestTimeout: 10_000, maxHeaderSize: 8_192 }, (request, response) => {
    // Nothing that is sent is of interest.
    request.resume()
    const path = request.url?.split('?', 1)[0]
    const known = path === '/metrics' || path === '/livez' || path === '/readyz'
    const refused = !known ? 404 : request.method !== 'GET' && request.method !== 'HEAD' ? 405 : null
    if (refused !== null) {
      response.writeHead(refused, refused === 405 ? { allow: 'GET, HEAD' } : {}).end()
      return
    }
    if (path !== '/metrics') {
      const status = path === '/livez' || isReady() ? 200 : 503
      response.writeHead(status, { 'content-type': 'text/plain', 'cache-control': 'no-store' })
      response.end(request.method === 'HEAD' ? undefined : `${status === 200 ? 'ok' : 'not ready'}\n`)
      return
    }
    write().then(
      (text) => {
        response.writeHead(200, { 'content-type': contentType, 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' })
        response.end(request.method === 'HEAD' ? undefined : text)
      },
      () => response.writeHead(500).end(),
    )
  })
  server.maxConnections = 32
  server.listen({ host: at.host, port: at.port })
  await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    async close() {
      const closed = once(server, 'close')
      server.close()
      server.closeAllConnections()
      await closed
    },
  }
}

/** What a session and its peer have in common in this bench: the viewer's page, one WebSocket, and words to whoever started them. */
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { stripTypeScriptTypes } from 'node:module'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { WebSocketServer, type WebSocket } from 'ws'

const picture = join(import.meta.dirname, '../../modules/live/web/picture')

/** @param host where it listens @returns the port */
export async function serveViewer(onSocket: (socket: WebSocket) => void, host = '127.0.0.1'): Promise<number> {
  const server = createServer((request, response) => {
    const script = /^\/picture\/(codec|draw-picture)\.ts$/.exec(request.url ?? '')?.[1]
    const answer = async () =>
      script === undefined
        ? response.setHeader('content-type', 'text/html').end(await readFile(join(import.meta.dirname, 'viewer.html')))
        : response
            .setHeader('content-type', 'text/javascript')
            .end(stripTypeScriptTypes(await readFile(join(picture, `${script}.ts`), 'utf8')))
    answer().catch((error: unknown) => response.writeHead(500).end(String(error)))
  })
  new WebSocketServer({ server, perMessageDeflate: false }).on('connection', onSocket)
  server.listen(0, host)
  await once(server, 'listening')
  return (server.address() as AddressInfo).port
}

/** One line of JSON to whoever started this program. */
export function tell(words: Readonly<Record<string, unknown>>): void {
  process.stdout.write(`${JSON.stringify(words)}\n`)
}

/** A recording proxy for the tests of this folder: CONNECT for a browser, or a plain relay to one target. Copies bytes, alters none. */
import { once } from 'node:events'
import { createServer, connect } from 'node:net'
import type { AddressInfo, Socket } from 'node:net'
import type { RecordedChunk, RecordedConnection } from './exchange/recorded-connection.ts'

export type RecordingProxy = {
  readonly port: number
  readonly connections: RecordedConnection[]
  close(): Promise<void>
}

/** @param target fixed destination; null for a proxy that is told by CONNECT. Every name is dialled on 127.0.0.1. */
export async function startRecordingProxy(target: number | null): Promise<RecordingProxy> {
  const connections: RecordedConnection[] = []
  const sockets = new Set<Socket>()
  const relay = (client: Socket, host: string, port: number, rest: Buffer): void => {
    const chunks: RecordedChunk[] = []
    const server = connect(port, '127.0.0.1')
    sockets.add(server)
    connections.push({
      id: `conn-${connections.length + 1}`,
      host,
      port,
      remote_address: '127.0.0.1',
      remote_port: port,
      opened_at: Date.now(),
      cut: null,
      async *chunks() {
        yield* chunks
      },
    })
    const pipe = (from: Socket, to: Socket, side: 'client' | 'server'): void => {
      from.on('data', (bytes: Buffer) => {
        chunks.push({ at: Date.now(), from: side, bytes: Buffer.from(bytes) })
        if (!to.write(bytes)) {
          from.pause()
          to.once('drain', () => from.resume())
        }
      })
      from.on('end', () => to.end())
      from.on('error', () => to.destroy())
      from.on('close', () => to.destroySoon())
    }
    if (rest.length > 0) {
      chunks.push({ at: Date.now(), from: 'client', bytes: Buffer.from(rest) })
      server.write(rest)
    }
    pipe(client, server, 'client')
    pipe(server, client, 'server')
  }
  const listener = createServer((client) => {
    sockets.add(client)
    client.on('error', () => client.destroy())
    if (target !== null) return relay(client, 'localhost', target, Buffer.alloc(0))
    let head = Buffer.alloc(0)
    const onData = (bytes: Buffer): void => {
      head = Buffer.concat([head, bytes])
      const end = head.indexOf('\r\n\r\n')
      if (end === -1) return
      client.off('data', onData)
      const match = /^CONNECT ([^:\s]+):(\d+) /.exec(head.toString('latin1'))
      if (match === null) {
        client.end('HTTP/1.1 501 Not Implemented\r\n\r\n')
        return
      }
      client.write('HTTP/1.1 200 OK\r\n\r\n')
      relay(client, match[1] ?? '', Number(match[2]), head.subarray(end + 4))
    }
    client.on('data', onData)
  })
  listener.listen(0, '127.0.0.1')
  await once(listener, 'listening')
  return {
    port: (listener.address() as AddressInfo).port,
    connections,
    async close() {
      for (const socket of sockets) socket.destroy()
      listener.close()
      await once(listener, 'close')
    },
  }
}

/** Origins whose TLS breaks, each in one way, on ports of their own. */
import { createServer, connect, type AddressInfo, type Server, type Socket } from 'node:net'
import { createServer as createTlsServer, type TlsOptions, type TLSSocket } from 'node:tls'
import type { KeyAndCertificate } from './certificates.ts'
import { html, prose } from './page.ts'

export const tlsFaults = [
  /** Closes after the ClientHello. */
  'truncated_handshake',
  /** Answers in plain words. */
  'not_tls',
  /** Never answers. */
  'stalled_handshake',
  /** Alert `unrecognized_name` (RFC 6066 §3). */
  'unknown_name',
  /** TLS 1.1 at most (RFC 8996). */
  'old_version',
  /** Only a cipher suite that browsers no longer offer. */
  'no_common_cipher',
  /** A bit of the first record after the handshake is turned on its way. */
  'wrong_mac',
  /** A bit of a later record is turned, in the middle of the document. */
  'wrong_mac_later',
  /** The connection is reset in the middle of the document. */
  'reset_midway',
  /** The connection ends in the middle of the document, without `close_notify` (RFC 8446 §6.1). */
  'ended_midway',
] as const
export type TlsFault = (typeof tlsFaults)[number]

export type BrokenTls = {
  readonly origins: Readonly<Record<TlsFault, string>>
  readonly addresses: readonly string[]
  close(): Promise<void>
}

const filler = `<p>${'La cour s’est réunie à dix heures. '.repeat(2000)}</p>`
const page = Buffer.from(html('TLS', `${prose}${filler}`))
const head = `HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\nContent-Length: ${page.length}\r\nConnection: close\r\n\r\n`

const answerHalf = (socket: TLSSocket) => {
  socket.on('error', () => {})
  socket.once('data', () => {
    socket.write(head)
    socket.write(page.subarray(0, page.length / 2), () => socket.destroy())
  })
}
const answerWhole = (socket: TLSSocket) => {
  socket.on('error', () => {})
  socket.once('data', () => socket.end(Buffer.concat([Buffer.from(head), page])))
}

/**
 * Records of the origin pass one by one (RFC 8446 §5.1), the connection's own data counted from 1. `damaged` loses a bit; before
 * `last` the connection is reset.
 */
function passRecords(to: Socket, fault: { readonly damaged?: number; readonly last?: number }): (bytes: Buffer) => void {
  let held = Buffer.alloc(0)
  let data = 0
  return (bytes) => {
    held = Buffer.concat([held, bytes])
    while (held.length >= 5 && held.length >= 5 + held.readUInt16BE(3)) {
      const record = Buffer.from(held.subarray(0, 5 + held.readUInt16BE(3)))
      held = held.subarray(record.length)
      if (record[0] === 23) data += 1
      if (record[0] === 23 && data === fault.damaged) record[record.length - 1] = (record.at(-1) ?? 0) ^ 1
      if (data === fault.last) to.resetAndDestroy()
      if (!to.destroyed) to.write(record)
    }
  }
}

export async function startBrokenTls(identity: KeyAndCertificate): Promise<BrokenTls> {
  const sockets = new Set<Socket>()
  const servers: Server[] = []
  const listen = async (server: Server): Promise<number> => {
    servers.push(server)
    server.on('connection', (socket: Socket) => {
      sockets.add(socket)
      socket.on('error', () => {}).once('close', () => sockets.delete(socket))
    })
    await new Promise<void>((resolve, reject) => void server.once('error', reject).listen(0, '127.0.0.1', resolve))
    return (server.address() as AddressInfo).port
  }
  const bare = (answer: (socket: Socket) => void) =>
    listen(createServer((socket) => void socket.once('data', () => answer(socket))))
  const tls = (options: TlsOptions, answer: (socket: TLSSocket) => void) =>
    listen(createTlsServer({ ...identity, ...options }, answer).on('tlsClientError', () => {}))
  const behind = async (fault: { readonly damaged?: number; readonly last?: number }): Promise<number> => {
    // Of TLS 1.2 the records of the handshake are told apart by their type.
    const origin = await tls({ maxVersion: 'TLSv1.2' }, answerWhole)
    return listen(
      createServer((client) => {
        const upstream = connect(origin, '127.0.0.1')
        sockets.add(upstream)
        upstream.on('error', () => {}).once('close', () => (sockets.delete(upstream), client.end()))
        client.once('close', () => upstream.destroy())
        client.on('data', (bytes) => void upstream.write(bytes))
        upstream.on('data', passRecords(client, fault))
      }),
    )
  }
  const ports: Record<TlsFault, number> = {
    truncated_handshake: await bare((socket) => void socket.end()),
    not_tls: await bare((socket) => void socket.end('HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n')),
    stalled_handshake: await bare(() => undefined),
    unknown_name: await bare((socket) => void socket.end(Buffer.from([0x15, 3, 3, 0, 2, 2, 112]))),
    old_version: await tls({ minVersion: 'TLSv1', maxVersion: 'TLSv1.1', ciphers: 'DEFAULT@SECLEVEL=0' }, answerWhole),
    no_common_cipher: await tls({ maxVersion: 'TLSv1.2', ciphers: 'AES128-SHA256' }, answerWhole),
    wrong_mac: await behind({ damaged: 1 }),
    wrong_mac_later: await behind({ damaged: 3 }),
    reset_midway: await behind({ last: 3 }),
    ended_midway: await tls({}, answerHalf),
  }
  const entries = Object.entries(ports) as [TlsFault, number][]
  return {
    origins: Object.fromEntries(entries.map(([fault, port]) => [fault, `https://127.0.0.1:${port}`])) as Record<TlsFault, string>,
    addresses: entries.map(([, port]) => `127.0.0.1:${port}`),
    close: async () => {
      const closed = servers.map((server) => new Promise<void>((resolve) => void server.close(() => resolve())))
      for (const socket of sockets) socket.destroy()
      await Promise.all(closed)
    },
  }
}

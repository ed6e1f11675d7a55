/** Peers of the probes, on loopback: each speaks its protocol, and misbehaves as it is told. */
import { createSocket } from 'node:dgram'
import { createServer as createHttpServer } from 'node:http'
import { createServer, type AddressInfo } from 'node:net'
import type { HostPort } from '../../../../kernel/host-port.ts'

export type Peer = HostPort & { readonly asked: Buffer[]; close(): Promise<void> }

/** A route is traced by datagrams to ports from here on, one for each step and try: whoever listens there hears them. */
const traced = { first: 33_434, last: 33_534 }

/** Answers each datagram with what `reply` makes of it, in order; nothing for an empty list. */
export async function startUdpPeer(reply: (request: Buffer) => readonly Buffer[]): Promise<Peer> {
  const socket = createSocket('udp4')
  const asked: Buffer[] = []
  socket.on('message', (request, from) => {
    asked.push(request)
    for (const answer of reply(request)) socket.send(answer, from.port, from.address)
  })
  await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve))
  const { port } = socket.address()
  const close = async () => await new Promise<void>((resolve) => socket.close(() => resolve()))
  if (port < traced.first || port > traced.last) return { host: '127.0.0.1', port, asked, close }
  // Another is given out before this one is given back.
  const elsewhere = await startUdpPeer(reply)
  await close()
  return elsewhere
}

/** Answers each connection's first bytes; `end` closes after them. */
export async function startTcpPeer(
  reply: (request: Buffer) => Buffer | string,
  options: { readonly port?: number; readonly end?: boolean } = {},
): Promise<Peer> {
  const asked: Buffer[] = []
  const server = createServer((socket) => {
    socket.on('error', () => socket.destroy())
    socket.once('data', (request: Buffer) => {
      asked.push(request)
      const answer = reply(request)
      if (options.end === false) socket.write(answer)
      else socket.end(answer)
    })
  })
  await new Promise<void>((resolve, reject) => void server.once('error', reject).listen(options.port ?? 0, '127.0.0.1', resolve))
  return {
    host: '127.0.0.1',
    port: (server.address() as AddressInfo).port,
    asked,
    close: () => new Promise((resolve) => void server.close(() => resolve())),
  }
}

export type WebPeer = { readonly origin: string; readonly address: string; readonly asked: string[]; close(): Promise<void> }

export async function startWebPeer(
  answer: (path: string) => { readonly status: number; readonly body: string; readonly location?: string },
): Promise<WebPeer> {
  const asked: string[] = []
  const server = createHttpServer((request, response) => {
    asked.push(request.url ?? '')
    const { status, body, location } = answer(request.url ?? '')
    response
      .writeHead(status, { 'content-type': 'application/rdap+json', ...(location === undefined ? {} : { location }) })
      .end(body)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    origin: `http://127.0.0.1:${String(port)}`,
    address: `127.0.0.1:${String(port)}`,
    asked,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections()
        server.close(() => resolve())
      }),
  }
}

/** An address of loopback where nobody listens: the kernel says so at once. */
export async function closedPort(): Promise<HostPort> {
  const peer = await startUdpPeer(() => [])
  await peer.close()
  return { host: peer.host, port: peer.port }
}

/** NTP's answer (RFC 5905 §7.3) of a server whose clock is `ahead` seconds of this machine's. */
export function ntpReply(request: Buffer, ahead: number, change: (reply: Buffer) => void = () => undefined): Buffer {
  const reply = Buffer.alloc(48)
  reply.writeUInt8(0x24, 0)
  reply.writeUInt8(2, 1)
  reply.writeUInt8(6, 2)
  reply.writeInt8(-20, 3)
  reply.writeUInt32BE(0x0000_0100, 4)
  reply.writeUInt32BE(0x0000_0080, 8)
  reply.set([192, 0, 2, 1], 12)
  request.copy(reply, 24, 40, 48)
  const seconds = Date.now() / 1000 + ahead + 2_208_988_800
  for (const at of [16, 32, 40]) {
    reply.writeUInt32BE(Math.floor(seconds) % 2 ** 32, at)
    reply.writeUInt32BE(Math.floor((seconds % 1) * 2 ** 32), at + 4)
  }
  change(reply)
  return reply
}

/** A name server: the same port by UDP and by TCP. TCP takes a length of two octets before each message (RFC 7766). */
export async function startNameServer(
  byUdp: (question: Buffer) => readonly Buffer[],
  byTcp: (question: Buffer) => Buffer | null = () => null,
): Promise<{ readonly server: HostPort; readonly tcpAsked: Buffer[]; close(): Promise<void> }> {
  for (;;) {
    const udp = await startUdpPeer(byUdp)
    try {
      const tcp = await startTcpPeer(
        (request) => {
          const answer = byTcp(request.subarray(2))
          if (answer === null) return Buffer.alloc(0)
          const length = Buffer.alloc(2)
          length.writeUInt16BE(answer.length)
          return Buffer.concat([length, answer])
        },
        { port: udp.port },
      )
      return {
        server: { host: udp.host, port: udp.port },
        tcpAsked: tcp.asked,
        close: async () => void (await Promise.all([udp.close(), tcp.close()])),
      }
    } catch {
      // Somebody has the port by TCP: another one.
      await udp.close()
    }
  }
}

type Record = { readonly name: string; readonly type: number; readonly ttl: number; readonly data: Buffer }
export const dnsName = (name: string): Buffer =>
  Buffer.concat([...name.split('.').flatMap((label) => [Buffer.from([label.length]), Buffer.from(label)]), Buffer.from([0])])

/** A DNS answer (RFC 1035 §4.1) to a question; `name` of a record may be empty for a pointer to the question's. */
export function dnsReply(question: Buffer, records: readonly Record[], options: { readonly flags?: number } = {}): Buffer {
  let end = 12
  while ((question[end] ?? 0) !== 0) end += 1 + (question[end] ?? 0)
  const head = Buffer.alloc(12)
  question.copy(head, 0, 0, 2)
  head.writeUInt16BE(options.flags ?? 0x8180, 2)
  head.writeUInt16BE(1, 4)
  head.writeUInt16BE(records.length, 6)
  return Buffer.concat([
    head,
    question.subarray(12, end + 5),
    ...records.map(({ name, type, ttl, data }) => {
      const fixed = Buffer.alloc(10)
      fixed.writeUInt16BE(type, 0)
      fixed.writeUInt16BE(1, 2)
      fixed.writeUInt32BE(ttl, 4)
      fixed.writeUInt16BE(data.length, 8)
      return Buffer.concat([name === '' ? Buffer.from([0xc0, 12]) : dnsName(name), fixed, data])
    }),
  ])
}

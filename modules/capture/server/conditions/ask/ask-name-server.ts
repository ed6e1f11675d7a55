import { randomInt } from 'node:crypto'
import { connect } from 'node:net'
import type { NameAnswer } from '../../../domain/conditions/network-facts.ts'
import { readDnsAnswer, writeDnsQuestion, type DnsAnswer } from './dns-message.ts'
import { exchangeDatagram } from './exchange-datagram.ts'
import { formatHostPort, type HostPort } from '../../../../../kernel/host-port.ts'
import { ProbeError, reasonOf } from './probe-error.ts'

type Reply = { readonly answer: DnsAnswer; readonly bytes: Buffer }

/** RFC 7766: a length of two octets, then the message. One answer, then the end. */
function askByTcp(
  server: HostPort,
  question: Buffer,
  timeoutMs: number,
  signal: AbortSignal,
  read: (bytes: Buffer) => DnsAnswer | null,
): Promise<Reply> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host: server.host, port: server.port })
    let kept = Buffer.alloc(0)
    const end = (finish: () => void): void => {
      clearTimeout(timer)
      signal.removeEventListener('abort', cancel)
      socket.destroy()
      finish()
    }
    const fail = (error: unknown) => end(() => reject(error instanceof Error ? error : new ProbeError('failed')))
    const cancel = (): void => fail(new ProbeError('cancelled'))
    const timer = setTimeout(() => fail(new ProbeError('timeout')), timeoutMs)
    if (signal.aborted) return cancel()
    signal.addEventListener('abort', cancel, { once: true })
    socket.on('error', fail)
    socket.on('end', () => fail(new ProbeError('closed')))
    socket.on('connect', () => {
      const length = Buffer.alloc(2)
      length.writeUInt16BE(question.length)
      socket.write(Buffer.concat([length, question]))
    })
    socket.on('data', (chunk: Buffer) => {
      // A length of two octets bounds what is kept.
      kept = Buffer.concat([kept, chunk]).subarray(0, 2 + 65_535)
      if (kept.length < 2 || kept.length < 2 + kept.readUInt16BE(0)) return
      const bytes = kept.subarray(2, 2 + kept.readUInt16BE(0))
      try {
        const answer = read(bytes)
        end(() => (answer === null ? reject(new ProbeError('malformed')) : resolve({ answer, bytes })))
      } catch (error) {
        fail(error)
      }
    })
  })
}

/** Asks one name server for one kind of address: by UDP, and by TCP when the answer was cut. Never throws. */
export async function askNameServer(
  deps: { readonly signal: AbortSignal; readonly timeoutMs: number },
  server: HostPort,
  question: { readonly name: string; readonly type: 'A' | 'AAAA' },
): Promise<NameAnswer> {
  const base = { server: formatHostPort(server), name: question.name, type: question.type }
  try {
    const id = randomInt(65_536)
    const request = writeDnsQuestion(id, question.name, question.type)
    const read = (bytes: Buffer) => readDnsAnswer(bytes, { id, ...question })
    const { timeoutMs, signal } = deps
    let transport: 'udp' | 'tcp' = 'udp'
    let reply = await exchangeDatagram<Reply>({
      address: server.host,
      port: server.port,
      request,
      timeoutMs,
      signal,
      accepts: (bytes) => {
        const answer = read(bytes)
        return answer === null ? null : { answer, bytes }
      },
    })
    if (reply.answer.truncated) {
      transport = 'tcp'
      reply = await askByTcp(server, request, timeoutMs, signal, read)
    }
    const { rcode, authenticated, aliases, addresses } = reply.answer
    return { ...base, transport, rcode, authenticated, aliases, addresses, reply: reply.bytes.toString('base64'), error: null }
  } catch (error) {
    return {
      ...base,
      transport: null,
      rcode: null,
      authenticated: null,
      aliases: [],
      addresses: [],
      reply: null,
      error: reasonOf(error),
    }
  }
}

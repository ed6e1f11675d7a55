/**
 * The session's connections as a classic PCAP file (decision 0023): what Wireshark and tshark read. Payload, order, instants,
 * server addresses and ports are those of the record. The rest is made up, because the tunnel sees streams and not packets:
 * the client's address (192.0.2.1 or 2001:db8::1, reserved for documentation by RFC 5737 and RFC 3849) and port, the
 * handshake, the cut into segments, sequence numbers, acknowledgements.
 */
import { open, rename, rm } from 'node:fs/promises'
import { parseIp } from '../../../../kernel/ip-address.ts'
import type { ConnectionRecord } from './connection-record.ts'
import { mergeRecords, type OpenedRecord } from './merge-records.ts'

export type PcapSummary = { readonly bytes: number; readonly packets: number; readonly connections: number }

/** LINKTYPE_RAW: packets begin with their IP header, so no link layer has to be made up. */
const linkTypeRaw = 101
const clientIpv4 = Uint8Array.from([192, 0, 2, 1])
const clientIpv6 = parseIp('2001:db8::1') ?? new Uint8Array(16)
const flags = { fin: 1, syn: 2, rst: 4, psh: 8, ack: 16 } as const
const writeBytes = 1024 * 1024

type Direction = 'client' | 'server'

type Flow = {
  readonly client: Uint8Array
  readonly server: Uint8Array
  readonly clientPort: number
  readonly serverPort: number
  readonly mss: number
  /** Next sequence number of each side, modulo 2^32. */
  readonly next: { client: number; server: number }
  identification: number
}

/**
 * Streams the records into `outFile`, in memory that does not grow with them. The file appears whole or not at all.
 * @throws RangeError on a damaged record; errors of the file system; the signal's reason.
 */
export async function writePcap(input: {
  readonly records: readonly ConnectionRecord[]
  readonly outFile: string
  readonly signal?: AbortSignal
}): Promise<PcapSummary> {
  const partial = `${input.outFile}.partial`
  const file = await open(partial, 'w', 0o600)
  const buffer = { bytes: Buffer.allocUnsafe(writeBytes), used: 0 }
  const summary = { bytes: 0, packets: 0, connections: 0 }

  const flush = async (): Promise<void> => {
    if (buffer.used === 0) return
    await file.writeFile(buffer.bytes.subarray(0, buffer.used))
    summary.bytes += buffer.used
    buffer.used = 0
  }
  const room = async (bytes: number): Promise<void> => {
    if (buffer.used + bytes > writeBytes) {
      input.signal?.throwIfAborted()
      await flush()
    }
  }
  const packet = async (flow: Flow, from: Direction, at: number, flag: number, payload: Uint8Array): Promise<void> => {
    await room(16 + 40 + 24 + payload.length)
    buffer.used = writePacket(buffer.bytes, buffer.used, flow, from, at, flag, payload)
    flow.next[from] = (flow.next[from] + payload.length + (flag & (flags.syn | flags.fin) ? 1 : 0)) >>> 0
    summary.packets += 1
  }

  try {
    buffer.bytes.writeUInt32LE(0xa1b23c4d, 0) // nanosecond resolution
    buffer.bytes.writeUInt16LE(2, 4)
    buffer.bytes.writeUInt16LE(4, 6)
    buffer.bytes.writeBigUInt64LE(0n, 8)
    buffer.bytes.writeUInt32LE(262_144, 16)
    buffer.bytes.writeUInt32LE(linkTypeRaw, 20)
    buffer.used = 24
    const flows = new Map<number, Flow>()
    const none = new Uint8Array(0)
    for await (const event of mergeRecords(input.records)) {
      const { record } = event
      if (event.kind === 'open') {
        const flow = flowOf(record)
        flows.set(record.stream, flow)
        summary.connections += 1
        await packet(flow, 'client', event.at, flags.syn, none)
        await packet(flow, 'server', event.at, flags.syn | flags.ack, none)
        await packet(flow, 'client', event.at, flags.ack, none)
        continue
      }
      const flow = flows.get(record.stream)
      if (flow === undefined) throw new RangeError('frame of a connection that was not opened')
      const { kind, at, bytes } = event.frame
      const from: Direction = kind.startsWith('client') ? 'client' : 'server'
      const other: Direction = from === 'client' ? 'server' : 'client'
      if (kind === 'client' || kind === 'server') {
        for (let offset = 0; offset < bytes.length; offset += flow.mss) {
          const part = bytes.subarray(offset, offset + flow.mss)
          await packet(flow, from, at, offset + part.length === bytes.length ? flags.ack | flags.psh : flags.ack, part)
        }
        await packet(flow, other, at, flags.ack, none)
      } else if (kind === 'client_end' || kind === 'server_end') {
        await packet(flow, from, at, flags.fin | flags.ack, none)
        await packet(flow, other, at, flags.ack, none)
      } else {
        await packet(flow, from, at, flags.rst | flags.ack, none)
      }
    }
    await flush()
    await file.close()
    await rename(partial, input.outFile)
    return summary
  } catch (error) {
    await file.close().catch(() => undefined)
    await rm(partial, { force: true })
    throw error
  }
}

function flowOf(record: OpenedRecord): Flow {
  const server = parseIp(record.remote_address)
  if (server === null) throw new RangeError('record without a valid server address')
  return {
    client: server.length === 4 ? clientIpv4 : clientIpv6,
    server,
    // The dynamic ports (RFC 6335 §6), and below them when a session has more connections than these.
    clientPort: 65_535 - (record.stream % 64_512),
    serverPort: record.remote_port,
    mss: server.length === 4 ? 1460 : 1440,
    // Not random: the same record gives the same file.
    next: { client: 1000, server: 2000 },
    identification: 0,
  }
}

/** Record header, IP header, TCP header (RFC 9293 §3.1) and payload at `start`. @returns where the packet ends. */
function writePacket(
  out: Buffer,
  start: number,
  flow: Flow,
  from: Direction,
  at: number,
  flag: number,
  payload: Uint8Array,
): number {
  const syn = (flag & flags.syn) !== 0
  const [source, target] = from === 'client' ? [flow.client, flow.server] : [flow.server, flow.client]
  const ipBytes = source.length === 4 ? 20 : 40
  const tcpBytes = syn ? 28 : 20
  const total = ipBytes + tcpBytes + payload.length
  const seconds = Math.floor(at / 1000)
  out.writeUInt32LE(seconds, start)
  out.writeUInt32LE(Math.min(999_999_999, Math.round((at - seconds * 1000) * 1e6)), start + 4)
  out.writeUInt32LE(total, start + 8)
  out.writeUInt32LE(total, start + 12)

  const ip = start + 16
  if (source.length === 4) {
    out.writeUInt32BE(((0x45 << 24) | total) >>> 0, ip)
    flow.identification = (flow.identification + 1) & 0xffff
    out.writeUInt16BE(flow.identification, ip + 4)
    out.writeUInt16BE(0x4000, ip + 6) // don't fragment
    out.writeUInt32BE(((64 << 24) | (6 << 16)) >>> 0, ip + 8)
    out.set(source, ip + 12)
    out.set(target, ip + 16)
    out.writeUInt16BE(checksum(out, ip, ip + 20, 0), ip + 10)
  } else {
    out.writeUInt32BE(0x60000000, ip)
    out.writeUInt16BE(total - 40, ip + 4)
    out.writeUInt16BE((6 << 8) | 64, ip + 6)
    out.set(source, ip + 8)
    out.set(target, ip + 24)
  }

  const tcp = ip + ipBytes
  out.writeUInt16BE(from === 'client' ? flow.clientPort : flow.serverPort, tcp)
  out.writeUInt16BE(from === 'client' ? flow.serverPort : flow.clientPort, tcp + 2)
  out.writeUInt32BE(flow.next[from], tcp + 4)
  out.writeUInt32BE((flag & flags.ack) !== 0 ? flow.next[from === 'client' ? 'server' : 'client'] : 0, tcp + 8)
  out.writeUInt16BE(((tcpBytes / 4) << 12) | flag, tcp + 12)
  out.writeUInt16BE(65_535, tcp + 14)
  out.writeUInt32BE(0, tcp + 16)
  if (syn) {
    out.writeUInt32BE((2 << 24) | (4 << 16) | flow.mss, tcp + 20)
    // Window scale 14: no frame of the record ever fills the window (RFC 7323 §2.2).
    out.writeUInt32BE((1 << 24) | (3 << 16) | (3 << 8) | 14, tcp + 24)
  }
  out.set(payload, tcp + tcpBytes)
  const end = tcp + tcpBytes + payload.length
  // Pseudo-header (RFC 9293 §3.1, RFC 8200 §8.1): addresses, protocol, length.
  let sum = 6 + tcpBytes + payload.length
  for (let i = 0; i < source.length; i += 2)
    sum += out.readUInt16BE(ip + ipBytes - 2 * source.length + i) + out.readUInt16BE(ip + ipBytes - source.length + i)
  out.writeUInt16BE(checksum(out, tcp, end, sum), tcp + 16)
  return end
}

/** Internet checksum (RFC 1071) of the bytes, begun with `sum`. */
function checksum(bytes: Uint8Array, start: number, end: number, sum: number): number {
  let total = sum
  const even = end - ((end - start) & 1)
  for (let i = start; i < even; i += 2) total += ((bytes[i] ?? 0) << 8) | (bytes[i + 1] ?? 0)
  if (even !== end) total += (bytes[even] ?? 0) << 8
  while (total > 0xffff) total = (total & 0xffff) + (total >>> 16)
  return ~total & 0xffff
}

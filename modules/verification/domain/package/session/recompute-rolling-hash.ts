/**
 * The rolling hash (decision 0022) computed again from `network.pcap` alone: a classic PCAP (decision 0023) whose packets stand
 * in the order in which their payload passed. It shares no code with the witness that hashed while it recorded.
 */
import { sha256 } from '@noble/hashes/sha2.js'
import { concatBytes, toHex } from '../../../../../kernel/bytes.ts'
import { malformed } from '../../encoding/der.ts'
import { portableSha256 } from '../../hash/running-hash.ts'
import { VerificationStopped } from '../../file/readable.ts'
import type { Hasher } from '../../hash/running-hash.ts'
import type { Readable } from '../../file/readable.ts'
import type { VerifyDeps } from '../../known/verify-deps.ts'

const window = 1 << 20
const longestPacket = 262_144
const mostStreams = 200_000

export type RollingHashes = {
  /** By the number of payload octets covered; lower-case hexadecimal. Counts that the recording does not reach are absent. */
  readonly at: ReadonlyMap<number, string>
  /** Payload octets of the whole recording. */
  readonly total: number
}

/**
 * Reads the recording once, in memory that does not depend on it.
 * @param counts octets of payload after which the hash is wanted.
 * @throws MalformedError when it is no recording of this form; VerificationStopped
 */
export async function recomputeRollingHash(
  pcap: Readable,
  counts: readonly number[],
  deps: Pick<VerifyDeps, 'sha256' | 'signal' | 'pause'>,
): Promise<RollingHashes> {
  const rolling = rollingHasher(deps.sha256?.() ?? portableSha256(), counts)
  const segments = segmentReader()
  const head = pcap.size < 24 ? new Uint8Array() : await pcap.read(0, 24)
  // Nanosecond magic, version 2.4, LINKTYPE_RAW, little-endian.
  if (u32(head, 0) !== 0xa1b23c4d || u32(head, 4) !== 0x0004_0002 || u32(head, 20) !== 101) malformed('not a recording')
  for (let at = 24; at < pcap.size;) {
    if (deps.signal?.aborted === true) throw new VerificationStopped('stopped')
    const bytes = await pcap.read(at, Math.min(window, pcap.size - at))
    let used = 0
    while (bytes.length - used >= 16) {
      const length = u32(bytes, used + 8)
      if (length > longestPacket || length !== u32(bytes, used + 12)) malformed('packet length')
      if (used + 16 + length > bytes.length) break
      const segment = segments(bytes.subarray(used + 16, used + 16 + length))
      rolling.add(segment.stream, segment.direction, segment.payload)
      used += 16 + length
    }
    if (used === 0) malformed('cut within a packet')
    at += used
    await deps.pause?.()
  }
  return rolling.end()
}

type Segment = { readonly stream: number; readonly direction: 1 | 2; readonly payload: Uint8Array }

/** TCP segments of packets, and which connection each belongs to: numbered by their first SYN, as tshark's `tcp.stream`. */
function segmentReader(): (packet: Uint8Array) => Segment {
  const streams = new Map<string, { stream: number; direction: 1 | 2 }>()
  let opened = 0
  return (packet) => {
    const version = (packet[0] ?? 0) >> 4
    const [start, addresses, length] =
      version === 4
        ? [((packet[0] ?? 0) & 15) * 4, 12, u16be(packet, 2)]
        : version === 6
          ? [40, 8, 40 + u16be(packet, 4)]
          : malformed('neither IPv4 nor IPv6')
    if (length !== packet.length || start < 20 || packet.length < start + 20) malformed('packet')
    if ((version === 4 ? packet[9] : packet[6]) !== 6) malformed('not TCP')
    if (version === 4 && (u16be(packet, 6) & 0x3fff) !== 0) malformed('a fragment')
    const size = version === 4 ? 4 : 16
    const source = `${toHex(packet.subarray(addresses, addresses + size))}:${u16be(packet, start)}`
    const target = `${toHex(packet.subarray(addresses + size, addresses + 2 * size))}:${u16be(packet, start + 2)}`
    const dataAt = start + ((packet[start + 12] ?? 0) >> 4) * 4
    if (dataAt < start + 20 || dataAt > packet.length) malformed('TCP header')
    // SYN without ACK (RFC 9293 §3.5): a connection opens, and its sender is the client.
    if (((packet[start + 13] ?? 0) & 0x12) === 0x02) {
      if (opened === mostStreams) malformed('too many connections')
      streams.set(`${source} ${target}`, { stream: opened, direction: 1 })
      streams.set(`${target} ${source}`, { stream: opened, direction: 2 })
      opened += 1
    }
    const known = streams.get(`${source} ${target}`) ?? malformed('a packet of no connection')
    return { ...known, payload: packet.subarray(dataAt) }
  }
}

/** One hash over runs: u32 stream · u8 direction · octets · u64 their count, big-endian; read off whenever a count is reached. */
function rollingHasher(hasher: Hasher, counts: readonly number[]) {
  const wanted = [...new Set(counts)].toSorted((a, b) => a - b)
  const at = new Map<number, string>()
  let total = 0
  let run: { stream: number; direction: 1 | 2; bytes: number } | null = null
  const countOf = (bytes: number): Uint8Array => concatBytes(u32be(Math.floor(bytes / 2 ** 32)), u32be(bytes % 2 ** 32))
  const readOff = (): void => {
    while (wanted[0] === total) {
      const copy = hasher.copy()
      if (run !== null) copy.update(countOf(run.bytes))
      at.set(total, toHex(copy.digest()))
      wanted.shift()
    }
  }
  readOff()
  const addPart = (stream: number, direction: 1 | 2, bytes: Uint8Array): void => {
    if (run === null || run.stream !== stream || run.direction !== direction) {
      if (run !== null) hasher.update(countOf(run.bytes))
      hasher.update(concatBytes(u32be(stream), Uint8Array.of(direction)))
      run = { stream, direction, bytes: 0 }
    }
    hasher.update(bytes)
    run.bytes += bytes.length
    total += bytes.length
    readOff()
  }
  return {
    add: (stream: number, direction: 1 | 2, payload: Uint8Array): void => {
      for (let from = 0; from < payload.length;) {
        const until = Math.min(payload.length, from + (wanted[0] ?? Infinity) - total)
        addPart(stream, direction, payload.subarray(from, until))
        from = until
      }
    },
    end: (): RollingHashes => ({ at, total }),
  }
}

/** Digest of a text that stands for itself in a few octets. */
export const sha256Hex = (bytes: Uint8Array): string => toHex(sha256(bytes))

function u32(bytes: Uint8Array, at: number): number {
  return (bytes[at] ?? 0) + (bytes[at + 1] ?? 0) * 0x100 + (bytes[at + 2] ?? 0) * 0x10000 + (bytes[at + 3] ?? 0) * 0x1000000
}
function u16be(bytes: Uint8Array, at: number): number {
  return (bytes[at] ?? 0) * 0x100 + (bytes[at + 1] ?? 0)
}
function u32be(value: number): Uint8Array {
  return Uint8Array.of(value >>> 24, value >>> 16, value >>> 8, value)
}

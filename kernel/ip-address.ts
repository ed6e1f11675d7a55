/**
 * IP addresses as text and bytes, and which of them a capture may reach: only what IANA's special-purpose registries leave
 * as globally reachable unicast (RFC 6890, RFC 8190).
 */
import { specialPurposeBlocks } from './special-purpose-blocks.ts'

/** 4 or 16 bytes, network order. */
export type IpBytes = Uint8Array

/** Strict dotted quad: four decimal numbers without leading zeros. Null for anything else. */
export function parseIpv4(text: string): IpBytes | null {
  const match = /^(\d{1,3})\.(\d{1,3})\.(\d{1,3})\.(\d{1,3})$/.exec(text)
  if (match === null) return null
  const bytes = new Uint8Array(4)
  for (let i = 0; i < 4; i += 1) {
    const part = match[i + 1] ?? ''
    const value = Number(part)
    if (value > 255 || String(value) !== part) return null
    bytes[i] = value
  }
  return bytes
}

/** RFC 4291 §2.2 text, `::` and a dotted-quad tail included; no brackets, no zone. Null for anything else. */
export function parseIpv6(text: string): IpBytes | null {
  if (text.length > 45 || !/^[0-9a-fA-F:.]+$/.test(text)) return null
  let groups = text
  const tail: number[] = []
  if (text.includes('.')) {
    const cut = text.lastIndexOf(':')
    const ipv4 = parseIpv4(text.slice(cut + 1))
    if (cut < 0 || ipv4 === null) return null
    tail.push(...ipv4)
    groups = text.slice(0, cut)
    // `::1.2.3.4` leaves `:`, which stands for the `::` it was cut from.
    if (groups.endsWith(':')) groups += ':'
  }
  const halves = groups.split('::')
  if (halves.length > 2) return null
  const read = (half: string): number[] | null => {
    if (half === '') return []
    const out: number[] = []
    for (const group of half.split(':')) {
      if (!/^[0-9a-fA-F]{1,4}$/.test(group)) return null
      const value = Number.parseInt(group, 16)
      out.push(value >> 8, value & 255)
    }
    return out
  }
  const before = read(halves[0] ?? '')
  const after = halves.length === 2 ? read(halves[1] ?? '') : []
  if (before === null || after === null) return null
  const known = before.length + after.length + tail.length
  if (halves.length === 1 ? known !== 16 : known > 14) return null
  const zeros = Array.from({ length: 16 - known }, () => 0)
  return Uint8Array.from([...before, ...zeros, ...after, ...tail])
}

export function parseIp(text: string): IpBytes | null {
  return text.includes(':') ? parseIpv6(text) : parseIpv4(text)
}

/** Canonical text: dotted quad, or RFC 5952 (lower case, longest run of zeros shortened). */
export function formatIp(bytes: IpBytes): string {
  if (bytes.length === 4) return Array.from(bytes).join('.')
  const groups = Array.from({ length: 8 }, (_, i) => ((bytes[i * 2] ?? 0) << 8) | (bytes[i * 2 + 1] ?? 0))
  let start = -1
  let longest = 1
  for (let i = 0; i < 8; i += 1) {
    let run = 0
    while (i + run < 8 && groups[i + run] === 0) run += 1
    if (run > longest) {
      start = i
      longest = run
    }
  }
  const hex = groups.map((group) => group.toString(16))
  if (start < 0) return hex.join(':')
  return `${hex.slice(0, start).join(':')}::${hex.slice(start + longest).join(':')}`
}

/** Canonical text of an address, null when it is none. IPv4-mapped IPv6 becomes IPv4 (how systems report peers). */
export function canonicalIp(text: string): string | null {
  const bytes = parseIp(text)
  if (bytes === null) return null
  return formatIp(isIpv4Mapped(bytes) ? bytes.slice(12) : bytes)
}

export type AddressClass = {
  readonly global: boolean
  /** `global`, or which rule refuses: `loopback`, `private_use`… (see the table), `unparseable`, `own_address`. */
  readonly reason: string
}

/** Azure's host endpoint: answers to every virtual machine there and looks global. */
const wireServer = Uint8Array.from([168, 63, 129, 16])

/**
 * Whether a capture may reach the address. Stricter than IANA in these points: an address in *any* block whose "Globally
 * Reachable" is not True is refused, more specific reachable blocks included (192.0.0.9 is served by the local network);
 * IPv6 outside `2000::/3` is refused whole, which covers NAT64 and IPv4-mapped; 6to4 and Teredo likewise; and ISATAP
 * identifiers (RFC 5214 §6.1) by the IPv4 address inside.
 * @param own canonical addresses of this installation.
 */
export function classifyAddress(ip: string | IpBytes, own: readonly string[] = []): AddressClass {
  const bytes = typeof ip === 'string' ? parseIp(ip) : ip
  if (bytes === null || (bytes.length !== 4 && bytes.length !== 16)) return { global: false, reason: 'unparseable' }
  if (own.length > 0 && own.includes(formatIp(isIpv4Mapped(bytes) ? bytes.slice(12) : bytes)))
    return { global: false, reason: 'own_address' }
  for (const block of specialPurposeBlocks) {
    if (block.bytes.length === bytes.length && inBlock(bytes, block.bytes, block.prefix))
      return { global: false, reason: block.reason }
  }
  if (bytes.length === 4) {
    if (inBlock(bytes, wireServer, 32)) return { global: false, reason: 'cloud_endpoint' }
    return { global: true, reason: 'global' }
  }
  if (((bytes[0] ?? 0) & 0xe0) !== 0x20) return { global: false, reason: 'not_global_unicast' }
  const isatap = ((bytes[8] ?? 0) & 0xfd) === 0 && bytes[9] === 0 && bytes[10] === 0x5e && bytes[11] === 0xfe
  if (isatap && !classifyAddress(bytes.slice(12), own).global) return { global: false, reason: 'isatap' }
  return { global: true, reason: 'global' }
}

function inBlock(address: IpBytes, block: IpBytes, prefix: number): boolean {
  const whole = prefix >> 3
  for (let i = 0; i < whole; i += 1) if (address[i] !== block[i]) return false
  const rest = prefix & 7
  return rest === 0 || (((address[whole] ?? 0) ^ (block[whole] ?? 0)) & (0xff << (8 - rest)) & 0xff) === 0
}

function isIpv4Mapped(bytes: IpBytes): boolean {
  return bytes.length === 16 && bytes.subarray(0, 10).every((byte) => byte === 0) && bytes[10] === 255 && bytes[11] === 255
}

export type AddressAndPort = { readonly ip: string; readonly port: number }

/** `127.0.0.1:8123` or `[::1]:8123`, strictly; the address comes back in canonical text. Null for anything else. */
export function parseAddressAndPort(text: string): AddressAndPort | null {
  const match = /^(?:\[([0-9a-fA-F:.]+)\]|(\d+\.\d+\.\d+\.\d+)):([1-9]\d{0,4})$/.exec(text)
  if (match === null) return null
  const bytes = match[1] === undefined ? parseIpv4(match[2] ?? '') : parseIpv6(match[1])
  const port = Number(match[3])
  if (bytes === null || port > 65_535) return null
  return { ip: formatIp(bytes), port }
}

/** Whether the operator allowed this very address and port, in that family. Entries that don't parse allow nothing. */
export function isAllowedAddress(allow: readonly string[], ip: string, port: number): boolean {
  const bytes = parseIp(ip)
  if (bytes === null) return false
  const wanted = formatIp(bytes)
  return allow.some((entry) => {
    const allowed = parseAddressAndPort(entry)
    return allowed !== null && allowed.ip === wanted && allowed.port === port
  })
}

/**
 * The address a visitor types, checked before anything is started. The form and the server use this very function; the
 * tunnel checks again what the browser asks for, and every address that a name resolves to.
 */
import { classifyAddress, formatIp, isAllowedAddress, parseIp, parseIpv6 } from './ip-address.ts'

export const maxWebAddressLength = 2_000

/** Codes of `CaptureFailure` that the text alone decides. */
export type WebAddressErrorCode =
  | 'unparseable_address'
  | 'unsupported_scheme'
  | 'credentials_in_address'
  | 'private_address'
  | 'port_refused'

export type WebAddressResult =
  | { readonly ok: true; readonly url: string }
  | { readonly ok: false; readonly code: WebAddressErrorCode; readonly data: Readonly<Record<string, string | number>> }

/**
 * Ports that browsers refuse to speak HTTP to: "bad ports" of the Fetch Standard §2.9, which Chromium's restricted ports
 * follow (net/base/port_util.cc).
 */
const badPorts: ReadonlySet<number> = new Set([
  0, 1, 7, 9, 11, 13, 15, 17, 19, 20, 21, 22, 23, 25, 37, 42, 43, 53, 69, 77, 79, 87, 95, 101, 102, 103, 104, 109, 110, 111, 113,
  115, 117, 119, 123, 135, 137, 139, 143, 161, 179, 389, 427, 465, 512, 513, 514, 515, 526, 530, 531, 532, 540, 548, 554, 556,
  563, 587, 601, 636, 989, 990, 993, 995, 1719, 1720, 1723, 2049, 3659, 4045, 4190, 5060, 5061, 6000, 6566, 6665, 6666, 6667,
  6668, 6669, 6679, 6697, 10080,
])

export function isRefusedPort(port: number): boolean {
  return !Number.isInteger(port) || port < 1 || port > 65_535 || badPorts.has(port)
}

const refuse = (code: WebAddressErrorCode, data: Record<string, string | number> = {}): WebAddressResult => ({
  ok: false,
  code,
  data,
})

/** C0, C1, DEL; and what makes an address read as another one: bidirectional controls and invisible characters (not the joiners of Persian and Indic paths). */
const controls = /[\u0000-\u001f\u007f-\u009f]/
const deceptive =
  /[\u00ad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/
const scheme = /^([a-zA-Z][a-zA-Z0-9+.-]*):/

/**
 * @param allow `ip:port` exceptions of the operator (PROBANT_ALLOW_ADDRESSES); a name under `localhost` counts as 127.0.0.1.
 * @returns the normalised URL (WHATWG serialisation, fragment kept), or the failure's code with `reason` in its data.
 */
export function parseWebAddress(text: string, allow: readonly string[] = []): WebAddressResult {
  const typed = text.trim()
  if (typed === '') return refuse('unparseable_address', { reason: 'empty' })
  if (typed.length > maxWebAddressLength) return refuse('unparseable_address', { reason: 'too_long', max: maxWebAddressLength })
  if (controls.test(typed)) return refuse('unparseable_address', { reason: 'control_character' })
  if (deceptive.test(typed)) return refuse('unparseable_address', { reason: 'deceptive_character' })

  const named = scheme.exec(typed)?.[1]?.toLowerCase()
  // `example.com:8080/x` reads as a scheme; a digit after the colon says that it is a port.
  const hasScheme = named !== undefined && !/^[^:/?#]*:\d+(?:[/?#]|$)/.test(typed)
  if (hasScheme && named !== 'http' && named !== 'https') return refuse('unsupported_scheme', { scheme: named.slice(0, 30) })
  if (hasScheme && !/^https?:\/\/[^/\\]/i.test(typed)) return refuse('unparseable_address', { reason: 'malformed' })
  const complete = hasScheme ? typed : `https://${typed.replace(/^\/\//, '')}`
  const authority = /^https?:\/\/([^/?#]*)/i.exec(complete)?.[1] ?? ''
  if (authority.includes('\\') || authority.includes(' ')) return refuse('unparseable_address', { reason: 'malformed' })
  if (authority.includes('@')) return refuse('credentials_in_address')
  if (!URL.canParse(complete)) return refuse('unparseable_address', { reason: 'malformed' })
  const url = new URL(complete)
  if (url.username !== '' || url.password !== '') return refuse('credentials_in_address')
  if (url.href.length > maxWebAddressLength * 3)
    return refuse('unparseable_address', { reason: 'too_long', max: maxWebAddressLength })

  const port = url.port === '' ? (url.protocol === 'http:' ? 80 : 443) : Number(url.port)
  const host = classifyHost(url.hostname)
  if (host.kind === 'malformed') return refuse('unparseable_address', { reason: 'malformed' })
  const address = host.kind === 'address' ? host.ip : host.kind === 'loopback_name' ? '127.0.0.1' : null
  const allowed = address !== null && isAllowedAddress(allow, address, port)
  if (!allowed) {
    // A word is no name of a site: nobody who typed it asked for a private network.
    if (host.kind === 'local_name' && !host.name.includes('.')) return refuse('unparseable_address', { reason: 'single_label' })
    if (host.kind === 'loopback_name' || host.kind === 'local_name')
      return refuse('private_address', { host: host.name, reason: 'local_name' })
    if (host.kind === 'address') {
      const { global, reason } = classifyAddress(host.ip)
      if (!global) return refuse('private_address', { host: host.ip, reason })
    }
    if (isRefusedPort(port)) return refuse('port_refused', { port })
  }
  return { ok: true, url: url.href }
}

export type HostClass =
  | { readonly kind: 'address'; readonly ip: string }
  /** `localhost` and names under it: always the loopback address, never asked of DNS (RFC 6761 §6.3). */
  | { readonly kind: 'loopback_name'; readonly name: string }
  /** Names that mean something on a local network only. */
  | { readonly kind: 'local_name'; readonly name: string }
  | { readonly kind: 'name'; readonly name: string }
  | { readonly kind: 'malformed' }

/** RFC 6762 §3 and appendix G, RFC 8375, the reserved `internal`; .onion never leaves for DNS (RFC 7686). */
const localSuffixes = ['local', 'internal', 'intranet', 'private', 'corp', 'home', 'lan', 'home.arpa', 'localdomain', 'onion']

/** What a host stands for, in whatever spelling a URL takes it (decimal, octal, hex, short, fullwidth, percent-encoded, bracketed). */
export function classifyHost(host: string): HostClass {
  const text = host.includes(':') && !host.startsWith('[') ? `[${host}]` : host
  if (text === '' || text.length > 1_000 || /[/?#@\\\s]/.test(text) || !URL.canParse(`http://${text}/`))
    return { kind: 'malformed' }
  const url = new URL(`http://${text}/`)
  if (url.port !== '' || url.username !== '' || url.pathname !== '/') return { kind: 'malformed' }
  const hostname = url.hostname
  if (hostname.startsWith('[')) {
    const bytes = parseIpv6(hostname.slice(1, -1))
    return bytes === null ? { kind: 'malformed' } : { kind: 'address', ip: formatIp(bytes) }
  }
  const name = hostname.replace(/\.$/, '')
  const ipv4 = parseIp(name)
  if (ipv4 !== null) return { kind: 'address', ip: formatIp(ipv4) }
  const labels = name.split('.')
  // RFC 1035 §2.3.4; underscores exist in the wild. What a URL parser lets through and DNS does not carry is no host.
  if (name.length > 253 || !labels.every((label) => /^[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?$/.test(label)))
    return { kind: 'malformed' }
  if (labels.at(-1) === 'localhost') return { kind: 'loopback_name', name }
  if (labels.length === 1 || localSuffixes.some((suffix) => name === suffix || name.endsWith(`.${suffix}`)))
    return { kind: 'local_name', name }
  return { kind: 'name', name }
}

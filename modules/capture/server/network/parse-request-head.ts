/**
 * The head of a request to the tunnel, read strictly: whatever two parsers could read differently is refused (RFC 9112
 * §11.2, request smuggling). What is changed on the way to a plain-HTTP origin is changed here and nowhere else:
 *
 * - the request line: `GET http://host/path HTTP/1.1` becomes `GET /path HTTP/1.1` (RFC 9112 §3.2.1);
 * - `Proxy-Connection` and `Proxy-Authorization` fields, meant for the tunnel, are left out.
 *
 * Every other byte is passed on as it came. No `Via` is added: the tunnel is a part of the witness, not of the origin's path.
 */
import { classifyHost, type HostClass } from '../../../../kernel/web-address.ts'

export type BodyFraming =
  | { readonly kind: 'none' }
  | { readonly kind: 'length'; readonly bytes: number }
  | { readonly kind: 'chunked' }

export type RequestHead = {
  readonly kind: 'connect' | 'http'
  readonly host: Exclude<HostClass, { kind: 'malformed' }>
  readonly port: number
  readonly framing: BodyFraming
  /** Asks to change protocol: what follows is not HTTP once the origin agrees. */
  readonly upgrade: boolean
  /** What goes to the origin instead of the head; empty for CONNECT. */
  readonly forward: Buffer
}

export type HeadResult = { readonly ok: true; readonly head: RequestHead } | { readonly ok: false; readonly reason: string }

const token = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/
const requestLine = /^([!#$%&'*+.^_`|~0-9A-Za-z-]{1,32}) ([\x21-\x7e]+) HTTP\/1\.([01])$/
const fieldValue = /^[\t\x20-\x7e\x80-\xff]*$/
const forTheTunnel = new Set(['proxy-connection', 'proxy-authorization'])

const malformed = (reason: string): HeadResult => ({ ok: false, reason })

/** @param bytes the whole head, its final empty line included. */
export function parseRequestHead(bytes: Buffer): HeadResult {
  const text = bytes.toString('latin1')
  if (!text.endsWith('\r\n\r\n')) return malformed('no_end')
  const lines = text.slice(0, -4).split('\r\n')
  if (lines.some((line) => line.includes('\r') || line.includes('\n') || line.includes('\0'))) return malformed('bare_line_end')
  const [, method, target, minor] = requestLine.exec(lines[0] ?? '') ?? []
  if (method === undefined || target === undefined) return malformed('request_line')

  const fields = new Map<string, string[]>()
  const kept: string[] = []
  for (const line of lines.slice(1)) {
    const colon = line.indexOf(':')
    const name = line.slice(0, Math.max(colon, 0))
    const value = line.slice(colon + 1)
    // A space before the colon and folded lines fall here as well (RFC 9112 §5.1, §5.2).
    if (!token.test(name) || !fieldValue.test(value)) return malformed('field')
    const key = name.toLowerCase()
    fields.set(key, [...(fields.get(key) ?? []), value.trim()])
    if (!forTheTunnel.has(key)) kept.push(line)
  }
  const framing = readFraming(fields, minor === '1')
  if (framing === null) return malformed('ambiguous_length')
  const hosts = fields.get('host') ?? []
  if (hosts.length > 1 || (hosts.length === 0 && minor === '1')) return malformed('host_field')

  if (method === 'CONNECT') {
    const authority = /^(\[[0-9a-fA-F:.]+\]|[^:[\]@/?#]+):([1-9]\d{0,4})$/.exec(target)
    const host = classifyHost(authority?.[1] ?? '')
    if (authority === null || host.kind === 'malformed' || framing.kind !== 'none') return malformed('authority')
    return {
      ok: true,
      head: { kind: 'connect', host, port: Number(authority[2]), framing, upgrade: false, forward: Buffer.alloc(0) },
    }
  }

  const absolute = /^http:\/\/(\[[0-9a-fA-F:.]+\]|[^:[\]@/?#]+)(?::(\d{1,5}))?([/?][^#]*)?$/i.exec(target)
  if (absolute === null) return malformed('target')
  const host = classifyHost(absolute[1] ?? '')
  if (host.kind === 'malformed') return malformed('authority')
  const port = absolute[2] === undefined ? 80 : Number(absolute[2])
  // RFC 9112 §3.2.2 has the target win over Host; a difference has no honest source here, and is refused.
  if (hosts[0] !== undefined && authorityKey(hosts[0]) !== authorityKey(`${absolute[1]}:${port}`)) return malformed('host_field')
  const path = absolute[3] ?? (method === 'OPTIONS' ? '*' : '/')
  const line = `${method} ${path.startsWith('?') ? `/${path}` : path} HTTP/1.${minor}`
  const forward = Buffer.from([line, ...kept, '', ''].join('\r\n'), 'latin1')
  const connection = (fields.get('connection') ?? []).join(',').toLowerCase()
  const upgrade = fields.has('upgrade') && connection.split(',').some((option) => option.trim() === 'upgrade')
  return { ok: true, head: { kind: 'http', host, port, framing, upgrade, forward } }
}

/** RFC 9112 §6.3, without its latitude: one length, or chunked alone, or nothing. */
function readFraming(fields: ReadonlyMap<string, readonly string[]>, http11: boolean): BodyFraming | null {
  const coding = fields.get('transfer-encoding')
  const length = fields.get('content-length')
  if (coding !== undefined) {
    return http11 && length === undefined && coding.length === 1 && coding[0]?.toLowerCase() === 'chunked'
      ? { kind: 'chunked' }
      : null
  }
  if (length === undefined) return { kind: 'none' }
  return length.length === 1 && /^\d{1,15}$/.test(length[0] ?? '') ? { kind: 'length', bytes: Number(length[0]) } : null
}

const authorityKey = (authority: string): string => authority.toLowerCase().replace(/:80$/, '')

export const hostText = (host: RequestHead['host']): string => (host.kind === 'address' ? host.ip : host.name)

/**
 * HTTP/2 has no textual head. Archives hold HTTP/1.1-style heads, so one is written from the decoded field list, in its order
 * and with its names as sent; nothing is added but the start line and `host` from `:authority` (decision 0031).
 */
import type { HeaderField } from '../exchange/exchange.ts'

export type Pseudo = {
  readonly method: string
  readonly path: string
  readonly authority: string | null
  readonly scheme: string
  readonly protocol: string | null
}

/** Characters that no field may hold (RFC 9113 §8.2.1): they would forge lines in the head. */
export function hasForbiddenCharacters(fields: readonly HeaderField[]): boolean {
  // eslint-disable-next-line no-control-regex
  return fields.some(({ name, value }) => /[\0\r\n]/.test(value) || !/^:?[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/.test(name))
}

function pseudoOf(fields: readonly HeaderField[], name: string): string | null {
  return fields.find((field) => field.name === name)?.value ?? null
}

export function readRequestPseudo(fields: readonly HeaderField[]): Pseudo | null {
  const method = pseudoOf(fields, ':method')
  const protocol = pseudoOf(fields, ':protocol')
  const authority = pseudoOf(fields, ':authority')
  const path = pseudoOf(fields, ':path') ?? (method === 'CONNECT' ? authority : null)
  if (method === null || path === null || /[\s]/.test(method + path)) return null
  return { method, path, authority, scheme: pseudoOf(fields, ':scheme') ?? 'https', protocol }
}

export function readStatus(fields: readonly HeaderField[]): number | null {
  const status = pseudoOf(fields, ':status')
  return status !== null && /^[1-9][0-9]{2}$/.test(status) ? Number(status) : null
}

function lines(fields: readonly HeaderField[]): string {
  return (
    fields
      // Forbidden in HTTP/2 (RFC 9113 §8.2.2); left in, it would tell a reader of the archive that the body is chunked.
      .filter(({ name }) => !name.startsWith(':') && name.toLowerCase() !== 'transfer-encoding')
      .map(({ name, value }) => `${name}: ${value}\r\n`)
      .join('')
  )
}

export function writeRequestHead(pseudo: Pseudo, fields: readonly HeaderField[]): Buffer {
  const host = pseudo.authority === null ? '' : `host: ${pseudo.authority}\r\n`
  return Buffer.from(`${pseudo.method} ${pseudo.path} HTTP/1.1\r\n${host}${lines(fields)}\r\n`, 'latin1')
}

/** HTTP/2 has no reason phrase, and none is made up: it stays empty, which RFC 9112 §4 allows. */
export function writeResponseHead(status: number, fields: readonly HeaderField[]): Buffer {
  return Buffer.from(`HTTP/1.1 ${status} \r\n${lines(fields)}\r\n`, 'latin1')
}

/** Heads of HTTP/1 messages (RFC 9112), read without altering a byte. */
import type { HeaderField } from '../exchange/exchange.ts'

export const maxHeadBytes = 512 * 1024

/** Offset after the empty line that ends a head, or -1. A bare LF ends a line, as browsers take it (RFC 9112 §2.2). */
export function findHeadEnd(bytes: Buffer, from: number): number {
  for (let at = bytes.indexOf(10, from); at !== -1; at = bytes.indexOf(10, at + 1)) {
    if (bytes[at + 1] === 10) return at + 2
    if (bytes[at + 1] === 13 && bytes[at + 2] === 10) return at + 3
  }
  return -1
}

/** Lines → fields; obsolete folding is joined by a space (RFC 9112 §5.2). A line without colon is left out. */
export function parseFields(text: string): HeaderField[] {
  const fields: { name: string; value: string }[] = []
  for (const line of text.split(/\r?\n/)) {
    if (line === '') continue
    const last = fields.at(-1)
    if ((line.startsWith(' ') || line.startsWith('\t')) && last !== undefined) {
      last.value = `${last.value} ${line.trim()}`.trim()
      continue
    }
    const colon = line.indexOf(':')
    if (colon > 0)
      fields.push({ name: line.slice(0, colon).trimEnd(), value: line.slice(colon + 1).replace(/^[ \t]+|[ \t]+$/g, '') })
  }
  return fields
}

export type RequestHead = {
  readonly method: string
  readonly target: string
  readonly version: string
  readonly fields: readonly HeaderField[]
}
export type ResponseHead = {
  readonly status: number
  readonly reason: string
  readonly version: string
  readonly fields: readonly HeaderField[]
}

function splitHead(head: Buffer): { line: string; rest: string } {
  const text = head.toString('latin1')
  const end = text.indexOf('\n')
  return { line: text.slice(0, end).replace(/\r$/, ''), rest: text.slice(end + 1) }
}

export function parseRequestHead(head: Buffer): RequestHead | null {
  const { line, rest } = splitHead(head)
  const match = /^([!#$%&'*+\-.^_`|~0-9A-Za-z]+) (\S+) HTTP\/(1\.[01])$/.exec(line)
  return match === null
    ? null
    : { method: match[1] ?? '', target: match[2] ?? '', version: match[3] ?? '', fields: parseFields(rest) }
}

export function parseResponseHead(head: Buffer): ResponseHead | null {
  const { line, rest } = splitHead(head)
  const match = /^HTTP\/(1\.[01]) ([1-9][0-9]{2})(?: (.*))?$/.exec(line)
  return match === null
    ? null
    : { status: Number(match[2]), reason: match[3] ?? '', version: match[1] ?? '', fields: parseFields(rest) }
}

export type Framing =
  | { readonly kind: 'none' | 'chunked' | 'close' }
  | { readonly kind: 'length'; readonly length: number }
  | { readonly kind: 'ambiguous' }

/**
 * How a body is delimited (RFC 9112 §6.3). Transfer-Encoding wins over Content-Length as in browsers; lengths that differ are
 * ambiguous, and nothing after them can be believed.
 */
export function framingOf(fields: readonly HeaderField[], isRequest: boolean): Framing {
  const values = (name: string): string[] =>
    fields
      .filter((field) => field.name.toLowerCase() === name)
      .flatMap((field) => field.value.split(',').map((value) => value.trim()))
  const transfer = values('transfer-encoding')
    .filter((coding) => coding !== '')
    .map((coding) => coding.toLowerCase())
  const lengths = new Set(values('content-length'))
  if (transfer.length > 0) {
    if (isRequest && lengths.size > 0) return { kind: 'ambiguous' }
    if (transfer.at(-1) === 'chunked')
      return transfer.indexOf('chunked') === transfer.length - 1 ? { kind: 'chunked' } : { kind: 'ambiguous' }
    return isRequest ? { kind: 'ambiguous' } : { kind: 'close' }
  }
  if (lengths.size > 1) return { kind: 'ambiguous' }
  const [length] = lengths
  if (length === undefined) return { kind: isRequest ? 'none' : 'close' }
  return /^[0-9]{1,15}$/.test(length) ? { kind: 'length', length: Number(length) } : { kind: 'ambiguous' }
}

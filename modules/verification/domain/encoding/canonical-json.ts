/**
 * JSON where bytes matter: the canonical form of RFC 8785 (JCS), and a reader that refuses what `JSON.parse` lets through.
 * Two documents that a lenient parser reads alike but that differ byte for byte could otherwise carry one signature.
 */

export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json }

const deepest = 32

/** Member order of RFC 8785 §3.2.3: by UTF-16 code unit, which is what JavaScript's string comparison does. */
export function compareCodeUnits(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}

/**
 * Canonical text of a value. Members whose value is `undefined` are left out, as `JSON.stringify` does.
 * @throws RangeError on a number that is not finite, a lone surrogate, or nesting deeper than 32.
 */
export function canonicalJson(value: unknown): string {
  return write(value, 0)
}

function write(value: unknown, depth: number): string {
  if (depth > deepest) throw new RangeError('nested too deeply')
  if (value === null || typeof value === 'boolean') return String(value)
  if (typeof value === 'number') {
    if (!Number.isFinite(value)) throw new RangeError('not a finite number')
    // RFC 8785 §3.2.2.3 defines the form of numbers as ECMAScript's own.
    return JSON.stringify(value)
  }
  if (typeof value === 'string') {
    if (!value.isWellFormed()) throw new RangeError('lone surrogate')
    return JSON.stringify(value)
  }
  if (Array.isArray(value)) return `[${value.map((item: unknown) => write(item, depth + 1)).join(',')}]`
  if (typeof value !== 'object') throw new RangeError(`no JSON form of ${typeof value}`)
  const members = Object.entries(value)
    .filter(([, member]) => member !== undefined)
    .toSorted(([a], [b]) => compareCodeUnits(a, b))
    .map(([key, member]) => `${write(key, depth)}:${write(member, depth + 1)}`)
  return `{${members.join(',')}}`
}

/**
 * Reads bytes that claim to be canonical JSON. Because the canonical form of what was read must equal the input, duplicate
 * keys, other number forms, other escapes, white space and a byte order mark are all refused by one comparison.
 * @throws RangeError saying what is wrong.
 */
export function parseCanonicalJson(bytes: Uint8Array): Json {
  let text: string
  try {
    text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    throw new RangeError('not UTF-8')
  }
  if (nestingOf(text) > deepest) throw new RangeError('nested too deeply')
  let value: Json
  try {
    value = JSON.parse(text) as Json
  } catch {
    throw new RangeError('not JSON')
  }
  if (canonicalJson(value) !== text) throw new RangeError('not in canonical form')
  return value
}

/** Deepest bracket level, found before parsing so that a bomb of brackets costs one pass and no stack. */
function nestingOf(text: string): number {
  let depth = 0
  let most = 0
  let quoted = false
  for (let i = 0; i < text.length; i += 1) {
    const unit = text.charCodeAt(i)
    if (quoted) {
      if (unit === 0x5c) i += 1
      else if (unit === 0x22) quoted = false
    } else if (unit === 0x22) quoted = true
    else if (unit === 0x7b || unit === 0x5b) most = Math.max(most, (depth += 1))
    else if (unit === 0x7d || unit === 0x5d) depth -= 1
  }
  return most
}

import { patternsOf, type SecretPattern } from './secret-patterns.ts'

/** Replaces secrets by as many octets `X`: lengths, offsets and syntax of what holds them stay as they were. */
export type SecretMasker = {
  /** How many secrets can be searched for. */
  readonly secrets: number
  /** @returns the same bytes when nothing is in them */
  mask(bytes: Buffer): Masked
  /** The same for bytes that come in parts, wherever they are cut. `found` counts when the stream has ended. */
  maskStream(parts: AsyncIterable<Uint8Array> | Iterable<Uint8Array>, found: (times: number) => void): AsyncGenerator<Buffer>
  /** Text of our own records. */
  maskText(text: string): { readonly text: string; readonly times: number }
}

export type Masked = { readonly bytes: Buffer; readonly times: number }

type Span = readonly [start: number, end: number]

const mark = 0x58

/** @param values in any order; those that are too short to be searched for are left out (`shortestSecret`) */
export function createSecretMasker(values: readonly string[]): SecretMasker {
  const sets = [...new Set(values)].map((value) => patternsOf(value)).filter((set) => set.length > 0)
  const patterns: readonly SecretPattern[] = sets.flat()
  const longest = patterns.reduce((most, pattern) => Math.max(most, pattern.longest), 0)

  const mask = (bytes: Buffer): Masked => {
    const spans = findSpans(bytes, patterns)
    if (spans.length === 0) return { bytes, times: 0 }
    const masked = Buffer.from(bytes)
    for (const span of spans) overwrite(masked, span)
    return { bytes: masked, times: spans.length }
  }

  return {
    secrets: sets.length,
    mask,
    maskText: (text) => {
      const { bytes, times } = mask(Buffer.from(text))
      return { text: times === 0 ? text : bytes.toString('utf8'), times }
    },
    async *maskStream(parts, found) {
      let held = Buffer.alloc(0)
      let times = 0
      for await (const part of parts) {
        held = Buffer.concat([held, part])
        // Twice: what is let go is then longer than what is kept, and long streams cost no more than a copy each.
        if (held.length < Math.max(2 * longest, 64 * 1024)) continue
        const spans = findSpans(held, patterns)
        times += overwriteAll(held, spans)
        // A match that may yet grow or begin near the end stays for the next round, and none is cut in two.
        const cut = Math.max(0, held.length - longest)
        const keep = spans.find(([start, end]) => start < cut && end > cut)?.[1] ?? cut
        yield held.subarray(0, keep)
        held = Buffer.from(held.subarray(keep))
      }
      times += overwriteAll(held, findSpans(held, patterns))
      if (held.length > 0) yield held
      found(times)
    },
  }
}

/** Places of every match, joined where they touch, in order. */
function findSpans(bytes: Buffer, patterns: readonly SecretPattern[]): Span[] {
  if (patterns.length === 0 || bytes.length === 0) return []
  const text = bytes.toString('latin1')
  const found: Span[] = patterns.flatMap(({ expression }) =>
    [...text.matchAll(expression)].map((match): Span => [match.index, match.index + match[0].length]),
  )
  found.sort((a, b) => a[0] - b[0])
  const joined: [number, number][] = []
  for (const [start, end] of found) {
    const last = joined.at(-1)
    if (last !== undefined && start < last[1]) last[1] = Math.max(last[1], end)
    else joined.push([start, end])
  }
  return joined
}

function overwriteAll(bytes: Buffer, spans: readonly Span[]): number {
  for (const span of spans) overwrite(bytes, span)
  return spans.length
}

/** Line ends stay, with the sign that makes them soft: otherwise what follows would be another text. */
function overwrite(bytes: Buffer, [start, end]: Span): void {
  const wide = isWide(bytes, start, end)
  for (let at = start; at < end; at += 1) {
    const octet = bytes[at] ?? 0
    if (octet === 0x0a || octet === 0x0d) continue
    if (octet === 0x3d && (bytes[at + 1] === 0x0a || (bytes[at + 1] === 0x0d && bytes[at + 2] === 0x0a))) continue
    // UTF-16 stays UTF-16.
    bytes[at] = wide !== null && (at - start) % 2 !== wide ? 0 : mark
  }
}

/** Of UTF-16: at which of two octets the low one stands; null for anything else. */
function isWide(bytes: Buffer, start: number, end: number): 0 | 1 | null {
  if ((end - start) % 2 !== 0 || end - start < 8) return null
  let [even, odd] = [0, 0]
  for (let at = start; at < end; at += 2) {
    if (bytes[at] === 0) even += 1
    if (bytes[at + 1] === 0) odd += 1
  }
  const half = (end - start) / 4
  return odd > half ? 0 : even > half ? 1 : null
}

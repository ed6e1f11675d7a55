import { patternsOf, type SecretPattern } from './secret-patterns.ts'

/** Replaces secrets by as many octets `X` (or another letter, when a secret is made of it): lengths, offsets and syntax of what holds them stay as they were. */
export type SecretMasker = {
  /** How many secrets can be searched for. */
  readonly secrets: number
  /** @returns the same bytes when nothing is in them */
  mask(bytes: Buffer, tally?: Tally): Masked
  /** The same for bytes that come in parts, wherever they are cut. `found` counts when the stream has ended. */
  maskStream(
    parts: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
    found: (times: number) => void,
    tally?: Tally,
  ): AsyncGenerator<Buffer>
  /** Text of our own records. */
  maskText(text: string, tally?: Tally): { readonly text: string; readonly times: number }
  /** As many octets as the first `most` characters have, of the text once it is masked. Told is what begins in them. */
  cutText(text: string, most: number, tally?: Tally): string
}

export type Masked = { readonly bytes: Buffer; readonly times: number }

/** Hears of each secret that was found: its place among those that the masker was made of. */
export type Tally = (secret: number) => void

/** One secret, or the forms of one that are not told from each other. */
export type SecretForms = string | readonly string[]

type Span = { readonly start: number; readonly end: number; readonly secret: number }
/** One pattern and the place up to which it has been found: matches of one do not overlap. */
type Candidate = Pick<SecretPattern, 'expression' | 'before'> & { readonly secret: number; end: number }
/** Patterns by the two octets with which they may begin: whatever their number, a record is gone through once. */
type Search = {
  readonly lists: readonly (readonly Candidate[])[]
  readonly table: Uint16Array
  readonly all: readonly Candidate[]
  readonly longest: number
}

/** The first of these that no secret is made of alone: what is masked must not be found once more. */
const marks = Buffer.from('XxYyZz_')

/** @param values in any order; those that are too short to be searched for are left out (`shortestSecret`) */
export function createSecretMasker(values: readonly SecretForms[]): SecretMasker {
  const known = new Set<string>()
  const sets = values.flatMap((value, secret) => {
    const forms = (typeof value === 'string' ? [value] : value).filter((form) => !known.has(form))
    for (const form of forms) known.add(form)
    const patterns = forms.flatMap(patternsOf)
    return patterns.length === 0 ? [] : [{ patterns, secret }]
  })
  const longest = sets.flatMap(({ patterns }) => patterns).reduce((most, pattern) => Math.max(most, pattern.longest), 0)
  const search = searchFor(sets, longest)
  const mark = marks.find((one) => findSpans(Buffer.alloc(2 * longest, one), search).length === 0) ?? 0x2a

  const mask = (bytes: Buffer, tally?: Tally): Masked => {
    const spans = findSpans(bytes, search)
    if (spans.length === 0) return { bytes, times: 0 }
    const masked = Buffer.from(bytes)
    return { bytes: masked, times: overwriteAll(masked, spans, mark, tally) }
  }

  return {
    secrets: sets.length,
    mask,
    maskText: (text, tally) => {
      const { bytes, times } = mask(Buffer.from(text), tally)
      return { text: times === 0 ? text : bytes.toString('utf8'), times }
    },
    cutText: (text, most, tally) => {
      const whole = Buffer.from(text)
      const end = Buffer.byteLength(text.slice(0, most).toWellFormed())
      overwriteAll(
        whole,
        findSpans(whole, search).filter(({ start }) => start < end),
        mark,
        tally,
      )
      return whole.subarray(0, end).toString('utf8')
    },
    async *maskStream(parts, found, tally) {
      let held: Buffer = Buffer.alloc(0)
      let waiting: Uint8Array[] = []
      let [length, times] = [0, 0]
      for await (const part of parts) {
        // Whoever gives parts may use their memory again.
        waiting.push(Buffer.from(part))
        length += part.length
        // Twice: what is let go is then longer than what is kept, and long streams cost no more than a copy each.
        if (held.length + length < Math.max(2 * longest, 256 * 1024)) continue
        held = Buffer.concat([held, ...waiting])
        waiting = []
        length = 0
        const spans = findSpans(held, search)
        // A match that may yet grow or begin near the end stays for the next round, and none is cut in two.
        const cut = Math.max(0, held.length - longest)
        const keep = spans.find(({ start, end }) => start < cut && end > cut)?.end ?? cut
        times += overwriteAll(
          held,
          spans.filter(({ end }) => end <= keep),
          mark,
          tally,
        )
        yield held.subarray(0, keep)
        held = Buffer.from(held.subarray(keep))
      }
      held = Buffer.concat([held, ...waiting])
      times += overwriteAll(held, findSpans(held, search), mark, tally)
      if (held.length > 0) yield held
      found(times)
    },
  }
}

function searchFor(
  sets: readonly { readonly patterns: readonly SecretPattern[]; readonly secret: number }[],
  longest: number,
): Search {
  const byStart = new Map<number, Candidate[]>()
  const all: Candidate[] = []
  for (const { patterns, secret } of sets)
    for (const { expression, before, starts } of patterns) {
      const candidate: Candidate = { expression, before, secret, end: 0 }
      all.push(candidate)
      for (const start of starts) {
        const list = byStart.get(start)
        if (list === undefined) byStart.set(start, [candidate])
        else list.push(candidate)
      }
    }
  const lists: Candidate[][] = [[]]
  const table = new Uint16Array(all.length === 0 ? 0 : 0x1_00_00)
  for (const [start, list] of byStart) table[start] = lists.push(list) - 1
  return { lists, table, all, longest }
}

const windowBytes = 256 * 1024

/** Places of every match, joined where they touch, in order. */
function findSpans(bytes: Buffer, { lists, table, all, longest }: Search): Span[] {
  if (all.length === 0 || bytes.length === 0) return []
  const found: Span[] = []
  for (const one of all) one.end = 0
  // Window by window: of a text of megabytes each try would cost as much as its length.
  for (let from = 0; from < bytes.length; from += windowBytes) {
    const textAt = Math.max(0, from - 1)
    const text = bytes.toString('latin1', textAt, from + windowBytes + longest)
    const end = Math.min(from + windowBytes, bytes.length - 1)
    let pair = bytes[from] ?? 0
    for (let at = from; at < end; at += 1) {
      pair = ((pair & 0xff) << 8) | (bytes[at + 1] ?? 0)
      const list = table[pair] ?? 0
      if (list === 0) continue
      for (const candidate of lists[list] ?? []) {
        const start = at - candidate.before
        if (start < candidate.end) continue
        const { expression } = candidate
        expression.lastIndex = start - textAt
        if (!expression.test(text)) continue
        candidate.end = textAt + expression.lastIndex
        found.push({ start, end: candidate.end, secret: candidate.secret })
      }
    }
  }
  found.sort((a, b) => a.start - b.start)
  const joined: { start: number; end: number; secret: number }[] = []
  for (const span of found) {
    const last = joined.at(-1)
    if (last !== undefined && span.start < last.end) last.end = Math.max(last.end, span.end)
    else joined.push({ ...span })
  }
  return joined
}

function overwriteAll(bytes: Buffer, spans: readonly Span[], mark: number, tally?: Tally): number {
  for (const span of spans) {
    overwrite(bytes, span, mark)
    tally?.(span.secret)
  }
  return spans.length
}

/** Line ends stay, with the sign that makes them soft: otherwise what follows would be another text. */
function overwrite(bytes: Buffer, { start, end }: Span, mark: number): void {
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

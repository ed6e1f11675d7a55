/**
 * `capture/timeline.jsonl` (`probant-timeline/1`): everything that happened in a live session, one line each, every line with the
 * SHA-256 of the line before it. Streamed to disk as it grows, so that what ended the process leaves what came before.
 */
import { createHash } from 'node:crypto'
import { open } from 'node:fs/promises'
import { join } from 'node:path'
import type { Clock } from '../../../../../kernel/clock.ts'
import type { Log } from '../../../../../platform/log/log.ts'
import { canonicalJson, type TimelineHead } from '../../../../verification/server/index.ts'
import type { TimelineEntry } from '../../../domain/timeline-entry.ts'

export const timelinePath = 'capture/timeline.jsonl'
export const timelineFormat = 'probant-timeline/1'

export type Timeline = {
  /**
   * Adds a line. Texts in `data` are hostile and cut here; a secret must not be among them. Before `begin` lines wait, since what their
   * time counts from is not known yet. Returns the instant, or null when the bound was reached and the line was left out.
   */
  add(
    type: TimelineEntry['type'],
    data: TimelineEntry['data'],
    when?: number,
  ): { readonly ms: number; readonly at: string } | null
  /** Times count from that moment of the monotonic clock: that of the first picture. Call once. */
  begin(atMs: number): void
  /** Texts that are added from now on pass through this first: it takes out what is secret. */
  maskWith(mask: (text: string) => string): void
  /** Milliseconds since the recording began, three decimals; 0 before it. Never goes back. */
  ms(): number
  /** Our clock at that many milliseconds, ISO 8601 UTC. */
  at(ms: number): string
  head(): TimelineHead
  /** Lines left out because a bound was reached. */
  dropped(): number
  /** Everything so far is on the disk. */
  flush(): Promise<void>
  /** The last line was added: whatever comes later is left out. @throws what the disk said. */
  finish(): Promise<{ readonly path: string; readonly file: string; readonly entries: number; readonly head: string }>
}

/** A session of ten minutes makes some thousands. What must not be left out has the rest of the room. */
export const timelineBounds = { lines: 100_000, bytes: 50 * 1024 * 1024, reserve: 0.1, text: 4_000, flushMs: 1_000 } as const

/** Left out first: what a page or a hand can make without end. */
const plentiful: ReadonlySet<TimelineEntry['type']> = new Set([
  'pointer',
  'touch',
  'key',
  'text',
  'request',
  'navigation',
  'tab',
  'dialog',
  'history',
  'zoom',
])

/** Well-formed and bounded: RFC 8785 has no form for a lone surrogate. */
function bounded(value: unknown, mask: (text: string) => string, depth = 0): unknown {
  // Masked before it is cut: half a secret would not be found.
  if (typeof value === 'string')
    return mask(value.slice(0, 8 * timelineBounds.text).toWellFormed())
      .slice(0, timelineBounds.text)
      .toWellFormed()
  if (typeof value === 'number') return Number.isFinite(value) ? Math.round(value * 1000) / 1000 : null
  if (value === null || typeof value === 'boolean' || value === undefined) return value
  if (depth > 6 || typeof value !== 'object') return null
  if (Array.isArray(value)) return value.slice(0, 1_000).map((each) => bounded(each, mask, depth + 1) ?? null)
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, bounded(each, mask, depth + 1)]))
}

export async function openTimeline(deps: {
  readonly workDir: string
  readonly clock: Clock
  readonly log: Log
  readonly bounds?: { readonly lines?: number; readonly bytes?: number; readonly flushMs?: number }
  /** Monotonic, in milliseconds; the process's own unless told. */
  readonly monotonicMs?: () => number
}): Promise<Timeline> {
  const limits: { lines: number; bytes: number; flushMs: number } = { ...timelineBounds, ...deps.bounds }
  const monotonic = deps.monotonicMs ?? (() => performance.now())
  const file = join(deps.workDir, 'timeline.jsonl')
  const handle = await open(file, 'wx', 0o600)
  let began: { readonly mono: number; readonly wall: number } | null = null
  let waiting: { type: TimelineEntry['type']; data: TimelineEntry['data']; mono: number }[] = []
  let [entries, bytes, dropped] = [0, 0, 0]
  let head: string | null = null
  let told = false
  let closed = false
  let mask = (text: string): string => text
  let parts: string[] = []
  let failed: unknown = null
  let writing: Promise<void> = Promise.resolve()

  // One write at a time, in order, and on the disk before the next: a killed process loses what the last second had.
  const write = (): Promise<void> => {
    writing = writing.then(async () => {
      if (parts.length === 0 || failed !== null) return
      const text = parts.join('')
      parts = []
      try {
        await handle.appendFile(text)
        await handle.datasync()
      } catch (error) {
        failed = error
        deps.log.error({ err: error }, 'the timeline could not be written')
      }
    })
    return writing
  }
  const timer = setInterval(() => void write(), limits.flushMs)
  timer.unref()

  const line = (type: TimelineEntry['type'], data: TimelineEntry['data'], mono: number) => {
    const from = began as NonNullable<typeof began>
    const ms = Math.round((mono - from.mono) * 1000) / 1000
    const at = new Date(from.wall + ms).toISOString()
    const entry: TimelineEntry = {
      n: entries + 1,
      ms,
      at,
      type,
      data: bounded(data, mask) as TimelineEntry['data'],
      previous: head,
    }
    const text = canonicalJson(entry)
    entries += 1
    bytes += Buffer.byteLength(text) + 1
    head = createHash('sha256').update(text).digest('hex')
    parts.push(`${text}\n`)
    return { ms, at }
  }
  const room = (type: TimelineEntry['type']): boolean => {
    const share = plentiful.has(type) ? 1 - timelineBounds.reserve : 1
    return entries < limits.lines * share - 2 && bytes < limits.bytes * share - 64 * 1024
  }
  const add: Timeline['add'] = (type, data, when = monotonic()) => {
    // What comes after the last line, as a viewer who goes, is in no file: it may be in no head either.
    if (closed) return null
    if (began === null) {
      if (waiting.length < 1_000) waiting.push({ type, data, mono: when })
      else dropped += 1
      return null
    }
    if (room(type)) return line(type, data, when)
    dropped += 1
    if (!told) {
      told = true
      line('warning', { code: 'timeline_full' }, monotonic())
    }
    // The end is always said; two lines were kept free.
    return type === 'end' ? line(type, { ...data, left_out: dropped - 1 }, when) : null
  }
  const ms = () => (began === null ? 0 : Math.round((monotonic() - began.mono) * 1000) / 1000)
  return {
    add,
    begin: (atMs) => {
      if (began !== null) return
      began = { mono: atMs, wall: deps.clock.now().getTime() - (monotonic() - atMs) }
      for (const { type, data, mono } of waiting) add(type, data, mono)
      waiting = []
    },
    maskWith: (next) => {
      mask = next
    },
    ms,
    at: (at) => new Date((began?.wall ?? deps.clock.now().getTime()) + at).toISOString(),
    head: () => ({ entries, head }),
    dropped: () => dropped,
    flush: async () => {
      await write()
    },
    finish: async () => {
      closed = true
      clearInterval(timer)
      await write()
      await handle.close()
      if (failed !== null) throw failed
      return { path: timelinePath, file, entries, head: head ?? '' }
    },
  }
}

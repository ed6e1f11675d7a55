/** What the timeline of a live session counts, read from the sealed piece line by line. */
import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { createInterface } from 'node:readline'
import { z } from 'zod'
import type { CaptureFacts } from '../../../capture/server/index.ts'

export const countedInputs = [
  'clicks',
  'wheel',
  'touches',
  'keys',
  'texts',
  'pastes',
  'masked_inputs',
  'history',
  'zoom',
  'tabs_opened',
  'tabs_closed',
  'tabs_refused',
  'dialogs',
  'requests',
] as const
export type CountedInput = (typeof countedInputs)[number]

export type TimelineContent =
  | { readonly state: 'absent' }
  | { readonly state: 'too_large'; readonly path: string }
  | {
      readonly state: 'read'
      readonly path: string
      readonly lines: number
      readonly counts: Readonly<Record<CountedInput, number>>
      /** Lines that the recorder had no room for, as its last line says. */
      readonly leftOut: number
      /** Lines that are not what the format says. */
      readonly unread: number
      /** 1-based line of each navigation of the facts, in their order; null where none fits. */
      readonly navigationLines: readonly (number | null)[]
      /** 1-based line by number of the screenshot. */
      readonly screenshotLines: ReadonlyMap<number, number>
    }

type Visited = Pick<NonNullable<CaptureFacts['interactive']>, 'navigations'>

const entry = z.object({
  ms: z.number(),
  type: z.string(),
  data: z.record(z.string(), z.unknown()),
})
type Entry = z.output<typeof entry>

/** docs/package-format.md: a timeline has no more. */
const mostBytes = 128 * 1024 * 1024
/** A navigation is noted in the facts and in the timeline one after the other. */
const sameMomentMs = 1_000

/** What a line counts as, if anything: what somebody did, and what came of it. */
function countsAs({ type, data }: Entry): CountedInput | null {
  const { kind, act } = data
  // Each key is down, then up; what is composed becomes text.
  if (kind === 'up' || data['composing'] === true) return null
  if (data['masked'] === true) return type === 'key' || type === 'text' || type === 'paste' ? 'masked_inputs' : null
  switch (type) {
    case 'pointer':
      return kind === 'down' ? 'clicks' : kind === 'wheel' ? 'wheel' : null
    case 'touch':
      return kind === 'start' ? 'touches' : null
    case 'key':
      return 'keys'
    case 'text':
      return 'texts'
    case 'paste':
      return 'pastes'
    case 'history':
      return 'history'
    case 'zoom':
      return 'zoom'
    case 'tab':
      return act === 'opened'
        ? 'tabs_opened'
        : act === 'closed'
          ? 'tabs_closed'
          : act === 'refused' || act === 'blocked'
            ? 'tabs_refused'
            : null
    case 'dialog':
      return act === 'opened' ? 'dialogs' : null
    case 'request':
      return 'requests'
    default:
      return null
  }
}

function parsed(line: string): Entry | null {
  try {
    return entry.safeParse(JSON.parse(line)).data ?? null
  } catch {
    return null
  }
}

/** Reads the piece once; of its lines only what is counted is kept. */
export async function readTimeline(
  piece: { readonly path: string; readonly file: string } | null,
  facts: Visited | null,
): Promise<TimelineContent> {
  if (piece === null || facts === null) return { state: 'absent' }
  if ((await stat(piece.file)).size > mostBytes) return { state: 'too_large', path: piece.path }
  const counts = new Map<CountedInput, number>()
  const screenshotLines = new Map<number, number>()
  const navigationLines: (number | null)[] = facts.navigations.map(() => null)
  let [lines, leftOut, unread, reached] = [0, 0, 0, 0]
  const stream = createReadStream(piece.file, { encoding: 'utf8' })
  try {
    for await (const line of createInterface({ input: stream, crlfDelay: Number.POSITIVE_INFINITY })) {
      lines += 1
      const found = parsed(line)
      if (found === null) {
        unread += 1
        continue
      }
      const { type, data, ms } = found
      const counted = countsAs(found)
      if (counted !== null) counts.set(counted, (counts.get(counted) ?? 0) + 1)
      if (type === 'screenshot' && typeof data['number'] === 'number') screenshotLines.set(data['number'], lines)
      if (type === 'end' && typeof data['left_out'] === 'number') leftOut = data['left_out']
      if (type === 'navigation' && data['act'] === undefined) {
        const index = facts.navigations.findIndex(
          (one, i) => i >= reached && one.tab === data['tab'] && Math.abs(one.ms - ms) <= sameMomentMs,
        )
        if (index !== -1) {
          navigationLines[index] = lines
          reached = index + 1
        }
      }
    }
  } finally {
    stream.destroy()
  }
  const all = Object.fromEntries(countedInputs.map((name) => [name, counts.get(name) ?? 0])) as Record<CountedInput, number>
  return { state: 'read', path: piece.path, lines, counts: all, leftOut, unread, navigationLines, screenshotLines }
}

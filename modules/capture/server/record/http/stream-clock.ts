/** When the parts of a long-lived stream passed; bounded, for a stream may pass in any number of parts. */
import type { PassedAt } from '../exchange/exchange.ts'

export type StreamClock = {
  /** Bytes from `offset` on passed at `at`. */
  mark(offset: number, at: number): void
  marks(): readonly PassedAt[]
}

const maxMarks = 20_000

/** Past 20,000 instants those that follow are not kept: later bytes are then known only not to be earlier than the last one. */
export function createStreamClock(): StreamClock {
  const marks: PassedAt[] = []
  return {
    mark(offset, at) {
      if (marks.length < maxMarks && marks.at(-1)?.at !== at) marks.push({ offset, at })
    },
    marks: () => marks,
  }
}

/** Instant of the byte at `offset`; null when none is known. Offsets asked for must not fall. */
export function createInstantReader(marks: readonly PassedAt[]): (offset: number) => number | null {
  let position = 0
  return (offset) => {
    while (position + 1 < marks.length && (marks[position + 1]?.offset ?? 0) <= offset) position += 1
    return marks[position]?.at ?? null
  }
}

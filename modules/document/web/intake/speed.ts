/** Over so long a speed is taken. */
const windowMs = 5_000
const buckets = 25

/** Bytes in a second over the last seconds. @param clock milliseconds that never go back */
export function makeSpeed(clock: () => number): { add: (bytes: number) => void; now: () => number | null } {
  const marks: { at: number; bytes: number }[] = []
  const forget = (now: number) => {
    while (marks[0] !== undefined && now - marks[0].at > windowMs) marks.shift()
  }
  return {
    add: (bytes) => {
      const at = clock()
      const latest = marks.at(-1)
      if (latest !== undefined && at - latest.at < windowMs / buckets) latest.bytes += bytes
      else marks.push({ at, bytes })
      forget(at)
    },
    now: () => {
      const at = clock()
      forget(at)
      const [first] = marks
      if (first === undefined || at <= first.at) return null
      // What the first mark counts was read before it.
      const read = marks.slice(1).reduce((sum, { bytes }) => sum + bytes, 0)
      return read === 0 ? null : read / ((at - first.at) / 1000)
    },
  }
}

import { execFileSync } from 'node:child_process'

/**
 * Sweeps of thousands: a tenth of them in `npm test`, another tenth for each commit; the whole by `npm run test:whole`. The seed is printed
 * by who sweeps; `PROBANT_SEED` gives the same draw again.
 */
export const whole = process.env['PROBANT_WHOLE'] === '1'

/** Of the commit: what one did not draw another does, and whoever runs the tests of one anew tries the same. */
function ofTheCommit(): number {
  try {
    const commit = execFileSync('git', ['rev-parse', '--short=7', 'HEAD'], {
      cwd: import.meta.dirname,
      encoding: 'utf8',
      stdio: 'pipe',
    })
    return Number.parseInt(commit.trim().slice(0, 7), 16)
  } catch {
    // A copy without its history.
    return 0
  }
}
export const seed = Number(process.env['PROBANT_SEED'] ?? ofTheCommit())

/** How many of so many are tried. */
export const share = (count: number): number => (whole ? count : Math.ceil(count / 10))

/** Numbers from 0 to 1, the same for the same seed (splitmix32). */
export function random(from = seed): () => number {
  let state = from
  return () => {
    state = (state + 0x9e3779b9) | 0
    const mixed = Math.imul(state ^ (state >>> 16), 0x21f0aaad)
    return ((mixed ^ (mixed >>> 15)) >>> 0) / 2 ** 32
  }
}

/** Whole numbers from 0 to below the limit that is given. */
export function below(from = seed): (limit: number) => number {
  const next = random(from)
  return (limit) => Math.floor(next() * limit)
}

/** One of so many, in their order, and the next one for another seed: for what costs too much to be tried each time. */
export const byTurns = <T>(all: readonly T[], of: number): readonly T[] =>
  whole ? all : all.filter((_, at) => (at + seed) % of === 0)

/** Those that are tried, in a drawn order. */
export function draw<T>(all: readonly T[]): readonly T[] {
  const next = random()
  return all
    .map((one) => ({ one, at: next() }))
    .toSorted((a, b) => a.at - b.at)
    .slice(0, share(all.length))
    .map(({ one }) => one)
}

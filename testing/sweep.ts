/**
 * Sweeps of thousands: a tenth of them in `npm test`, another tenth each day; the whole by `npm run test:whole`. The seed is printed by who
 * sweeps; `PROBANT_SEED` gives the same draw again.
 */
export const whole = process.env['PROBANT_WHOLE'] === '1'

/** Of days since 1970: what one day did not draw another does, and all runs of a day try the same. */
export const seed = Number(process.env['PROBANT_SEED'] ?? Math.floor(Date.now() / 86_400_000))

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

/** Those that are tried, in a drawn order. */
export function draw<T>(all: readonly T[]): readonly T[] {
  const next = random()
  return all
    .map((one) => ({ one, at: next() }))
    .toSorted((a, b) => a.at - b.at)
    .slice(0, share(all.length))
    .map(({ one }) => one)
}

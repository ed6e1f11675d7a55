/**
 * Times of the encoder that have no picture. The encoder takes one picture for each of its times, each when the machine lets it: one that was
 * taken late is followed by the next on time, and nothing is missing. Only pictures that are not there are counted, by how long
 * the encoder ran from one gap to the next.
 */
export function countDropped(
  pictures: readonly { readonly time: number; readonly duration: number }[],
  gaps: readonly { readonly to_us: number }[],
): number {
  const resumed = new Set(gaps.map(({ to_us }) => to_us))
  let dropped = 0
  let first: { readonly time: number; readonly at: number } | null = null
  for (const [at, { time, duration }] of pictures.entries()) {
    if (first === null || resumed.has(time)) first = { time, at }
    const next = pictures[at + 1]
    if (duration === 0 || (next !== undefined && !resumed.has(next.time))) continue
    // The last may be late too: a time has passed when a quarter of the next has not.
    const passed = Math.floor((time - first.time) / duration + 0.25)
    dropped += Math.max(0, passed - (at - first.at))
  }
  return dropped
}

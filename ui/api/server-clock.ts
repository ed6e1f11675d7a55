/**
 * The server's time, from the `Date` of its answers: what is counted down (24 hours to agree) is counted on the server's
 * clock, not on the visitor's, which may be wrong by hours.
 */
let offset = 0
const listeners = new Set<() => void>()
/** Whole seconds are told, and an answer takes its time: less than this is no news. */
const noticed = 5_000

export function noteServerDate(header: string | null, now: number = Date.now()): void {
  const at = header === null ? Number.NaN : Date.parse(header)
  if (!Number.isFinite(at)) return
  const before = offset
  offset = at - now
  if (Math.abs(offset - before) > noticed) for (const listener of listeners) listener()
}

/** Hears that the time was found to be another: what was counted from the visitor's clock until then is counted anew. */
export function onServerTime(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Milliseconds since the epoch, to a second's precision. */
export function serverNow(): number {
  return Date.now() + offset
}

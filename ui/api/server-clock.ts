/**
 * The server's time, from the `Date` of its answers: what is counted down (24 hours to agree) is counted on the server's
 * clock, not on the visitor's, which may be wrong by hours.
 */
let offset = 0

export function noteServerDate(header: string | null, now: number = Date.now()): void {
  const at = header === null ? Number.NaN : Date.parse(header)
  if (Number.isFinite(at)) offset = at - now
}

/** Milliseconds since the epoch, to a second's precision. */
export function serverNow(): number {
  return Date.now() + offset
}

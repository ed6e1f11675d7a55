/**
 * How an anchor of the public log gets into the Bitcoin chain. Its commitment is handed over (`pending`), stands in a block (`mined`),
 * and is `confirmed` when enough blocks stand on that one. A block that leaves the main chain before takes it back to `pending`.
 */
export const anchorStatuses = ['pending', 'mined', 'confirmed', 'given_up'] as const
export type AnchorStatus = (typeof anchorStatuses)[number]

/** Ways out: OpenTimestamps calendars, or a transaction of the installation's own node. */
export const anchorWays = ['calendar', 'node'] as const
export type AnchorWay = (typeof anchorWays)[number]

export const anchorEventKinds = [
  'begun',
  'submitted',
  'sent',
  'replaced',
  'failed',
  'mined',
  'reorganised',
  'confirmed',
  'given_up',
] as const
export type AnchorEventKind = (typeof anchorEventKinds)[number]

const minute = 60_000

/**
 * When to look again. Blocks come every ten minutes on average, calendars send a transaction every few hours: asking often gives
 * nothing. After failures the wait doubles, up to six hours.
 */
export function nextTry(now: Date, status: 'pending' | 'mined', failures: number): Date {
  const base = status === 'mined' ? 5 * minute : 10 * minute
  const wait = failures === 0 ? base : Math.min(2 ** Math.min(failures - 1, 10) * minute, 360 * minute)
  return new Date(now.getTime() + wait)
}

/** One that nobody took into a block for so long is given up; a later checkpoint covers the same leaves. */
export function isGivenUp(now: Date, createdAt: Date, days: number): boolean {
  return now.getTime() - createdAt.getTime() >= days * 24 * 60 * minute
}

/** How long a token lives unused (decision H-08): remembered, or for one session of the browser. */
export function sessionLifetimeMs(remembered: boolean): number {
  return remembered ? 30 * 24 * 3_600_000 : 12 * 3_600_000
}

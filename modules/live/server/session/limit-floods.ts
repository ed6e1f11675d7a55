/** How much a viewer may send: a token bucket (as in RFC 2697 §3), so that a hand is never near it and a program soon over it. */
export type FloodLimit = { take(cost?: number): boolean }

export function createFloodLimit(bounds: {
  readonly burst: number
  readonly perSecond: number
  readonly monotonicMs?: () => number
}): FloodLimit {
  const now = bounds.monotonicMs ?? (() => performance.now())
  let tokens = bounds.burst
  let at = now()
  return {
    take: (cost = 1) => {
      const then = now()
      tokens = Math.min(bounds.burst, tokens + ((then - at) / 1000) * bounds.perSecond)
      at = then
      if (tokens < cost) return false
      tokens -= cost
      return true
    },
  }
}

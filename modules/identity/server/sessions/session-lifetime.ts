const hourMs = 3_600_000
const dayMs = 24 * hourMs

/** How long a token lives unused (decision H-08), and at most (decision 0245): remembered, or for one session of the browser. */
const lifetimes = {
  remembered: { unusedMs: 30 * dayMs, mostMs: 90 * dayMs },
  passing: { unusedMs: 12 * hourMs, mostMs: dayMs },
} as const

/** Until when a session lives that is used now, should it not be used again. */
export function sessionExpiry(session: { readonly createdAt: Date; readonly remembered: boolean }, now: Date): Date {
  const { unusedMs, mostMs } = lifetimes[session.remembered ? 'remembered' : 'passing']
  return new Date(Math.min(now.getTime() + unusedMs, session.createdAt.getTime() + mostMs))
}

/** How long the proof of who he is counts for what a session that was left open must not suffice for. */
const proofMs = 10 * 60_000

export function isProven(provenAt: Date | null, now: Date): boolean {
  return provenAt !== null && now.getTime() - provenAt.getTime() < proofMs
}

export function proofExpiry(now: Date): Date {
  return new Date(now.getTime() + proofMs)
}

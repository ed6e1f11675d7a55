/** An access that nobody remembers is a hole: each ends, at the latest after two years. */
export const longestDelegationDays = 731

/** In force at a time, by one grantor. */
export const mostDelegations = 50

export type ExpiryFault = 'expiry_required' | 'expiry_past' | 'expiry_too_far'

/** @param expiresAt ms since the epoch; NaN when none was given */
export function expiryFault(expiresAt: number, now: number): ExpiryFault | null {
  if (Number.isNaN(expiresAt)) return 'expiry_required'
  if (expiresAt <= now) return 'expiry_past'
  return expiresAt > now + longestDelegationDays * 86_400_000 ? 'expiry_too_far' : null
}

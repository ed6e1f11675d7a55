/** S-18…S-21. `none` is no row: what has matured and waits for the first of the month. */
export const payoutStatuses = ['none', 'pending', 'success', 'failed', 'returned'] as const
export type PayoutStatus = Exclude<(typeof payoutStatuses)[number], 'none'>

/** The database holds the same (migration 0077). */
export const payoutTransitions: Readonly<Record<PayoutStatus, readonly PayoutStatus[]>> = {
  pending: ['success', 'failed'],
  success: ['returned'],
  failed: [],
  returned: [],
}

/** What keeps a payout back, each of it to be done by whoever is paid but the last two; asked of him once there is something to pay. */
export const payoutLacks = [
  'minimum',
  'profile',
  'identity',
  'identity_expired',
  'identity_changed',
  'invoice',
  'bank_account',
  'account_currency',
  'provider_account',
  'provider_identity',
  'account_not_open',
] as const
export type PayoutLack = (typeof payoutLacks)[number]

/** Why a payout failed, as far as it changes what is told of it. */
export const payoutFailures = ['account_refused', 'not_verified', 'balance_too_low', 'not_sent', 'other'] as const
export type PayoutFailure = (typeof payoutFailures)[number]

export const failureOf = (reason: string): PayoutFailure =>
  (payoutFailures as readonly string[]).includes(reason) ? (reason as PayoutFailure) : 'other'

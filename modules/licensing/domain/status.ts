import { DomainError } from '../../../kernel/errors.ts'

/** `draft`: nobody but its seller sees it. */
export const offerStatuses = ['draft', 'open', 'stopped'] as const
export type OfferStatus = (typeof offerStatuses)[number]

/**
 * `pending`: it is not paid; from the moment it is asked to be, its place is kept until a day is over; `paid`: its document is being made; `lapsed`: nobody paid in time;
 * `revoked`: what was paid went back.
 */
export const licenseStatuses = ['pending', 'paid', 'active', 'lapsed', 'revoked'] as const
export type LicenseStatus = (typeof licenseStatuses)[number]

export const revocationReasons = ['payment_reversed', 'refunded'] as const
export type RevocationReason = (typeof revocationReasons)[number]

/** What may follow what; the database holds the same (migration 0068). */
export const offerTransitions: Readonly<Record<OfferStatus, readonly OfferStatus[]>> = {
  draft: ['open', 'stopped'],
  open: ['stopped'],
  stopped: [],
}
export const licenseTransitions: Readonly<Record<LicenseStatus, readonly LicenseStatus[]>> = {
  pending: ['paid', 'lapsed'],
  lapsed: [],
  paid: ['active', 'revoked'],
  active: ['revoked'],
  revoked: [],
}

/** @throws DomainError conflict `licensing.illegal_transition` */
export function assertFollows<S extends string>(table: Readonly<Record<S, readonly S[]>>, from: S, to: S): void {
  if (!table[from].includes(to)) throw new DomainError('conflict', 'licensing.illegal_transition', { from, to })
}

/** How long a place is kept for somebody who has not paid. */
export const pendingLifetimeMs = 24 * 60 * 60 * 1000

import { DomainError } from '../../../kernel/errors.ts'

export const statuses = ['draft', 'awaiting_payment', 'stamping', 'final', 'failed', 'expired'] as const
export type Status = (typeof statuses)[number]

/**
 * The one transition table of a deposit (decision H-09); the database holds the same one and refuses any other change. Whether it
 * is anchored is a date of its own: a deposit is final once it is signed, stamped and in the log.
 */
export const transitions = {
  /** Fingerprint taken, not agreed to; deleted after 24 hours (S-41). */
  draft: ['stamping', 'awaiting_payment', 'expired'],
  /** Agreed to, and to be paid, within the day of the draft. The agreement may be taken back. */
  awaiting_payment: ['stamping', 'draft', 'expired'],
  /** Its batch is being sealed. */
  stamping: ['final', 'failed'],
  final: [],
  /** No authority could be had for a day; tried again when its owner asks. */
  failed: ['stamping', 'expired'],
  expired: [],
} as const satisfies Readonly<Record<Status, readonly Status[]>>

export function mayBecome(from: Status, to: Status): boolean {
  return (transitions[from] as readonly Status[]).includes(to)
}

/** @throws DomainError `document.illegal_transition` (conflict) */
export function assertTransition(from: Status, to: Status): void {
  if (!mayBecome(from, to)) throw new DomainError('conflict', 'document.illegal_transition', { from, to })
}

/** Under which tab a deposit that nobody put in the trash is shown. */
export const statusesOfCategory = {
  pending: ['draft', 'awaiting_payment', 'stamping', 'failed'],
  completed: ['final'],
  trash: ['expired'],
} as const satisfies Readonly<Record<string, readonly Status[]>>
export type Category = keyof typeof statusesOfCategory

/** S-41, K-03. */
export const draftLifetimeMs = 24 * 60 * 60 * 1000
/** How long before the end its owner is reminded. */
export const draftReminderMs = 3 * 60 * 60 * 1000
/** Files of what is in the trash are deleted after so long; fingerprint and proofs stay (decision H-10). */
export const trashLifetimeMs = 30 * 24 * 60 * 60 * 1000

/** In one call, and under one token. */
export const largestBatch = 10_000
/** One by one up to here, each with a token over its own fingerprint; above, one token covers all. */
export const largestDirect = 20

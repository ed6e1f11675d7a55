import { DomainError } from '../../../kernel/errors.ts'

/**
 * The one transition table of an evidence. The database holds the same table and refuses any other change
 * (migration 0001); a test proves that both agree.
 */
export const transitions = {
  /** A capture process claims it. */
  queued: ['preparing', 'failed'],
  /** Back to `queued` when the capture process that held the lease is gone. */
  preparing: ['capturing', 'completing', 'failed', 'queued'],
  capturing: ['completing', 'failed', 'queued'],
  completing: ['to_validate', 'failed'],
  to_validate: ['finalizing', 'awaiting_payment', 'rejected', 'expired'],
  /** Agreed to, and to be paid: what was sealed stays for its day, whatever becomes of a card. The agreement may be taken back. */
  awaiting_payment: ['finalizing', 'to_validate', 'expired'],
  finalizing: ['final'],
  final: [],
  rejected: ['expired'],
  failed: ['expired'],
  expired: [],
} as const satisfies Readonly<Record<string, readonly string[]>>

export type Status = keyof typeof transitions

export function mayBecome(from: Status, to: Status): boolean {
  return (transitions[from] as readonly Status[]).includes(to)
}

/** Decided or not, it is not made final yet: its report may be looked at, marked as a preview. */
export const mayBePreviewed = (status: Status): boolean => status === 'to_validate' || status === 'awaiting_payment'

/** @throws DomainError `evidence.illegal_transition` (conflict). */
export function assertTransition(from: Status, to: Status): void {
  if (!mayBecome(from, to)) throw new DomainError('conflict', 'evidence.illegal_transition', { from, to })
}

/** E-28: under which tab an evidence is shown that nobody put in the trash; migration 0014 has the same. */
export const statusesOfCategory = {
  draft: ['queued', 'preparing', 'capturing', 'completing', 'to_validate', 'awaiting_payment', 'finalizing', 'failed'],
  completed: ['final'],
  trash: ['rejected', 'expired'],
} as const satisfies Readonly<Record<string, readonly Status[]>>
export type Category = keyof typeof statusesOfCategory

/** What is in the trash is kept so long, then its files are deleted (decision H-10). */
export const trashLifetimeMs = 30 * 24 * 60 * 60 * 1000

/** Non-finalised reports are deleted after 24 hours (S-40, K-03). */
export const draftLifetimeMs = 24 * 60 * 60 * 1000

/** A capture whose process disappears is begun again this often before it is declared failed. */
export const maxCaptureAttempts = 3

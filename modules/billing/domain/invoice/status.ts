import { DomainError } from '../../../../kernel/errors.ts'

/** Tables of what may follow what; the database holds the same ones (migration 0054) and refuses anything else. */
type Table<T extends string> = Readonly<Record<T, readonly T[]>>

/** A draft has no number and may be thrown away; what is issued stays as it is, and is credited by another document alone. */
export const documentTransitions = { draft: ['issued'], issued: [] } as const satisfies Table<'draft' | 'issued'>
export type DocumentStatus = keyof typeof documentTransitions

export const settlements = ['pending', 'processing', 'success', 'failed', 'reversed'] as const
export type Settlement = (typeof settlements)[number]
export const settlementTransitions = {
  pending: ['processing', 'success', 'failed'],
  processing: ['success', 'failed', 'pending'],
  success: ['reversed'],
  failed: ['pending', 'processing', 'success'],
  /** The bank took it back. */
  reversed: ['pending', 'processing', 'success', 'failed'],
} as const satisfies Table<Settlement>

export const instalmentStatuses = [
  'scheduled',
  'due',
  'collecting',
  'action_required',
  'unknown',
  'failed',
  'paid',
  'dropped',
] as const
export type InstalmentStatus = (typeof instalmentStatuses)[number]
export const instalmentTransitions = {
  /** Has no invoice yet. */
  scheduled: ['due', 'dropped'],
  due: ['collecting', 'paid', 'failed', 'dropped'],
  collecting: ['paid', 'failed', 'action_required', 'unknown', 'due', 'dropped'],
  /** Its payer has to do something at his bank's. */
  action_required: ['collecting', 'paid', 'failed', 'unknown', 'dropped'],
  /** It was asked for, and nobody knows whether it was heard: it is asked after, never asked for again. */
  /** … and is due again where it is certain that it was not. */
  unknown: ['paid', 'failed', 'action_required', 'due', 'dropped'],
  failed: ['due', 'collecting', 'paid', 'dropped'],
  /** Taken back by the bank. */
  paid: ['due'],
  dropped: [],
} as const satisfies Table<InstalmentStatus>

export const attemptStatuses = ['started', 'action_required', 'unknown', 'succeeded', 'failed'] as const
export type AttemptStatus = (typeof attemptStatuses)[number]
export const attemptTransitions = {
  started: ['action_required', 'unknown', 'succeeded', 'failed'],
  action_required: ['unknown', 'succeeded', 'failed'],
  unknown: ['action_required', 'succeeded', 'failed'],
  succeeded: [],
  /** What was given up may come in after all. */
  failed: ['succeeded'],
} as const satisfies Table<AttemptStatus>

export const refundStatuses = ['started', 'unknown', 'succeeded', 'failed'] as const
export type RefundStatus = (typeof refundStatuses)[number]
/** Money that goes back the way it came: noted before it is asked for, and asked after while nobody knows. */
export const refundTransitions = {
  started: ['unknown', 'succeeded', 'failed'],
  unknown: ['succeeded', 'failed'],
  succeeded: [],
  failed: [],
} as const satisfies Table<RefundStatus>

/** Of what is bought by itself: it waits for its payment, and is dropped if none comes; or it is had at once, and invoiced with all of its month. */
export const purchaseTransitions = {
  open: ['paid', 'dropped'],
  accrued: ['invoiced'],
  invoiced: [],
  paid: [],
  dropped: [],
} as const satisfies Table<'open' | 'accrued' | 'invoiced' | 'paid' | 'dropped'>
export type PurchaseStatus = keyof typeof purchaseTransitions

export function assertFollows<T extends string>(table: Table<T>, from: T, to: T): void {
  if (!table[from].includes(to)) throw new DomainError('conflict', 'billing.illegal_transition', { from, to })
}

/** What the invoice that it is of is said to be. */
export const settlementOf = {
  scheduled: 'pending',
  due: 'pending',
  collecting: 'processing',
  action_required: 'processing',
  unknown: 'processing',
  failed: 'failed',
  paid: 'success',
  dropped: 'pending',
} as const satisfies Readonly<Record<InstalmentStatus, Settlement>>

/** S-15, S-16, S-17: as the specification knows them. */
export const publicStatuses = ['success', 'pending', 'failed'] as const
export function publicStatusOf(settlement: Settlement): (typeof publicStatuses)[number] {
  return settlement === 'success' || settlement === 'failed' ? settlement : 'pending'
}

/** Days from a payment that failed to its next attempt, by how many failed before. */
const retries = [2, 5, 7, 7] as const

/** null: it is not tried again by itself. */
export const nextAttemptAfter = (failures: number): number | null => retries[failures] ?? null

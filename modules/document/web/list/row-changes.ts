import type { Document } from '../../contract/document.ts'
import type { Category } from '../../domain/status.ts'

/** `pay`: whatever waits for its payment, by one invoice. `discard`: nothing of it was sealed, and nothing can be had back. */
export type Change = 'agree' | 'pay' | 'discard' | 'trash' | 'restore'

/** As the calls are named. */
export const callOf = {
  agree: 'agree',
  pay: 'agree',
  discard: 'trash',
  trash: 'trash',
  restore: 'restore',
} as const satisfies Record<Change, string>

export const changesIn: Readonly<Record<Category, readonly Change[]>> = {
  pending: ['agree', 'pay', 'discard'],
  completed: ['trash'],
  trash: ['restore'],
}

/** Whether the server would do that to it as it is now. */
export function allows(
  { status, trashed_at: trashed, payment }: Pick<Document, 'status' | 'trashed_at' | 'payment'>,
  change: Change,
): boolean {
  if (change === 'pay') return payment !== null && payment.state !== 'processing'
  if (change === 'agree' || change === 'discard') return status === 'draft' || status === 'failed'
  return status === 'final' && (change === 'restore') === (trashed !== null)
}

export function changesOf(document: Parameters<typeof allows>[0], category: Category, manage: boolean): readonly Change[] {
  return manage ? changesIn[category].filter((change) => allows(document, change)) : []
}

export const hasProofs = ({ status }: Pick<Document, 'status'>): boolean => status === 'final'

/** Proofs are for whoever may read. */
export const isSelectable = (document: Parameters<typeof allows>[0], category: Category, manage: boolean): boolean =>
  hasProofs(document) || changesOf(document, category, manage).length > 0

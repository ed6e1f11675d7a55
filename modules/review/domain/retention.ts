import type { VerificationState } from './identity-document.ts'

/** A file that was refused, or never sent, and that its owner left alone for so long is erased. */
export const untouchedDays = 180
const dayMs = 86_400_000

/** When what counts was accepted; null: nothing counts. */
export function standsSince(file: {
  readonly state: VerificationState
  readonly decidedAt: Date | null
  readonly stands: { readonly since: Date } | null
}): Date | null {
  return file.state === 'success' ? file.decidedAt : (file.stands?.since ?? null)
}

/**
 * When a document of somebody is erased; null: his file is with the reviewers. What was decided by when he was accepted goes so long after that; what
 * came later, or never led to it, once it is left alone. Dates of what was decided stay (decision 0262).
 */
export function eraseAt(
  file: Parameters<typeof standsSince>[0] & { readonly touchedAt: Date },
  document: { readonly decidedAt: Date | null },
  acceptedDays: number,
): Date | null {
  if (file.state === 'pending') return null
  const since = standsSince(file)
  const isAccepted = since !== null && document.decidedAt !== null && document.decidedAt <= since
  return isAccepted
    ? new Date(since.getTime() + acceptedDays * dayMs)
    : new Date(file.touchedAt.getTime() + untouchedDays * dayMs)
}

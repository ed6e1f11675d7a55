import type { VerificationState } from './identity-document.ts'

/** A file that was refused, or never sent, and that its owner left alone for so long is erased. */
export const untouchedDays = 180
const dayMs = 86_400_000

/** When the files of somebody are erased; null: they are with the reviewers. Dates of what was decided stay (decision 0262). */
export function eraseAt(
  file: { readonly state: VerificationState; readonly decidedAt: Date | null; readonly touchedAt: Date },
  acceptedDays: number,
): Date | null {
  if (file.state === 'pending') return null
  if (file.state === 'success' && file.decidedAt !== null) return new Date(file.decidedAt.getTime() + acceptedDays * dayMs)
  return new Date(file.touchedAt.getTime() + untouchedDays * dayMs)
}

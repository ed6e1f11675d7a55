/** Reading a checklist, of today or sealed long ago (decision 0346). Pure. */
import type { ChecklistLine } from '../outcome/outcome.ts'

/** Lines that only name the list: none was ever measured, so none is met. Checklists sealed before decision 0346 hold one. */
const headings: readonly string[] = ['standard']

/** The conditions of a checklist: what was measured, or should have been. */
export function conditionsOf<Line extends Pick<ChecklistLine, 'id'>>(checklist: readonly Line[]): readonly Line[] {
  return checklist.filter(({ id }) => !headings.includes(id))
}

/** Values that lines sealed before they were measured do not have, and that sentences ask for. */
const addedLater = { asked_at: null } as const

/**
 * For each value of a line whether there is one (`has_serial`: `yes` or `no`), so that its sentence says what was measured and leaves
 * out the rest.
 */
export function presenceOf(data: ChecklistLine['data']): Readonly<Record<string, 'yes' | 'no'>> {
  return Object.fromEntries(
    Object.entries({ ...addedLater, ...data }).map(
      ([name, value]) => [`has_${name}`, value === null || value === '' ? 'no' : 'yes'] as const,
    ),
  )
}

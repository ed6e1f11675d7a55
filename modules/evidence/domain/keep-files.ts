/** How long the files of a report that is not to be stored stay, once it is final or was so decided (decision H-15). */
export const keptForMs = 30 * 86_400_000

/** Days before the end on which whoever has not downloaded it is reminded. */
export const reminderDays = [15, 7, 1] as const
export type ReminderDays = (typeof reminderDays)[number]

const dayMs = 86_400_000
/** A reminder that comes later than this has the end put off: nobody has less time than it says. */
const latenessMs = dayMs / 2

/** @returns the day from which on a term may have something to do: its first reminder */
export function termLooksAheadMs(): number {
  return reminderDays[0] * dayMs
}

export type NextOfTerm =
  | { readonly action: 'wait' }
  | { readonly action: 'remind'; readonly days: ReminderDays; readonly until: Date }
  | { readonly action: 'delete' }

/**
 * What a term calls for now. Files are deleted after three reminders, each with its whole notice: a worker that slept through one sends
 * it when it wakes, and the end is put off.
 * @param term `reminded`: how many were made; `remindable`: false when it was downloaded, or nobody is there to be reminded
 */
export function nextOfTerm(
  term: { readonly until: Date; readonly reminded: number; readonly remindable: boolean },
  now: Date,
): NextOfTerm {
  const left = term.until.getTime() - now.getTime()
  const days = term.remindable ? reminderDays[term.reminded] : undefined
  if (days === undefined) return { action: left <= 0 ? 'delete' : 'wait' }
  const notice = days * dayMs
  if (left > notice) return { action: 'wait' }
  return { action: 'remind', days, until: left < notice - latenessMs ? new Date(now.getTime() + notice) : term.until }
}

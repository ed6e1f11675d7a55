/**
 * Days as an invoice has them: of the calendar of Paris, `YYYY-MM-DD`, which compare as text. Temporal is Node's own; browsers that lack it
 * never load this: what a page shows of days comes from the server, ready.
 */
export type Day = string

export const zone = 'Europe/Paris'

/** From the first day, included, to the last, excluded. */
export type Span = { readonly from: Day; readonly to: Day }

export function dayOf(instant: Date): Day {
  return Temporal.Instant.fromEpochMilliseconds(instant.getTime()).toZonedDateTimeISO(zone).toPlainDate().toString()
}

/** The instant at which the day begins in Paris: an hour earlier, in UTC, in summer. */
export function beginOf(day: Day): Date {
  return new Date(Temporal.PlainDate.from(day).toZonedDateTime(zone).epochMilliseconds)
}

export function addDays(day: Day, days: number): Day {
  return Temporal.PlainDate.from(day).add({ days }).toString()
}

export function daysIn({ from, to }: Span): number {
  return Temporal.PlainDate.from(from).until(Temporal.PlainDate.from(to), { largestUnit: 'days' }).days
}

/**
 * Counted from the anchor each time, never from the month before: 31 January is followed by 28 February and then by 31 March, where a
 * chain of months would stay at 28.
 */
export function monthsAfter(anchor: Day, months: number): Day {
  return Temporal.PlainDate.from(anchor).add({ months }, { overflow: 'constrain' }).toString()
}

/** A stretch of so many months that begins so many after the anchor: where one ends the next begins, however long each is. */
export function spanAfter(anchor: Day, before: number, months: number): Span {
  return { from: monthsAfter(anchor, before), to: monthsAfter(anchor, before + months) }
}

/** The same in so many parts of as many months: of a year in four, three months each. */
export function partsOf(anchor: Day, before: number, months: number, parts: number): readonly Span[] {
  const step = months / parts
  if (!Number.isInteger(step)) throw new RangeError(`${months} months are not ${parts} times a whole number of them`)
  return Array.from({ length: parts }, (_, part) => spanAfter(anchor, before + step * part, step))
}

/** Whole months from the anchor to the day: of the month in which it lies, the number. @throws RangeError before the anchor */
export function monthsUntil(anchor: Day, day: Day): number {
  if (day < anchor) throw new RangeError(`${day} is before ${anchor}`)
  const whole = Temporal.PlainDate.from(anchor).until(Temporal.PlainDate.from(day), { largestUnit: 'months' }).months
  // One that is cut short at the end of a month is whole from that day on, which the difference of two days does not say.
  return monthsAfter(anchor, whole + 1) <= day ? whole + 1 : whole
}

/** The month of the calendar that a day is in. */
export function monthOf(day: Day): Span {
  const from = `${day.slice(0, 7)}-01`
  return { from, to: monthsAfter(from, 1) }
}

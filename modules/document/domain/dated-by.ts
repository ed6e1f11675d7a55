/**
 * The time stamp that gives a deposit its date, wherever one date is told: the earliest of an authority outside the installation, or of
 * its own where there is no other (decision 0345). Undefined where there is none.
 */
export function datedBy<T extends { readonly embedded: boolean }>(
  stamps: readonly T[],
  /** ISO 8601 UTC with milliseconds. */
  timeOf: (stamp: T) => string,
): T | undefined {
  const independent = stamps.filter(({ embedded }) => !embedded)
  const [first] = (independent.length > 0 ? independent : stamps).toSorted((a, b) => timeOf(a).localeCompare(timeOf(b)))
  return first
}

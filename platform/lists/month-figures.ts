import type { MonthCount } from './tally-store.ts'

/** How many became final this month, in the one before, and in all. */
export type Figures = { readonly current: number; readonly previous: number; readonly total: number }

/** `2026-11`, UTC: as the tallies count. */
export function monthOf(now: Date, back = 0): string {
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - back, 1)).toISOString().slice(0, 7)
}

export function figuresOf(counts: readonly MonthCount[], now: Date): Figures {
  const sum = (wanted: (month: string) => boolean) =>
    counts.reduce((total, { month, count }) => total + (wanted(month) ? count : 0), 0)
  const [current, previous] = [monthOf(now), monthOf(now, 1)]
  return { current: sum((month) => month === current), previous: sum((month) => month === previous), total: sum(() => true) }
}

/** Of each of a group, who has most first. */
export function figuresByUser(
  counts: readonly MonthCount[],
  people: ReadonlyMap<string, string>,
  now: Date,
): (Figures & { readonly id: string; readonly name: string })[] {
  const byUser = Map.groupBy(counts, ({ userId }) => userId)
  return [...people]
    .map(([id, name]) => ({ id, name, ...figuresOf(byUser.get(id) ?? [], now) }))
    .toSorted((a, b) => b.total - a.total || (a.id < b.id ? -1 : 1))
}

/** Steps from one word to the other: a letter more, fewer or another (Levenshtein). */
function steps(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, n) => n)
  for (const [n, letter] of from.split('').entries()) {
    const next = [n + 1]
    for (const [k, other] of to.split('').entries())
      next.push(Math.min((next[k] ?? 0) + 1, (row[k + 1] ?? 0) + 1, (row[k] ?? 0) + (letter === other ? 0 : 1)))
    row = next
  }
  return row.at(-1) ?? from.length
}

/** What was probably meant: the same without its prefix, or a slip or two away. */
export function nearestName(given: string, names: Iterable<string>): string | undefined {
  const near = [...names]
    .map((name) => ({ name, away: name === given.replace(/^PROBANT_/, '') ? 0 : steps(given, name) }))
    .filter(({ away }) => away <= 2)
    .toSorted((one, other) => one.away - other.away)
  return near[0]?.name
}
